import { describe, expect, test } from "vitest";
import type { BoardObject, Json, ObjectId } from "../../../board/drawing.ts";
import { boundedPart } from "./bounded-part.ts";
import { dashesOf, MAX_LONE_LETTERS, MAX_PARTS, paintCost } from "./cost.ts";

function object(type: string, props: Readonly<Record<string, Json>> = {}): BoardObject {
  return { type, id: "aaa-0" as ObjectId, z: 1, ...props } as unknown as BoardObject;
}

const SHADOW = { color: "#000000", blur: 5 };
const GRADIENT = { type: "linear", coords: {}, colorStops: [{ offset: 0, color: "#ff0000" }] };
const PICTURE = { ...GRADIENT, gradientUnits: "percentage" };
const RECT = { type: "Rect", width: 10, height: 10 };

/** The effects of an object that covers 100 x 100 pixels. */
const effectsOf = (one: BoardObject): number => paintCost(one, 10_000).effects;

describe("PNT-7 effects are counted", () => {
  test("objects that the tools make have none", () => {
    for (const one of [
      object("Path", { path: "M0 0L10 10", stroke: "#000000" }),
      object("Rect", { width: 150, height: 100, fill: "#ff0000" }),
      object("Circle", { radius: 75 }),
      object("IText", { text: "🎉", fontSize: 60 }),
    ])
      expect(effectsOf(one)).toBe(0);
  });

  test.each<readonly [string, number, BoardObject]>([
    ["a shadow", 1, object("Rect", { shadow: SHADOW })],
    ["a shadow of two lines", 2, object("IText", { text: "one\ntwo", shadow: SHADOW })],
    ["of lone letters", 6, object("IText", { text: "letter", charSpacing: 9, shadow: SHADOW })],
    ["of a group", 3, object("Group", { objects: [RECT, RECT], shadow: SHADOW })],
    [
      "inside a group",
      2,
      object("Group", {
        objects: [RECT, { ...RECT, shadow: SHADOW }, { ...RECT, shadow: SHADOW }],
      }),
    ],
    ["a clip path", 1, object("Rect", { clipPath: RECT })],
    ["a plain gradient", 0, object("Rect", { fill: GRADIENT, stroke: GRADIENT })],
    ["a gradient that is a picture", 1, object("Rect", { stroke: PICTURE })],
    ["of a text", 1, object("IText", { text: "one", fill: PICTURE })],
    ["an invisible shadow", 0, object("Rect", { shadow: SHADOW, visible: false })],
  ])("%s: %i", (_what, effects, one) => {
    expect(effectsOf(one)).toBe(effects);
  });

  test("a large clip path counts for more, up to the largest canvas that Fabric makes", () => {
    const clipped = object("Rect", { clipPath: RECT });
    expect(paintCost(clipped, 400_000).effects).toBe(10);
    expect(paintCost(clipped, 1e12).effects).toBe(53);
  });
});

describe("PNT-7 work grows with the painted content", () => {
  test("with the length of a path, the points, the letters and the parts", () => {
    const work = (one: BoardObject): number => paintCost(one, 100).work;
    const stroke = (count: number): BoardObject =>
      object("Path", { path: `M0 0${"l1 1".repeat(count)}` });
    expect(work(stroke(10_000))).toBeGreaterThan(90 * work(stroke(50)));
    const points = (count: number): Json[] => Array.from({ length: count }, () => ({ x: 0, y: 0 }));
    expect(work(object("Polygon", { points: points(5000) }))).toBeGreaterThan(400);
    expect(work(object("IText", { text: "a".repeat(3000), charSpacing: 1 }))).toBeGreaterThan(1000);
    const parts = Array.from({ length: 1000 }, () => RECT);
    expect(work(object("Group", { objects: parts }))).toBeGreaterThan(1000);
  });

  test("dashes are counted by the length of the outline", () => {
    const dashed = { stroke: "#000000", strokeDashArray: [1, 1] };
    expect(dashesOf({ type: "Path", path: "M0 0L1000 0", ...dashed })).toBe(1000);
    expect(dashesOf({ type: "Line", x1: 0, y1: 0, x2: 30, y2: 40, ...dashed })).toBe(50);
    expect(dashesOf({ type: "Circle", radius: 50, ...dashed })).toBeCloseTo(314, 0);
    expect(dashesOf({ ...RECT, ...dashed })).toBe(40);
    expect(dashesOf({ ...RECT, ...dashed, strokeUniform: true, scaleX: 100 })).toBe(4000);
    expect(dashesOf(RECT)).toBe(0);
    expect(dashesOf({ ...RECT, strokeDashArray: [0, 0] })).toBe(Infinity);
  });
});

describe("PNT-7 Fabric's input is bounded", () => {
  test("an ordinary object comes back as it is", () => {
    for (const part of [
      RECT,
      {
        type: "IText",
        text: "two\nlines",
        styles: [{ start: 0, end: 2, style: { fill: "#f00" } }],
      },
      { ...RECT, strokeDashArray: [9, 5], shadow: SHADOW },
    ])
      expect(boundedPart(part)).toBe(part);
  });

  test("dashes that nobody could tell apart go, in a group as well", () => {
    const dashed = { ...RECT, width: 1e6, strokeDashArray: [0.5, 0.5] };
    expect(boundedPart(dashed)).toMatchObject({ strokeDashArray: null });
    const group = { type: "Group", objects: [RECT, { type: "Group", objects: [dashed] }] };
    expect(boundedPart(group)).toMatchObject({
      objects: [RECT, { objects: [{ strokeDashArray: null }] }],
    });
  });

  test("parts beyond the limit go, wherever they are", () => {
    const many = (count: number) => Array.from({ length: count }, () => RECT);
    const group = { type: "Group", objects: [{ type: "Group", objects: many(MAX_PARTS) }, RECT] };
    const [inner, ...rest] = boundedPart(group).objects;
    expect(inner).toMatchObject({ objects: many(MAX_PARTS - 1) });
    expect(rest).toEqual([]);
  });

  test("a gradient of single letters becomes its first colour", () => {
    const style = { fill: GRADIENT, fontWeight: "bold" };
    expect(boundedPart({ type: "IText", text: "abc", styles: { 0: { 1: style } } })).toMatchObject({
      styles: { 0: { 1: { fill: "#ff0000", fontWeight: "bold" } } },
    });
  });

  test("very many letters are painted in lines", () => {
    const text = "a".repeat(MAX_LONE_LETTERS + 1);
    expect(
      boundedPart({ type: "IText", text, charSpacing: 5, textAlign: "justify" }),
    ).toMatchObject({
      charSpacing: 0,
      textAlign: "left",
    });
  });
});
