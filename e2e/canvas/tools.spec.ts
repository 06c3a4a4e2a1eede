/** Tests the tools and the selection, used by mouse. */

import type { BoardObject } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";
import type { Page } from "@playwright/test";

function stacked(page: Page): Promise<BoardObject[]> {
  return page.evaluate(() => window.harness.board.stacked());
}

test("CAN-1 draw makes strokes of width 3 in the current colour", async ({ canvas }) => {
  await drag(canvas, 100, 100, 300, 200);
  await canvas.evaluate(() => window.harness.canvas.tools.setColor("#ff0000"));
  await drag(canvas, 100, 200, 300, 300);
  const [black, red] = await stacked(canvas);
  expect(black).toMatchObject({
    type: "Path",
    fill: null,
    stroke: "#000000",
    strokeWidth: 3,
    originX: "left",
    originY: "top",
    left: 98.5,
    top: 98.5,
  });
  expect(red).toMatchObject({ stroke: "#ff0000", left: 98.5, top: 198.5 });
});

test("CAN-1 a click with a pen makes a dot", async ({ canvas }) => {
  await canvas.mouse.click(150, 150);
  await settle(canvas);
  expect(await stacked(canvas)).toMatchObject([{ type: "Path", path: "M150 150l.1 0" }]);
  const ink = await canvas.evaluate(() =>
    window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
  );
  expect(ink).toBeGreaterThan(6);
});

test("CAN-3 the eraser paints white with width 20, and its strokes can't be selected", async ({
  canvas,
}) => {
  await drag(canvas, 100, 100, 300, 100);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("eraser"));
  await drag(canvas, 200, 50, 200, 150);
  expect((await stacked(canvas))[1]).toMatchObject({
    stroke: "white",
    strokeWidth: 20,
    eraser: true,
  });
  await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
  // Neither the eraser's stroke nor an erased part can be selected.
  await canvas.mouse.click(200, 100);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([]);
  await drag(canvas, 200, 100, 250, 200);
  expect(await canvas.evaluate(() => window.harness.board.calls)).toEqual(["add", "add"]);
  await canvas.evaluate(() => window.harness.canvas.tools.selectAll());
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual(["aaa0me-0"]);
});

test("CAN-12 a text that ends while its words are dragged causes no error", async ({ canvas }) => {
  const errors: string[] = [];
  canvas.on("pageerror", ({ message }) => errors.push(message));
  await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
  await canvas.mouse.dblclick(100, 100);
  await canvas.keyboard.type("one two three");
  await canvas.keyboard.press("Control+a");
  const drag = await canvas.evaluateHandle(() => {
    const events: string[] = [];
    for (const name of ["dragstart", "dragend"]) addEventListener(name, () => events.push(name));
    return events;
  });
  await expect(async () => {
    await canvas.mouse.move(150, 102);
    await canvas.mouse.down();
    await canvas.mouse.move(160, 106);
    await canvas.mouse.move(200, 200, { steps: 2 });
    expect(await drag.jsonValue()).toContain("dragstart");
  }).toPass();
  await canvas.evaluate(() => window.harness.canvas.tools.selectNone());
  await canvas.mouse.move(300, 300, { steps: 4 });
  await canvas.mouse.up();
  await expect.poll(() => drag.jsonValue()).toContain("dragend");
  expect(await stacked(canvas)).toMatchObject([{ text: "one two three" }]);
  expect(errors).toEqual([]);
});

test("CAN-4 choosing rectangle adds 150 x 100 at (100,100) in the current colour as the active object", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.setColor("#4ecdc4");
    window.harness.canvas.tools.choose("rectangle");
  });
  expect(await stacked(canvas)).toEqual([
    expect.objectContaining({
      type: "Rect",
      left: 100,
      top: 100,
      width: 150,
      height: 100,
      fill: "#4ecdc4",
      stroke: null,
      strokeWidth: 0,
    }),
  ]);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  expect(
    await canvas.evaluate(() => [window.harness.internals.selected, window.harness.selections]),
  ).toEqual([["aaa0me-1"], [1]]);
});

