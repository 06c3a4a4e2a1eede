/** The picture equals what Fabric itself paints. */

import type { Page } from "@playwright/test";
import type { NewObject } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";
import { hold, MAX_WRONG, SAGGING, SMOOTHED } from "./harness.ts";

/** Four colours, one of them half transparent, in 40 x 30 pixels. */
const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAYAAABe3VzdAAAASElEQVR42u3OIREAIRAAQEKgX18mkhDn4xACTQgMlDjDzIr1W1bEyRRtpiqCgoKCgoKCgm8H9/hOpvq3nklQUFBQUFBQ8O3gBaBvggt8uVTgAAAAAElFTkSuQmCC";

/** Objects of every kind that tools make, and some that only foreign clients make. */
const VARIETY: readonly NewObject[] = [
  {
    type: "Rect",
    left: 20,
    top: 20,
    originX: "left",
    originY: "top",
    width: 150,
    height: 100,
    fill: "#ff0000",
    stroke: null,
    strokeWidth: 0,
  },
  {
    type: "Circle",
    left: 200,
    top: 20,
    originX: "left",
    originY: "top",
    radius: 75,
    fill: "#45b7d1",
    stroke: null,
    strokeWidth: 0,
  },
  {
    type: "Rect",
    left: 420,
    top: 60,
    originX: "left",
    originY: "top",
    width: 90,
    height: 60,
    angle: 30,
    rx: 14,
    ry: 14,
    fill: "#f7dc6f",
    stroke: "#000000",
    strokeWidth: 5,
    opacity: 0.7,
  },
  {
    ...{ type: "Rect", left: 700, top: 60, originX: 0.25, originY: 1.5, angle: 20 },
    ...{ scaleX: -1.5, skewX: 15 },
    ...{ width: 50, height: 20, fill: "#ff69b4", stroke: "#000000", strokeWidth: 3 },
  },
  {
    type: "Circle",
    left: 560,
    top: 40,
    originX: "left",
    originY: "top",
    radius: 40,
    scaleX: 1.5,
    skewX: 20,
    endAngle: 270,
    fill: "#2ecc71",
    stroke: "#9b59b6",
    strokeWidth: 4,
    strokeDashArray: [9, 5],
  },
  {
    type: "IText",
    left: 40,
    top: 220,
    originX: "left",
    originY: "top",
    text: "🎉🐱",
    fontSize: 60,
    fontFamily: "Arial",
  },
  {
    type: "Path",
    left: 260,
    top: 250,
    originX: "left",
    originY: "top",
    path: "M0 0q40 -60 80 0t80 10l-30 50z",
    angle: 12,
    scaleY: 1.4,
    flipX: true,
    fill: "#98d8c8",
    stroke: "#000000",
    strokeWidth: 3,
  },
  {
    type: "Path",
    left: 500,
    top: 240,
    path: "M0 0C10 80 90 80 100 0",
    fill: null,
    stroke: "#ff69b4",
    strokeWidth: 8,
  },
  {
    type: "Polygon",
    left: 620,
    top: 230,
    originX: "left",
    originY: "top",
    points: [
      { x: 0, y: 0 },
      { x: 90, y: 20 },
      { x: 40, y: 100 },
    ],
    fill: "#f39c12",
  },
  {
    type: "Group",
    width: 100,
    height: 40,
    left: 60,
    top: 360,
    originX: "left",
    originY: "top",
    objects: [
      { type: "Rect", left: -30, top: 0, width: 40, height: 40, fill: "#4ecdc4" },
      { type: "Circle", left: 30, top: 0, radius: 20, fill: "#ffa07a" },
    ],
  },
  // Translucent and blended as a whole.
  {
    ...{ type: "Group", width: 90, height: 60, left: 240, top: 400, opacity: 0.5 },
    objects: [
      { type: "Rect", left: -15, top: 0, width: 60, height: 60, fill: "#4ecdc4" },
      { type: "Circle", left: 15, top: 0, radius: 30, fill: "#ffa07a", strokeWidth: 0 },
    ],
  },
  {
    ...{ type: "Circle", left: 420, top: 420, radius: 30, scaleX: 1.5, angle: 20 },
    ...{ fill: "#45b7d1", stroke: "#ff69b4", strokeWidth: 20 },
    globalCompositeOperation: "multiply",
  },
  {
    ...{ type: "IText", left: 560, top: 430, text: "Behind", fontFamily: "Arial", fontSize: 40 },
    ...{ fill: "#2ecc71", textBackgroundColor: "#9b59b6", opacity: 0.4 },
  },
  // What the toolbar of a selection, and a text on a phone, make.
  {
    ...{ type: "Rect", left: 600, top: 20, originX: "left", originY: "top" },
    ...{ width: 150, height: 100, scaleX: 0.5, scaleY: 1.2, angle: 10 },
    ...{ fill: null, stroke: "#9b59b6", strokeWidth: 3, strokeUniform: true },
  },
  {
    ...{ type: "Circle", left: 620, top: 180, originX: "left", originY: "top", radius: 75 },
    ...{ scaleX: 0.8, scaleY: 0.5 },
    ...{ fill: null, stroke: "#2ecc71", strokeWidth: 3, strokeUniform: true },
  },
  {
    ...{ type: "Textbox", left: 600, top: 300, originX: "left", originY: "top", width: 180 },
    ...{ text: "Words that wrap at the edge of a phone", fontFamily: "Arial", fontSize: 24 },
    fill: "#45b7d1",
  },
  {
    ...{ type: "Image", src: PNG, left: 20, top: 400, originX: "left", originY: "top" },
    ...{ width: 40, height: 30, scaleX: 2, scaleY: 1.5 },
  },
  {
    ...{ type: "Image", src: PNG, left: 180, top: 440, width: 25, height: 20, flipX: true },
    ...{ cropX: 10, cropY: 5, scaleX: 3, scaleY: 3, angle: 30, opacity: 0.7, skewX: 10 },
    globalCompositeOperation: "multiply",
  },
];

