import { describe, expect, test } from "vitest";
import { compactObject } from "./compact-object.ts";
import { MAX_STYLES, MAX_TEXT } from "./limits.ts";
import { parseDrawing } from "./parse.ts";
import { digitsAt, isColor, round } from "./values.ts";

/** Reads the object; undefined when it is left out. */
function read(object: object): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseDrawing({
    objects: [{ id: "abc-0", z: 0, ...object }],
    inkpool: { format: 1, seen: {} },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.drawing.objects[0] as Readonly<Record<string, unknown>> | undefined;
}

function filled(fill: unknown): unknown {
  return read({ type: "Rect", width: 1, height: 1, fill })?.["fill"];
}

function styled(styles: unknown): unknown {
  return read({ type: "Text", text: "x", styles })?.["styles"];
}

function shaded(shadow: unknown): unknown {
  return read({ type: "Rect", width: 1, height: 1, shadow })?.["shadow"];
}

describe("rounding", () => {
  test("is half up to so many decimals, and never gives -0", () => {
    expect(round(2.25, 1)).toBe(2.3);
    expect(round(-2.25, 1)).toBe(-2.2);
    expect(Object.is(round(-0.04, 1), 0)).toBe(true);
    expect(round(7, 1)).toBe(7);
  });

  test("keeps more decimals the more something is magnified, and six at most", () => {
    expect([0.1, 2, 2.1, 20, 21, 200, 1e9].map(digitsAt)).toEqual([1, 1, 2, 2, 3, 3, 6]);
  });
});

test("MRG-17 commands whose text no reader would take are no path, so that nothing is written that nobody can read", () => {
  const curve = ["Q", 1e7, 0, -1e7, 0];
  const pathOf = (...commands: unknown[]) =>
    read({ type: "Path", path: [["M", 0, 0], ...commands] })?.["path"];
  expect(pathOf(curve)).toBe("M0 0q10000000 0-10000000 0");
  // The control point of T is that of Q, mirrored.
  expect(pathOf(curve, ["T", 0, 0])).toBeUndefined();
});

describe("gradients", () => {
  const stops = [{ offset: 0, color: "red" }];
  const linear = { type: "linear", coords: { x1: 0, y1: 0, x2: 1, y2: 1 }, colorStops: stops };
  const radial = { ...linear, type: "radial", coords: { ...linear.coords, r1: 0, r2: 5 } };

  test("DAT-7 a colour is one that every canvas knows: another word would leave the colour of the object painted before", () => {
    const good = [
      "#abc",
      "RED",
      "rgb(0,0,0)",
      "rgba(0, 0, 0, 0.5)",
      "rgb(1 2 3 / 50%)",
      "transparent",
      "rgb(10%, 0%,0.5%)",
      "hsla(1 2% 3%/.5)",
    ];
    for (const color of [...good, "hsl(120deg,100%,50%)", "rgba(9,9,9,1e-7)"])
      expect([color, isColor(color)]).toEqual([color, true]);
    for (const color of [
      "nonsense",
      "inherit",
      "currentcolor",
      "rgb(123)",
      "rgb(,,)",
      "hsl(1,2,3)",
      "rgb(10%, 0, 0)",
      "rgb(1, 2 3)",
      "rgb(1 2 3, 0.5)",
      "rgb(1, 2, 3 / 0.5)",
      "rgb(5.,0,0)",
      "#abcdef0",
    ])
      expect([color, isColor(color)]).toEqual([color, false]);
  });

  test("DAT-7 both kinds come in, and no other", () => {
    expect(filled(linear)).toEqual(linear);
    expect(filled(radial)).toEqual(radial);
    expect(filled({ ...radial, coords: {} })).toMatchObject({ coords: { x1: 0, r1: 0, r2: 0 } });
    for (const type of ["conic", undefined]) expect(filled({ ...linear, type })).toBeUndefined();
  });

  test("DAT-7 a gradient has coordinates in range and at most 100 stops", () => {
    const many = (count: number): object[] =>
      Array.from({ length: count }, () => ({ ...stops[0] }));
    expect(filled({ ...linear, colorStops: many(100) })).toMatchObject({ colorStops: many(100) });
    for (const more of [
      { coords: undefined },
      { coords: [] },
      { colorStops: { length: 0 } },
      { colorStops: undefined },
      { colorStops: many(101) },
      { colorStops: [null] },
      { colorStops: [{ offset: -0.1, color: "red" }] },
      { colorStops: [{ offset: 0, color: "red", opacity: 1.1 }] },
      { coords: { ...linear.coords, x1: 1e7 + 1 } },
      { coords: { ...linear.coords, x1: "1" } },
      { offsetX: 1e7 + 1 },
      { gradientTransform: [1, 0, 0, 1, 0] },
      { gradientTransform: [1, 0, 0, 1, 0, "0"] },
    ])
      expect(filled({ ...linear, ...more }), JSON.stringify(more)).toBeUndefined();
  });

  test("DAT-7 an optional property is retained where it has an effect", () => {
    const more = {
      offsetX: 3,
      gradientUnits: "percentage",
      gradientTransform: [1, 0, 0, 1, 0, 0],
      colorStops: [{ offset: 1, color: "red", opacity: 0 }],
    };
    expect(filled({ ...linear, ...more })).toEqual({ ...linear, ...more });
    const idle = { offsetY: 0, gradientUnits: "pixels", gradientTransform: null };
    expect(filled({ ...linear, ...idle })).toEqual(linear);
  });
});

describe("the rest of an object", () => {
  test("DAT-7 a shadow's parts are in range; a blur that is too strong is lowered", () => {
    const shadow = { type: "shadow", color: "red" };
    expect(shaded({ color: "red", blur: 51, offsetX: -10_000, offsetY: 10_001 })).toEqual({
      ...{ ...shadow, blur: 50, offsetX: -10_000, offsetY: 10_000 },
    });
    expect(shaded({ color: "red", blur: 1.234, offsetX: 0, affectStroke: true })).toEqual({
      ...{ ...shadow, blur: 1.23, affectStroke: true },
    });
    expect(shaded({ ...shadow, offsetX: 0.001, offsetY: -0.004 })).toEqual(shadow);
    expect(shaded({ nonScaling: 1 })).toEqual({ ...shadow, color: "rgb(0,0,0)" });
    for (const bad of [{ blur: -1 }, { offsetX: -10_001 }, { offsetY: "3" }, [], 5])
      expect(shaded(bad), JSON.stringify(bad)).toBeUndefined();
  });

  test("DAT-6 dashes are none, or 64 at most that add up to a pixel", () => {
    const dashed = (strokeDashArray: unknown): unknown =>
      read({ type: "Rect", width: 1, height: 1, strokeDashArray })?.["strokeDashArray"];
    const many = (count: number): number[] => Array.from({ length: count }, () => 1);
    for (const dashes of [null, [], [1], [0.5, 0.5], [0, 1], many(64)])
      expect(dashed(dashes), JSON.stringify(dashes)).toEqual(dashes);
    for (const dashes of [[0.999], many(65), [1, -1], ["1"], {}])
      expect(dashed(dashes), JSON.stringify(dashes)).toBeUndefined();
  });

  test("DAT-6 a font's weight is a word or from 1 to 1000", () => {
    const weighted = (fontWeight: unknown): unknown =>
      read({ type: "Text", text: "x", fontWeight })?.["fontWeight"];
    for (const weight of ["", "bolder", "700", 1, 1000]) expect(weighted(weight)).toBe(weight);
    for (const weight of ["heavy", "0", "10000", 0, 1001, null])
      expect(weighted(weight), String(weight)).toBeUndefined();
  });

  test("DAT-6 the styles of a text are whole ranges up to 1,000,000, and 10,000 at most", () => {
    const style = { fill: "red" };
    const range = { start: 0, end: 1e6, style };
    const ranges = (count: number): object[] => Array.from({ length: count }, () => range);
    expect(styled(null)).toEqual([]);
    expect(styled([range])).toEqual([range]);
    expect(styled(ranges(MAX_STYLES))).toHaveLength(MAX_STYLES);
    expect(styled(ranges(MAX_STYLES + 1))).toBeUndefined();
    for (const more of [
      ...[-1, 0.5, 1e6 + 1, "0", undefined].flatMap((at) => [{ start: at }, { end: at }]),
      { style: null },
      { style: { fontSize: "large" } },
    ])
      expect(styled([{ ...range, ...more }]), JSON.stringify(more)).toBeUndefined();
    expect(styled([null])).toBeUndefined();
  });

  test("DAT-6 styles by line and character come in alike; lines without any are left out", () => {
    const style = { fill: "red" };
    expect(styled({ "0": { "1": style }, "01": { "02": {} }, "2": {} })).toEqual({
      0: { 1: style },
      1: { 2: {} },
    });
    expect(styled({ 0: {} })).toEqual([]);
    const line = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [at, style]));
    expect(styled({ 0: line(MAX_STYLES - 1), 1: line(1) })).toMatchObject({ 1: { 0: style } });
    for (const bad of [
      { 0: line(MAX_STYLES), 1: line(1) },
      { "-1": { 0: style } },
      { x: { 0: style } },
      { 0: { x: style } },
      { 0: { "-1": style } },
      { 0: 5 },
      { x: 5 },
      { 0: { 0: 5 } },
      "red",
    ])
      expect(styled(bad), JSON.stringify(bad).slice(0, 80)).toBeUndefined();
  });

  test("DAT-6 the points of a line are numbers in range", () => {
    const lined = (points: unknown): unknown => read({ type: "Polyline", points })?.["points"];
    const far = [{ x: -1e7, y: 1e7 }];
    expect(lined(far)).toEqual(far);
    for (const bad of [[{ x: 1 }], [{ y: 1 }], [{ x: 1e7 + 1, y: 0 }], [{ x: 0, y: "0" }], [5], {}])
      expect(lined(bad), JSON.stringify(bad)).toBeUndefined();
  });
});

test("DAT-29 NUL and half surrogate pairs in a text become U+FFFD, and a font with one is refused", () => {
  const text = (words: string): unknown => read({ type: "IText", text: words })?.["text"];
  expect(text("a\0b")).toBe("a\ufffdb");
  expect(text("\ud83c\udf89 \ud83c x \udf89")).toBe("\ud83c\udf89 \ufffd x \ufffd");
  expect(text("\u0001\t\n\ufffe")).toBe("\u0001\t\n\ufffe");
  for (const fontFamily of ["a\0", "a\ud83c", "\udf89"])
    expect(read({ type: "IText", text: "x", fontFamily })).toBeUndefined();
  // A long text of this page is cut, possibly within a pair.
  const cut = compactObject({ type: "IText", text: `${"x".repeat(MAX_TEXT - 1)}\ud83c\udf89` });
  expect(cut["text"]).toBe(`${"x".repeat(MAX_TEXT - 1)}\ufffd`);
});
