import { describe, expect, test, vi } from "vitest";
import { makeAuthor, makeId } from "./author.ts";
import {
  backgroundOf,
  countObjects,
  createBoard,
  digest,
  getObject,
  stackedObjects,
  type Board,
} from "./board.ts";
import type { BoardObject, Drawing, ObjectId } from "./drawing.ts";
import {
  addObjects,
  changeBackground,
  changeObjects,
  removeObjects,
  restoreObjects,
} from "./edit.ts";
import { drawingSlices, toDrawing, toPartial } from "./encode.ts";
import { mergeInto } from "./merge.ts";
import { countRuns, encodeContext } from "./causal-context.ts";
import { add, ann, first, ours, parsed, rect } from "./merge-bed.case.ts";

const bob = makeAuthor(2500, "bob");

/** A second board with the same content. */
function copyOf(board: Board): Board {
  const copy = createBoard();
  mergeInto(copy, toDrawing(board));
  return copy;
}

/** Merges each board into the other. */
function exchange(a: Board, b: Board): void {
  const [left, right] = [toDrawing(a), toDrawing(b)];
  mergeInto(a, right);
  mergeInto(b, left);
  expect(toDrawing(a)).toEqual(toDrawing(b));
  expect(digest(a)).toBe(digest(b));
}

describe("two people at once", () => {
  test("MRG-2 a move, a recolour, a new size and a new place in the stack of one object all survive", () => {
    const a = createBoard();
    const id = first(a, ann);
    const b = copyOf(a);
    changeObjects(a, ann, [{ id, props: { left: 50, angle: 30 } }]);
    changeObjects(a, ann, [{ id, props: { z: 9 } }]);
    changeObjects(b, bob, [{ id, props: { fill: "red" } }]);
    changeObjects(b, bob, [{ id, props: { width: 99 } }]);
    exchange(a, b);
    expect(getObject(a, id)).toMatchObject({ left: 50, angle: 30, z: 9, fill: "red", width: 99 });
  });

  test("MRG-2 in one group the more often changed copy wins, then the greater author, and it wins whole", () => {
    const a = createBoard();
    const id = first(a, ann);
    const b = copyOf(a);
    changeObjects(a, ann, [{ id, props: { left: 1, top: 1 } }]);
    changeObjects(b, bob, [{ id, props: { left: 2 } }]);
    exchange(a, b);
    // Equal versions: bob is the greater author, and top is the default again.
    expect(getObject(a, id)).toMatchObject({ left: 2 });
    expect(getObject(a, id)?.top).toBeUndefined();
    changeObjects(a, ann, [{ id, props: { left: 3 } }]);
    changeObjects(a, ann, [{ id, props: { left: 4 } }]);
    changeObjects(b, bob, [{ id, props: { left: 5 } }]);
    exchange(a, b);
    expect(getObject(b, id)).toMatchObject({ left: 4 });
  });

  test("MRG-4 a removal removes objects the remover knew: a change made meanwhile goes, an object made meanwhile stays", () => {
    const a = createBoard();
    const known = first(a, ann);
    const b = copyOf(a);
    const unseen = first(b, bob);
    changeObjects(b, bob, [{ id: known, props: { fill: "red" } }]);
    removeObjects(
      a,
      stackedObjects(a).map(({ id }) => id),
    );
    exchange(a, b);
    expect(stackedObjects(a).map(({ id }) => id)).toEqual([unseen]);
  });

  test("MRG-4 a removed object stays removed when a stale copy returns", () => {
    const a = createBoard();
    const id = first(a, ann);
    const stale = toDrawing(a);
    removeObjects(a, [id]);
    const changes = mergeInto(a, stale);
    expect(changes).toEqual({ added: [], changed: [], removed: [], before: [] });
    expect(countObjects(a)).toBe(0);
    const other = createBoard();
    mergeInto(other, stale);
    expect(mergeInto(other, toDrawing(a)).removed.map((object) => object.id)).toEqual([id]);
  });

  test("MRG-6 a restored object is its next incarnation: older removals do not reach it, and two restorations are one object", () => {
    const a = createBoard();
    const id = first(a, ann);
    const b = copyOf(a);
    const { removed } = removeObjects(a, [id]);
    const removal = toDrawing(a);
    mergeInto(b, removal);
    restoreObjects(a, ann, removed);
    restoreObjects(b, bob, removed);
    expect(restoreObjects(b, bob, removed).added).toEqual([]);
    changeObjects(b, bob, [{ id, props: { fill: "red" } }]);
    mergeInto(a, removal);
    exchange(a, b);
    expect(stackedObjects(a)).toHaveLength(1);
    expect(getObject(a, id)).toMatchObject({ id, life: 1, fill: "red" });
  });

  test("MRG-6 an object whose incarnations are used up is restored under a fresh id", () => {
    const board = createBoard();
    const id = makeId(bob, 0);
    mergeInto(board, parsed(ours([{ ...rect, id, life: 2 ** 31 - 1, z: 7 }])));
    const { removed } = removeObjects(board, [id]);
    const { added } = restoreObjects(board, ann, removed);
    expect(added).toEqual([{ ...rect, id: makeId(ann, 0), z: 7 }]);
  });
});

