/** Taking over what a program wrote that knows nothing of merging. */

import { authorOf, MAX_COUNT, seqOf } from "./author.ts";
import { dropObject, putObject } from "./board.ts";
import type { Board } from "./board.ts";
import type { Author, BoardChanges, Drawing, ObjectId } from "./drawing.ts";
import { buildObject, nextStamp, propsOf } from "./groups.ts";
import { see } from "./merge.ts";
import type { Collected } from "./merge.ts";
import { lifeSeen } from "./seen.ts";

/**
 * Takes a drawing of a foreign client as the newest: what it does not hold goes, except `keep` (changes of
 * this page that nobody has saved yet); what it holds stays or comes; the stack follows its order.
 */
export function adoptForeign(
  board: Board,
  drawing: Drawing,
  keep: ReadonlySet<ObjectId>,
): BoardChanges {
  const changes: Collected = { added: [], changed: [], removed: [] };
  const wanted = new Set(drawing.objects.map((object) => object.id));
  for (const id of board.objects.keys()) {
    if (wanted.has(id) || keep.has(id)) continue;
    const removed = dropObject(board, id);
    if (removed !== undefined) changes.removed.push(removed);
  }
  for (const object of drawing.objects) {
    const mine = board.objects.get(object.id);
    if (mine === undefined) {
      const seen = lifeSeen(board.seen, authorOf(object.id), seqOf(object.id));
      const life = Math.min(seen + 1, MAX_COUNT);
      const fresh = buildObject({ type: object.type, id: object.id, life }, {}, propsOf(object));
      putObject(board, fresh);
      see(board, fresh);
      changes.added.push(fresh);
    } else if (mine.z !== object.z) {
      const order = nextStamp(mine, "order", authorOf(mine.id));
      if (order[0] > MAX_COUNT) continue;
      const moved = { ...mine, z: object.z, stamps: { ...mine.stamps, order } };
      putObject(board, moved);
      changes.changed.push(moved);
    }
  }
  if (board.background !== drawing.background) {
    const version = Math.min(board.backgroundStamp[0] + 1, MAX_COUNT);
    board.background = drawing.background;
    board.backgroundStamp = [version, "f" as Author];
    changes.background = drawing.background;
  }
  return changes;
}