/** As much of Fabric as a page that shows a drawing needs. */
interface PlainFabric {
  readonly StaticCanvas: new (
    element: HTMLCanvasElement,
    options: { readonly width: number; readonly height: number },
  ) => {
    loadFromJSON(json: unknown): Promise<void>;
    renderAll(): void;
    getObjects(): { objectCaching: boolean; opacity: number; globalCompositeOperation: string }[];
  };
  readonly FabricObject: { readonly ownDefaults: { objectCaching: boolean } };
}

/** Draws a wave with a pen whose pressure grows. */
async function drawWithPressure(canvas: Page): Promise<void> {
  await canvas.evaluate(() => {
    window.harness.choices.pressure = true;
    window.harness.canvas.tools.choose("draw");
    window.harness.canvas.tools.setPenWidth(12);
    const host = document.querySelector("#host") as HTMLElement;
    // An event that a script dispatches has no pointer that could be captured.
    host.setPointerCapture = () => undefined;
    const { left, top } = host.getBoundingClientRect();
    const send = (name: string, x: number): void => {
      const at = { clientX: left + x, clientY: top + 440 + 30 * Math.sin(x / 40) };
      const pointer = { pointerId: 9, pointerType: "pen", isPrimary: true, button: 0, buttons: 1 };
      const pressure = (x - 60) / 500;
      host.dispatchEvent(new PointerEvent(name, { ...pointer, ...at, pressure, bubbles: true }));
    };
    send("pointerdown", 100);
    for (let x = 104; x <= 500; x += 4) send("pointermove", x);
    send("pointerup", 500);
  });
}

test("PNT-2 a plain Fabric page shows the drawing as the canvas does", async ({ canvas, open }) => {
  await hold(canvas, SAGGING, [300, 109]);
  await canvas.mouse.up();
  await drag(canvas, 300, 380, 420, 480, 500, 360, 640, 470);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("eraser"));
  await drag(canvas, 100, 60, 700, 120);
  await canvas.evaluate(
    (objects) => window.harness.board.add(objects as never),
    VARIETY as unknown[],
  );
  for (const [at, tool] of (["line", "arrow", "highlighter"] as const).entries()) {
    await canvas.evaluate((name) => window.harness.canvas.tools.choose(name), tool);
    await drag(canvas, 260, 200 + 60 * at, 560, 240 + 60 * at);
  }
  await drawWithPressure(canvas);
  await settle(canvas);
  const objects = await canvas.evaluate(() => window.harness.board.stacked() as unknown[]);
  expect(objects).toMatchObject([
    { type: "Path", path: expect.stringMatching(/z$/), stroke: "#000000" },
    ...Array.from({ length: objects.length - 2 }, () => ({})),
    { type: "Path", fill: "#000000", stroke: null, strokeWidth: 0 },
  ]);
  const plain = await canvas.context().newPage();
  await open(plain, "/plain.html");
  const theirs = await plain.evaluate(async (drawn) => {
    const { FabricObject, StaticCanvas } = (window as unknown as { fabric: PlainFabric }).fabric;
    // Its cache canvases are scaled pictures, softer than the object itself. What is translucent or blended has them.
    FabricObject.ownDefaults.objectCaching = false;
    const element = document.querySelector("canvas") as HTMLCanvasElement;
    const canvas = new StaticCanvas(element, { width: 800, height: 500 });
    await canvas.loadFromJSON({ version: "7.4.0", objects: drawn, background: "white" });
    for (const object of canvas.getObjects())
      object.objectCaching =
        object.opacity < 1 || object.globalCompositeOperation !== "source-over";
    canvas.renderAll();
    return element.toDataURL();
  }, objects);
  const differ = () =>
    canvas.evaluate(
      async (url) =>
        window.instruments.compare(
          window.instruments.pixelsOf(window.harness.internals.base),
          await window.instruments.pictureOf(url),
          24,
        ),
      theirs,
    );
  // A picture is decoded after it was first painted.
  await expect.poll(async () => (await differ()).wrong).toBeLessThanOrEqual(MAX_WRONG);
  expect((await differ()).pixels).toBeLessThanOrEqual((800 * 500) / SMOOTHED);
});
