import * as fabric from "fabric";
import { describe, expect, test } from "vitest";
import { compactObject } from "./compact-object.ts";
import type { ObjectType } from "./drawing.ts";
import { parseDrawing } from "./parse.ts";
import { propertiesOf } from "./schema.ts";

const TOP_LEFT = { originX: "left", originY: "top" } as const;

/** Fabric's classes by our type names; a text cannot be constructed without a document, but its class has the defaults. */
const CLASSES: Readonly<Record<ObjectType, { getDefaults(): Record<string, unknown> }>> = {
  Path: fabric.Path,
  Rect: fabric.Rect,
  Circle: fabric.Circle,
  Ellipse: fabric.Ellipse,
  Triangle: fabric.Triangle,
  Line: fabric.Line,
  Polyline: fabric.Polyline,
  Polygon: fabric.Polygon,
  Image: fabric.FabricImage,
  Group: fabric.Group,
  IText: fabric.IText,
  Text: fabric.FabricText,
  Textbox: fabric.Textbox,
};

/** Properties that are ours, or that Fabric's constructors set. */
const NOT_DEFAULTS: ReadonlySet<string> = new Set(["styles", "eraser", "alt"]);

const samples: Readonly<Record<string, () => fabric.FabricObject>> = {
  rectangle: () =>
    new fabric.Rect({ ...TOP_LEFT, left: 100, top: 100, width: 150, height: 100, fill: "#ff0000" }),
  "turned rectangle": () =>
    new fabric.Rect({
      left: 33.26,
      top: -5,
      width: 15,
      height: 10,
      angle: 33.337,
      scaleX: 1.5,
      flipX: true,
      rx: 4,
    }),
  circle: () => new fabric.Circle({ ...TOP_LEFT, radius: 75, fill: "#4ecdc4", opacity: 0.5 }),
  "part of a circle": () => new fabric.Circle({ radius: 7, startAngle: 10, endAngle: 200 }),
  ellipse: () => new fabric.Ellipse({ rx: 30, ry: 20, skewX: 12 }),
  triangle: () => new fabric.Triangle({ width: 100, height: 40 }),
  line: () => new fabric.Line([10, 20, 110, 70], { stroke: "red", strokeDashArray: [5, 3] }),
  polyline: () =>
    new fabric.Polyline(
      [
        { x: 0, y: 0 },
        { x: 10.55, y: 4 },
        { x: 3, y: 9 },
      ],
      { fill: "" },
    ),
  polygon: () =>
    new fabric.Polygon(
      [
        { x: 0, y: 0 },
        { x: 10, y: 4 },
        { x: 3, y: 9 },
      ],
      TOP_LEFT,
    ),
  gradient: () =>
    new fabric.Rect({
      width: 90,
      height: 90,
      fill: new fabric.Gradient({
        type: "radial",
        coords: { x1: 1, y1: 0, x2: 1, y2: 0, r1: 0, r2: 50 },
        colorStops: [
          { offset: 0, color: "red" },
          { offset: 1, color: "rgba(0,0,255,0.5)" },
        ],
      }),
    }),
  shadow: () =>
    new fabric.Rect({
      width: 9,
      height: 9,
      shadow: new fabric.Shadow({ color: "#000", blur: 5, offsetX: 2 }),
    }),
  "clipped rectangle": () =>
    new fabric.Rect({
      width: 90,
      height: 90,
      clipPath: new fabric.Circle({ radius: 30, inverted: true }),
    }),
  "curves and arcs": () =>
    new fabric.Path(
      "M10 10h20v5l-3 4C40 40 50 10 60 60s5 5 9-3Q3 3 4 50t20 20a25 10-30 0 1 50-25z",
    ),
  "tiny path, scaled up": () =>
    new fabric.Path("M0 0L1 .5Q.25 .75.125 1z", { scaleX: 200, scaleY: 200 }),
  pencil: () =>
    new fabric.Path(fabric.util.getSmoothPathFromPoints(wave(40), 0.003), {
      fill: null,
      stroke: "#000000",
      strokeWidth: 3,
      strokeLineCap: "round",
      strokeLineJoin: "round",
      strokeMiterLimit: 10,
    }),
  group: () =>
    new fabric.Group([
      new fabric.Rect({ left: 10, top: 10, width: 20, height: 20 }),
      new fabric.Group([new fabric.Circle({ left: 80, top: 60, radius: 10, fill: "blue" })]),
    ]),
};

