/** What others do while this person is drawing, dragging, selecting or writing. */

import type { ObjectId } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";

const FIRST = "aaa0me-0" as ObjectId;

test("CAN-14 a stroke in progress survives what others do", async ({ canvas }) => {
  await canvas.evaluate(() => window.bench.canvas.setTool("rectangle"));
  await canvas.evaluate(() => window.bench.canvas.setTool("draw"));
  await canvas.mouse.move(300, 100);
  await canvas.mouse.down();
  for (let i = 1; i <= 10; i++) {
    await canvas.mouse.move(300 + 20 * i, 100 + 10 * i);
    await canvas.evaluate(
      ([id, step]) => {
        const { desk, canvas: board } = window.bench;
        desk.alter([{ id, props: { left: 100 + step, fill: "#ff0000" } }]);
        const circle = { type: "Circle", radius: step, left: 400, top: 300, z: step + 1 };
        const added = [{ ...circle, id: `bbb0you-${step}` }] as never;
        board.apply({ added, changed: [], removed: [] });
        if (step === 5) desk.drop([id]);
      },
      [FIRST, i] as const,
    );
  }
  const before = await canvas.evaluate(() => window.bench.live.events);
  expect(before).toEqual(["start s1 #000000 3"]);
  await canvas.mouse.up();
  const result = await canvas.evaluate(() => ({
    events: window.bench.live.events,
    ink: window.bench.live.ink["s1"],
    object: window.bench.desk.stacked().at(-1),
  }));
  expect(result.events).toEqual(["start s1 #000000 3", "end s1 aaa0me-1"]);
  expect(result.ink).toHaveLength(22);
  expect(result.object).toMatchObject({ type: "Path", left: 298.5, top: 98.5 });
});

test("CAN-15 a dragged object keeps its place in the hand; a new colour shows at once; letting go wins", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.bench.canvas.setTool("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(350, 250, { steps: 5 });
  await canvas.evaluate(
    (id) => window.bench.desk.alter([{ id, props: { left: 500, top: 10, fill: "#2ecc71" } }]),
    FIRST,
  );
  await settle(canvas);
  expect(await canvas.evaluate(() => window.bench.live.places)).toMatchObject([
    { left: 300, top: 200 },
  ]);
  const shown = await canvas.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const held = document.querySelector<HTMLCanvasElement>(
      "canvas.lower-canvas",
    ) as HTMLCanvasElement;
    const at = (canvas: HTMLCanvasElement, x: number, y: number): number[] => [
      ...(canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(x, y, 1, 1).data,
    ];
    return [
      at(held, 350, 230),
      at(window.bench.inside.base, 350, 230),
      at(window.bench.inside.base, 520, 30),
    ];
  });
  expect(shown).toEqual([
    [46, 204, 113, 255],
    [255, 255, 255, 255],
    [255, 255, 255, 255],
  ]);
  await canvas.mouse.move(360, 260);
  await canvas.mouse.up();
  expect(await canvas.evaluate(() => window.bench.desk.stacked())).toMatchObject([
    { left: 310, top: 210, fill: "#2ecc71" },
  ]);
});

test("CAN-16 an object that somebody removes stays in the hand until it is let go", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.bench.canvas.setTool("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 250, { steps: 3 });
  await canvas.evaluate((id) => window.bench.desk.drop([id]), FIRST);
  await canvas.mouse.move(300, 300, { steps: 3 });
  expect(await canvas.evaluate(() => window.bench.live.places.length)).toBe(1);
  await canvas.mouse.up();
  await settle(canvas);
  const result = await canvas.evaluate(() => ({
    calls: window.bench.desk.calls,
    selected: window.bench.inside.selected,
    selections: window.bench.selections,
    ink: window.tools.inked(window.tools.pixelsOf(window.bench.inside.base)),
  }));
  expect(result).toEqual({ calls: ["add"], selected: [], selections: [1, 0], ink: 0 });
});

