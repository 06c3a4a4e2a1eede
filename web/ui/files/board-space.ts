/** Explains why a board accepts no more objects. */

import type { BoardObject, NewObject } from "../../../board/drawing.ts";
import { MAX_OBJECTS } from "../../../board/limits.ts";
import { exceededLimit, type SpaceLimit } from "../../../board/space.ts";
import { t } from "../language/text.ts";

/**
 * Returns the reason why the objects cannot be added, as a clause in the visitor's language; null when they can.
 * Pauses after each object.
 */
export function* refuseObjects(
  board: readonly BoardObject[],
  added: readonly NewObject[],
): Generator<void, string | null> {
  const limit = yield* exceededLimit(board, added);
  return limit && limitClause(limit);
}

/** Returns a clause that names the limit which a board would exceed, in the visitor's language. */
export function limitClause(limit: SpaceLimit): string {
  if (limit === "pictures") return t("the board's pictures would take up more than 6 MB");
  if (limit === "bytes") return t("the board would become larger than 10 MB");
  return t("the board would have more than {max} objects", { max: MAX_OBJECTS });
}
