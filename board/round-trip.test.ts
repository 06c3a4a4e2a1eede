import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, stackedObjects } from "./board.ts";
import type { Drawing, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { drawingChunks, isSource, toDrawing, toPartial } from "./encode.ts";
import { mergeInto } from "./merge.ts";
import { parseDrawing, parseDrawingSlices } from "./parse.ts";

const ann = makeAuthor(2500, "ann");

const rect = { type: "Rect", width: 10, height: 10 } as const;

/** Makes a board with objects of many kinds. */
function lively(): ReturnType<typeof createBoard> {
  const board = createBoard();
  const { added } = addObjects(board, ann, [
    { ...rect, originX: "left", originY: "top", left: 10.04, top: 3, fill: "red" },
    {
      type: "Path",
      path: "M1 2q0 0 1 1t3 4l5-6",
      eraser: true,
      fill: null,
      stroke: "white",
      strokeWidth: 20,
    },
    { type: "IText", text: "🎉 \u2028", fontSize: 60, fontFamily: "Arial" },
    { type: "Group", objects: [rect, { type: "Circle", radius: 4 }], width: 20, height: 20 },
    {
      type: "Polygon",
      points: [
        { x: 0, y: 0 },
        { x: 10.25, y: 3 },
      ],
    },
    rect,
  ]);
  const ids = added.map(({ id }) => id);
  changeObjects(board, ann, [
    { id: ids[0] as ObjectId, props: { left: 20, fill: "blue", z: 2.5 } },
  ]);
  const { removed } = removeObjects(board, [ids[1] as ObjectId, ids[5] as ObjectId]);
  restoreObjects(board, ann, removed.slice(0, 1));
  return board;
}

describe("the way out and in again", () => {
  test("MRG-17 a written drawing is read as it was, whole and partial, without a fault", () => {
    const board = lively();
    const ids = ["0", "1", "5", "99"].map((seq) => `${ann}-${seq}` as ObjectId);
    for (const drawing of [toDrawing(board), toPartial(board, ids)]) {
      const partial = drawing.inkpool.partial === true;
      const expected = {
        ...{ ok: true, drawing, foreign: false, partial, faults: [] },
        ...{ unreadable: [], leftOut: 0, givenIds: new Map() },
      };
      expect(parseDrawing(JSON.parse(JSON.stringify(drawing)))).toEqual(expected);
      expect(parseDrawing(JSON.stringify(drawing))).toEqual(expected);
    }
    expect(toPartial(board, ids).objects.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  });

  test("MRG-17 the text of a drawing in pieces is the text of the drawing", () => {
    const board = lively();
    for (const size of [1, 2, 500]) {
      const pieces = drawingChunks(board, size);
      const first = pieces.next().value ?? [];
      const text = JSON.stringify(toDrawing(board));
      addObjects(board, ann, [rect]);
      // Changes meanwhile are not in it.
      expect([...first, ...[...pieces].flat()].join("")).toBe(text);
    }
    expect([...drawingChunks(createBoard())].flat().join("")).toBe(
      JSON.stringify(toDrawing(createBoard())),
    );
  });

  test("IMG-13 the source of a picture is a piece of its own, the same text each time", () => {
    const board = createBoard();
    const src = `data:image/png;base64,${"iVBOR".repeat(200)}`;
    const picture = { type: "Image", src, width: 40, height: 30, alt: '","src":"é' } as const;
    addObjects(board, ann, [rect, picture, picture, rect, rect, picture]);
    for (const size of [1, 2, 4, 500]) {
      const pieces = [...drawingChunks(board, size)].flat();
      expect(JSON.parse(pieces.join(""))).toEqual(toDrawing(board));
      expect(pieces.filter(isSource)).toEqual([src, src, src]);
    }
  });

  test("IMG-13 no source that would have to be escaped reaches a board, of whatever type its object is", () => {
    const src = 'data:image/png;base64,iVBO","evil":"';
    const shape = { src, width: 9, height: 9, radius: 4, path: "M0 0l1 1", text: "a", points: [] };
    const types = ["Rect", "Circle", "Path", "IText", "Polyline", "Image", "Wormhole"];
    const parsed = parseDrawing({ objects: types.map((type) => ({ type, ...shape })) });
    const board = createBoard();
    if (parsed.ok) mergeInto(board, parsed.drawing);
    expect(stackedObjects(board).map(({ type }) => type)).toEqual(
      expect.arrayContaining(["Rect", "Circle", "Path"]),
    );
    expect(() => addObjects(board, ann, [{ type: "Image", ...shape }])).toThrow(TypeError);
    addObjects(board, ann, [{ type: "Rect", ...shape }]);
    expect([...drawingChunks(board)].flat().filter(isSource)).toEqual([]);
    expect(JSON.parse([...drawingChunks(board)].flat().join(""))).toEqual(toDrawing(board));
  });

  test("MRG-17 reading in slices pauses after each so many objects and gives the same", () => {
    const board = createBoard();
    addObjects(
      board,
      ann,
      Array.from({ length: 25 }, () => rect),
    );
    const drawing: Drawing = toDrawing(board);
    const slices = parseDrawingSlices(drawing, 10);
    expect([slices.next().done, slices.next().done]).toEqual([false, false]);
    expect(slices.next()).toEqual({ done: true, value: parseDrawing(drawing) });
    // Long paths count for more.
    const path = `M0 0${"l1 1".repeat(10_000)}`;
    const long = parseDrawingSlices({ objects: [1, 2, 3].map(() => ({ type: "Path", path })) }, 20);
    expect([long.next().done, long.next().done, long.next().done]).toEqual([false, false, true]);
    const fresh = createBoard();
    const parsed = parseDrawing(drawing);
    if (parsed.ok) mergeInto(fresh, parsed.drawing);
    expect([...stackedObjects(fresh)]).toEqual(drawing.objects);
  });
});
