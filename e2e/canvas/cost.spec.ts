/** Tests the cost of changes on a full board, as counts. */

import { drag, expect, moveThrough, type Point, settle, steps, test } from "./page.ts";
import type { Page } from "@playwright/test";
import { counts, fill, MAX_WRONG } from "./harness.ts";

for (const size of [100, 2_000])
  test(`PNT-4 a stroke on top of ${size} others paints one object and repaints nothing`, async ({
    canvas,
  }) => {
    await fill(canvas, size);
    const loaded = await counts(canvas);
    expect(loaded).toMatchObject({ painted: size, repaints: 1, fabricObjects: 0 });
    await canvas.evaluate(() => {
      const { canvas: shown, board } = window.harness;
      const added = board.make([{ type: "Circle", radius: 20, left: 200, top: 200 }]);
      shown.apply({ added, changed: [], removed: [] });
    });
    await drag(canvas, 100, 100, 200, 200, 300, 100);
    await settle(canvas);
    expect(await counts(canvas)).toMatchObject({
      painted: size + 2,
      repaints: 1,
      fabricObjects: 0,
      tested: 0,
    });
  });

/** Notes from now on each part of the base canvas that a canvas draws, which makes the browser copy the base canvas. */
const noteReads = (page: Page) =>
  page.evaluate(() => {
    const { base } = window.harness.internals;
    const { prototype } = CanvasRenderingContext2D;
    // oxlint-disable-next-line typescript/unbound-method -- called with its context below
    const draw = prototype.drawImage as (...given: unknown[]) => void;
    prototype.drawImage = function (...given: unknown[]) {
      const boxes = JSON.parse(base.dataset["reads"] ?? "[]");
      if (given[0] === base) base.dataset["reads"] = JSON.stringify([...boxes, given.slice(1, 5)]);
      draw.apply(this, given);
    };
  });

type Read = readonly [left: number, top: number, width: number, height: number];

const reads = async (page: Page): Promise<readonly Read[]> =>
  JSON.parse(
    await page.evaluate(() => window.harness.internals.base.dataset["reads"] ?? "[]"),
  ) as Read[];

const overlap = ([x, y, width, height]: Read, [left, top, wide, high]: Read): boolean =>
  x < left + wide && left < x + width && y < top + high && top < y + height;

/** The parts of the base canvas that were read; there must be some, and none may overlap another. */
const distinctReads = async (page: Page): Promise<readonly Read[]> => {
  const all = await reads(page);
  expect(all.length).toBeGreaterThan(1);
  expect(all.length).toBeLessThanOrEqual(8);
  for (const [at, one] of all.entries())
    expect(all.slice(0, at).filter((before) => overlap(before, one))).toEqual([]);
  return all;
};

test("PNT-81 the moves of a pen read the base canvas where it grows beyond the part read, and no pixel twice", async ({
  canvas,
}) => {
  // Unlike other ink it becomes no shape when a busy machine makes the pointer rest.
  await canvas.evaluate(() => window.harness.canvas.tools.choose("eraser"));
  await noteReads(canvas);
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  const wave = Array.from({ length: 160 }, (_, at): Point => {
    const x = 104 + 4 * at;
    return [x, 100 + 40 * Math.sin(x / 30)];
  });
  await moveThrough(canvas, wave);
  await distinctReads(canvas);
  await canvas.mouse.up();
});

test("PNT-81 the moves of a line read the base canvas where it grows beyond the part read, and no pixel twice", async ({
  canvas,
}) => {
  await canvas.evaluate(async () => {
    window.harness.canvas.tools.choose("line");
    await window.harness.canvas.prepare();
  });
  await noteReads(canvas);
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await moveThrough(canvas, steps([104, 126], [740, 285], 53));
  const grown = await distinctReads(canvas);
  await moveThrough(canvas, steps([740, 285], [200, 150], 45));
  const all = await reads(canvas);
  await canvas.mouse.up();
  expect(all).toEqual(grown);
});

