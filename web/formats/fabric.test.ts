import { expect, test } from "vitest";
import { type ReadDrawing, readDrawing } from "./read-drawing.ts";

function read(input: unknown): ReadDrawing {
  return readDrawing(typeof input === "string" ? input : JSON.stringify(input));
}

/** An object as Fabric 4 and 5 write it. */
const OLD = {
  ...{
    originX: "left",
    originY: "top",
    fill: "rgb(0,0,0)",
    stroke: null,
    strokeWidth: 1,
    angle: 0,
  },
  ...{ strokeDashArray: null, strokeLineCap: "butt", strokeDashOffset: 0, strokeLineJoin: "miter" },
  ...{
    strokeUniform: false,
    strokeMiterLimit: 4,
    scaleX: 1,
    scaleY: 1,
    flipX: false,
    flipY: false,
  },
  ...{ opacity: 1, shadow: null, visible: true, backgroundColor: "", fillRule: "nonzero" },
  ...{ paintFirst: "fill", globalCompositeOperation: "source-over", skewX: 0, skewY: 0 },
};

test("DAT-13 drawings of Fabric 4: angles of a circle in radians, styles by line, path arrays", () => {
  const version = "4.6.0";
  const text = { fontFamily: "Times New Roman", fontWeight: "normal", fontSize: 40, text: "ab" };
  const result = read({
    version,
    objects: [
      { ...OLD, version, type: "circle", radius: 75, startAngle: 0, endAngle: 2 * Math.PI },
      { ...OLD, version, type: "i-text", ...text, styles: { 0: { 1: { fill: "#f00" } } } },
      {
        ...OLD,
        version,
        type: "path",
        path: [
          ["M", 0, 0],
          ["L", 10, 10],
        ],
        eraser: { type: "eraser" },
      },
    ],
  });
  expect(result).toMatchObject({
    ok: true,
    objects: [
      { type: "Circle", radius: 75, originX: "left", originY: "top" },
      { type: "IText", text: "ab", styles: { 0: { 1: { fill: "#f00" } } } },
      { type: "Path", path: "M0 0l10 10" },
    ],
    leftOut: { effect: 1 },
  });
  // The line surrounds the object, which is the default.
  if (result.ok) expect(result.objects[0]).not.toHaveProperty("endAngle");
});

test("DAT-13 drawings of Fabric 5 and 6: groups, selections, pictures in them, patterns", () => {
  const rect = { ...OLD, type: "rect", left: -5, top: -5, width: 10, height: 10 };
  const image = { ...OLD, type: "image", src: "https://x/y.png", width: 9, height: 9 };
  expect(
    read({
      version: "5.3.0",
      objects: [
        { ...OLD, type: "group", left: 10, top: 20, width: 10, height: 10, objects: [rect, image] },
        { ...OLD, type: "activeSelection", left: 1, top: 2, width: 9, height: 9, objects: [rect] },
        { ...OLD, type: "group", objects: [image] },
        { ...OLD, type: "circle", radius: 5, startAngle: 0, endAngle: 90 },
        { ...rect, fill: { type: "pattern", source: "http://x/y.png" } },
        image,
        { ...image, src: "data:image/png;base64,xxxx", clipPath: rect, shadow: { blur: 1 } },
        { ...OLD, type: "image" },
        { ...OLD, type: "myShape" },
      ],
      backgroundImage: image,
    }),
  ).toMatchObject({
    ok: true,
    objects: [
      { type: "Group", originX: "left", left: 10, objects: [{ type: "Rect", originX: "left" }] },
      { type: "Group", originX: "left", left: 1, objects: [{ type: "Rect" }] },
      { type: "Circle", endAngle: 90 },
      { type: "Rect", fill: null },
      { type: "Image", originX: "left", width: 9 },
    ],
    // One of the pictures is a pattern.
    leftOut: { picture: 6, unknown: 1, effect: 2 },
  });
  // They had an opacity beside a colour, which is a part of the colour now.
  const colorStops = [
    { color: "#f00", opacity: 0.5, offset: 0 },
    { color: "rgb(0,0,9)", offset: 1 },
  ];
  const fill = { type: "linear", coords: { x1: 0, y1: 0, x2: 9, y2: 0 }, colorStops };
  const read7 = [{ color: "#ff000080" }, { color: "rgb(0,0,9)" }];
  expect(read({ version: "6.0.0", objects: [{ ...rect, fill, stroke: fill }] })).toMatchObject({
    objects: [{ fill: { colorStops: read7 }, stroke: { colorStops: read7 } }],
  });
  expect(read({ version: "7.0.0", objects: [{ ...rect, fill }] })).toMatchObject({
    objects: [{ fill: { colorStops: [{ color: "#f00" }, { color: "rgb(0,0,9)" }] } }],
  });
  const six = { type: "Rect", version: "6.4.0", left: 3, top: 4, width: 5, height: 6 };
  expect(
    read({ version: "6.4.0", objects: [six, { ...six, type: "ActiveSelection", objects: [six] }] }),
  ).toMatchObject({ objects: [{ originX: "left" }, { type: "Group", originX: "left" }] });
});

test("UI-53 a list of objects and a single object are drawings too; our own fields go", () => {
  const rect = { type: "Rect", width: 10, height: 5, id: "aaa-1", z: 3, onload: "x" };
  for (const input of [[rect], rect, { objects: [rect], inkpool: { format: 1, seen: {} } }]) {
    const result = read(input);
    expect(result).toMatchObject({ ok: true, objects: [{ type: "Rect", width: 10 }], leftOut: {} });
    const [object] = result.ok ? result.objects : [];
    for (const name of ["id", "z", "stamps", "onload"]) expect(object).not.toHaveProperty(name);
  }
});
