import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard } from "./board.ts";
import type { BoardObject, Drawing } from "./drawing.ts";
import { addObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { merge } from "./merge.ts";
import { isEraserStroke } from "./object-parser.ts";
import { parseDrawing } from "./parse.ts";

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

  test("DAT-10 an input that is no drawing at all is refused with a reason", () => {
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
    for (const path of [
      "M0 0<script>",
      "M1. 1",
      "M0 0l1e400 1",
      "M0 0l1e-1000 1",
      "M--1 0",
      7,
      null,
      ["M", 0, 0],
    ]) {
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

  test("DAT-28 only a white stroke of width 20 is an eraser stroke, regardless of an object's claim", () => {
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

  test("DAT-28 the blur of a shadow is at most 50 px, and any number of objects that were merged keep theirs", () => {
    const [dark] = read({ ...rect, shadow: { color: "red", blur: 1000 } }).in;
    expect(dark).toMatchObject({ shadow: { blur: 50 } });
    const shadowed = { ...rect, shadow: { blur: 5 } };
    const part = (author: string): Drawing => {
      const board = createBoard();
      addObjects(board, makeAuthor(2500, author), Array<typeof shadowed>(400).fill(shadowed));
      return through(toDrawing(board));
    };
    const both = merge(part("ann"), part("bob"));
    expect(both.objects.filter((object) => object["shadow"])).toHaveLength(800);
    expect(through(both)).toEqual(both);
  });
});
