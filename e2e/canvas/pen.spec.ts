/** Pens and keys. */

import type { Page } from "@playwright/test";
import { drag, expect, type Point, settle, test } from "./page.ts";
import { SAGGING, hold, setTool } from "./harness.ts";

test("CAN-23 every point between two frames becomes part of the stroke", async ({ canvas }) => {
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await canvas.evaluate(() => {
    const counted = { events: 0 };
    addEventListener("pointermove", () => counted.events++);
    (window as unknown as { counted: typeof counted }).counted = counted;
  });
  const session = await canvas.context().newCDPSession(canvas);
  // While the page is busy the browser collects the moves in one event.
  const busy = canvas.evaluate(() => {
    const end = performance.now() + 400;
    while (performance.now() < end);
  });
  const moves = Array.from({ length: 8 }, (_, i) =>
    session.send("Input.dispatchMouseEvent", {
      type: "mouseMoved",
      button: "left",
      buttons: 1,
      x: 110 + 10 * i,
      y: 100 + 7 * (i % 3),
    }),
  );
  await Promise.all([busy, ...moves]);
  // The newest point becomes final with the next one, or with the release.
  const end = { button: "left", buttons: 0, x: 180, y: 107, clickCount: 1 } as const;
  await session.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...end });
  const result = await canvas.evaluate(() => ({
    points: (window.harness.live.ink["s1"] ?? []).length / 2,
    events: (window as unknown as { counted: { events: number } }).counted.events,
  }));
  expect(result.points).toBe(9);
  expect(result.events).toBeLessThan(8);
});

test("PNT-61 peers get the newest point of a pointer that rests, and the stroke goes on from it", async ({
  canvas,
}) => {
  const sent = () => canvas.evaluate(() => window.harness.live.ink["s1"]);
  // A stroke of the eraser becomes no shape, however long its pointer rests.
  await setTool(canvas, "eraser");
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await canvas.mouse.move(150, 100);
  await canvas.mouse.move(200, 100);
  await expect.poll(sent).toEqual([100, 100, 150, 100, 200, 100]);
  await canvas.mouse.move(250, 100);
  await canvas.mouse.up();
  expect(await sent()).toEqual([100, 100, 150, 100, 200, 100, 250, 100]);
});

test("CAN-26 arrow keys move a crosshair by 10 or 1, Space draws with it", async ({
  page: canvas,
  open,
}) => {
  // Where a pointer was used last, a focus shows no crosshair.
  await open(canvas);
  await canvas.evaluate(() => window.harness.internals.complete());
  const cross = canvas.locator("[data-crosshair]");
  await expect(cross).toBeHidden();
  await canvas.locator("#host").focus();
  await expect(cross).toBeVisible();
  await canvas.keyboard.press("ArrowRight");
  expect(await canvas.evaluate(() => window.harness.live.pointerAt)).toEqual({ x: 410, y: 250 });
  await canvas.keyboard.press("Space");
  for (let i = 0; i < 5; i++) await canvas.keyboard.press("ArrowDown");
  await canvas.keyboard.press("Shift+ArrowRight");
  await canvas.keyboard.press("Space");
  const [stroke] = await canvas.evaluate(() => window.harness.board.stacked());
  expect(stroke).toMatchObject({ type: "Path", left: 408.5, top: 248.5 });
  expect(await canvas.evaluate(() => window.harness.live.ink["s1"])).toEqual([
    410, 250, 410, 260, 410, 270, 410, 280, 410, 290, 410, 300, 411, 300,
  ]);
});

test("CAN-26 an arrow key moves the crosshair and not the stroke that a pointer draws", async ({
  canvas,
}) => {
  await canvas.locator("#host").focus();
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await canvas.mouse.move(160, 100, { steps: 4 });
  await canvas.keyboard.press("ArrowDown");
  await canvas.mouse.move(200, 100, { steps: 4 });
  await canvas.mouse.up();
  const ys = await canvas.evaluate(() =>
    window.harness.live.ink["s1"]?.filter((_, at) => at % 2 === 1),
  );
  expect(new Set(ys)).toEqual(new Set([100]));
});

