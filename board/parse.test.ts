import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, stackedObjects } from "./board.ts";
import type { BoardObject, Drawing, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { drawingChunks, toDrawing, toPartial } from "./encode.ts";
import { merge, mergeInto } from "./merge.ts";
import { isEraserStroke } from "./object-parser.ts";
import { parseDrawing, parseDrawingSlices } from "./parse.ts";

const ann = makeAuthor(2500, "ann");
const rect = { type: "Rect", width: 10, height: 10 } as const;

function through(input: object): Drawing {
  const parsed = parseDrawing(JSON.parse(JSON.stringify(input)));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.drawing;
}

/** Reads the objects as a drawing of ours would contain them; returns those that were accepted, and the reasons for refusals. */
function read(...objects: unknown[]): { in: readonly BoardObject[]; faults: readonly string[] } {
  const given = objects.map((object, seq) =>
    typeof object === "object" && object !== null
      ? { id: `abc-${seq}`, z: seq, ...object }
      : object,
  );
  const parsed = parseDrawing({ objects: given, inkpool: { format: 1, seen: {} } });
  if (!parsed.ok) throw new Error(parsed.reason);
  return { in: parsed.drawing.objects, faults: parsed.faults.map(({ reason }) => reason) };
}

function expectRefused(...objects: unknown[]): void {
  for (const object of objects) {
    expect(read(object).in, JSON.stringify(object)).toEqual([]);
    expect(read(object).faults, JSON.stringify(object)).toHaveLength(1);
  }
}

function expectTaken(...objects: object[]): void {
  for (const object of objects)
    expect(read(object).in, JSON.stringify(object)).toMatchObject([object]);
}

describe("the parser", () => {
  test("DAT-5 only the known types come in: no images, nothing unknown", () => {
    expectRefused(
      { type: "Image", src: "https://example.org/x.png" },
      { type: "image" },
      { type: "FabricImage" },
      { type: "ActiveSelection", objects: [] },
      { type: "constructor" },
      { type: "__proto__" },
      { width: 4 },
      "text",
      7,
      null,
      [],
    );
    expect(read({ ...rect, src: "x", onclick: "y", filters: [], selectable: false }).in).toEqual([
      { ...rect, id: "abc-0", z: 0 },
    ]);
  });

  test("DAT-6 numbers are finite and in range: coordinates within 10,000,000, sizes from 0 to 1,000,000", () => {
    const bad = [null, "1", Number.NaN, Infinity, [], {}, 1e7 + 1, -1e7 - 1];
    for (const left of bad) expectRefused({ ...rect, left });
    expectRefused({ ...rect, width: -1 }, { ...rect, height: 1e6 + 1 }, { ...rect, opacity: 1.1 });
    expectRefused({ ...rect, scaleX: 1e5 }, { ...rect, skewX: 90 }, { type: "Circle", radius: -3 });
    expectTaken({ ...rect, left: -1e7, top: 1e7, width: 1e6, opacity: 0, scaleX: -3.25 });
    expectTaken({ type: "Line", x1: 0, y1: 0, x2: 5, y2: -5 });
    expectRefused({ type: "Line", x1: 0, y1: 0, x2: 5 });
    expectRefused({ ...rect, strokeDashArray: [0.001] }, { ...rect, strokeDashArray: [-1, 5] });
  });

  test("DAT-7 colours are hex, rgb(), hsl() or a word; nothing that loads comes in, no url, no pattern", () => {
    for (const fill of ["red", "#abc", "#ABCD", "#a1b2c3", "#a1b2c3d4", "transparent", "", null]) {
      expectTaken({ ...rect, fill });
    }
    expectTaken(
      { ...rect, fill: "rgb(1,2,3)", stroke: "rgba(1, 2, 3, .5)" },
      { ...rect, fill: "hsl(120deg 50% 50% / 20%)", backgroundColor: "hsla(1,2%,3%,0.4)" },
    );
    for (const fill of [
      "url(#a)",
      "rgb(url(x))",
      "#ab",
      "red;x",
      "image(x)",
      5,
      true,
      "a".repeat(99),
    ]) {
      expectRefused({ ...rect, fill }, { ...rect, backgroundColor: fill });
    }
    const stops = [{ offset: 0, color: "red" }];
    const linear = { type: "linear", coords: { x1: 0, y1: 0, x2: 1, y2: 1 }, colorStops: stops };
    expectTaken(
      { ...rect, fill: linear },
      { ...rect, shadow: { type: "shadow", color: "red", blur: 4 } },
    );
    expectRefused(
      { ...rect, fill: { ...linear, colorStops: [{ offset: 2, color: "red" }] } },
      { ...rect, fill: { ...linear, colorStops: [{ offset: 0, color: "url(x)" }] } },
      { ...rect, fill: { ...linear, type: "radial", coords: { r1: -1 } } },
      { ...rect, fill: { type: "pattern", source: "https://example.org/x.png", repeat: "repeat" } },
      { ...rect, shadow: { color: "url(x)" } },
      { ...rect, shadow: { color: "red", blur: 1e9 } },
    );
    const parsed = parseDrawing({ objects: [], background: "url(x)" });
    expect(parsed).toMatchObject({ drawing: { background: "white" }, faults: [{ index: -1 }] });
  });

  test("DAT-5 keys of prototypes have no effect", () => {
    const text = `{"objects":[{"type":"Rect","width":3,"__proto__":{"left":5,"polluted":1},
      "constructor":{"prototype":{"polluted":1}}},{"__proto__":{"type":"Rect"}}],"__proto__":{"objects":[]},
      "inkpool":{"format":1,"seen":{"__proto__":3,"constructor":4}}}`;
    const parsed = parseDrawing(text);
    if (!parsed.ok) throw new Error(parsed.reason);
    const [object] = parsed.drawing.objects;
    expect(Object.keys(object as object)).toEqual(["type", "id", "z", "width"]);
    expect(object?.left).toBeUndefined();
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(parsed.drawing.objects).toHaveLength(1);
    expect(Object.keys(parsed.drawing.inkpool.seen)).not.toContain("__proto__");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    // A value that is not from JSON may have been given a prototype.
    const heir: unknown = Object.create({ type: "Rect" });
    expect(parseDrawing({ objects: [heir] })).toMatchObject({ drawing: { objects: [] } });
  });

  test("DAT-6 groups may be nested 8 deep, and a drawing holds at most 100,000 objects", () => {
    const nest = (depth: number): object =>
      depth === 0 ? rect : { type: "Group", objects: [nest(depth - 1)] };
    expectTaken(nest(8));
    expectRefused(nest(9));
    expect(read(nest(5000)).faults).toHaveLength(1);
    let clipped: object = rect;
    for (let depth = 0; depth < 9; depth++) clipped = { ...rect, clipPath: clipped };
    expectRefused(clipped);
    const many = Array.from({ length: 100_001 }, () => null);
    expect(parseDrawing({ objects: many })).toEqual({ ok: false, reason: "too many objects" });
    const crowded = { type: "Group", objects: Array.from({ length: 60_000 }, () => rect) };
    const refused = { ok: false, reason: "too many objects" };
    expect(parseDrawing({ objects: [crowded, crowded] })).toEqual(refused);
  });

  test("DAT-10 a bad object is left out and listed with its index and the reason; the rest comes in", () => {
    const parsed = parseDrawing({
      objects: [rect, { type: "Image" }, rect, { ...rect, left: "x" }, null],
      inkpool: { format: 1, seen: {} },
    });
    expect(parsed).toMatchObject({
      ok: true,
      drawing: { objects: [rect, rect] },
      faults: [
        { index: 1, reason: "src is missing" },
        { index: 3, reason: "left: not a number" },
        { index: 4, reason: "not an object" },
      ],
    });
    const rubbish = parseDrawing({ objects: Array.from({ length: 5000 }, () => 0) });
    expect(rubbish.ok && rubbish.faults).toHaveLength(100);
    expect(read(rect, { ...rect, id: "abc-0" }).faults).toEqual(["id used twice"]);
  });

  test("DAT-10 what is no drawing at all is refused with a reason", () => {
    for (const input of [null, undefined, 7, "rubbish", "7", [], () => 0, `${"[".repeat(1e5)}`]) {
      expect(parseDrawing(input)).toEqual({ ok: false, reason: "not an object" });
    }
    for (const objects of [undefined, null, {}, "[]", 4]) {
      expect(parseDrawing({ objects })).toEqual({ ok: false, reason: "objects is not a list" });
    }
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.anything()), (any, list) => {
        for (const input of [any, { objects: list }, { objects: [], inkpool: any }]) {
          expect(typeof parseDrawing(input).ok).toBe("boolean");
        }
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });

  test("DAT-6 path data is checked command by command; it has at most 500,000 characters", () => {
    const paths = [
      "M0 0",
      "m1,1 2 2-3.5.5z",
      "M0 0h5v-5H1V2c1 1 2 2 3 3s1 1 2 2q1 1 2 2t3 3a1 1 0 011 1z",
    ];
    for (const path of [...paths, " M 1e1 -2.5e-1 L 3 4 "]) expectTaken({ type: "Path", path });
    for (const path of [
      "",
      "L1 1",
      "M1",
      "M1 2 3",
      "M0 0X",
      "M0 0,",
      "M0 0l1",
      "M0 0a1 1 0 2 1 5 5",
      "M1e9 0",
    ]) {
      expectRefused({ type: "Path", path });
    }
    for (const path of ["M0 0<script>", "M1. 1", "M0 0l1e400 1", "M--1 0", 7, null, ["M", 0, 0]]) {
      expectRefused({ type: "Path", path });
    }
    expectTaken({ type: "Path", path: `M0 0${"l1 1".repeat(124_999)}` });
    expectRefused({ type: "Path", path: `M0 0${"l1 1".repeat(125_000)}` });
    expectRefused({
      type: "Path",
      path: [
        ["M", 0, 0],
        ["L", Number.NaN, 0],
      ],
    });
    expect(
      read({
        type: "Path",
        path: [
          ["M", 0, 0],
          ["L", 1.25, 3],
        ],
      }).in[0]?.["path"],
    ).toBe("M0 0l1.25 3");
  });

  test("DAT-6 texts have at most 10,000 characters, and fonts no characters of code", () => {
    expectTaken({
      type: "IText",
      text: "x".repeat(10_000),
      fontFamily: "Noto Sans 中文, 'Comic Sans MS'",
    });
    expectRefused({ type: "IText", text: "x".repeat(10_001) }, { type: "IText" });
    expectRefused({ type: "IText", text: "x", fontFamily: "a;}" });
    expectTaken({
      type: "Textbox",
      text: "x",
      styles: [{ start: 0, end: 1, style: { fill: "red" } }],
    });
    expectTaken({ type: "Text", text: "x", styles: { 0: { 1: { fontWeight: "bold" } } } });
    expectRefused({
      type: "Text",
      text: "x",
      styles: [{ start: 0, end: 1, style: { fill: "url(x)" } }],
    });
  });

  test("MRG-15 a malformed causal context, or one of more than 100,000 runs, removes nothing", () => {
    const object = { ...rect, id: "abc-7", z: 1 };
    for (const inkpool of [
      null,
      5,
      { format: 2, seen: { abc: 9 } },
      { format: 1 },
      { format: 1, seen: { abc: -1 } },
    ]) {
      const parsed = parseDrawing({ objects: [object], inkpool });
      expect(parsed).toMatchObject({ ok: true, foreign: false, faults: [{ index: -1 }] });
      expect(parsed.ok && parsed.drawing.inkpool.seen).toEqual({});
      expect(parsed.ok && parsed.drawing.objects).toEqual([object]);
    }
    const context = { abc: Array.from({ length: 200_002 }, (_, at) => at * 2) };
    const flood = parseDrawing({ objects: [object], inkpool: { format: 1, seen: context } });
    expect(flood).toMatchObject({
      ok: true,
      drawing: { objects: [object], inkpool: { format: 1, seen: {} } },
      faults: [{ index: -1, reason: "too many runs in seen" }],
    });
    const authors = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`a${at}`, 1]));
    expect(parseDrawing({ objects: [], inkpool: { format: 1, seen: authors } }).ok).toBe(true);
  });

  test("DAT-27 what is left out is unknown: the drawing makes no claim about it, and it can be written back", () => {
    const bad = { ...rect, id: "abc-4", left: "x" };
    const newer = { type: "Arrow", id: "abd-0", life: 2 };
    const parsed = parseDrawing({
      objects: [{ ...rect, id: "abc-1" }, bad, newer, null],
      inkpool: { format: 1, seen: { abc: 9, abd: [[0, 0, 2]] } },
    });
    expect(parsed).toMatchObject({ ok: true, leftOut: 3, unreadable: [bad, newer] });
    expect(parsed.ok && parsed.drawing.inkpool.seen).toEqual({ abc: [0, 3, 5, 9] });
  });

  test("DAT-28 only a white stroke of width 20 is an eraser stroke, whatever an object claims", () => {
    const stroke = {
      ...{ type: "Path", path: "M0 0l9 9", fill: null, stroke: "white", strokeWidth: 20 },
      ...{ originX: "left", originY: "top", strokeLineCap: "round", eraser: true },
    };
    expect(read(stroke).in.map(isEraserStroke)).toEqual([true]);
    for (const other of [
      { ...stroke, stroke: "red" },
      { ...stroke, strokeWidth: 21 },
      { ...stroke, fill: "white" },
      { ...stroke, scaleX: 50 },
      { ...stroke, visible: false },
      { ...stroke, shadow: { blur: 3 } },
      { ...rect, fill: "white", eraser: true },
    ]) {
      const [object] = read(other).in;
      expect(object && isEraserStroke(object)).toBe(false);
    }
  });

  test("DAT-28 a board that merged the claim of one copy with the look of another is read as it is", () => {
    const stroke = {
      ...{ type: "Path", path: "M0 0l9 9", fill: null, stroke: "white", strokeWidth: 20 },
      ...{ id: "abc-0", eraser: true },
    };
    const parts = [
      { ...stroke, stamps: { content: [1, "abc"] } },
      { ...stroke, eraser: undefined, stroke: "red", stamps: { look: [3, "zzz"] } },
      { ...stroke, stamps: { content: [1, "abc"], look: [4, "abc"] } },
    ].map((object) => through({ objects: [object], inkpool: { format: 1, seen: {} } }));
    const [a, b, c] = parts as [Drawing, Drawing, Drawing];
    const recoloured = merge(a, b);
    expect(recoloured.objects.map(isEraserStroke)).toEqual([false]);
    const reader = through(recoloured);
    expect(reader).toEqual(recoloured);
    expect(merge(reader, c)).toEqual(merge(recoloured, c));
    expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
    expect(merge(reader, c).objects.map(isEraserStroke)).toEqual([true]);
  });

  test("DAT-28 shadows cost a bounded amount: their blur is at most 50 px, and 500 objects may have one", () => {
    const [dark] = read({ ...rect, shadow: { color: "red", blur: 1000 } }).in;
    expect(dark).toMatchObject({ shadow: { blur: 50 } });
    const shadows = Array.from({ length: 600 }, () => ({ ...rect, shadow: { blur: 5 } }));
    const objects = read(...shadows).in;
    expect(objects).toHaveLength(600);
    expect(objects.filter((object) => object["shadow"])).toHaveLength(500);
  });
});

/** A board with something of every kind. */
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
  test("MRG-17 what was written is read as it was, whole and partial, without a fault", () => {
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
      const head = pieces.next().value;
      const text = JSON.stringify(toDrawing(board));
      addObjects(board, ann, [rect]);
      // Changes made meanwhile are not in it.
      expect([head, ...pieces].join("")).toBe(text);
    }
    expect([...drawingChunks(createBoard())].join("")).toBe(
      JSON.stringify(toDrawing(createBoard())),
    );
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
    // A long path counts as several objects.
    const path = `M0 0${"l1 1".repeat(10_000)}`;
    const long = parseDrawingSlices({ objects: [1, 2, 3].map(() => ({ type: "Path", path })) }, 20);
    expect([long.next().done, long.next().done, long.next().done]).toEqual([false, false, true]);
    const fresh = createBoard();
    const parsed = parseDrawing(drawing);
    if (parsed.ok) mergeInto(fresh, parsed.drawing);
    expect([...stackedObjects(fresh)]).toEqual(drawing.objects);
  });
});