/** The results of `toObject` of Fabric 7.4.0 in Chromium 156, for an IText (Arial, 60) and for a Textbox with a styled letter. */
const TEXTS_OF_FABRIC: readonly string[] = [
  '{"fontSize":60,"fontWeight":"normal","fontFamily":"Arial","fontStyle":"normal","lineHeight":1.16,"text":"🎉","charSpacing":0,"textAlign":"left","styles":[],"pathStartOffset":0,"pathSide":"left","pathAlign":"baseline","underline":false,"overline":false,"linethrough":false,"textBackgroundColor":"","direction":"ltr","textDecorationThickness":66.667,"type":"IText","version":"7.4.0","originX":"left","originY":"top","left":100,"top":100,"width":74.8624,"height":67.8,"fill":"rgb(0,0,0)","stroke":null,"strokeWidth":1,"strokeDashArray":null,"strokeLineCap":"butt","strokeDashOffset":0,"strokeLineJoin":"miter","strokeUniform":false,"strokeMiterLimit":4,"scaleX":1,"scaleY":1,"angle":0,"flipX":false,"flipY":false,"opacity":1,"shadow":null,"visible":true,"backgroundColor":"","fillRule":"nonzero","paintFirst":"fill","globalCompositeOperation":"source-over","skewX":0,"skewY":0}',
  '{"fontSize":40,"fontWeight":"normal","fontFamily":"Times New Roman","fontStyle":"normal","lineHeight":1.16,"text":"two words","charSpacing":0,"textAlign":"left","styles":[{"start":1,"end":2,"style":{"fill":"red","fontWeight":"bold"}}],"pathStartOffset":0,"pathSide":"left","pathAlign":"baseline","underline":false,"overline":false,"linethrough":false,"textBackgroundColor":"","direction":"ltr","textDecorationThickness":66.667,"minWidth":20,"splitByGrapheme":false,"type":"Textbox","version":"7.4.0","originX":"left","originY":"top","left":100,"top":100,"width":97.7734,"height":97.632,"fill":"rgb(0,0,0)","stroke":null,"strokeWidth":1,"strokeDashArray":null,"strokeLineCap":"butt","strokeDashOffset":0,"strokeLineJoin":"miter","strokeUniform":false,"strokeMiterLimit":4,"scaleX":1,"scaleY":1,"angle":0,"flipX":false,"flipY":false,"opacity":1,"shadow":null,"visible":true,"backgroundColor":"","fillRule":"nonzero","paintFirst":"fill","globalCompositeOperation":"source-over","skewX":0,"skewY":0}',
];

function wave(count: number): fabric.Point[] {
  return Array.from(
    { length: count },
    (_, at) => new fabric.Point(at * 7.3, 80 + 60 * Math.sin(at / 4)),
  );
}

async function revive(json: object): Promise<fabric.FabricObject> {
  const [object] = await fabric.util.enlivenObjects<fabric.FabricObject>([structuredClone(json)]);
  if (object === undefined) throw new Error("Fabric revived nothing");
  return object;
}

/**
 * Compares values with those that Fabric wrote, with a tolerance for numbers: rounding moves nothing by more than 0.1
 * px on the screen.
 */
function expectNear(actual: unknown, expected: unknown, near: number, at = ""): void {
  if (typeof expected === "number" && typeof actual === "number") {
    expect(Math.abs(actual - expected), `${at}: ${actual} for ${expected}`).toBeLessThanOrEqual(
      near,
    );
  } else if (typeof expected === "object" && expected !== null) {
    const [a, e] = [actual as Record<string, unknown>, expected as Record<string, unknown>];
    expect(Object.keys(a ?? {}).sort(), at).toEqual(Object.keys(e).sort());
    for (const key of Object.keys(e)) expectNear(a[key], e[key], near, `${at}.${key}`);
  } else expect(actual, at).toEqual(expected);
}

