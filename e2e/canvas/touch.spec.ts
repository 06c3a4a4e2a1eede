/** Fingers, alone and beside a pen. */

import type { Page } from "@playwright/test";
import { expect, settle, test } from "./page.ts";
import { fingers, made, view } from "./harness.ts";

/** Moves the mouse to these positions with no button, though none was released. */
async function moveReleased(canvas: Page, to: readonly number[]): Promise<void> {
  const session = await canvas.context().newCDPSession(canvas);
  const move = { type: "mouseMoved", button: "none", buttons: 0 } as const;
  for (const x of to) await session.send("Input.dispatchMouseEvent", { ...move, x, y: 200 });
}

test.describe("with fingers", () => {
  test.use({ hasTouch: true });

  test("CAN-21 a finger draws, and the page neither scrolls nor zooms", async ({ canvas }) => {
    await canvas.evaluate(() => {
      document.body.style.height = "3000px";
    });
    const touch = await fingers(canvas);
    await touch("touchStart", [1, 100, 400]);
    for (let y = 400; y >= 100; y -= 20) await touch("touchMove", [1, 100 + (400 - y) / 4, y]);
    await touch("touchEnd");
    await settle(canvas);
    expect(await made(canvas)).toEqual({
      types: ["Path"],
      events: ["start s1 #000000 3", "end s1 aaa0me-0"],
    });
    expect(await canvas.evaluate(() => [scrollY, visualViewport?.scale])).toEqual([0, 1]);
    expect(
      await canvas.evaluate(() => (window.harness.live.ink["s1"] ?? []).length),
    ).toBeGreaterThan(20);
  });

  test("CAN-41 two fingers draw nothing; a second finger in the middle of a stroke is ignored", async ({
    canvas,
  }) => {
    const touch = await fingers(canvas);
    await touch("touchStart", [1, 300, 200]);
    await touch("touchStart", [1, 300, 200], [2, 400, 300]);
    await touch("touchMove", [1, 250, 150], [2, 450, 350]);
    await touch("touchEnd");
    expect(await made(canvas)).toEqual({
      types: [],
      events: ["start s1 #000000 3", "end s1 null"],
    });
    await touch("touchStart", [3, 100, 100]);
    for (let x = 100; x <= 200; x += 10) await touch("touchMove", [3, x, 100]);
    await touch("touchStart", [3, 200, 100], [4, 500, 400]);
    await touch("touchMove", [3, 250, 100], [4, 550, 450]);
    await touch("touchEnd");
    expect((await made(canvas)).events.slice(2)).toEqual(["start s2 #000000 3", "end s2 aaa0me-0"]);
    const [stroke] = await canvas.evaluate(() => window.harness.board.stacked());
    expect(stroke?.["path"]).not.toContain("400");
  });

  test("IMG-11 two fingers move the view while a picture is made, and peers still see its frame", async ({
    canvas,
  }) => {
    await canvas.evaluate(() => {
      const { canvas: shown } = window.harness;
      shown.tools.choose("select");
      shown.menu?.announce({ left: 100, top: 100, right: 300, bottom: 200 });
    });
    const touch = await fingers(canvas);
    await touch("touchStart", [1, 300, 200]);
    await touch("touchStart", [1, 300, 200], [2, 400, 300]);
    await touch("touchMove", [1, 250, 150], [2, 450, 350]);
    await touch("touchEnd");
    expect(await view(canvas)).not.toEqual({ x: 0, y: 0, zoom: 1 });
    const { events, lines } = await canvas.evaluate(() => window.harness.live);
    expect({ events, lines: lines.length }).toEqual({ events: [], lines: 1 });
  });

  test("CAN-23 a stroke that the system or another tool ends keeps its ink", async ({ canvas }) => {
    const touch = await fingers(canvas);
    await touch("touchStart", [1, 100, 100]);
    for (let x = 100; x <= 300; x += 20) await touch("touchMove", [1, x, 120]);
    await touch("touchCancel");
    expect((await made(canvas)).types).toEqual(["Path"]);
    await touch("touchStart", [2, 100, 200]);
    for (let x = 100; x <= 300; x += 20) await touch("touchMove", [2, x, 220]);
    await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
    await touch("touchEnd");
    expect((await made(canvas)).types).toEqual(["Path", "Path"]);
  });

  for (const event of ["beforeunload", "pagehide"])
    test(`CAN-23 a page that is left keeps the stroke so far, and draws on when it is shown again: ${event}`, async ({
      canvas,
    }) => {
      await canvas.mouse.move(100, 100);
      await canvas.mouse.down();
      await canvas.mouse.move(300, 120, { steps: 5 });
      await canvas.evaluate((name) => window.dispatchEvent(new Event(name)), event);
      expect((await made(canvas)).types).toEqual(["Path"]);
      // The button is released while another page is shown.
      await moveReleased(canvas, [320, 340]);
      await canvas.mouse.down();
      await canvas.mouse.move(400, 300, { steps: 5 });
      await canvas.mouse.up();
      expect((await made(canvas)).types).toEqual(["Path", "Path"]);
    });

  test("CAN-9 a drag whose release the page has missed ends where it was", async ({ canvas }) => {
    await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
    await canvas.mouse.move(150, 150);
    await canvas.mouse.down();
    await canvas.mouse.move(250, 250, { steps: 3 });
    await moveReleased(canvas, [260, 300]);
    expect(await canvas.evaluate(() => window.harness.board.stacked())).toMatchObject([
      { left: 200, top: 200 },
    ]);
  });
});

test.describe("with a pen and fingers", () => {
  test.use({ hasTouch: true });

  test("CAN-21 while a pen is used, fingers and the palm draw nothing", async ({ canvas }) => {
    await canvas.evaluate(() => {
      const host = document.querySelector("#host") as HTMLElement;
      const send = (type: string, pointerType: string, id: number, x: number): void => {
        host.dispatchEvent(
          new PointerEvent(type, {
            pointerId: id,
            pointerType,
            isPrimary: true,
            button: 0,
            buttons: 1,
            clientX: x,
            clientY: 100,
            bubbles: true,
          }),
        );
      };
      // An event that a script dispatches has no pointer that could be captured.
      host.setPointerCapture = () => undefined;
      send("pointerdown", "touch", 5, 400);
      send("pointerdown", "pen", 6, 100);
      send("pointermove", "pen", 6, 150);
      send("pointermove", "touch", 5, 500);
      send("pointerup", "touch", 5, 500);
      send("pointermove", "pen", 6, 200);
      send("pointerup", "pen", 6, 200);
      send("pointerdown", "touch", 7, 300);
      send("pointermove", "touch", 7, 350);
      send("pointerup", "touch", 7, 350);
    });
    expect(await made(canvas)).toEqual({
      types: ["Path"],
      events: ["start s1 #000000 3", "end s1 null", "start s2 #000000 3", "end s2 aaa0me-0"],
    });
    const [stroke] = await canvas.evaluate(() => window.harness.board.stacked());
    expect(stroke?.["path"]).toBe("M100 100q0 0 25 0t50 0l25 0");
  });
});
