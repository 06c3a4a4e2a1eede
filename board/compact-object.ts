/** Fabric's own JSON of an object, written compactly. */

import { readObject } from "./object-parser.ts";
import type { NewObject } from "./drawing.ts";
import { FABRIC_VERSION } from "./schema.ts";
import { MAX_OBJECTS, MAX_SHADOWS } from "./limits.ts";

/**
 * What Fabric 7's `toObject` wrote, with the same meaning and a fraction of the length: default values,
 * unknown properties and what Fabric computes itself left out, lengths rounded to 0.1 px on the screen,
 * a path array as path text with relative commands. Values out of range are brought into it; those that
 * make no sense are left out. Compacting twice changes nothing.
 * @throws TypeError for an object that a board does not hold (an image, a path without a path).
 */
export function compactObject(fabricJson: unknown): NewObject {
  const read = readObject(fabricJson, {
    compact: true,
    lenient: true,
    version: FABRIC_VERSION,
    budget: { left: MAX_OBJECTS, shadows: MAX_SHADOWS },
  });
  if (!read.ok) throw new TypeError(`Not an object of a board: ${read.reason}`);
  return read.object;
}
