/** Writes Fabric's own JSON of an object compactly. */

import { readObject } from "./object-parser.ts";
import type { NewObject } from "./drawing.ts";
import { FABRIC_VERSION } from "./schema.ts";
import { MAX_OBJECTS } from "./limits.ts";

/**
 * Returns what Fabric 7's `toObject` wrote with the same meaning and a fraction of the length. Default values,
 * unknown properties and values that Fabric computes are left out, lengths are rounded to 0.1 px on the screen, and a
 * path array becomes path text with relative commands. Values out of range are clamped; invalid ones are left out.
 * Compacting twice changes nothing.
 * @throws TypeError for an object that no board may contain (an image, a path without a path).
 */
export function compactObject(fabricJson: unknown): NewObject {
  const read = readObject(fabricJson, {
    compact: true,
    lenient: true,
    version: FABRIC_VERSION,
    budget: { left: MAX_OBJECTS },
  });
  if (!read.ok) throw new TypeError(`Not an object of a board: ${read.reason}`);
  return read.object;
}
