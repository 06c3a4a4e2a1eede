/**
 * Undo and redo of this person's own changes. They are new changes, property by property: a value that somebody else
 * has changed since is left alone.
 */

import type { Board } from "./board.ts";
import type { Author, BoardChanges, BoardObject, Json, ObjectChange, ObjectId } from "./drawing.ts";
import { changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { propsOf, type Props } from "./groups.ts";
import { sameJson } from "./json.ts";

/** The effect of one change on one object. */
export type UndoStep =
  | { readonly kind: "added"; readonly id: ObjectId }
  | { readonly kind: "removed"; readonly object: BoardObject }
  | { readonly kind: "changed"; readonly id: ObjectId; readonly props: readonly PropertyStep[] };

export interface PropertyStep {
  readonly name: string;
  /** The value before; undefined for the default. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** One change of this person, which one undo takes back. */
export interface UndoEntry {
  readonly steps: readonly UndoStep[];
}

/** The undo and redo stacks; make them with `createUndoStack`. The newest entry is the last. */
export interface UndoStack {
  readonly undo: UndoEntry[];
  readonly redo: UndoEntry[];
}

/** Changes that a stack contains at most; the oldest are forgotten. */
const LIMIT = 200;

export function createUndoStack(): UndoStack {
  return { undo: [], redo: [] };
}

/**
 * Makes an entry from the objects that a local edit touched, as they were before and after it. An object in `after`
 * only was added, one in `before` only was removed.
 */
export function makeEntry(
  before: readonly BoardObject[],
  after: readonly BoardObject[],
): UndoEntry {
  const old = new Map(before.map((object) => [object.id, object]));
  const steps: UndoStep[] = [];
  for (const object of after) {
    const was = old.get(object.id);
    old.delete(object.id);
    if (was === undefined) steps.push({ kind: "added", id: object.id });
    else {
      const props = differences(was, object);
      if (props.length > 0) steps.push({ kind: "changed", id: object.id, props });
    }
  }
  for (const object of old.values()) steps.push({ kind: "removed", object });
  return { steps };
}

/** Makes the entry of an edit that says how the objects that it changed were before. */
export function entryOf({ added, changed, removed, before = [] }: BoardChanges): UndoEntry {
  return makeEntry([...before, ...removed], [...added, ...changed]);
}

/** Records a change; undone changes can then no longer be redone. An entry without steps is ignored. */
export function record(stack: UndoStack, entry: UndoEntry): void {
  if (entry.steps.length === 0) return;
  push(stack.undo, entry);
  stack.redo.length = 0;
}

/**
 * Records a change as a part of an earlier one while that can still be undone, or else by itself. Returns the entry
 * that contains it.
 */
export function recordInto(
  stack: UndoStack,
  earlier: UndoEntry | undefined,
  entry: UndoEntry,
): UndoEntry {
  const index = earlier ? stack.undo.lastIndexOf(earlier) : -1;
  if (!earlier || index < 0) {
    record(stack, entry);
    return entry;
  }
  const whole = { steps: [...earlier.steps, ...entry.steps] };
  stack.undo[index] = whole;
  stack.redo.length = 0;
  return whole;
}

/** Takes back the newest change that still has a visible effect; null when there is none. */
export function undoStep(
  stack: UndoStack,
  board: Board,
  author: Author,
): { readonly changes: BoardChanges } | null {
  return takeBack({ from: stack.undo, to: stack.redo }, board, author);
}

/** Makes the newest undone change again, as far as it still has a visible effect; null when there is none. */
export function redoStep(
  stack: UndoStack,
  board: Board,
  author: Author,
): { readonly changes: BoardChanges } | null {
  return takeBack({ from: stack.redo, to: stack.undo }, board, author);
}

/** Whether `undoStep` would do something. It usually looks at one entry only. */
export function canUndo(stack: UndoStack, board: Board): boolean {
  return stack.undo.findLast((entry) => hasEffect(plan(entry, board))) !== undefined;
}

/** Whether `redoStep` would do something. */
export function canRedo(stack: UndoStack, board: Board): boolean {
  return stack.redo.findLast((entry) => hasEffect(plan(entry, board))) !== undefined;
}

/** Replaces the ids of objects in the entries, after these got new ones. */
export function renameInUndoStack(stack: UndoStack, ids: ReadonlyMap<ObjectId, ObjectId>): void {
  const rename = (step: UndoStep): UndoStep => {
    if (step.kind !== "removed") return { ...step, id: ids.get(step.id) ?? step.id };
    const id = ids.get(step.object.id);
    return id === undefined ? step : { kind: "removed", object: { ...step.object, id } };
  };
  for (const entries of [stack.undo, stack.redo]) {
    for (const [index, { steps }] of entries.entries())
      entries[index] = { steps: steps.map(rename) };
  }
}

/** The effect that taking an entry back would have on the present board. */
interface Plan {
  readonly remove: ObjectId[];
  readonly restore: BoardObject[];
  readonly change: ObjectChange[];
}

interface Direction {
  readonly from: UndoEntry[];
  readonly to: UndoEntry[];
}

function takeBack(
  direction: Direction,
  board: Board,
  author: Author,
): { readonly changes: BoardChanges } | null {
  for (let entry = direction.from.pop(); entry !== undefined; entry = direction.from.pop()) {
    const planned = plan(entry, board);
    if (!hasEffect(planned)) continue;
    const removed = removeObjects(board, planned.remove);
    const restored = restoreObjects(board, author, planned.restore);
    const changed = changeObjects(board, author, planned.change);
    const changes = {
      ...changed,
      added: [...restored.added, ...changed.added],
      removed: [...removed.removed, ...changed.removed],
    };
    const inverse = entryOf(changes);
    if (inverse.steps.length > 0) push(direction.to, inverse);
    return { changes };
  }
  return null;
}

function plan(entry: UndoEntry, board: Board): Plan {
  const planned: Plan = { remove: [], restore: [], change: [] };
  for (const step of entry.steps) {
    switch (step.kind) {
      case "added":
        if (board.objects.has(step.id)) planned.remove.push(step.id);
        break;
      case "removed":
        if (!board.objects.has(step.object.id)) planned.restore.push(step.object);
        break;
      case "changed": {
        const object = board.objects.get(step.id);
        if (object === undefined) break;
        const props = stillMine(object, step.props);
        if (Object.keys(props).length > 0) planned.change.push({ id: step.id, props });
        break;
      }
    }
  }
  return planned;
}

/** The values before my change, of those properties that still have the value after it. */
function stillMine(object: BoardObject, steps: readonly PropertyStep[]): Props {
  const props: Props = {};
  for (const { name, before, after } of steps) {
    if (sameJson(object[name] as Json | undefined, after)) props[name] = before;
  }
  return props;
}

function hasEffect(planned: Plan): boolean {
  return planned.remove.length + planned.restore.length + planned.change.length > 0;
}

function differences(before: BoardObject, after: BoardObject): PropertyStep[] {
  const old = propsOf(before);
  const now = propsOf(after);
  const steps: PropertyStep[] = [];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!sameJson(old[name], now[name])) {
      steps.push({ name, before: old[name], after: now[name] });
    }
  }
  return steps;
}

function push(entries: UndoEntry[], entry: UndoEntry): void {
  entries.push(entry);
  if (entries.length > LIMIT) entries.shift();
}