test("CAN-17 a selection follows the changes of others and loses only what they removed", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const { canvas: board, desk } = window.bench;
    board.setTool("rectangle");
    board.setTool("circle");
    board.setTool("select");
    board.selectAll();
    desk.alter([{ id: "aaa0me-1" as never, props: { left: 400, top: 300 } }]);
  });
  expect(await canvas.evaluate(() => window.bench.inside.selected)).toEqual([
    "aaa0me-0",
    "aaa0me-1",
  ]);
  // The handle's box is from (100, 100) to (550, 450) now: its middle drags both.
  await drag(canvas, 330, 250, 340, 260);
  expect(await canvas.evaluate(() => window.bench.desk.stacked())).toMatchObject([
    { left: 110, top: 110 },
    { left: 410, top: 310 },
  ]);
  await canvas.evaluate((id) => window.bench.desk.drop([id]), FIRST);
  expect(await canvas.evaluate(() => window.bench.inside.selected)).toEqual(["aaa0me-1"]);
});

test("CAN-18 the caret and the typed words survive changes of the text by others", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.bench.canvas.setTool("stickers");
    window.bench.canvas.addSticker("Hello");
  });
  await canvas.mouse.dblclick(130, 135);
  await canvas.keyboard.press("End");
  await canvas.keyboard.type(" y");
  await canvas.evaluate((id) => {
    window.bench.desk.alter([{ id, props: { text: "Other", left: 300, fill: "#ff0000" } }]);
  }, FIRST);
  await canvas.keyboard.type("ou");
  expect(await canvas.evaluate(() => window.bench.canvas.editingText)).toBe(true);
  await canvas.keyboard.press("Escape");
  expect(await canvas.evaluate(() => window.bench.desk.stacked())).toMatchObject([
    { text: "Hello you", left: 300, fill: "#ff0000" },
  ]);
});

test("CAN-19 words typed into a text that somebody removed come back as a new object", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.bench.canvas.setTool("stickers");
    window.bench.canvas.addSticker("Hello");
  });
  await canvas.mouse.dblclick(130, 135);
  await canvas.keyboard.press("End");
  await canvas.keyboard.type("!");
  await canvas.evaluate((id) => window.bench.desk.drop([id]), FIRST);
  await canvas.keyboard.press("Escape");
  expect(await canvas.evaluate(() => window.bench.desk.stacked())).toMatchObject([
    { id: "aaa0me-1", text: "Hello!", fontSize: 60 },
  ]);
});

const PEER = {
  clientId: "p1",
  label: "Blue fox",
  color: "#45b7d1",
  pointer: null,
  ink: [],
  drags: [],
};

test("CAN-20 the others' pointers, ink and drags are shown, and nothing is painted while nothing changes", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.bench.canvas.setTool("rectangle"));
  await canvas.evaluate(() => window.bench.canvas.setTool("draw"));
  const ink = [
    { stroke: "s1", color: "#9b59b6", width: 3, points: [300, 300, 320, 300, 340, 320, 360, 320] },
  ];
  const drags = [{ id: FIRST, left: 400, top: 100, scaleX: 1, scaleY: 1, angle: 0 }];
  const show = (peers: unknown[]): Promise<void> =>
    canvas.evaluate((views) => window.bench.canvas.showPeers(views as never), peers);
  const painted = () =>
    canvas.evaluate(() => ({
      base: window.tools.inked(window.tools.pixelsOf(window.bench.inside.base)),
      overlay: window.tools
        .pixelsOf(window.bench.inside.overlay)
        .data.filter((value, i) => i % 4 === 3 && value > 0).length,
      frames: window.bench.inside.stats.frames,
    }));
  await show([{ ...PEER, pointer: { x: 200, y: 350 }, ink, drags }]);
  await settle(canvas);
  const pointer = canvas.locator("[data-peer]");
  await expect(pointer).toHaveText("Blue fox");
  expect(await pointer.boundingBox()).toMatchObject({ x: 200, y: 350 });
  await settle(canvas);
  const during = await painted();
  expect(during.base).toBe(0);
  expect(during.overlay).toBeGreaterThan(15_000 + 100);
  await show([{ ...PEER, pointer: { x: 200, y: 350 }, ink, drags }]);
  await canvas.waitForTimeout(100);
  expect((await painted()).frames).toBe(during.frames);
  await show([PEER]);
  await settle(canvas);
  await canvas.waitForTimeout(50);
  const after = await painted();
  expect(after).toMatchObject({ base: 15_000, overlay: 0 });
  await expect(pointer).toHaveCount(0);
});