describe("the stack", () => {
  test("MRG-8 a new object comes on top; objects put there at once are ordered alike everywhere, by author and number", () => {
    const a = createBoard();
    add(a, ann, 2);
    const b = copyOf(a);
    const fromAnn = add(a, ann, 11).slice(0, 1);
    const fromBob = first(b, bob);
    exchange(a, b);
    const ids = stackedObjects(a).map(({ id }) => id);
    expect(ids.slice(2, 4)).toEqual([...fromAnn, fromBob]);
    expect(stackedObjects(b).map(({ id }) => id)).toEqual(ids);
    const twin = createBoard();
    const equal = [10, 9, 2].map((seq) => ({ ...rect, id: makeId(ann, seq), z: 1 }));
    mergeInto(twin, parsed(ours(equal)));
    expect(stackedObjects(twin).map(({ id }) => id)).toEqual([2, 9, 10].map((n) => makeId(ann, n)));
  });

  test("MRG-8 a top above 2^39 is lowered although all below it lies far under 0, and its order is the same for peers", () => {
    const board = createBoard();
    const heights = [-(2 ** 40), 2 ** 40];
    mergeInto(board, parsed(ours(heights.map((z, seq) => ({ ...rect, id: makeId(bob, seq), z })))));
    const { added, changed } = addObjects(board, ann, [rect]);
    expect([changed[0]?.z, added[0]?.z]).toEqual([1, 2]);
    const peer = createBoard();
    mergeInto(peer, parsed(JSON.parse(JSON.stringify(toDrawing(board)))));
    expect(toDrawing(peer)).toEqual(toDrawing(board));
  });

  test("MRG-8 an absurd height counts as 0, and a top above 2^39 is lowered in its order by the next addition", () => {
    const board = createBoard();
    const heights = [5, 2 ** 40, 2 ** 39 + 1, 1e300, 2 ** 40 * 1.01, -(2 ** 40)];
    mergeInto(board, parsed(ours(heights.map((z, seq) => ({ ...rect, id: makeId(bob, seq), z })))));
    expect(stackedObjects(board).map(({ z }) => z)).toEqual([
      -(2 ** 40),
      0,
      0,
      5,
      2 ** 39 + 1,
      2 ** 40,
    ]);
    const order = stackedObjects(board).map(({ id }) => id);
    const { added, changed } = addObjects(board, ann, [rect]);
    expect(changed.map(({ z }) => z)).toEqual([6, 7]);
    expect(added[0]?.z).toBe(8);
    expect(stackedObjects(board).map(({ id }) => id)).toEqual([...order, makeId(ann, 0)]);
  });
});

describe("cost", () => {
  test("MRG-12 an edit, its partial drawing and its merge elsewhere never go through the whole board", () => {
    const a = createBoard();
    add(a, ann, 5000);
    const b = copyOf(a);
    const stackA = stackedObjects(a);
    const stackB = stackedObjects(b);
    for (const board of [a, b]) forbidIteration(board.objects);
    const id = first(a, ann);
    changeObjects(a, ann, [{ id, props: { left: 4 } }]);
    mergeInto(b, toPartial(a, [id]));
    // An addition on top is appended to the existing stack.
    expect(stackedObjects(a)).toBe(stackA);
    expect(stackedObjects(b)).toBe(stackB);
    expect(stackA.at(-1)).toMatchObject({ id, left: 4 });
    expect(digest(b)).toBe(digest(a));
    removeObjects(a, [id]);
    const changes = mergeInto(b, toPartial(a, [id]));
    expect(changes.removed.map((object) => object.id)).toEqual([id]);
    expect(JSON.stringify(toPartial(a, [id])).length).toBeLessThan(200);
    expect(() => [...a.objects.values()]).toThrow("whole board");
  });

  test("MRG-12 numbers in any order, with gaps, cost no more than sorting them", () => {
    const board = createBoard();
    add(board, bob);
    const count = 60_000;
    const objects = Array.from({ length: count }, (_, at) => ({
      ...rect,
      id: makeId(ann, 2 * (count - at)),
    }));
    const drawing = parsed(ours(objects, { [bob]: [[7, 9]] }));
    const splice = vi.spyOn(Array.prototype, "splice");
    try {
      mergeInto(board, drawing);
      expect(splice.mock.calls.length).toBeLessThan(100);
    } finally {
      splice.mockRestore();
    }
    expect(countRuns(board.context)).toBe(count + 2);
  });

  test("MRG-17 merging a drawing slice by slice gives the same as merging it at once", () => {
    const source = createBoard();
    const ids = add(source, ann, 25);
    removeObjects(source, ids.slice(3, 9));
    const at = createBoard();
    add(at, bob, 1);
    mergeInto(at, parsed(ours([{ ...rect, id: ids[4] }])));
    const once = copyOf(at);
    mergeInto(once, toDrawing(source));
    const slices = [...drawingSlices(toDrawing(source), 10)];
    expect(slices.map(({ objects }) => objects.length)).toEqual([10, 9, 19]);
    for (const slice of slices) mergeInto(at, slice);
    expect(toDrawing(at)).toEqual(toDrawing(once));
  });
});

