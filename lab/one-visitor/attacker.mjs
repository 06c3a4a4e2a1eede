/**
 * A hostile visitor, in a process of its own: `node attacker.mjs <attack> <url> <key>`. Says "begun", and goes on until it
 * is disconnected.
 */

import { attacksOn } from "./attacks.mjs";

const [attack = "", url = "", key = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(0));
void attacksOn(url, key)[attack]?.();
process.send?.("begun");