test("PNT-81 a move over much ink of its own stroke paints at most 200 curves, reads rarely, and loses no pixel", async ({
  canvas,
}) => {
  await canvas.evaluate(async () => {
    const { board, canvas: shown } = window.harness;
    const square = { left: 256, top: 256, width: 240, height: 240, fill: "#000000" };
    await shown.load(board.make([{ type: "Rect", ...square }]), "white");
    shown.tools.choose("eraser");
  });
  await noteReads(canvas);
  const result = await canvas.evaluate(async () => {
    const { harness, instruments } = window;
    const { base } = harness.internals;
    const { prototype } = CanvasRenderingContext2D;
    // oxlint-disable-next-line typescript/unbound-method -- called with its context below
    const curve = prototype.quadraticCurveTo;
    let curves = 0;
    prototype.quadraticCurveTo = function (...given) {
      curves++;
      curve.apply(this, given);
    };
    const send = (type: Parameters<typeof instruments.sendPointer>[0], at: number): number => {
      curves = 0;
      // It rubs one spot, around a point where four parts of the backdrop may meet.
      instruments.sendPointer(type, [256 + 40 * Math.sin(at / 3), 256 + 40 * Math.sin(at / 4.7)]);
      return curves;
    };
    send("pointerdown", 0);
    const rub = (from: number): number =>
      Math.max(...Array.from({ length: 450 }, (_, at) => send("pointermove", from + at)));
    const before = rub(1);
    // A peer's change beneath it, after which the whole stroke is painted again once.
    const circle = { radius: 90, left: 256, top: 256, fill: "#ff0000" };
    const added = harness.board.make([{ type: "Circle", ...circle }]);
    harness.canvas.apply({ added, changed: [], removed: [] });
    send("pointermove", 451);
    const greatest = Math.max(before, rub(452));
    const pixels = instruments.pixelsOf(base);
    harness.internals.repaintAll();
    await instruments.settled(harness);
    const compared = instruments.compare(pixels, instruments.pixelsOf(base), 100);
    send("pointerup", 902);
    return { greatest, ...compared, ink: instruments.inked(pixels) };
  });
  expect(result.wrong, JSON.stringify(result)).toBeLessThanOrEqual(MAX_WRONG);
  expect(result.ink).toBeGreaterThan(10_000);
  expect(result.greatest).toBeGreaterThan(50);
  expect(result.greatest).toBeLessThanOrEqual(200);
  expect((await reads(canvas)).length).toBeLessThanOrEqual(60);
});

test("PNT-82 the release of a pen paints its object and no ink", async ({ canvas }) => {
  // Without the interaction no stroke becomes a shape when a busy machine makes the pointer rest.
  await canvas.evaluate(() => window.harness.canvas.tools.choose("eraser"));
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await moveThrough(canvas, steps([100, 100], [200, 100], 10));
  const painted = await canvas.evaluate(() => {
    const { base } = window.harness.internals;
    const { prototype } = CanvasRenderingContext2D;
    const kinds: string[] = [];
    const note = (name: "stroke" | "drawImage"): void => {
      const method = prototype[name] as (...given: unknown[]) => void;
      prototype[name] = function (this: CanvasRenderingContext2D, ...given: unknown[]) {
        if (this.canvas === base) kinds.push(name);
        method.apply(this, given);
      };
    };
    note("stroke");
    note("drawImage");
    const at = { clientX: 230, clientY: 130, pointerId: 1, bubbles: true };
    base.dispatchEvent(new PointerEvent("pointerup", at));
    return kinds;
  });
  await canvas.mouse.up();
  // The ink's pixels are restored, and the object is painted.
  expect(painted).toEqual(["drawImage", "stroke"]);
  const end = await canvas.evaluate(() => {
    const [object] = window.harness.board.stacked();
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", object?.["path"] as string);
    const { x, y } = path.getPointAtLength(path.getTotalLength());
    return [Math.round(x), Math.round(y)];
  });
  expect(end).toEqual([230, 130]);
});