function forbidIteration(objects: Map<ObjectId, BoardObject>): void {
  const refuse = (): never => {
    throw new Error("went through the whole board");
  };
  Object.assign(objects, { keys: refuse, values: refuse, entries: refuse, forEach: refuse });
  Object.defineProperty(objects, Symbol.iterator, { value: refuse });
}

describe("numbers from the network", () => {
  test("MRG-9 a stamp out of range leaves the object without stamps; an exhausted group gets the object a fresh id", () => {
    const board = createBoard();
    const frozen = { place: [2 ** 31 - 2, "zzz"] };
    const absurd = { place: [2 ** 31, "zzz"], look: [1, "zzz"] };
    const drawing = parsed(
      ours([
        { ...rect, id: "bob-0", z: 1, left: 5, stamps: frozen },
        { ...rect, id: "bob-1", z: 2, stamps: absurd },
      ]),
    );
    mergeInto(board, drawing);
    expect(getObject(board, "bob-1" as ObjectId)?.stamps).toBeUndefined();
    const edit = { id: "bob-0" as ObjectId, props: { left: 6 } };
    const changes = changeObjects(board, ann, [edit]);
    expect(changes.removed.map(({ id }) => id)).toEqual(["bob-0"]);
    expect(changes.added).toEqual([{ ...rect, id: makeId(ann, 0), z: 1, left: 6 }]);
    mergeInto(board, drawing);
    expect(stackedObjects(board).map(({ id }) => id)).toEqual([makeId(ann, 0), "bob-1"]);
  });

  test("MRG-9 a stamp that an unchanged group has anyway is none, and neither is one of version 0 for the background", () => {
    const stamps = { place: [0, "bob"], look: [1, "bob"], order: [0, "ann"] };
    const drawing = { objects: [{ ...rect, id: "bob-0", z: 1, stamps }] };
    const withStamp = (stamp: unknown): Drawing =>
      parsed({ ...drawing, inkpool: { format: 1, seen: {}, stamp } });
    const { objects, inkpool } = withStamp([0, "bob"]);
    expect(objects[0]?.stamps).toEqual({ look: [1, "bob"], order: [0, "ann"] });
    expect(inkpool.stamp).toBeUndefined();
    expect(withStamp([1, "bob"]).inkpool.stamp).toEqual([1, "bob"]);
    expect(withStamp(undefined).inkpool.stamp).toBeUndefined();
  });

  test("MRG-4 merged objects are observed, regardless of their drawing's causal context", () => {
    for (const count of [1, 30]) {
      const board = createBoard();
      const objects = Array.from({ length: count }, (_, at) => ({
        ...rect,
        id: `bob-${at}`,
        z: at,
      }));
      mergeInto(board, parsed({ objects, inkpool: { format: 1, seen: {} } }));
      expect(encodeContext(board.context)).toEqual({ bob: count - 1 });
    }
  });

  test("MRG-9 when somebody claims to have observed all of an author's numbers, that author goes on under a longer name", () => {
    const board = createBoard();
    mergeInto(board, parsed(ours([], { [ann]: 41 })));
    expect(first(board, ann)).toBe(makeId(ann, 42));
    mergeInto(board, parsed(ours([], { [ann]: 2 ** 31 - 1 })));
    expect(first(board, ann)).toBe(`${ann}x1-0`);
    mergeInto(board, parsed(ours([], { [`${ann}x1`]: 2 ** 31 - 1 })));
    expect(first(board, ann)).toBe(`${ann}x2-0`);
  });

  test("MRG-2 the background is the one set last; at the greatest version of all, white", () => {
    const a = createBoard();
    const b = createBoard();
    changeBackground(a, ann, "red");
    changeBackground(b, bob, "blue");
    changeBackground(b, bob, "#ccc");
    expect(mergeInto(a, toDrawing(b)).background).toBe("#ccc");
    expect(mergeInto(b, toDrawing(a)).background).toBeUndefined();
    const fixed = { ...ours([]), background: "black" };
    const stamp = [2 ** 31 - 1, "zzz"];
    mergeInto(a, parsed({ ...fixed, inkpool: { format: 1, seen: {}, stamp } }));
    expect(backgroundOf(a)).toBe("black");
    changeBackground(a, ann, "white");
    mergeInto(a, parsed({ ...fixed, inkpool: { format: 1, seen: {}, stamp } }));
    expect(backgroundOf(a)).toBe("white");
    expect(() => changeBackground(a, ann, "url(x)")).toThrow(TypeError);
  });
});
