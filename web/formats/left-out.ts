/** Counts the parts of a file that are not added to the board, by their kind. */

/**
 * The kinds: pictures in a drawing, frames, embedded pages, scripts, effects (clips that cut something, masks, filters),
 * parts that look otherwise on the board (groups that are translucent as a whole, letters that a file places),
 * references to something absent, types that no board has, and objects with values that cannot be read.
 */
export type LeftOutKind =
  | "picture"
  | "frame"
  | "page"
  | "script"
  | "effect"
  | "look"
  | "reference"
  | "unknown"
  | "value";

/** The number of parts of each kind. */
export type LeftOut = Partial<Record<LeftOutKind, number>>;

/** Counts so many more parts of a kind. */
export function leaveOut(leftOut: LeftOut, kind: LeftOutKind, count = 1): void {
  if (count > 0) leftOut[kind] = (leftOut[kind] ?? 0) + count;
}
