/**
 * A hostile visitor, in a process of its own: `tsx attacker.ts <attack> <url> <key>`. Says "begun", and continues
 * until it is disconnected.
 */

import { attacksOn } from "./attacks.ts";

const [name = "", url = "", key = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(0));
// On a busy machine nobody may listen any more, before the attack begins or after it has prepared itself.
if (!process.connected) process.exit(0);
const attack = new Map<string, () => Promise<unknown>>(Object.entries(attacksOn(url, key))).get(
  name,
);
if (attack === undefined) throw new Error(`no attack is named ${name}`);
void attack();
process.send?.("begun", undefined, undefined, () => undefined);
