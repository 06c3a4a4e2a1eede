/** Tests the view: gestures by raw input, and that everything works in every view. */

import { drag, expect, settle, test } from "./page.ts";
import { counts, fill, fingers, objects, setTool, setView, view } from "./harness.ts";

test("PNT-8 a pan copies the picture and paints only the strip that comes into view, on a full board", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    const made: HTMLCanvasElement[] = [];
    const create = document.createElement.bind(document);
    document.createElement = (name: string) => {
      const element = create(name);
      if (element instanceof HTMLCanvasElement) made.push(element);
      return element;
    };
    Object.assign(window, { made });
  });
  await fill(canvas, 3_000);
  await setView(canvas, -200, 0, 1);
  // The earlier pictures are forgotten, since they would be known ground.
  await canvas.evaluate(() => window.harness.internals.repaintAll());
  await settle(canvas);
  const before = await counts(canvas);
  for (let step = 1; step <= 10; step++) {
    await setView(canvas, -200 + 2 * step, 0, 1);
    await settle(canvas);
  }
  const after = await counts(canvas);
  // A strip of 2 px meets 1 in 18 of the strokes; a repaint of all would be 10 times 3,000.
  expect(after.painted - before.painted).toBeGreaterThan(10 * 30);
  expect(after.painted - before.painted).toBeLessThan(10 * 300);
  expect(after.repaints - before.repaints).toBeLessThanOrEqual(10);
  // Returning over ground that was shown paints nothing, unless something changed there.
  await setView(canvas, -200, 0, 1);
  await settle(canvas);
  expect((await counts(canvas)).painted).toBe(after.painted);
  // A change beyond the edge, where the ground is painted ahead, is not shown in its old state.
  await setView(canvas, -210, -6, 1);
  await settle(canvas);
  await canvas.evaluate(() => {
    const { board } = window.harness;
    const beyond = board.stacked().filter(({ left }) => Number(left) < 205);
    board.changeByPeer(beyond.map(({ id }) => ({ id, props: { stroke: "#ff0000" } })));
  });
  for (const x of [-206, -190, -140]) await setView(canvas, x, 10, 1);
  await settle(canvas);
  const difference = await canvas.evaluate(() => window.instruments.compareRepaint(window.harness));
  expect(difference.wrong).toBeLessThanOrEqual(4);
  // However far it goes, only so many pictures are retained: 3 of the whole, and at most 64 parts of 256 x 256.
  for (let step = 1; step <= 20; step++) await setView(canvas, -140 - 20 * step, 10 - 8 * step, 1);
  await settle(canvas);
  const pixels = await canvas.evaluate(() => {
    const { made } = window as unknown as { made: HTMLCanvasElement[] };
    return made.reduce((sum, { width, height }) => sum + width * height, 0);
  });
  expect(pixels).toBeGreaterThan(0);
  expect(pixels).toBeLessThan(4 * 800 * 500 + 64 * 256 * 256);
  // Moving to ground that is empty paints nothing at all.
  await setView(canvas, 0, 900, 1);
  await settle(canvas);
  const empty = await counts(canvas);
  for (let step = 1; step <= 10; step++) {
    await setView(canvas, 0, 900 + 30 * step, 1);
    await settle(canvas);
  }
  expect((await counts(canvas)).painted).toBe(empty.painted);
});

test("PNT-20 while the view zooms no object is painted; afterwards each one once, in slices", async ({
  canvas,
}) => {
  const all = 4_000;
  await fill(canvas, all);
  const zooming = await canvas.evaluate(async () => {
    const { harness } = window;
    const painted = harness.internals.stats.painted;
    const frames = harness.internals.stats.frames;
    for (let step = 1; step <= 12; step++) {
      harness.internals.setView({ x: 4 * step, y: 2 * step, zoom: 0.97 ** step });
      await new Promise(requestAnimationFrame);
    }
    const { stats } = harness.internals;
    return { painted: stats.painted - painted, frames: stats.frames - frames };
  });
  expect(zooming.frames).toBeGreaterThanOrEqual(12);
  const before = await counts(canvas);
  // On a busy machine a pause of the gesture may begin to make the picture sharp.
  expect(zooming.painted).toBeLessThan(all);
  await settle(canvas);
  const after = await counts(canvas);
  expect(after.painted - before.painted).toBeLessThanOrEqual(all);
  expect(after.frames - before.frames).toBeGreaterThan(3);
  const difference = await canvas.evaluate(() => window.instruments.compareRepaint(window.harness));
  expect(difference.wrong).toBeLessThanOrEqual(4);
});

