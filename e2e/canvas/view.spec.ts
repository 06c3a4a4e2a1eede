/** Tests the view: gestures by raw input, and that everything works in every view. */

import type { Page } from "@playwright/test";
import type { ObjectId } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";

type Finger = readonly [id: number, x: number, y: number];

async function fingers(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (type: "touchStart" | "touchMove" | "touchEnd", ...points: Finger[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([id, x, y]) => ({ id, x, y })),
    });
}

const view = (page: Page) => page.evaluate(() => window.harness.internals.view);
const setView = (page: Page, x: number, y: number, zoom: number) =>
  page.evaluate((to) => window.harness.internals.setView(to), { x, y, zoom });
const objects = (page: Page) => page.evaluate(() => window.harness.board.stacked());
const counts = (page: Page) => page.evaluate(() => ({ ...window.harness.internals.stats }));
const setTool = (page: Page, tool: "select" | "draw" | "eraser" | "rectangle") =>
  page.evaluate((name) => window.harness.canvas.tools.choose(name), tool);

/** Adds strokes of 40 points, all of them within 800 x 500. */
async function fill(page: Page, count = 10_000): Promise<void> {
  await page.evaluate(async (length) => {
    const { harness, instruments } = window;
    const style = { color: "#45b7d1", width: 3, eraser: false };
    const strokes = Array.from({ length }, (_, n) => {
      const points = Array.from({ length: 80 }, (_unused, i) =>
        i % 2 === 0 ? ((n * 37) % 740) + 10 + i / 2 : ((n * 61) % 440) + 30 + 12 * Math.sin(i + n),
      );
      return instruments.strokeObject(points, style) as NonNullable<
        ReturnType<typeof instruments.strokeObject>
      >;
    });
    await harness.canvas.load(harness.board.make(strokes), "white");
  }, count);
}

