/** Everything works in every view. */

import type { ObjectId } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";
import { objects, setTool, setView, view } from "./harness.ts";

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
  [-700, -900, 8],
] as const;

for (const [x, y, zoom] of VIEWS)
  test(`CAN-28 strokes, hits, drags, handles, rubber bands and keys work at ${zoom * 100} %`, async ({
    canvas,
  }) => {
    await setView(canvas, x, y, zoom);
    await settle(canvas);
    const board = (px: number, py: number) => [(px - x) / zoom, (py - y) / zoom] as const;
    // A stroke has its points where the pointer was on the board, and its ink where it was on the screen.
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
    // The crosshair is on the screen, what it draws on the board.
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
  // A text is edited on while the view moves.
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
  expect(await view(canvas)).toEqual({ x: -88, y: 0, zoom: 1 });
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
