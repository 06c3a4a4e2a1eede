import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, getObject, stackedObjects, type Board } from "./board.ts";
import type { BoardChanges, Json, NewObject, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import {
  canRedo,
  canUndo,
  createUndoStack,
  makeEntry,
  record,
  redoStep,
  undoStep,
} from "./undo.ts";
import { mergeInto } from "./merge.ts";

const me = makeAuthor(2500, "me");
const other = makeAuthor(2500, "other");

/** One person at a board. */
function sitDown() {
  const board = createBoard();
  const stack = createUndoStack();
  const note = (before: Parameters<typeof makeEntry>[0], { added, changed }: BoardChanges): void =>
    record(stack, makeEntry(before, [...added, ...changed]));
  return {
    board,
    stack,
    add(object: NewObject = { type: "Rect", width: 5, height: 5, fill: "red" }): ObjectId {
      const changes = addObjects(board, me, [object]);
      note([], changes);
      return (changes.added[0] as { id: ObjectId }).id;
    },
    change(id: ObjectId, props: Record<string, Json | undefined>): void {
      const before = getObject(board, id);
      note(before ? [before] : [], changeObjects(board, me, [{ id, props }]));
    },
    remove(...ids: ObjectId[]): void {
      const changes = removeObjects(board, ids);
      note(changes.removed, changes);
    },
    undo: () => undoStep(stack, board, me),
    redo: () => redoStep(stack, board, me),
  };
}

function elsewhere(board: Board, id: ObjectId, props: Record<string, Json | undefined>): void {
  const copy = createBoard();
  mergeInto(copy, toDrawing(board));
  changeObjects(copy, other, [{ id, props }]);
  mergeInto(board, toDrawing(copy));
}

describe("undo", () => {
  test("UND-1 a change is taken back property by property: a value that somebody else changed since is left alone", () => {
    const my = sitDown();
    const id = my.add();
    my.change(id, { left: 10, top: 20, fill: "blue" });
    elsewhere(my.board, id, { left: 99, opacity: 0.5 });
    const step = my.undo();
    expect(step?.changes.changed.map((object) => object.id)).toEqual([id]);
    expect(getObject(my.board, id)).toMatchObject({ left: 99, opacity: 0.5, fill: "red" });
    expect(getObject(my.board, id)?.top).toBeUndefined();
  });

  test("UND-2 an added object is removed, even if changed since; a removed one returns as it was, in its place", () => {
    const my = sitDown();
    const [low, high] = [my.add(), my.add()] as const;
    my.remove(low);
    expect(my.undo()?.changes.added).toMatchObject([{ id: low, life: 1, fill: "red" }]);
    expect(stackedObjects(my.board).map(({ id }) => id)).toEqual([low, high]);
    elsewhere(my.board, high, { left: 4 });
    expect(my.undo()?.changes.removed).toMatchObject([{ id: high, left: 4 }]);
    expect(my.redo()?.changes.added).toMatchObject([{ id: high, left: 4 }]);
  });

  test("UND-1 steps without a visible effect are skipped", () => {
    const my = sitDown();
    const [a, b] = [my.add(), my.add()] as const;
    my.change(a, { left: 10 });
    my.change(b, { left: 10 });
    my.change(b, { left: 20 });
    elsewhere(my.board, b, { left: 77 });
    expect(my.undo()?.changes.changed).toMatchObject([{ id: a }]);
    expect(getObject(my.board, b)?.left).toBe(77);
    // Somebody else removes what the undo would remove.
    removeObjects(my.board, [b]);
    expect(my.undo()?.changes.removed).toMatchObject([{ id: a }]);
    expect(canUndo(my.stack, my.board)).toBe(false);
    expect(my.undo()).toBeNull();
  });

  test("UND-4 redo repeats an undone change, and can itself be undone", () => {
    const my = sitDown();
    const id = my.add();
    my.change(id, { left: 10, fill: "blue" });
    const done = toDrawing(my.board).objects;
    for (let round = 0; round < 3; round++) {
      my.undo();
      expect(getObject(my.board, id)).toMatchObject({ fill: "red" });
      my.undo();
      expect(getObject(my.board, id)).toBeUndefined();
      my.redo();
      my.redo();
      expect(getObject(my.board, id)).toMatchObject({ left: 10, fill: "blue", z: done[0]?.z });
      expect(my.redo()).toBeNull();
    }
    // Redo leaves alone what somebody else has changed since the undo.
    my.undo();
    elsewhere(my.board, id, { fill: "green" });
    my.redo();
    expect(getObject(my.board, id)).toMatchObject({ left: 10, fill: "green" });
  });

  test("UND-4 a new change clears the redo stack", () => {
    const my = sitDown();
    const id = my.add();
    my.change(id, { left: 10 });
    my.undo();
    expect(canRedo(my.stack, my.board)).toBe(true);
    my.change(id, { top: 5 });
    expect(canRedo(my.stack, my.board)).toBe(false);
    expect(my.redo()).toBeNull();
    my.change(id, { top: 5 });
    my.undo();
    expect(getObject(my.board, id)?.top).toBeUndefined();
  });

  test("UND-4 the last 200 changes can be undone", () => {
    const my = sitDown();
    for (let count = 0; count < 250; count++) my.add();
    let undone = 0;
    while (my.undo()) undone += 1;
    expect(undone).toBe(200);
    expect(stackedObjects(my.board)).toHaveLength(50);
    let redone = 0;
    while (my.redo()) redone += 1;
    expect(redone).toBe(200);
  });

  test("UND-2 a clear is undone in one step, which brings back only objects that nobody else has restored", () => {
    const my = sitDown();
    const ids = [my.add(), my.add(), my.add()];
    const gone = stackedObjects(my.board).slice();
    my.remove(...ids);
    restoreObjects(my.board, other, gone.slice(0, 1));
    changeObjects(my.board, other, [{ id: ids[0] as ObjectId, props: { fill: "green" } }]);
    const { added: peerAdded } = addObjects(my.board, other, [{ type: "Circle", radius: 5 }]);
    expect(my.undo()?.changes.added.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(getObject(my.board, ids[0] as ObjectId)).toMatchObject({ fill: "green" });
    // Redo removes what the undo restored, and nothing of others.
    expect(my.redo()?.changes.removed.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(stackedObjects(my.board).map(({ id }) => id)).toEqual([ids[0], peerAdded[0]?.id]);
  });

  test("UND-1 undoing is a change like any other: elsewhere it arrives by merging", () => {
    const my = sitDown();
    const id = my.add();
    my.change(id, { left: 10 });
    const copy = createBoard();
    mergeInto(copy, toDrawing(my.board));
    my.undo();
    mergeInto(copy, toDrawing(my.board));
    expect(getObject(copy, id)?.left).toBeUndefined();
    my.undo();
    mergeInto(copy, toDrawing(my.board));
    expect(getObject(copy, id)).toBeUndefined();
    my.redo();
    mergeInto(copy, toDrawing(my.board));
    expect(toDrawing(copy)).toEqual(toDrawing(my.board));
  });

  test("an edit without effect leaves no step", () => {
    const my = sitDown();
    const id = my.add();
    my.change(id, { width: 5, left: 0, fill: "url(x)", nonsense: 4 });
    my.change("abc-9" as ObjectId, { left: 5 });
    my.remove("abc-9" as ObjectId);
    expect(my.undo()?.changes.removed).toMatchObject([{ id }]);
    expect(my.undo()).toBeNull();
  });
});