test("CAN-26 brackets go through the objects by keyboard, Enter edits a text, Tab leaves the canvas", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("rectangle");
    window.harness.canvas.tools.addSticker("Hi");
    window.harness.canvas.tools.choose("select");
    window.harness.canvas.tools.selectNone();
    document.body.append(document.createElement("button"));
  });
  await canvas.locator("#host").focus();
  const selected = () => canvas.evaluate(() => window.harness.internals.selected);
  await canvas.keyboard.press("]");
  expect(await selected()).toEqual(["aaa0me-0"]);
  await canvas.keyboard.press("]");
  expect(await selected()).toEqual(["aaa0me-1"]);
  await canvas.keyboard.press("Enter");
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.editingText)).toBe(true);
  await canvas.keyboard.type("Ho");
  await canvas.keyboard.press("Escape");
  expect(await canvas.evaluate(() => window.harness.board.stacked()[1]?.["text"])).toBe("Ho");
  await canvas.locator("#host").focus();
  await canvas.keyboard.press("[");
  expect(await selected()).toEqual(["aaa0me-0"]);
  await canvas.keyboard.press("Tab");
  expect(await canvas.evaluate(() => document.activeElement?.tagName)).toBe("BUTTON");
});

test("PNT-63 with Pressure a pen's stroke is the outline that was seen while it was drawn; a mouse's is a line", async ({
  canvas,
}) => {
  const draw = (pointerType: "pen" | "mouse", y: number) =>
    canvas.evaluate(
      ([type, top]) => {
        const host = document.querySelector("#host") as HTMLElement;
        // An event that a script dispatches has no pointer that could be captured.
        host.setPointerCapture = () => undefined;
        const { left, top: edge } = host.getBoundingClientRect();
        const send = (name: string, x: number, pressure: number, shiftKey = false): void => {
          const at = { clientX: left + x, clientY: edge + top + 30 * Math.sin(x / 40) };
          const pointer = {
            pointerId: 9,
            pointerType: type,
            isPrimary: true,
            button: 0,
            buttons: 1,
            shiftKey,
          };
          host.dispatchEvent(
            new PointerEvent(name, { ...pointer, ...at, pressure, bubbles: true }),
          );
        };
        send("pointerdown", 100, 0.1);
        for (let x = 104; x <= 500; x += 4) send("pointermove", x, (x - 100) / 400);
        // A straight line goes on from it.
        if (type === "pen") send("pointermove", 600, 0.1, true);
        return window.harness.internals.base.toDataURL();
      },
      [pointerType, y] as const,
    );
  const release = () =>
    canvas.evaluate(() => {
      const host = document.querySelector("#host") as HTMLElement;
      const pointer = { pointerId: 9, isPrimary: true, button: 0, bubbles: true, shiftKey: true };
      const { left, top } = host.getBoundingClientRect();
      const at = { clientX: left + 600, clientY: top + 200 + 30 * Math.sin(600 / 40) };
      host.dispatchEvent(new PointerEvent("pointerup", { ...pointer, ...at }));
    });
  await canvas.evaluate(() => {
    window.harness.choices.pressure = true;
    window.harness.canvas.tools.setPenWidth(12);
  });
  const drawn = await draw("pen", 200);
  await release();
  await settle(canvas);
  const result = await canvas.evaluate(async (url) => {
    const before = await window.instruments.pictureOf(url);
    const now = window.instruments.pixelsOf(window.harness.internals.base);
    return { ink: window.instruments.inked(now), ...window.instruments.compare(before, now, 100) };
  }, drawn);
  expect(result.ink).toBeGreaterThan(3000);
  expect(result.wrong, JSON.stringify(result)).toBeLessThanOrEqual(8);
  await draw("mouse", 400);
  await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
  const objects = await canvas.evaluate(() => window.harness.board.stacked());
  expect(objects).toMatchObject([
    { type: "Path", fill: "#000000", stroke: null, strokeWidth: 0 },
    { type: "Path", fill: null, stroke: "#000000", strokeWidth: 12 },
  ]);
});