test("PNT-20 a zoom there and back paints no object, unless one changed meanwhile", async ({
  canvas,
}) => {
  const all = 800;
  await fill(canvas, all);
  const home = { x: 0, y: 0, zoom: 1 };
  const there = { x: 40, y: 30, zoom: 0.8 };
  const go = async ({ x, y, zoom }: typeof home): Promise<number> => {
    const { painted } = await counts(canvas);
    // This is as after many steps: not exactly the former value.
    await setView(canvas, x, y, zoom + 1e-13);
    await settle(canvas);
    return (await counts(canvas)).painted - painted;
  };
  const change = (): Promise<void> =>
    canvas.evaluate(() => {
      const { board } = window.harness;
      const [object] = board.stacked();
      if (object) board.changeByPeer([{ id: object.id, props: { stroke: "#ff0000" } }]);
    });
  const expectExact = async (): Promise<void> => {
    const difference = await canvas.evaluate(() =>
      window.instruments.compareRepaint(window.harness),
    );
    expect(difference.wrong).toBeLessThanOrEqual(4);
  };
  expect(await go(there)).toBe(all);
  expect(await go(home)).toBe(0);
  expect(await go(there)).toBe(0);
  const { painted } = await counts(canvas);
  await canvas.evaluate(async (back) => {
    const { internals } = window.harness;
    internals.setView({ x: 0, y: 0, zoom: 1.4 });
    await new Promise(requestAnimationFrame);
    internals.setView(back);
  }, there);
  await settle(canvas);
  expect((await counts(canvas)).painted).toBe(painted);
  await expectExact();
  expect(await go(home)).toBe(all);
  await change();
  await settle(canvas);
  expect(await go(there)).toBe(all);
  // This is in the middle of a gesture, and in one task, so that no frame happens in between.
  const { painted: before } = await counts(canvas);
  await canvas.evaluate((back) => {
    const { board, internals } = window.harness;
    internals.setView({ x: 0, y: 0, zoom: 1.4 });
    const [object] = board.stacked();
    if (object) board.changeByPeer([{ id: object.id, props: { stroke: "#0000ff" } }]);
    internals.setView(back);
  }, there);
  await settle(canvas);
  expect((await counts(canvas)).painted - before).toBeGreaterThanOrEqual(all);
  await expectExact();
});

test("CAN-42 a wheel pans, with Shift sideways; with Ctrl it zooms at the pointer", async ({
  canvas,
}) => {
  await canvas.mouse.move(200, 100);
  await canvas.mouse.wheel(30, 50);
  await expect.poll(() => view(canvas)).toEqual({ x: -30, y: -50, zoom: 1 });
  await canvas.keyboard.down("Shift");
  await canvas.mouse.wheel(0, 20);
  await canvas.keyboard.up("Shift");
  await expect.poll(() => view(canvas)).toEqual({ x: -50, y: -50, zoom: 1 });
  await canvas.keyboard.down("Control");
  await canvas.mouse.wheel(0, -100);
  await canvas.keyboard.up("Control");
  await expect.poll(async () => (await view(canvas)).zoom).toBeCloseTo(Math.exp(0.24), 6);
  const { x, y, zoom } = await view(canvas);
  expect([(200 - x) / zoom, (100 - y) / zoom].map(Math.round)).toEqual([250, 150]);
  for (let i = 0; i < 12; i++) {
    await canvas.keyboard.down("Control");
    await canvas.mouse.wheel(0, -100);
    await canvas.keyboard.up("Control");
  }
  await expect.poll(async () => (await view(canvas)).zoom).toBe(8);
});

