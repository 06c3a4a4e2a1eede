/** Tests changes by peers while this visitor is drawing, dragging, selecting or writing. */

import type { Page } from "@playwright/test";
import type { ObjectId } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";

const FIRST = "aaa0me-0" as ObjectId;

/** Adds a rectangle, and drags it by 100 px to the right and down, without a release. */
async function dragRectangle(canvas: Page): Promise<void> {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 250, { steps: 3 });
}

test("CAN-14 a stroke in progress survives changes by peers", async ({ canvas }) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.evaluate(() => window.harness.canvas.tools.choose("draw"));
  await canvas.mouse.move(300, 100);
  await canvas.mouse.down();
  for (let i = 1; i <= 10; i++) {
    await canvas.mouse.move(300 + 20 * i, 100 + 10 * i);
    await canvas.evaluate(
      ([id, step]) => {
        const { board, canvas: shown } = window.harness;
        board.changeByPeer([{ id, props: { left: 100 + step, fill: "#ff0000" } }]);
        const circle = { type: "Circle", radius: step, left: 400, top: 300, z: step + 1 };
        const added = [{ ...circle, id: `bbb0you-${step}` }] as never;
        shown.apply({ added, changed: [], removed: [] });
        if (step === 5) board.removeByPeer([id]);
      },
      [FIRST, i] as const,
    );
  }
  const before = await canvas.evaluate(() => window.harness.live.events);
  expect(before).toEqual(["start s1 #000000 3"]);
  await canvas.mouse.up();
  const result = await canvas.evaluate(() => ({
    events: window.harness.live.events,
    ink: window.harness.live.ink["s1"],
    object: window.harness.board.stacked().at(-1),
  }));
  expect(result.events).toEqual(["start s1 #000000 3", "end s1 aaa0me-1"]);
  expect(result.ink).toHaveLength(22);
  expect(result.object).toMatchObject({ type: "Path", left: 298.5, top: 98.5 });
});

test("CAN-14 a dragged object keeps the dragged position; a new colour shows at once; the position at the end of the drag wins", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(350, 250, { steps: 5 });
  await canvas.evaluate(
    (id) =>
      window.harness.board.changeByPeer([{ id, props: { left: 500, top: 10, fill: "#2ecc71" } }]),
    FIRST,
  );
  await settle(canvas);
  expect(await canvas.evaluate(() => window.harness.live.drags)).toMatchObject([
    { left: 300, top: 200 },
  ]);
  const shown = await canvas.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const dragged = document.querySelector<HTMLCanvasElement>(
      "canvas.lower-canvas",
    ) as HTMLCanvasElement;
    const at = (canvas: HTMLCanvasElement, x: number, y: number): number[] => [
      ...(canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(x, y, 1, 1).data,
    ];
    return [
      at(dragged, 350, 230),
      at(window.harness.internals.base, 350, 230),
      at(window.harness.internals.base, 520, 30),
    ];
  });
  expect(shown).toEqual([
    [46, 204, 113, 255],
    [255, 255, 255, 255],
    [255, 255, 255, 255],
  ]);
  await canvas.mouse.move(360, 260);
  await canvas.mouse.up();
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { left: 310, top: 210, fill: "#2ecc71" },
  ]);
});

test("CAN-14 a dragged object that a peer removes stays visible until the drag ends", async ({
  canvas,
}) => {
  await dragRectangle(canvas);
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  await canvas.mouse.move(300, 300, { steps: 3 });
  expect(await canvas.evaluate(() => window.harness.live.drags.length)).toBe(1);
  await canvas.mouse.up();
  await settle(canvas);
  const result = await canvas.evaluate(() => ({
    calls: window.harness.board.calls,
    selected: window.harness.internals.selected,
    selections: window.harness.selections,
    ink: window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
  }));
  expect(result).toEqual({ calls: ["add"], selected: [], selections: [1, 0], ink: 0 });
});

