/** Tests changes by peers while this visitor is drawing, dragging, selecting or writing. */

import type { Page } from "@playwright/test";
import type { ObjectId } from "../../board/drawing.ts";
import { countDifferences, decodePng } from "../../testing/pictures/png.ts";
import { drag, expect, settle, test } from "./page.ts";

const FIRST = "aaa0me-0" as ObjectId;

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
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 250, { steps: 3 });
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

/** Waits until the browser has painted some frames. */
async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (some) => {
    for (let frame = 0; frame < some; frame++) await new Promise(requestAnimationFrame);
  }, count);
}

const PEER = {
  clientId: "p1",
  name: "Blue fox",
  pointer: null,
  ink: [],
  drags: [],
};

test("CAN-20 the peers' pointers, ink and drags are shown, and nothing is painted while nothing changes", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.evaluate(() => window.harness.canvas.tools.choose("draw"));
  const ink = [
    { stroke: "s1", color: "#9b59b6", width: 3, points: [300, 300, 320, 300, 340, 320, 360, 320] },
  ];
  const drags = [{ id: FIRST, left: 400, top: 100, scaleX: 1, scaleY: 1, angle: 0 }];
  const show = (peers: unknown[]): Promise<void> =>
    canvas.evaluate((views) => window.harness.canvas.showPeers(views as never), peers);
  const painted = () =>
    canvas.evaluate(() => ({
      base: window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
      overlay: window.instruments
        .pixelsOf(window.harness.internals.overlay)
        .data.filter((value, i) => i % 4 === 3 && value > 0).length,
      frames: window.harness.internals.stats.frames,
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
  await frames(canvas, 6);
  expect((await painted()).frames).toBe(during.frames);
  await show([PEER]);
  await settle(canvas);
  await frames(canvas, 3);
  const after = await painted();
  expect(after).toMatchObject({ base: 15_000, overlay: 0 });
  await expect(pointer).toHaveCount(0);
});

test("CAN-20 an object that this visitor and a peer drag is shown once, also when one of them stops", async ({
  canvas,
}) => {
  const inked = () =>
    canvas.evaluate(() => ({
      base: window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
      overlay: window.instruments
        .pixelsOf(window.harness.internals.overlay)
        .data.filter((value, i) => i % 4 === 3 && value > 0).length,
    }));
  const drags = [{ id: FIRST, left: 500, top: 300, scaleX: 1, scaleY: 1, angle: 0 }];
  const show = async (peer: object) => {
    await canvas.evaluate((one) => window.harness.canvas.showPeers([one] as never), peer);
    await settle(canvas);
  };
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 250, { steps: 3 });
  await show({ ...PEER, drags });
  expect(await inked()).toEqual({ base: 0, overlay: 0 });
  await canvas.mouse.up();
  await settle(canvas);
  expect(await inked()).toEqual({ base: 0, overlay: 15_000 });
  await show(PEER);
  expect(await inked()).toEqual({ base: 15_000, overlay: 0 });
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { left: 200, top: 200 },
  ]);
});

