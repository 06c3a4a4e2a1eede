import { expect, test } from "vitest";
import type { BoardObject, Json, ObjectId } from "../../../board/drawing.ts";
import { isEraserStroke } from "../../../board/object-parser.ts";
import { readDrawing } from "../../formats/read-drawing.ts";
import { pathObject } from "../input/stroke-object.ts";
import { drawingToSvg } from "./svg.ts";

async function svgOf(props: Record<string, Json>, background = "white"): Promise<string> {
  const object = { ...props, id: "a-1" as ObjectId, z: 1 } as BoardObject;
  const { signal } = new AbortController();
  const svg = await drawingToSvg({ objects: [object], background }, signal);
  if (!svg) throw new Error("nothing can be seen");
  return (await svg.text()).replace(/\s+/g, " ");
}

const RECT = { type: "Rect", width: 40, height: 20, fill: "#ff0000", strokeWidth: 0 };

test("UI-52 the SVG has the backgrounds of shapes and groups, also inside of groups", async () => {
  const shape = await svgOf({ ...RECT, backgroundColor: "yellow", opacity: 0.5 });
  expect(shape).toContain(
    '<rect x="-20" y="-10" width="40" height="20" style="fill: yellow; opacity: 0.5"/> <rect style=',
  );
  const inner = { type: "Group", width: 30, height: 30, backgroundColor: "lime", objects: [RECT] };
  const outer = { ...inner, backgroundColor: "blue", objects: [inner] };
  const fills = (await svgOf(outer)).matchAll(/fill: ([a-z]+|rgb\(.*?\))[;"]/g);
  expect([...fills].map(([, fill]) => fill)).toEqual(["white", "blue", "lime", "rgb(255,0,0)"]);
});

test("UI-52 the frame of an SVG is that of the picture: a shadow is whole in it", async () => {
  const shadow = { color: "red", offsetX: 50, offsetY: 0, blur: 0 };
  const svg = await svgOf({ ...RECT, shadow });
  expect(svg).toContain('viewBox="-90 -80 180 160"');
});

test("UI-52 the SVG blends objects inside of a group", async () => {
  const objects = [RECT, { ...RECT, globalCompositeOperation: "multiply" }];
  const svg = await svgOf({ type: "Group", width: 30, height: 30, objects });
  expect(svg.match(/mix-blend-mode: \w+"><g transform=/g)).toHaveLength(1);
});

test("UI-52 a translucent background of an SVG is on white", async () => {
  const svg = await svgOf(RECT, "rgba(0, 0, 0, 0.2)");
  const box = 'x="-40" y="-30" width="80" height="60"';
  expect(svg).toContain(
    `<rect class="inkpool-background" ${box} style="fill: white"/> <rect ${box} style="fill: rgba(0, 0, 0, 0.2)"/>`,
  );
});

test("UI-52 an outline of an SVG grows with the picture, also that of a resized shape", async () => {
  const look = { fill: null, stroke: "#ff0000", strokeWidth: 3, strokeUniform: true };
  const scale = { scaleX: 2, scaleY: 0.5, ...look };
  const rect = await svgOf({ ...RECT, ...scale, rx: 4, ry: 4 });
  expect(rect).toContain('x="-40" y="-5" rx="8" ry="2" width="80" height="10"');
  const circle = await svgOf({ type: "Circle", radius: 10, ...scale });
  expect(circle).toContain('rx="20" ry="5"');
  for (const svg of [rect, circle]) {
    expect(svg).toContain("matrix(1 0 0 1 0 0)");
    expect(svg).toContain("stroke-width: 3;");
    expect(svg).not.toContain("vector-effect");
  }
});

test("UI-52 a uniform outline of a skewed shape, or with one radius, has its shape in the SVG", async () => {
  const outline = { ...RECT, fill: null, stroke: "#ff0000", strokeWidth: 3, strokeUniform: true };
  const rounded = await svgOf({ ...outline, scaleX: 3, rx: 4 });
  expect(rounded).toContain('rx="12" ry="4" width="120" height="20"');
  const skewed = await svgOf({ ...outline, scaleX: 2, skewX: 45 });
  expect(skewed).toContain("matrix(2 0 2 1 0 0)");
  expect(skewed).toContain('width="40" height="20"');
});

test("UI-52 the SVG has arcs as they are drawn, counter-clockwise or past zero degrees, also with a uniform outline", async () => {
  const arc = { type: "Circle", radius: 10, fill: "#ff0000", startAngle: 0, endAngle: 90 };
  for (const props of [
    { counterClockwise: true },
    { startAngle: 90, endAngle: 0 },
    { startAngle: 90, endAngle: 360, strokeUniform: true, stroke: "#000000" },
  ])
    expect(await svgOf({ ...arc, ...props })).toMatch(
      /d="M \S+ 10 A 10 10 0 1 1 10 (0|-\S+e-15)" /,
    );
  const inner = { ...arc, counterClockwise: true };
  const group = await svgOf({ type: "Group", width: 20, height: 20, objects: [inner] });
  expect(group).toContain("A 10 10 0 1 1 10 ");
});

test("UI-52 what an inverted clip path shows is outside of it in the SVG too, inside of groups and of each other", async () => {
  const clip = { type: "Circle", radius: 5 };
  const inner = { ...RECT, clipPath: { ...clip, inverted: true, absolutePositioned: true } };
  const svg = await svgOf({
    ...{ type: "Group", width: 40, height: 20, clipPath: { ...clip, inverted: true } },
    objects: [inner, { ...RECT, clipPath: clip }],
  });
  const ids = [...svg.matchAll(/mask="url\(#(\w+)\)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(2);
  for (const id of ids)
    expect(svg).toMatch(new RegExp(`<mask id="${id}" [^>]+><rect [^>]+fill="white"/> <circle `));
  expect(svg.match(/clip-path="url/g)).toHaveLength(1);
  expect(svg.match(/<clipPath.*?<\/clipPath>/g)).toHaveLength(1);
});

test("UI-152 an SVG of the board comes back without its white background, and its eraser strokes are such", async () => {
  const eraser = { color: "white", width: 20, eraser: true };
  const stroke = { ...eraser, color: "#ffffff", eraser: false };
  const objects = [
    RECT,
    pathObject("M10 10L90 20", eraser),
    pathObject("M10 40L90 50", stroke),
  ].map((props, at) => ({ ...props, id: `a-${at}` as ObjectId, z: at }) as BoardObject);
  const { signal } = new AbortController();
  for (const [background, types] of [
    ["white", ["Rect", "Path", "Path"]],
    // Without it white strokes would not be seen.
    ["#101010", ["Rect", "Rect", "Path", "Path"]],
  ] as const) {
    const svg = await drawingToSvg({ objects, background }, signal);
    const read = readDrawing((await svg?.text()) ?? "");
    const found = read.ok ? read.objects : [];
    expect(found.map(({ type }) => type)).toEqual(types);
    expect(found.map(isEraserStroke).slice(-2)).toEqual([true, false]);
  }
});