describe("compacting", () => {
  test.each(Object.entries(samples))(
    "DAT-13 Fabric reads the compact JSON of a %s as the same object",
    async (name, make) => {
      const before = make().toObject() as Record<string, unknown>;
      const compact = compactObject(JSON.parse(JSON.stringify(before)));
      const after = (await revive(compact)).toObject() as Record<string, unknown>;
      expectNear(after, before, name.startsWith("tiny") ? 0.001 : 0.11);
      expect(JSON.stringify(compact).length).toBeLessThan(JSON.stringify(before).length * 0.6);
      expect(compactObject(compact)).toEqual(compact);
    },
  );

  test("DAT-6 objects in a group beyond 100,000 in all are left out", () => {
    const inside = Array.from({ length: 100_000 }, () => ({ type: "Rect", width: 1, height: 1 }));
    expect(compactObject({ type: "Group", objects: inside })["objects"]).toHaveLength(99_999);
  });

  test("DAT-13 a value left out is the installed Fabric's default", () => {
    const compared = new Set<string>();
    for (const [type, fabricClass] of Object.entries(CLASSES)) {
      const defaults = fabricClass.getDefaults();
      for (const [name, { default: expected }] of propertiesOf(type as ObjectType)) {
        if (expected === undefined || NOT_DEFAULTS.has(name)) continue;
        expect(defaults[name] ?? null, `${type}.${name}`).toEqual(expected);
        compared.add(type);
      }
    }
    expect([...compared]).toEqual(Object.keys(CLASSES));
  });

  test("DAT-13 a sticker and a styled text as Fabric writes them keep text, font, styles and place", () => {
    const [sticker, styled] = TEXTS_OF_FABRIC.map((text) => JSON.parse(text) as object);
    expect(compactObject(sticker)).toEqual({
      type: "IText",
      ...TOP_LEFT,
      left: 100,
      top: 100,
      text: "🎉",
      width: 74.9,
      height: 67.8,
      fontSize: 60,
      fontFamily: "Arial",
    });
    expect(compactObject(styled)).toEqual({
      type: "Textbox",
      ...TOP_LEFT,
      left: 100,
      top: 100,
      text: "two words",
      width: 97.7734,
      height: 97.6,
      styles: [{ start: 1, end: 2, style: { fill: "red", fontWeight: "bold" } }],
    });
  });

  test("DAT-13 names and origins of older Fabrics are understood, so that the object stays where it was", () => {
    const old = { type: "rect", version: "5.3.0", left: 10, top: 20, width: 5, height: 5 };
    const read = parseDrawing({
      version: "5.3.0",
      objects: [old, { ...old, type: "i-text", text: "x" }],
    });
    expect(read.ok && read.drawing.objects).toMatchObject([
      { type: "Rect", ...TOP_LEFT, left: 10, top: 20 },
      { type: "IText", ...TOP_LEFT },
    ]);
    const explicit = parseDrawing({
      version: "6.6.1",
      objects: [{ ...old, version: "6.6.1", originX: "center" }],
    });
    expect(explicit.ok && explicit.drawing.objects[0]).not.toHaveProperty("originX");
    const seven = parseDrawing({
      version: "7.4.0",
      objects: [{ ...old, type: "Rect", version: "7.4.0" }],
    });
    expect(seven.ok && seven.drawing.objects[0]).not.toHaveProperty("originX");
    // An object that names no version is of the drawing's.
    for (const [version, origins] of [["6.6.1", TOP_LEFT] as const, ["7.4.0", {}] as const]) {
      const within = parseDrawing({ version, objects: [{ type: "Rect", width: 5, height: 5 }] });
      expect(within.ok && within.drawing.objects[0]).toMatchObject(origins);
      expect(within.ok && "originX" in (within.drawing.objects[0] ?? {})).toBe(version < "7");
    }
    // Fabric also takes a part of the size.
    const parts = { ...old, version: "7.4.0", originX: 0.25, originY: -2 };
    const numbers = parseDrawing({ objects: [parts, { ...parts, originX: 1_001 }] });
    expect(numbers.ok && numbers.drawing.objects).toMatchObject([{ originX: 0.25, originY: -2 }]);
    const unknown = parseDrawing({ objects: [{ type: "circle", radius: 4 }] });
    expect(unknown.ok && unknown.drawing.objects[0]).toMatchObject({
      type: "Circle",
      originX: "left",
    });
  });

  test("an object that a board does not hold is refused", () => {
    expect(() => compactObject({ type: "Image", src: "x" })).toThrow(TypeError);
    expect(() => compactObject({ type: "Path" })).toThrow("path is missing");
    expect(compactObject({ type: "Rect", left: Number.NaN, width: 1e9, fill: "url(x)" })).toEqual({
      type: "Rect",
      width: 1e6,
    });
  });
});
