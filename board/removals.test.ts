import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, getObject } from "./board.ts";
import type { ObjectId } from "./drawing.ts";
import { removeObjects } from "./edit.ts";
import { compactContext } from "./compact-context.ts";
import { toDrawing } from "./encode.ts";
import { merge, mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";
import { countRuns } from "./causal-context.ts";
import { add, ann, first, ours, parsed, rect } from "./merge-bed.case.ts";

describe("the memory of removals", () => {
  test("MRG-15 a save remembers at most 2,000 authors: without living objects the foreign go first, then the oldest", () => {
    const board = createBoard();
    const living = first(board, makeAuthor(1, "oldest"));
    const context = Object.fromEntries(
      Array.from({ length: 2100 }, (_, day) => [makeAuthor(day + 2, "x"), 3] as const),
    );
    mergeInto(board, parsed(ours([], { ...context, f123: 1 })));
    compactContext(board);
    const authors = Object.keys(toDrawing(board).inkpool.seen);
    expect(authors).toHaveLength(2000);
    // All of its objects are alive, and these say so themselves.
    expect(authors).not.toContain(makeAuthor(1, "oldest"));
    expect(authors).not.toContain("f123");
    expect(authors).toContain(makeAuthor(2101, "x"));
    expect(authors).not.toContain(makeAuthor(2, "x"));
    expect(getObject(board, living)).toBeDefined();
  });

  test("MRG-15 removals that others do not know yet are remembered, of however many authors and runs", () => {
    const board = createBoard();
    const count = 30_000;
    const objects = Array.from({ length: count }, (_, at) => ({ ...rect, id: `f${at}-0`, z: at }));
    mergeInto(board, parsed(ours(objects)));
    const { removed } = removeObjects(board, [...board.objects.keys()]);
    compactContext(
      board,
      removed.map(({ id }) => id),
    );
    expect(Object.keys(toDrawing(board).inkpool.seen)).toHaveLength(count);
    compactContext(board);
    expect(Object.keys(toDrawing(board).inkpool.seen)).toHaveLength(2000);
  });

  test("MRG-15 authors whose objects are all alive cost nothing, however many there are", () => {
    const board = createBoard();
    const count = 30_000;
    const objects = Array.from({ length: count }, (_, at) => ({ ...rect, id: `a${at}-0`, z: at }));
    mergeInto(board, parsed(ours(objects)));
    compactContext(board);
    const text = JSON.stringify(toDrawing(board));
    expect(JSON.parse(text).inkpool).toEqual({ format: 1, seen: {} });
    const again = parseDrawing(text);
    expect(again.ok && again.drawing.objects).toHaveLength(count);
    removeObjects(board, ["a7-0" as ObjectId]);
    expect(toDrawing(board).inkpool.seen).toEqual({ a7: 0 });
  });

  test("MRG-15 gaps in the causal context are bounded too, and an own number is never used again", () => {
    const board = createBoard();
    const own = first(board, ann);
    removeObjects(board, [own]);
    const gaps = Array.from({ length: 30_000 }, (_, at) => [at * 3 + 5, at * 3 + 6]).flat();
    mergeInto(board, parsed(ours([{ ...rect, id: "bob-8" }], { bob: gaps, [ann]: gaps })));
    expect(countRuns(board.context)).toBeGreaterThan(60_000);
    compactContext(board);
    expect(countRuns(board.context)).toBeLessThan(20_000);
    expect(getObject(board, "bob-8" as ObjectId)).toBeDefined();
    expect(removeObjects(board, ["bob-8" as ObjectId]).removed).toHaveLength(1);
    expect(mergeInto(board, parsed(ours([{ ...rect, id: "bob-8" }]))).added).toEqual([]);
    expect(Number(first(board, ann).split("-")[1])).toBeGreaterThan(0);
  });

  test("MRG-15 between saves a flood of gaps does not grow without bound", () => {
    const board = createBoard();
    for (let flood = 0; flood < 6; flood++) {
      const gaps = Array.from({ length: 45_000 }, (_, at) => [at * 2, at * 2]).flat();
      mergeInto(board, parsed(ours([], { [`flood${flood}`]: gaps })));
    }
    expect(countRuns(board.context)).toBeLessThan(200_000);
  });

  test("MRG-15 a flood of authors between two saves takes away no removal by this page that is not saved yet", () => {
    const board = createBoard();
    const drawn = parsed(ours([{ ...rect, id: `${makeAuthor(1, "oldest")}-0` }]));
    mergeInto(board, drawn);
    const { removed } = removeObjects(board, [...board.objects.keys()]);
    const own = { unsent: new Set<ObjectId>(), pending: removed.map(({ id }) => id) };
    for (const flood of [0, 1]) {
      const authors = Array.from({ length: 60_000 }, (_, at) => makeAuthor(9, `${flood}x${at}`));
      const context = Object.fromEntries(authors.map((author) => [author, 1]));
      mergeInto(board, parsed(ours([], context)), own);
    }
    expect(countRuns(board.context)).toBeLessThan(100_000);
    expect(mergeInto(board, drawn, own).added).toEqual([]);
  });

  test("removals cost the drawing nothing for each object", () => {
    const board = createBoard();
    removeObjects(board, add(board, ann, 5000));
    const text = JSON.stringify(toDrawing(board));
    expect(text.length).toBeLessThan(120);
    expect(merge(parsed(text), parsed(text))).toEqual(toDrawing(board));
  });
});
