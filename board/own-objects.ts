/**
 * Protects this page's own objects from the claims of others. A causal context is a claim: a hostile or broken peer
 * may claim to have observed objects that do not exist yet, and thereby their removal. Nobody can have observed what
 * was never sent, so this page knows that such a claim is false.
 */

import { authorOf, makeId, sequenceOf } from "./author.ts";
import { dropObject, putObject, type Board } from "./board.ts";
import {
  addToContext,
  contextOf,
  knownIncarnation,
  lastSequence,
  subtractContext,
  type CausalContext,
} from "./causal-context.ts";
import type { Author, BoardChanges, BoardObject, Json, ObjectId } from "./drawing.ts";
import { buildObject, propsOf } from "./groups.ts";
import { sameJson } from "./json.ts";
import { MAX_COUNT } from "./limits.ts";

/** Ids of objects that this page's pending edits touched. */
export interface OwnObjects {
  /** Objects that were never sent: no message and no save that left this page contained them. */
  readonly unsent: ReadonlySet<ObjectId>;
  /** Objects that the row is not known to contain, the unsent ones included. */
  readonly pending: Iterable<ObjectId>;
}

/** Makes a name this page's own before its first object exists: from now on claims about it are checked. */
export function claimAuthor(board: Board, author: Author): void {
  if (!board.nextSequence.has(author)) board.nextSequence.set(author, 0);
}

/**
 * True for an object under the id of one that this page made and never sent: nobody can know that id, so it was
 * guessed. An equal copy is not forged: another page of this device has read it from the journal.
 */
export function isForged(board: Board, object: BoardObject, unsent: OwnObjects["unsent"]): boolean {
  if (!unsent.has(object.id) || !board.nextSequence.has(authorOf(object.id))) return false;
  const mine = board.objects.get(object.id);
  return mine !== undefined && !sameJson(mine as Json, object as Json);
}

/**
 * Notes that somebody made an object under a name of this page with an unused number. They may remove it: the number
 * counts as used, or this page would refuse what everybody else believes.
 */
export function noteNumber(board: Board, id: ObjectId): void {
  const next = board.nextSequence.get(authorOf(id));
  if (next !== undefined && sequenceOf(id) >= next)
    board.nextSequence.set(authorOf(id), sequenceOf(id) + 1);
}

/** Marks a name of this page as used by a peer, so that it gets a successor (see `renameOwnObjects`). */
export function discredit(board: Board, name: Author): void {
  if (!board.renamed.has(name)) board.renamed.set(name, name);
}

/**
 * Removes false claims about this page's own names from `theirs`: numbers that were not used yet, and objects
 * that were never sent. `alive` are the objects that the drawing contains; about these it claims nothing. Once
 * a drawing's claim about a name is false, none of its claims about pending objects of that name counts, and
 * the name is noted in `board.renamed` until `renameOwnObjects` gives it a successor.
 */
export function dropFalseClaims(
  board: Board,
  theirs: CausalContext,
  alive: ReadonlySet<ObjectId>,
  own: OwnObjects,
): void {
  const claimed = (id: ObjectId): boolean =>
    !alive.has(id) && knownIncarnation(theirs, authorOf(id), sequenceOf(id)) >= 0;
  const names = new Set<Author>();
  for (const [name, next] of board.nextSequence) {
    if (lastSequence(theirs, name) >= next) names.add(name);
  }
  for (const id of own.unsent) if (board.objects.has(id) && claimed(id)) names.add(authorOf(id));
  if (names.size === 0) return;
  const refused: [Author, number, number][] = [...own.pending]
    .filter((id) => names.has(authorOf(id)) && !alive.has(id))
    .map((id) => [authorOf(id), sequenceOf(id), 0]);
  subtractContext(theirs, contextOf(refused));
  for (const name of names) {
    const next = board.nextSequence.get(name);
    if (next !== undefined) subtractContext(theirs, new Map([[name, [next, MAX_COUNT, 0]]]));
    discredit(board, name);
  }
}

/** Own names about which a peer made a false claim and which have no successor yet. */
export function discreditedNames(board: Board): Author[] {
  return [...board.renamed].filter(([name, successor]) => name === successor).map(([name]) => name);
}

/**
 * Gives each discredited name a successor, a name that no peer can guess, and moves `pending` objects of the name to
 * it: for peers the objects are removed and added again under ids that no claim covers. Returns the new id of each
 * moved object, and the change.
 */
export function renameOwnObjects(
  board: Board,
  pending: Iterable<ObjectId>,
  successorOf: (name: Author) => Author,
): { readonly ids: ReadonlyMap<ObjectId, ObjectId>; readonly changes: BoardChanges } {
  const names = new Set(discreditedNames(board));
  for (const name of names) {
    const successor = successorOf(name);
    board.renamed.set(name, successor);
    claimAuthor(board, successor);
  }
  const ids = new Map<ObjectId, ObjectId>();
  const added: BoardObject[] = [];
  const removed: BoardObject[] = [];
  for (const id of new Set(pending)) {
    const name = authorOf(id);
    const object = names.has(name) ? board.objects.get(id) : undefined;
    if (object === undefined) continue;
    const moved = buildObject(
      { type: object.type, id: takeId(board, name), incarnation: 0 },
      {},
      propsOf(object),
    );
    dropObject(board, id);
    putObject(board, moved);
    ids.set(id, moved.id);
    removed.push(object);
    added.push(moved);
  }
  return { ids, changes: { added, changed: [], removed } };
}

/**
 * The id of this page's next object, which counts as observed from now on. A discredited name is replaced by
 * its successor. On a board that knows no successor, a name whose numbers a peer claimed to the end is made
 * longer.
 */
export function takeId(board: Board, author: Author): ObjectId {
  let base = author;
  for (let next = board.renamed.get(base); next !== undefined && next !== base;) {
    base = next;
    next = board.renamed.get(base);
  }
  for (let extra = 0; ; extra++) {
    const name = extra === 0 ? base : (`${base}x${extra.toString(36)}` as Author);
    const seq = Math.max(board.nextSequence.get(name) ?? 0, lastSequence(board.context, name) + 1);
    if (seq > MAX_COUNT) continue;
    board.nextSequence.set(name, seq + 1);
    addToContext(board.context, name, seq, 0);
    return makeId(name, seq);
  }
}