test("CAN-20 what a peer has selected is outlined in its colour, 2 px wide in every view, and follows the object", async ({
  canvas,
}) => {
  const teal = [0, 105, 109];
  /**
   * Returns the pixels of the overlay in the peer's colour: their number, and the box around them in CSS pixels of
   * the canvas.
   */
  const outline = () =>
    canvas.evaluate((color) => {
      const { overlay } = window.harness.internals;
      const { data, width } = window.instruments.pixelsOf(overlay);
      const [left, top] = [
        Number.parseFloat(overlay.style.left),
        Number.parseFloat(overlay.style.top),
      ];
      const xs: number[] = [];
      const ys: number[] = [];
      for (let at = 0; at < data.length; at += 4)
        if (
          color.every((value, i) => Math.abs((data[at + i] ?? 0) - value) < 3) &&
          data[at + 3] === 255
        ) {
          xs.push(left + ((at / 4) % width));
          ys.push(top + Math.floor(at / 4 / width));
        }
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
      return { count: xs.length, box: xs.length > 0 ? box : [] };
    }, teal);
  const show = async (peer: object) => {
    await canvas.evaluate((one) => window.harness.canvas.showPeers([one] as never), peer);
    await settle(canvas);
  };
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await settle(canvas);
  const sent = () => canvas.evaluate(() => window.harness.live.selected);
  expect(await sent()).toEqual([FIRST]);
  await canvas.evaluate(() => window.harness.canvas.tools.selectNone());
  expect(await sent()).toEqual([]);
  const peer = { clientId: "p17", pointer: null, ink: [], drags: [] };
  await show({ ...peer, selected: [FIRST, "nobody-7"] });
  // The outline of 150 x 100 is two pixels wide, one of them outside, with round corners.
  const around = { count: 2 * 2 * (150 + 100) - 4, box: [99, 99, 251, 201] };
  expect(await outline()).toEqual(around);
  await canvas.evaluate((id) => {
    window.harness.board.changeByPeer([{ id, props: { left: 200 } }]);
  }, FIRST);
  await settle(canvas);
  expect(await outline()).toEqual({ ...around, box: [199, 99, 351, 201] });
  const drags = [{ id: FIRST, left: 300, top: 150, scaleX: 1, scaleY: 1, angle: 0 }];
  await show({ ...peer, selected: [FIRST], drags });
  expect(await outline()).toEqual({ ...around, box: [299, 149, 451, 251] });
  await show({ ...peer, selected: [FIRST] });
  await canvas.evaluate(() => window.harness.internals.setView({ x: 0, y: 0, zoom: 2 }));
  await settle(canvas);
  expect(await outline()).toEqual({ count: 2 * 2 * (300 + 200) - 4, box: [399, 199, 701, 401] });
  // Ten thousand outlines are limited to 500, and removed objects have none.
  const ids = Array.from({ length: 10_000 }, (_, at) => `aaa0me-${at + 1}`);
  await show({ ...peer, selected: ids });
  expect(await outline()).toEqual({ count: 0, box: [] });
  await show({ ...peer, selected: [FIRST] });
  await canvas.evaluate((id) => window.harness.board.removeByPeer([id]), FIRST);
  await settle(canvas);
  expect(await outline()).toEqual({ count: 0, box: [] });
});

test("CAN-88 peers see highlighter strokes, and the ink that these cross, as they will be when they are finished", async ({
  canvas,
}) => {
  const shot = async () => decodePng(await canvas.locator("#host").screenshot());
  await canvas.evaluate(() => window.harness.canvas.tools.setColor("#1e40ff"));
  await drag(canvas, 60, 200, 500, 220);
  await canvas.mouse.move(700, 400);
  await canvas.evaluate(() => window.harness.internals.repaintAll());
  await settle(canvas);
  const without = await shot();
  await canvas.evaluate(() => window.harness.canvas.tools.choose("highlighter"));
  await canvas.evaluate(() => window.harness.canvas.tools.setColor("#ffd700"));
  await drag(canvas, 100, 190, 400, 230);
  await drag(canvas, 240, 80, 260, 320);
  await canvas.mouse.move(700, 400);
  await settle(canvas);
  const finished = await shot();
  expect(countDifferences(without, finished)).toBeGreaterThan(5_000);
  await canvas.evaluate(() => {
    const { board, canvas: shown, live } = window.harness;
    const [, ...strokes] = board.stacked();
    board.removeByPeer(strokes.map(({ id }) => id));
    const ink = ["s2", "s3"].map((stroke) => {
      const look = { color: "#ffd700", width: 20, look: "highlighter" };
      return { stroke, ...look, points: live.ink[stroke] };
    });
    shown.showPeers([{ clientId: "a", name: "A", drags: [], ink }] as never);
  });
  await settle(canvas);
  // The last half step of a finished stroke is straight, and its points are rounded.
  expect(countDifferences(finished, await shot(), 24)).toBeLessThan(60);
  await canvas.evaluate(() => window.harness.canvas.showPeers([]));
  await settle(canvas);
  expect(countDifferences(without, await shot(), 24)).toBe(0);
});