/** A pen by the browser's own protocol: its events are trusted, as the ink trail wants them. */
async function trustedPen(page: Page) {
  const session = await page.context().newCDPSession(page);
  return async (...points: readonly Point[]): Promise<void> => {
    const send = (type: "mousePressed" | "mouseMoved" | "mouseReleased", [x, y]: Point) =>
      session.send("Input.dispatchMouseEvent", {
        ...{ type, x, y, button: "left", clickCount: 1, pointerType: "pen", force: 0.8 },
        buttons: type === "mouseReleased" ? 0 : 1,
      });
    const [first, last] = [points[0]!, points.at(-1)!];
    await send("mousePressed", first);
    for (const at of points.slice(1)) await send("mouseMoved", at);
    await send("mouseReleased", last);
  };
}

test("PNT-88 at 200 % the system's ink trail is as wide as the pen on the screen; highlighter, a held shape and ink of a pen's pressure have none", async ({
  page,
  open,
}) => {
  await page.addInitScript(() => {
    const trails: unknown[] = [];
    const presenter = {
      updateInkTrailStartPoint: (_: PointerEvent, style: object) => void trails.push(style),
    };
    const ink = { requestPresenter: () => Promise.resolve(presenter) };
    Object.defineProperty(navigator, "ink", { value: ink });
    Object.assign(window, { trails });
  });
  await open(page);
  await page.evaluate(async () => {
    await window.harness.internals.complete();
    window.harness.internals.setView({ x: 0, y: 0, zoom: 2 });
    window.harness.canvas.tools.setColor("#ff0000");
    window.harness.canvas.tools.setPenWidth(6);
  });
  const trails = () =>
    page.evaluate(() => (window as unknown as { trails: object[] }).trails.splice(0));
  const pen = await trustedPen(page);
  // The first move asks for the presenter.
  await drag(page, 100, 50, 200, 50);
  await trails();
  await drag(page, 100, 60, 200, 60);
  const found = await trails();
  expect(found.length).toBeGreaterThan(1);
  for (const trail of found) expect(trail).toEqual({ color: "#ff0000", diameter: 12 });
  await pen([100, 70], [150, 70], [200, 70]);
  expect((await trails()).length).toBeGreaterThan(0);
  await page.evaluate(() => void (window.harness.choices.pressure = true));
  await pen([100, 80], [150, 80], [200, 80]);
  expect(await trails()).toEqual([]);
  await drag(page, 100, 90, 200, 90);
  expect((await trails()).length).toBeGreaterThan(0);
  await page.evaluate(() => window.harness.canvas.tools.choose("highlighter"));
  await drag(page, 100, 150, 200, 150);
  expect(await trails()).toEqual([]);
  await page.evaluate(() => {
    window.harness.canvas.tools.choose("draw");
    window.harness.canvas.tools.setPenWidth(3);
    window.harness.internals.setView({ x: 0, y: 0, zoom: 1 });
  });
  await settle(page);
  await hold(page, SAGGING, [300, 109]);
  await trails();
  await page.mouse.move(80, 90, { steps: 4 });
  expect(await trails()).toEqual([]);
  await page.mouse.up();
});

test("PNT-63 a stroke by keys and one of a mouse are lines, even after one of a pen", async ({
  canvas,
}) => {
  await canvas.evaluate(() => void (window.harness.choices.pressure = true));
  const pen = await trustedPen(canvas);
  await pen([100, 100], [150, 120], [200, 100]);
  await canvas.locator("#host").focus();
  await canvas.keyboard.press("Space");
  for (let i = 0; i < 5; i++) await canvas.keyboard.press("ArrowDown");
  await canvas.keyboard.press("Space");
  await drag(canvas, 100, 400, 200, 400);
  expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
    { type: "Path", fill: "#000000", stroke: null },
    { type: "Path", fill: null, stroke: "#000000" },
    { type: "Path", fill: null, stroke: "#000000" },
  ]);
});