test("PNT-8 a pan copies the picture and paints only what comes into view, on a full board", async ({
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
  await fill(canvas);
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
  // A strip of 2 px meets 1 in 18 of the strokes; a repaint of all would be 10 times 10,000.
  expect(after.painted - before.painted).toBeGreaterThan(10 * 100);
  expect(after.painted - before.painted).toBeLessThan(10 * 1000);
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
  await fill(canvas);
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
  expect(zooming.painted).toBeLessThan(10_000);
  await settle(canvas);
  const after = await counts(canvas);
  expect(after.painted - before.painted).toBeLessThanOrEqual(10_000);
  expect(after.frames - before.frames).toBeGreaterThan(3);
  const difference = await canvas.evaluate(() => window.instruments.compareRepaint(window.harness));
  expect(difference.wrong).toBeLessThanOrEqual(4);
});

test("PNT-20 a zoom there and back paints no object, unless one changed meanwhile", async ({
  canvas,
}) => {
  const all = 2_000;
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

  test("CAN-41 two fingers move and zoom the view and draw nothing; what the first one began is given up", async ({
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

test("CAN-21 the eraser end of a pen erases while it is down, with any tool", async ({
  canvas,
}) => {
  await setTool(canvas, "select");
  await canvas.evaluate(() => {
    const target = document.querySelector("#host canvas") as HTMLElement;
    // Neither mouse nor pen events of the browser's protocol have an eraser end; these have no pointer to capture.
    (document.querySelector("#host") as HTMLElement).setPointerCapture = () => undefined;
    const send = (type: string, button: number, x: number): void => {
      const pen = { pointerType: "pen", pointerId: 7, isPrimary: true, bubbles: true };
      const event = { ...pen, button, buttons: 32, clientX: x, clientY: 200 };
      target.dispatchEvent(new PointerEvent(type, event));
    };
    send("pointerdown", 5, 100);
    send("pointermove", -1, 200);
    send("pointerup", 5, 200);
  });
  expect(await objects(canvas)).toMatchObject([{ stroke: "white", strokeWidth: 20, eraser: true }]);
  await setTool(canvas, "draw");
  await drag(canvas, 300, 300, 400, 300);
  expect((await objects(canvas))[1]).toMatchObject({ stroke: "#000000", strokeWidth: 3 });
});

const VIEWS = [
  [-3000, 1200, 0.1],
  [120, -80, 0.5],
  [-440, -260, 2.5],
  [-700, -900, 8],
] as const;

for (const [x, y, zoom] of VIEWS)
  test(`CAN-28 strokes, hits, drags, handles, rubber bands and keys work at ${zoom * 100} %`, async ({
    canvas,
  }) => {
    await setView(canvas, x, y, zoom);
    await settle(canvas);
    const board = (px: number, py: number) => [(px - x) / zoom, (py - y) / zoom] as const;
    // The points of a stroke are where the pointer was on the board, and its ink where it was on the screen.
    await drag(canvas, 200, 200, 400, 200);
    await settle(canvas);
    const [stroke] = await objects(canvas);
    const [left, top] = board(200, 200);
    expect(stroke?.["left"]).toBeCloseTo(left - 1.5, 0);
    expect(stroke?.["top"]).toBeCloseTo(top - 1.5, 0);
    const painted = await canvas.evaluate(() => {
      const { data, width } = window.instruments.pixelsOf(window.harness.internals.base);
      const at = (px: number, py: number) => data[4 * (py * width + px)] as number;
      return [at(300, 200) < 250, at(300, 180) < 250];
    });
    expect(painted).toEqual([true, false]);
    // A hit is counted in pixels of the screen, and a drag moves by the pixels of the board.
    await setTool(canvas, "select");
    await drag(canvas, 350, 204 + Math.round(1.5 * zoom), 380, 254 + Math.round(1.5 * zoom));
    const moved = (await objects(canvas))[0];
    expect((moved?.["left"] as number) - (stroke?.["left"] as number)).toBeCloseTo(30 / zoom, 0);
    expect((moved?.["top"] as number) - (stroke?.["top"] as number)).toBeCloseTo(50 / zoom, 0);
    // The handle of an object under 30 px is 8 px off its corner.
    const corner = { x: Math.round(438 + 1.5 * zoom), y: Math.round(258 + 1.5 * zoom) };
    await settle(canvas);
    await drag(canvas, corner.x, corner.y, corner.x + 60, corner.y + 6);
    const [scaled] = await objects(canvas);
    expect(scaled?.["scaleX"] as number).toBeGreaterThan(1.1);
    expect(scaled?.["flipY"]).toBeUndefined();
    // A rubber band selects what it touches on the screen.
    await canvas.mouse.click(700, 450);
    expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([]);
    await drag(canvas, 180, 150, 760, 420);
    expect(await canvas.evaluate(() => window.harness.internals.selected)).toHaveLength(1);
    // The crosshair is on the screen, and its drawing is on the board.
    await setTool(canvas, "draw");
    await canvas.locator("#host").focus();
    await canvas.keyboard.press("Enter");
    await canvas.keyboard.press("ArrowRight");
    await canvas.keyboard.press("Enter");
    const drawn = (await objects(canvas))[1];
    const [crossX, crossY] = board(400, 250);
    expect(drawn?.["left"]).toBeCloseTo(crossX - 1.5, 0);
    expect(drawn?.["top"]).toBeCloseTo(crossY - 1.5, 0);
  });

test("CAN-28 a text is edited where it is shown", async ({ canvas }) => {
  await canvas.evaluate(() => window.harness.canvas.tools.addSticker("Hi"));
  await setTool(canvas, "select");
  await setView(canvas, -60, -80, 2);
  await settle(canvas);
  await canvas.mouse.dblclick(170, 180);
  await canvas.keyboard.press("Control+A");
  await canvas.keyboard.type("Zoomed");
  // The editing of a text continues while the view moves.
  await canvas.mouse.wheel(0, 40);
  await canvas.keyboard.type("!");
  await canvas.keyboard.press("Escape");
  expect(await objects(canvas)).toMatchObject([{ text: "Zoomed!", left: 100, top: 100 }]);
});

test("CAN-4 when (100,100) is out of view, a new shape moves the view just far enough to show it", async ({
  canvas,
}) => {
  await setTool(canvas, "rectangle");
  expect(await view(canvas)).toEqual({ x: 0, y: 0, zoom: 1 });
  await setView(canvas, -2000, 0, 1);
  await setTool(canvas, "rectangle");
  expect(await view(canvas)).toEqual({ x: -80, y: 0, zoom: 1 });
  await setView(canvas, 3000, 1000, 2);
  await canvas.evaluate(() => window.harness.canvas.tools.addSticker("Hi"));
  const { x, y } = await view(canvas);
  expect([200 + x > 0, 320 + x <= 780, 200 + y > 0, 320 + y <= 480]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect((await objects(canvas)).map(({ left, top }) => [left, top])).toEqual([
    [100, 100],
    [100, 100],
    [100, 100],
  ]);
});

test("CAN-28 a drag goes on while the view moves under it", async ({ canvas }) => {
  await setTool(canvas, "rectangle");
  await setTool(canvas, "select");
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(160, 160, { steps: 2 });
  await canvas.mouse.wheel(-100, 0);
  await expect.poll(() => view(canvas)).toEqual({ x: 100, y: 0, zoom: 1 });
  await canvas.mouse.move(170, 160, { steps: 2 });
  await canvas.mouse.up();
  expect(await objects(canvas)).toMatchObject([{ left: 20, top: 110 }]);
});

test("CAN-20 peers' ink, drags and pointers are shown where the view has them, labels in their size", async ({
  canvas,
}) => {
  await setTool(canvas, "rectangle");
  await setTool(canvas, "draw");
  const rectangle = (await objects(canvas))[0]?.id as ObjectId;
  await canvas.evaluate((id) => {
    const ink = [{ stroke: "s", color: "#ff0000", width: 3, points: [300, 300, 340, 300] }];
    const drags = [{ id, left: 200, top: 100, scaleX: 1, scaleY: 1, angle: 0 }];
    const peer = { clientId: "a", name: "A", pointer: { x: 340, y: 300 } };
    window.harness.canvas.showPeers([{ ...peer, ink, drags }]);
  }, rectangle);
  const label = canvas.locator("[data-peer]");
  const size = await label.locator("span").boundingBox();
  await setView(canvas, -300, -200, 2);
  await settle(canvas);
  expect(await label.evaluate((one) => one.style.transform)).toBe("translate(380px, 400px)");
  expect((await label.locator("span").boundingBox())?.height).toBe(size?.height);
  const shown = await canvas.evaluate(() => {
    const { overlay } = window.harness.internals;
    const { data, width } = window.instruments.pixelsOf(overlay);
    const at = (x: number, y: number) => {
      const from =
        4 *
        ((y - Number.parseInt(overlay.style.top)) * width +
          x -
          Number.parseInt(overlay.style.left));
      return [...data.slice(from, from + 4)];
    };
    return [at(340, 400), at(150, 50)];
  });
  expect(shown).toEqual([
    [255, 0, 0, 255],
    [0, 0, 0, 255],
  ]);
});

test("CAN-3 the eraser's cursor is a ring of the size that it erases", async ({ canvas }) => {
  await setTool(canvas, "eraser");
  await canvas.mouse.move(300, 200);
  const ring = canvas.locator("[data-eraser]");
  const host = canvas.locator("#host");
  for (const [zoom, size] of [
    [1, 20],
    [8, 160],
    [0.5, 10],
  ] as const) {
    await setView(canvas, 0, 0, zoom);
    await expect(ring).toBeVisible();
    await expect
      .poll(() => ring.boundingBox())
      .toEqual({
        ...{ x: 300 - size / 2, y: 200 - size / 2 },
        ...{ width: size, height: size },
      });
    await expect(host).toHaveCSS("cursor", "none");
  }
  await setView(canvas, 0, 0, 0.1);
  await expect(ring).toBeHidden();
  await expect(host).toHaveCSS("cursor", "crosshair");
  await setTool(canvas, "draw");
  await setView(canvas, 0, 0, 1);
  await expect(ring).toBeHidden();
});
