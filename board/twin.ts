/** Objects that look alike and lie on each other, so that only the upper one is seen. */

import type { BoardObject } from "./drawing.ts";

/** Properties that make two objects cover each other. The colour is not among them: only the upper one's is seen. */
const COVERING = [
  ...["type", "left", "top", "originX", "originY", "scaleX", "scaleY", "angle"],
  ...["width", "height", "radius", "text", "fontSize", "path", "src"],
] as const;

/** True when one of two objects covers the other, which is just like it. */
export function areTwins(a: BoardObject, b: BoardObject): boolean {
  return a.id !== b.id && COVERING.every((name) => a[name] === b[name]);
}