test("CAN-4 choosing circle adds one of radius 75 whose box is at (100,100)", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("circle"));
  expect(await stacked(canvas)).toMatchObject([
    { type: "Circle", left: 100, top: 100, radius: 75, fill: "#000000", stroke: null },
  ]);
  await settle(canvas);
  const edges = await canvas.evaluate(() => {
    const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
    const dark = (x: number, y: number): boolean => (data[4 * (y * width + x)] as number) < 128;
    return [dark(101, 175), dark(98, 175), dark(248, 175), dark(251, 175), dark(175, 101)];
  });
  expect(edges).toEqual([true, false, true, false, true]);
});

test("CAN-4 a sticker is a text of 60 px Arial at (100,100) and becomes active", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("stickers");
    window.harness.canvas.tools.addSticker("🎉");
  });
  expect(await stacked(canvas)).toMatchObject([
    { type: "IText", text: "🎉", fontSize: 60, fontFamily: "Arial", left: 100, top: 100 },
  ]);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual(["aaa0me-0"]);
});

test("CAN-7 an object is dragged as a preview and changed once, when the drag ends", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("rectangle");
    window.harness.canvas.tools.choose("select");
  });
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 180, { steps: 5 });
  expect(await canvas.evaluate(() => window.harness.live.drags)).toEqual([
    { id: "aaa0me-0", left: 200, top: 130, scaleX: 1, scaleY: 1, angle: 0 },
  ]);
  expect(await canvas.evaluate(() => window.harness.board.calls)).toEqual(["add"]);
  await canvas.mouse.up();
  expect(await stacked(canvas)).toMatchObject([{ left: 200, top: 130 }]);
  expect(await canvas.evaluate(() => window.harness.board.calls)).toEqual(["add", "change"]);
  expect(await canvas.evaluate(() => window.harness.live.drags)).toEqual([]);
});

test("CAN-8 a corner scales, the handle above turns, and the box stays where the drag ended", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await drag(canvas, 250, 200, 400, 300);
  expect(await stacked(canvas)).toMatchObject([{ left: 100, top: 100, scaleX: 2, scaleY: 2 }]);
  await drag(canvas, 250, 60, 420, 200);
  const [turned] = await stacked(canvas);
  expect(turned?.["angle"]).toBeCloseTo(90, 0);
  await settle(canvas);
  // It is rotated about its middle (250, 200), and now 200 wide and 300 high.
  const corners = await canvas.evaluate(() => {
    const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
    const dark = (x: number, y: number): boolean => (data[4 * (y * width + x)] as number) < 128;
    return [dark(155, 55), dark(345, 345), dark(145, 200), dark(250, 355)];
  });
  expect(corners).toEqual([true, true, false, false]);
});

test("CAN-9 a rubber band and Shift select several objects, which move together", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const common = {
      type: "Rect",
      originX: "left",
      originY: "top",
      width: 50,
      height: 50,
    } as const;
    window.harness.board.add([
      { ...common, left: 100, top: 100, strokeWidth: 0 },
      { ...common, left: 200, top: 100, strokeWidth: 0, angle: 20 },
      { ...common, left: 300, top: 100, strokeWidth: 0 },
    ]);
    window.harness.canvas.tools.choose("select");
  });
  await drag(canvas, 60, 60, 260, 220);
  expect(await canvas.evaluate(() => window.harness.internals.selected.length)).toBe(2);
  await canvas.keyboard.down("Shift");
  await canvas.mouse.click(320, 120);
  await canvas.keyboard.up("Shift");
  expect(await canvas.evaluate(() => window.harness.internals.selected.length)).toBe(3);
  await drag(canvas, 120, 120, 140, 220);
  expect(await stacked(canvas)).toMatchObject([
    { left: 120, top: 200 },
    { left: 220, top: 200, angle: 20 },
    { left: 320, top: 200 },
  ]);
  // A press inside the box around them, without a drag and without Shift, selects what is there.
  await canvas.keyboard.down("Shift");
  await canvas.mouse.click(295, 225);
  await canvas.keyboard.up("Shift");
  expect(await canvas.evaluate(() => window.harness.internals.selected.length)).toBe(3);
  await canvas.mouse.click(240, 220);
  expect(await canvas.evaluate(() => window.harness.internals.selected.length)).toBe(1);
  await drag(canvas, 60, 160, 400, 300);
  await canvas.mouse.click(295, 225);
  expect(await canvas.evaluate(() => window.harness.selections)).toEqual([2, 3, 1, 0, 3, 0]);
});