test("CAN-14 when a peer removes one of two dragged objects, the other one stays where it was dragged", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const { canvas: shown, board } = window.harness;
    shown.tools.choose("rectangle");
    shown.tools.choose("circle");
    board.changeByPeer([{ id: "aaa0me-1" as never, props: { left: 400, top: 300 } }]);
    shown.tools.choose("select");
    shown.tools.selectAll();
  });
  await canvas.mouse.move(330, 250);
  await canvas.mouse.down();
  await canvas.mouse.move(340, 260, { steps: 3 });
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  await canvas.mouse.move(350, 270, { steps: 3 });
  await canvas.mouse.up();
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { id: "aaa0me-1", left: 420, top: 320, radius: 75 },
  ]);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual(["aaa0me-1"]);
});

test("CAN-14 a selection follows changes by peers and loses only the objects that they removed", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const { canvas: shown, board } = window.harness;
    shown.tools.choose("rectangle");
    shown.tools.choose("circle");
    shown.tools.choose("select");
    shown.tools.selectAll();
    board.changeByPeer([{ id: "aaa0me-1" as never, props: { left: 400, top: 300 } }]);
  });
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([
    "aaa0me-0",
    "aaa0me-1",
  ]);
  // The handle's box is from (100, 100) to (550, 450) now, and its middle drags both.
  await drag(canvas, 330, 250, 340, 260);
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { left: 110, top: 110 },
    { left: 410, top: 310 },
  ]);
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual(["aaa0me-1"]);
});

test("CAN-14 a dragged object that a peer removes and restores stays where it was dragged", async ({
  canvas,
}) => {
  await dragRectangle(canvas);
  await canvas.evaluate((id) => {
    const { board } = window.harness;
    board.restore(board.removeByPeer([id]));
  }, FIRST);
  await canvas.mouse.move(350, 250, { steps: 3 });
  await canvas.mouse.up();
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { left: 300, top: 200 },
  ]);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([FIRST]);
});

test("CAN-14 a drag that is taken back after a peer removed the object leaves nothing selected", async ({
  canvas,
}) => {
  await dragRectangle(canvas);
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  await canvas.locator("#host").press("Escape");
  const { selected, selections } = await canvas.evaluate(() => ({
    selected: window.harness.live.selected,
    selections: window.harness.selections,
  }));
  expect({ selected, selections }).toEqual({ selected: [], selections: [1, 0] });
  await canvas.mouse.up();
});

test("CAN-14 pressed objects that a peer changes before they move are moved from there", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const { tools } = window.harness.canvas;
    tools.choose("rectangle");
    tools.choose("circle");
    tools.choose("select");
    tools.selectAll();
  });
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.evaluate(
    (id) => window.harness.board.changeByPeer([{ id, props: { left: 0, top: 50 } }]),
    FIRST,
  );
  await canvas.mouse.move(160, 170, { steps: 2 });
  await canvas.mouse.up();
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { left: 10, top: 70 },
    { left: 110, top: 120 },
  ]);
});

test("CAN-12 the caret and the typed words survive changes of the text by peers", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("stickers");
    window.harness.canvas.tools.addSticker("Hello");
  });
  await canvas.mouse.dblclick(130, 135);
  await canvas.keyboard.press("End");
  await canvas.keyboard.type(" y");
  await canvas.evaluate((id) => {
    window.harness.board.changeByPeer([
      { id, props: { text: "Other", left: 300, fill: "#ff0000" } },
    ]);
  }, FIRST);
  await canvas.keyboard.type("ou");
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.editingText)).toBe(true);
  await canvas.keyboard.press("Escape");
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { text: "Hello you", left: 300, fill: "#ff0000" },
  ]);
});

test("CAN-12 words typed into a text that a peer removed come back as a new object", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("stickers");
    window.harness.canvas.tools.addSticker("Hello");
  });
  await canvas.mouse.dblclick(130, 135);
  await canvas.keyboard.press("End");
  await canvas.keyboard.type("!");
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  await canvas.keyboard.press("Escape");
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { id: "aaa0me-1", text: "Hello!", fontSize: 60 },
  ]);
});
