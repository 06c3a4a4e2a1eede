/** What of a file does not come onto the board, counted by its kind. */

/**
 * Pictures in a drawing, frames, embedded pages, scripts, effects (clips, masks, filters), references to what is not
 * there, kinds that no board has, and objects with values that cannot be read.
 */
export type LeftOutKind =
  | "picture"
  | "frame"
  | "page"
  | "script"
  | "effect"
  | "reference"
  | "unknown"
  | "value";

/** How many of each kind. */
export type LeftOut = Partial<Record<LeftOutKind, number>>;

/** Counts so many more of a kind. */
export function leaveOut(leftOut: LeftOut, kind: LeftOutKind, count = 1): void {
  if (count > 0) leftOut[kind] = (leftOut[kind] ?? 0) + count;
}
