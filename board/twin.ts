/** Finds objects that look alike and lie on each other, so that only the upper one is visible. */

import type { BoardObject } from "./drawing.ts";

/** Properties by which two objects cover each other. The colour is not among them: only the upper one's is visible. */
const COVERING = [
  ...["type", "left", "top", "originX", "originY", "scaleX", "scaleY", "angle"],
  ...["width", "height", "radius", "text", "fontSize", "path", "src"],
] as const;

/** True when two objects are so alike that the upper one covers the other. */
export function areTwins(a: BoardObject, b: BoardObject): boolean {
  return a.id !== b.id && COVERING.every((name) => a[name] === b[name]);
}
