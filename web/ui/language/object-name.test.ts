import { describe, expect, test } from "vitest";
import { COLORS } from "../../../board/constants.ts";
import { STICKERS } from "../../../board/stickers.ts";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { rotate } from "../../canvas/recognition/resample.ts";
import { arrowBetween, outlineOf, type ShapeKind } from "../../canvas/recognition/shape.ts";
import { objectName, objectPhrase } from "./object-name.ts";

function named(props: Partial<BoardObject>): string {
  return objectName({ type: "Rect", id: "me-0" as ObjectId, z: 1, ...props });
}

const ARROW = outlineOf(arrowBetween({ x: 10, y: 20 }, { x: 133, y: 87 }));
/** Corners of a rectangle that leans. */
const CORNERS = rotate(
  [
    { x: 400, y: -300 },
    { x: 9_400, y: -300 },
    { x: 9_400, y: 4_211 },
    { x: 400, y: 4_211 },
  ],
  0.4,
);
const path = (text: string): Partial<BoardObject> => ({
  ...{ type: "Path", path: text, fill: null, stroke: "#45b7d1" },
});
/** The outline of a shape that a held stroke has become. */
const held = (kind: ShapeKind, points = CORNERS): Partial<BoardObject> =>
  path(outlineOf({ kind, points, head: 0 }));
const MULTIPLIED = { stroke: "#45b7d1", globalCompositeOperation: "multiply", opacity: 0.4 };

describe("UI-75 the name of an object", () => {
  test.each([
    [{ type: "IText", text: "Hello world" }, 'Text "Hello world"'],
    [{ type: "Textbox", text: "one\n  two" }, 'Text "one two"'],
    [{ type: "IText", text: " \u202e\u0007 " }, "Text"],
    [{ type: "IText", text: "a\u202eb\u2066c\u200bd" }, 'Text "abcd"'],
    [{ type: "IText", text: "x".repeat(41) }, `Text "${"x".repeat(40)}..."`],
    [{ type: "IText", text: "x".repeat(10_000) }, `Text "${"x".repeat(40)}..."`],
    [{ type: "IText", text: "x".repeat(40) }, `Text "${"x".repeat(40)}"`],
    [{ type: "IText", text: `a${" ".repeat(158)}b` }, 'Text "a b"'],
    [{ type: "Image", alt: "A cat" }, 'Picture "A cat"'],
    [{ type: "Image" }, "Picture"],
    [{ type: "IText", text: "🌈" }, "Sticker rainbow"],
    [{ type: "IText", text: "🌈🌈" }, 'Text "🌈🌈"'],
    [{ fill: "#ff0000", width: 150, height: 100 }, "Red rectangle, 150 by 100"],
    [{ width: 150, height: 100 }, "Black rectangle, 150 by 100"],
    [
      { fill: "#ff0000", width: 150, height: 100, scaleX: -2, scaleY: 0.333 },
      "Red rectangle, 300 by 33",
    ],
    [{ fill: null, stroke: "#ff0000", width: 1, height: 2 }, "Red rectangle, 1 by 2"],
    [{ fill: "#00ff0000", stroke: "#ff0000", width: 1, height: 2 }, "Red rectangle, 1 by 2"],
    [{ fill: "", width: 1, height: 2 }, "Transparent rectangle, 1 by 2"],
    [{ fill: { type: "linear" }, width: 1, height: 2 }, "Gradient rectangle, 1 by 2"],
    [{ type: "Circle", fill: "#2ecc71", radius: 75 }, "Green circle, 150 by 150"],
    [{ type: "Ellipse", fill: "#2ecc71", rx: 20, ry: 10 }, "Green ellipse, 40 by 20"],
    [{ type: "Triangle", width: 20, height: 10 }, "Black triangle, 20 by 10"],
    [{ type: "Polygon", width: 20, height: 10 }, "Black polygon"],
    [{ width: 20 }, "Black rectangle"],
    [{ type: "Path", fill: null, stroke: "#4ecdc4" }, "Teal stroke"],
    [{ type: "Path", fill: null, stroke: "white", eraser: true }, "Eraser stroke"],
    [path("M0 0 90 40"), "Blue line"],
    [path("M0 0l1 0"), "Blue line"],
    [path("M0 0l0 0"), "Blue stroke"],
    [path(ARROW), "Blue arrow"],
    // Two unequal sides of the head, a head without a shaft, and one whose sides do not meet at the tip.
    [path("M0 0l90 0-9-9 9 9-9 5"), "Blue stroke"],
    [path("M0 0l0 0-9-9 9 9-9 9"), "Blue stroke"],
    [path("M0 0l90 0-9-9-40 9 40 9"), "Blue stroke"],
    [{ ...path(ARROW), ...MULTIPLIED }, "Blue highlighter stroke"],
    [held("rectangle"), "Blue rectangle"],
    [held("triangle"), "Blue triangle"],
    [held("ellipse"), "Blue ellipse"],
    [held("curve"), "Blue curve"],
    [{ ...held("ellipse"), ...MULTIPLIED }, "Blue highlighter stroke"],
    // A kite, one whose sides are equal, petals around a middle, an ellipse with a flat quarter, and an egg.
    [held("rectangle", [...CORNERS.slice(0, 3), { x: 0, y: 0 }]), "Blue stroke"],
    [path("M0 9l5-9 5 9-5 9z"), "Blue stroke"],
    [path("M0 9c9 0 9 0 9-9 0 9 0 9 9 9-9 0-9 0-9 9 0-9 0-9-9-9z"), "Blue stroke"],
    [
      path("M-20 0c0-11 9-20 20-20 11 0 20 9 20 20 0 11-9 20-20 20 0 0-20-20-20-20z"),
      "Blue stroke",
    ],
    [
      path("M-20 0c0-11 9-20 20-20 11 0 20 9 20 20 0 22-9 40-20 40-11 0-20-18-20-40z"),
      "Blue stroke",
    ],
    [{ type: "Line", stroke: "#45b7d1" }, "Blue line"],
    [{ type: "Group", objects: [{}, {}] }, "Group of 2 objects"],
    [{ type: "Group", objects: [{}] }, "Group of 1 object"],
  ] as [Partial<BoardObject>, string][])("%j", (props, name) => {
    expect(named(props)).toBe(name);
  });

  test("every preset colour and every sticker by its name", () => {
    expect(COLORS.map(({ value }) => named({ type: "Path", fill: null, stroke: value }))).toEqual(
      COLORS.map(({ name }) => `${name} stroke`),
    );
    expect(STICKERS.map(({ emoji }) => named({ type: "IText", text: emoji }))).toEqual(
      STICKERS.map(({ name }) => `Sticker ${name}`),
    );
  });

  test.each([
    ["#fe0102", "Red stroke"],
    ["#f00", "Red stroke"],
    ["#ff0000ff", "Red stroke"],
    ["rgb(255, 0, 0)", "Red stroke"],
    ["#777777", "Grey stroke"],
    ["#77777", "Stroke"],
    ["navy", "Navy stroke"],
    ["hsl(0, 100%, 50%)", "Stroke"],
  ])("a colour of one's own by the nearest that has a name: %s", (stroke, name) => {
    expect(named({ type: "Path", fill: null, stroke })).toBe(name);
  });

  test("in a sentence it begins with a small letter", () => {
    const text: BoardObject = { type: "IText", id: "a-0" as ObjectId, z: 1, text: "Photo" };
    expect(objectPhrase(text)).toBe('text "Photo"');
  });
});
