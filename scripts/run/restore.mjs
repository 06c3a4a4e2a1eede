/** `npm run restore`: see docs/operations.md. */

import { runServerCommand } from "./server-command.mjs";

await runServerCommand("backup/main.js", ["restore"]);