test("CAN-42 a middle drag, or Space and a drag, moves the view; Space alone is the pen", async ({
  canvas,
}) => {
  const host = canvas.locator("#host");
  await canvas.mouse.move(300, 300);
  await canvas.mouse.down({ button: "middle" });
  await expect(host).toHaveAttribute("data-panning", "active");
  await canvas.mouse.move(340, 280, { steps: 3 });
  await canvas.mouse.up({ button: "middle" });
  expect(await view(canvas)).toEqual({ x: 40, y: -20, zoom: 1 });
  await host.focus();
  await canvas.keyboard.down("Space");
  await expect(host).toHaveAttribute("data-panning", "ready");
  await drag(canvas, 340, 280, 300, 300);
  await canvas.keyboard.up("Space");
  await expect(host).not.toHaveAttribute("data-panning", /./);
  expect(await view(canvas)).toEqual({ x: 0, y: 0, zoom: 1 });
  expect(await objects(canvas)).toEqual([]);
  await canvas.keyboard.press("Space");
  await canvas.keyboard.press("ArrowDown");
  await canvas.keyboard.press("Space");
  expect(await objects(canvas)).toMatchObject([{ type: "Path" }]);
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true });

  test("CAN-41 two fingers move and zoom the view and draw nothing; the first one's stroke is given up", async ({
    canvas,
  }) => {
    const touch = await fingers(canvas);
    await touch("touchStart", [1, 300, 200]);
    await touch("touchMove", [1, 304, 200]);
    await touch("touchStart", [1, 304, 200], [2, 404, 200]);
    await touch("touchMove", [1, 254, 250], [2, 454, 250]);
    await expect.poll(async () => (await view(canvas)).zoom).toBeCloseTo(2, 6);
    const { x, y } = await view(canvas);
    expect([(354 - x) / 2, (250 - y) / 2].map(Math.round)).toEqual([354, 200]);
    await touch("touchEnd");
    expect(await objects(canvas)).toEqual([]);
    await touch("touchStart", [3, 100, 100]);
    await touch("touchMove", [3, 160, 100]);
    await touch("touchEnd");
    expect(await objects(canvas)).toHaveLength(1);
  });

  test("CAN-41 a pinch over a selected object puts it back, and nothing is changed", async ({
    canvas,
  }) => {
    await setTool(canvas, "rectangle");
    await setTool(canvas, "select");
    const touch = await fingers(canvas);
    await touch("touchStart", [1, 150, 150]);
    await touch("touchMove", [1, 158, 150]);
    await expect.poll(() => canvas.evaluate(() => window.harness.live.drags.length)).toBe(1);
    await touch("touchStart", [1, 158, 150], [2, 300, 300]);
    await touch("touchMove", [1, 108, 150], [2, 350, 350]);
    await touch("touchEnd");
    await settle(canvas);
    const result = await canvas.evaluate(() => ({
      calls: window.harness.board.calls,
      drags: window.harness.live.drags.length,
      selected: window.harness.internals.selected.length,
    }));
    expect(result).toEqual({ calls: ["add"], drags: 0, selected: 1 });
    expect((await view(canvas)).zoom).toBeGreaterThan(1.2);
    expect(await objects(canvas)).toMatchObject([{ left: 100, top: 100 }]);
    // The next finger drags it as before.
    const at = await canvas.evaluate(() => {
      const { x, y, zoom } = window.harness.internals.view;
      return { x: 150 * zoom + x, y: 150 * zoom + y, zoom };
    });
    await touch("touchStart", [3, at.x, at.y]);
    await touch("touchMove", [3, at.x + 40 * at.zoom, at.y]);
    await touch("touchEnd");
    expect((await objects(canvas))[0]?.["left"]).toBeCloseTo(140, 0);
  });

  test("CAN-21 after a pen was used one finger moves the view, until that is switched back", async ({
    canvas,
  }) => {
    const session = await canvas.context().newCDPSession(canvas);
    const pen = (type: "mousePressed" | "mouseMoved" | "mouseReleased", x: number, y: number) =>
      session.send("Input.dispatchMouseEvent", {
        ...{ type, x, y, pointerType: "pen", button: "left", clickCount: 1 },
        buttons: type === "mouseReleased" ? 0 : 1,
      });
    await pen("mousePressed", 100, 100);
    await pen("mouseMoved", 160, 100);
    await pen("mouseReleased", 160, 100);
    expect(await objects(canvas)).toHaveLength(1);
    const touch = await fingers(canvas);
    // For a second after the pen a finger is the palm.
    const pan = async (): Promise<number> => {
      await touch("touchStart", [1, 300, 300]);
      await touch("touchMove", [1, 300, 340]);
      await touch("touchEnd");
      return (await view(canvas)).y;
    };
    await expect.poll(pan).toBeGreaterThan(0);
    expect(await objects(canvas)).toHaveLength(1);
    await canvas.evaluate(() => window.harness.canvas.view.setFingerPans(false));
    const { y } = await view(canvas);
    expect(await pan()).toBe(y);
    expect(await objects(canvas)).toHaveLength(2);
  });
});

test("UI-57 while a visitor draws, drags or writes the view does not follow a peer, which would tear the stroke", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.prepare());
  const show = (x: number): Promise<void> =>
    canvas.evaluate((at) => {
      const peer = { clientId: "p1", ink: [], drags: [], pointer: { x: at, y: 200 } };
      window.harness.canvas.showPeers([peer] as never);
    }, x);
  await show(400);
  await canvas.evaluate(() =>
    window.harness.canvas.view.move({ kind: "peer", clientId: "p1", follow: true }, 0),
  );
  const before = await view(canvas);
  const { mouse, keyboard } = canvas;
  await mouse.move(300, 300);
  await mouse.down();
  await mouse.move(340, 300);
  await show(5_000);
  expect(await view(canvas)).toEqual(before);
  await mouse.up();
  await canvas.evaluate(() => window.harness.canvas.tools.addText(() => ""));
  await keyboard.type("words");
  await show(5_100);
  expect(await view(canvas)).toEqual(before);
  await keyboard.press("Escape");
  await show(5_200);
  expect((await view(canvas)).x).toBeLessThan(-4_000);
});
