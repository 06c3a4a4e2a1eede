/** Merges of what the row contains, or contained, into the board. */

import type { AdoptOptions } from "../../../board/adopt.ts";
import { getObject } from "../../../board/board.ts";
import type { ObjectId } from "../../../board/drawing.ts";
import type { ParsedDrawing } from "../../../board/parse.ts";
import type { Backend, Fault, RowVersion } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";
import { mergeSlices, readDrawing, OBJECTS_PER_SLICE } from "../replica/drawing-text.ts";
import type { PlainClients } from "../replica/plain-clients.ts";
import { isNothing, type Replica } from "../replica/replica.ts";

export interface MergeDependencies {
  readonly backend: Backend;
  readonly replica: Replica;
  readonly plainClients: PlainClients;
  readonly env: Environment;
}

/**
 * Merges the row, which was written before the time `since`. Returns the objects of the board that stay as they are though
 * a plain drawing says something else.
 */
export async function mergeRow(
  { replica, plainClients, env }: MergeDependencies,
  parsed: Extract<ParsedDrawing, { ok: true }>,
  since: number,
): Promise<ObjectId[]> {
  if (!parsed.foreign) {
    await mergeSlices(parsed.drawing, (part) => replica.receive(part), env);
    return [];
  }
  // What it leaves out was removed by its writer, unless it stands for something that cannot be read.
  const removes = parsed.leftOut === 0;
  const pending = replica.pending.allIds();
  const retained: ObjectId[] = removes ? [] : [...replica.board.objects.keys()];
  const keeps: AdoptOptions["isRetained"] = (object) => {
    const keep = pending.has(object.id) || plainClients.isUnknownTo(null, object, since);
    if (keep) retained.push(object.id);
    return keep;
  };
  // One slice: `retained` is complete when it ends.
  replica.adopt(parsed, { removes, isRetained: keeps, size: Number.POSITIVE_INFINITY }).next();
  return [...new Set(retained)];
}

/** A save without an answer: the version that it was to replace, null for an insert, and the objects that were pending. */
export interface UnansweredSave {
  readonly guard: RowVersion | null;
  readonly ids: ReadonlySet<ObjectId>;
}

/**
 * The row is of another version than the one that an unanswered save was to replace. If the save was written, others
 * can have observed its objects, and what they say of them counts; if not, nobody can, and it does not.
 */
export async function noteAnswered(
  { backend, replica, env }: MergeDependencies,
  { guard, ids }: UnansweredSave,
  { version }: RowVersion,
): Promise<void> {
  const written = guard === null ? 1 : (guard.version ?? Number.POSITIVE_INFINITY) + 1;
  // What the row contains now, the merge marks.
  if (version === null || version <= written) return;
  const replaced = await backend.loadReplaced(written);
  const parsed = replaced.ok && replaced.value ? await readDrawing(replaced.value, env) : null;
  if (!parsed || parsed.foreign) return;
  replica.pending.markSent(parsed.drawing.objects.flatMap(({ id }) => (ids.has(id) ? id : [])));
}

/**
 * Notes as pending what the row lacks and nobody is about to save. It was in the row before: a writer that guards
 * nothing put an older drawing in its place. It is pending at every client that reads the row; the first save settles
 * it for all. `emit` gets the objects, slice by slice, or an empty list for removals alone.
 */
export async function noteStale(
  { env, replica: { board, pending } }: MergeDependencies,
  ids: readonly ObjectId[],
  emit: (ids: readonly ObjectId[]) => void,
): Promise<void> {
  const known = pending.allIds();
  const stale = ids.filter((id) => !known.has(id));
  if (stale.length === 0) return;
  // A removal may be a peer's, whose save has not arrived yet.
  const removed = stale.filter((id) => !getObject(board, id));
  pending.addPeerUpdate(null, removed);
  const lost = stale.filter((id) => getObject(board, id));
  if (lost.length === 0) emit([]);
  for (let from = 0; from < lost.length; from += OBJECTS_PER_SLICE) {
    if (from > 0) await env.pause();
    const part = lost.slice(from, from + OBJECTS_PER_SLICE);
    pending.addEdit(part);
    emit(part);
  }
}

/** The newest replaced drawings that are looked at after a save that was not guarded. */
const MAX_REPLACED = 8;

/**
 * After a save that was not guarded: what it replaced unread comes from the history and is merged. `before` is the
 * version that this client had read, `after` that of its save, or of a later one. Returns whether something of it was
 * new, so that the board has to be written once more; or the fault with which the history could not be read.
 */
export async function mergeReplaced(
  { backend, replica, env }: MergeDependencies,
  before: RowVersion,
  after: RowVersion,
): Promise<boolean | Fault> {
  const end = after.version ?? 0;
  let isNew = false;
  for (let at = Math.max((before.version ?? 0) + 1, end - MAX_REPLACED); at < end; at += 1) {
    const replaced = await backend.loadReplaced(at);
    if (!replaced.ok) return replaced.fault;
    const parsed = replaced.value ? await readDrawing(replaced.value, env) : null;
    // A plain drawing of that moment would replace the board that was just saved.
    if (!parsed || parsed.foreign) continue;
    const changes = await mergeSlices(parsed.drawing, (part) => replica.receive(part), env);
    isNew ||= !changes.every(isNothing);
  }
  return isNew;
}
