import { expect, test } from "vitest";
import type { BoardObject, Json, ObjectId } from "../../../board/drawing.ts";
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

test("UI-52 the SVG blends objects inside of a group", async () => {
  const objects = [RECT, { ...RECT, globalCompositeOperation: "multiply" }];
  const svg = await svgOf({ type: "Group", width: 30, height: 30, objects });
  expect(svg.match(/mix-blend-mode: \w+"><g transform=/g)).toHaveLength(1);
});

test("UI-52 a translucent background of an SVG is on white", async () => {
  const svg = await svgOf(RECT, "rgba(0, 0, 0, 0.2)");
  const box = 'x="-40" y="-30" width="80" height="60"';
  expect(svg).toContain(
    `<rect ${box} style="fill: white"/> <rect ${box} style="fill: rgba(0, 0, 0, 0.2)"/>`,
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
