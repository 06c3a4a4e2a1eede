/** `npm run history`: lists, shows and restores the drawings that the database kept. */

import { runServerCommand } from "./server-command.mjs";

await runServerCommand("history/main.js");