test("CAN-8 several objects scale as one picture", async ({ canvas }) => {
  await drag(canvas, 100, 100, 150, 150, 200, 100);
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("circle");
    window.harness.board.changeByPeer([
      { id: "aaa0me-1" as never, props: { left: 200, top: 150, radius: 25 } },
    ]);
    window.harness.canvas.tools.choose("select");
    window.harness.canvas.tools.selectAll();
  });
  await settle(canvas);
  const before = await stacked(canvas);
  // The box reaches from (98.5, 98.5) to (250, 200).
  await drag(canvas, 250, 200, 401.5, 301.5);
  const [stroke, circle] = await stacked(canvas);
  expect(stroke?.["scaleX"]).toBeCloseTo(2, 1);
  expect(stroke?.left).toBeCloseTo(before[0]?.left as number, 0);
  expect(circle).toMatchObject({ type: "Circle" });
  expect(circle?.left).toBeCloseTo(98.5 + 2 * (200 - 98.5), 0);
  expect(circle?.["scaleX"]).toBeCloseTo(2, 1);
});

test("CAN-11 a press hits a stroke by its ink, not by the box around it", async ({ canvas }) => {
  await drag(canvas, 100, 100, 300, 100, 300, 300);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
  await canvas.mouse.click(150, 250);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([]);
  await canvas.mouse.click(200, 104);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual(["aaa0me-0"]);
  await canvas.mouse.click(150, 250);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([]);
});

test("CAN-12 a double click edits a text, and leaving it is one change", async ({ canvas }) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("stickers");
    window.harness.canvas.tools.addSticker("Hello");
  });
  await canvas.mouse.dblclick(130, 135);
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.editingText)).toBe(true);
  await canvas.keyboard.press("End");
  await canvas.keyboard.type(" you");
  await canvas.mouse.click(600, 400);
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.editingText)).toBe(false);
  expect(await stacked(canvas)).toMatchObject([{ text: "Hello you" }]);
  expect(await canvas.evaluate(() => window.harness.board.calls)).toEqual(["add", "change"]);
});

test("editing a text at the edge doesn't scroll the canvas", async ({ canvas }) => {
  await canvas.evaluate(() => {
    document.body.style.paddingTop = "150px";
    window.dispatchEvent(new Event("resize"));
    window.harness.canvas.tools.choose("stickers");
    window.harness.canvas.tools.addSticker("Hello");
    window.harness.board.changeByPeer([
      { id: "aaa0me-0" as never, props: { left: 600, top: 420 } },
    ]);
  });
  await canvas.mouse.dblclick(640, 150 + 450);
  await canvas.keyboard.type("A longer text that leaves the canvas on its right side");
  const scrolled = await canvas.evaluate(() => {
    const host = document.querySelector("#host") as HTMLElement;
    return [host.scrollTop, host.scrollLeft, scrollY, window.harness.canvas.selection?.editingText];
  });
  expect(scrolled).toEqual([0, 0, 0, true]);
});

test("UI-14 the selection is removed, nudged, cleared, and extended to everything", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("rectangle");
    window.harness.canvas.tools.choose("circle");
    window.harness.canvas.tools.choose("select");
    window.harness.canvas.tools.selectAll();
    window.harness.canvas.selection?.nudge(3, -4);
  });
  expect(await stacked(canvas)).toMatchObject([
    { left: 103, top: 96 },
    { left: 103, top: 96 },
  ]);
  await canvas.evaluate(() => window.harness.canvas.tools.selectNone());
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.remove())).toBe(0);
  await canvas.mouse.click(120, 110);
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.remove())).toBe(1);
  expect(await stacked(canvas)).toHaveLength(1);
  expect(await canvas.evaluate(() => window.harness.selections)).toEqual([1, 2, 0, 1, 0]);
});