test("PNT-5 moving an object repaints its old and its new position only, and nothing of the board during the drag", async ({
  canvas,
}) => {
  await fill(canvas, 1_000);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await settle(canvas);
  const before = await counts(canvas);
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(160, 160);
  await settle(canvas);
  const detached = await counts(canvas);
  expect(detached.repaints - before.repaints).toBe(1);
  await moveThrough(canvas, steps([155, 155], [305, 305], 30));
  await settle(canvas);
  expect((await counts(canvas)).painted).toBe(detached.painted);
  await canvas.mouse.up();
  await settle(canvas);
  const after = await counts(canvas);
  expect(after.repaints - detached.repaints).toBeLessThanOrEqual(2);
  // These are 154 x 104 pixels of 800 x 500, twice: a small part of 1,000 strokes.
  expect(after.painted - before.painted).toBeLessThan(350);
});

test("CAN-11 hovering looks at objects near the pointer, not at the board", async ({ canvas }) => {
  await fill(canvas, 1_000);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
  const before = await counts(canvas);
  for (let i = 0; i < 50; i++) await canvas.mouse.move(100 + 10 * i, 250);
  const after = await counts(canvas);
  expect(after.tested - before.tested).toBeLessThan(50 * 6);
  expect(after).toMatchObject({ painted: before.painted, fabricObjects: 0 });
});

test("PNT-5 removing everything clears at once, without painting an object", async ({ canvas }) => {
  await fill(canvas, 500);
  const before = await counts(canvas);
  await canvas.evaluate(() =>
    window.harness.board.removeByPeer([...window.harness.board.objects.keys()]),
  );
  await settle(canvas);
  const ink = await canvas.evaluate(() =>
    window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
  );
  expect(ink).toBe(0);
  expect((await counts(canvas)).painted).toBe(before.painted);
});

test("UI-3 the host is the element named Canvas of exactly the canvas's size, and is left empty", async ({
  canvas,
}) => {
  const host = canvas.getByRole("application", { name: "Canvas" });
  expect(await host.boundingBox()).toEqual({ x: 0, y: 0, width: 800, height: 500 });
  await expect(host.locator("canvas").first()).toBeAttached();
  await canvas.evaluate(() => window.harness.canvas.dispose());
  await expect(host.locator("*")).toHaveCount(0);
});

test("CAN-20 the overlay canvas is as large as its content, in steps of 256, and hidden when empty", async ({
  canvas,
}) => {
  const layer = () =>
    canvas.evaluate(() => {
      const { overlay } = window.harness.internals;
      const { offsetLeft: left, offsetTop: top, width, height } = overlay;
      return { left, top, width, height, shown: overlay.style.opacity !== "0" };
    });
  const show = async (...points: number[]) => {
    const ink = points.length > 0 ? [{ stroke: "s", color: "#000000", width: 3, points }] : [];
    const peer = { clientId: "a", name: "A", pointer: { x: 9, y: 9 } };
    await canvas.evaluate((one) => window.harness.canvas.showPeers([one] as never), {
      ...peer,
      ink,
      drags: [],
    });
    await expect(canvas.locator("[data-peer]")).toHaveCount(1);
    await settle(canvas);
  };
  expect(await layer()).toMatchObject({ shown: false });
  await show(300, 100, 350, 150);
  expect(await layer()).toEqual({ left: 256, top: 0, width: 256, height: 256, shown: true });
  // It grows, and its former content is there again before a frame can be shown.
  const inked = await canvas.evaluate(() => {
    const points = [300, 100, 350, 150, 790, 260];
    const ink = [{ stroke: "s", color: "#000000", width: 3, points }];
    const peer = { clientId: "a", name: "A", pointer: { x: 9, y: 9 }, drags: [] };
    window.harness.canvas.showPeers([{ ...peer, ink }] as never);
    const { data, width } = window.instruments.pixelsOf(window.harness.internals.overlay);
    return data[4 * (120 * width + 64) + 3];
  });
  expect(await layer()).toEqual({ left: 256, top: 0, width: 544, height: 500, shown: true });
  expect(inked).toBe(255);
  await show();
  expect(await layer()).toMatchObject({ shown: false });
  await show(20, 20, 60, 60);
  expect(await layer()).toMatchObject({ left: 0, top: 0, width: 256, height: 256 });
});
