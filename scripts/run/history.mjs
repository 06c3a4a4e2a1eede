/** `npm run history`: lists, shows and restores the drawings that the database has stored. */

import { runServerCommand } from "./server-command.mjs";

await runServerCommand("history/main.js");
