/** `npm run host-link`: prints the link for the host of the board. */

import { runServerCommand } from "./server-command.mjs";

await runServerCommand("host-link/main.js");
