/** Fabric's own JSON of an object, written compactly. */

import { readObject } from "./door.ts";
import type { NewObject } from "./drawing.ts";
import { FABRIC_VERSION, MOST_OBJECTS } from "./schema.ts";

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
    forgiving: true,
    version: FABRIC_VERSION,
    budget: { left: MOST_OBJECTS },
  });
  if (!read.ok) throw new TypeError(`Not an object of a board: ${read.reason}`);
  return read.object;
}
