/**
 * A hostile visitor, in a process of its own: `tsx attacker.ts <attack> <url> <key>`. Says "begun", and continues
 * until it is disconnected.
 */

import { attacksOn } from "./attacks.ts";

const [attack = "", url = "", key = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(0));
void attacksOn(url, key)[attack]?.();
// An attack that prepares itself for long on a busy machine may find nobody who listens any more.
if (process.connected) process.send?.("begun");
