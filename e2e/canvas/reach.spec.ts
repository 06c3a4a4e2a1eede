/** Tests the edges of a board: a full one, a stroke without an end, objects that nobody sees. */

import { drag, expect, settle, test } from "./page.ts";
import type { Page } from "@playwright/test";
import { inked } from "./harness.ts";

test.describe("CAN-1 on a full board nothing is begun", () => {
  test("no ink, no live message, no shape and no sticker; the visitor is shown why each time", async ({
    canvas,
  }) => {
    await drag(canvas, 100, 100, 300, 200);
    const before = await inked(canvas);
    await canvas.evaluate(() => {
      window.harness.board.capacity = 1;
    });
    await canvas.mouse.move(400, 100);
    await canvas.mouse.down();
    await canvas.mouse.move(500, 300, { steps: 5 });
    expect(await inked(canvas)).toBe(before);
    await canvas.mouse.up();
    await canvas.evaluate(() => {
      const { harness } = window;
      harness.canvas.tools.choose("rectangle");
      harness.canvas.tools.addSticker("🎉");
      harness.canvas.tools.choose("draw");
      document.querySelector<HTMLElement>("#host")?.focus();
    });
    await canvas.keyboard.press("Space");
    await canvas.keyboard.press("ArrowRight");
    await canvas.keyboard.press("Space");
    await settle(canvas);
    expect(await inked(canvas)).toBe(before);
    const after = await canvas.evaluate(() => {
      const { board, live, selections } = window.harness;
      return { calls: board.calls, events: live.events, refusals: board.refusals, selections };
    });
    expect(after).toEqual({
      calls: ["add"],
      events: ["start s1 #000000 3", "end s1 aaa0me-0"],
      // These are the stroke, the rectangle, the sticker, and Space twice.
      refusals: 5,
      selections: [],
    });
  });

  test("a board that becomes full during a stroke ends the stroke and breaks nothing", async ({
    canvas,
  }) => {
    await canvas.mouse.move(100, 100);
    await canvas.mouse.down();
    await canvas.mouse.move(200, 200, { steps: 5 });
    await canvas.evaluate(() => {
      window.harness.board.capacity = 0;
    });
    await canvas.mouse.move(300, 100, { steps: 5 });
    await canvas.mouse.up();
    await settle(canvas);
    expect(await inked(canvas)).toBe(0);
    await canvas.evaluate(() => {
      window.harness.board.capacity = Infinity;
    });
    await drag(canvas, 100, 100, 300, 200);
    expect(await canvas.evaluate(() => window.harness.live.events)).toEqual([
      "start s1 #000000 3",
      "end s1 null",
      "start s2 #000000 3",
      "end s2 aaa0me-0",
    ]);
  });
});

/** Draws a spiral of `count` points within one press of the mouse, faster than any person could. */
function drawSpiral(page: Page, count: number): Promise<void> {
  return page.evaluate((points) => {
    const host = document.querySelector("#host") as HTMLElement;
    // An event that a script dispatches has no pointer that could be captured.
    host.setPointerCapture = () => undefined;
    const at = (i: number): { readonly clientX: number; readonly clientY: number } => {
      const radius = 20 + (220 * i) / points;
      return { clientX: 400 + radius * Math.cos(i / 40), clientY: 250 + radius * Math.sin(i / 40) };
    };
    const common = { pointerId: 7, pointerType: "mouse", isPrimary: true, bubbles: true } as const;
    const send = (type: string, i: number, coalescedEvents: PointerEvent[] = []): void => {
      const where = { ...common, ...at(i), button: 0, buttons: 1 };
      host.dispatchEvent(new PointerEvent(type, { ...where, coalescedEvents }));
    };
    send("pointerdown", 0);
    for (let i = 1; i < points; i += 500) {
      const more = Array.from({ length: Math.min(500, points - i) }, (_, k) => {
        return new PointerEvent("pointermove", { ...common, ...at(i + k) });
      });
      send("pointermove", i, more);
    }
    send("pointerup", points - 1);
  }, count);
}

test.describe("CAN-1 a stroke of any length is kept", () => {
  test("50,000 points become several objects without a gap, one undo each, and so does the live ink", async ({
    canvas,
  }) => {
    test.slow();
    await drawSpiral(canvas, 50_000);
    await settle(canvas);
    const drawn = await canvas.evaluate(() => {
      const { board, live } = window.harness;
      const strokes = Object.entries(live.ink).map(([name, points]) => ({
        name,
        count: points.length / 2,
        first: points.slice(0, 2),
        last: points.slice(-2),
      }));
      const objects = board.stacked().map(({ id, path }) => ({ id, path: path as string }));
      return { strokes, objects, calls: board.calls, events: live.events };
    });
    const { strokes, objects } = drawn;
    // Each stroke begins with the point at which the one before it ended.
    const repeated = strokes.length - 1;
    expect(strokes.reduce((sum, { count }) => sum + count, 0) - repeated).toBe(50_000);
    for (const [index, { first }] of strokes.entries())
      if (index > 0) expect(first).toEqual(strokes[index - 1]?.last);
    expect(strokes.length).toBeGreaterThan(4);
    expect(drawn.calls).toEqual(strokes.map(() => "add"));
    expect(drawn.events).toEqual(
      strokes.flatMap(({ name }, index) => [
        `start ${name} #000000 3`,
        `end ${name} ${objects[index]?.id}`,
      ]),
    );
    expect(objects).toHaveLength(strokes.length);
    for (const { path } of objects) expect(path.length).toBeLessThan(500_000);
  });

  test("the picture has no gap where one object ends and the next begins", async ({ canvas }) => {
    await drawSpiral(canvas, 12_000);
    await settle(canvas);
    const around = await canvas.evaluate(() => {
      const { board, live, internals } = window.harness;
      const [x, y] = (live.ink["s1"] ?? []).slice(-2) as [number, number];
      const { data, width } = window.instruments.pixelsOf(internals.base);
      const dark = data[4 * (Math.round(y) * width + Math.round(x))] as number;
      return { objects: board.objects.size, dark };
    });
    expect(around.objects).toBe(2);
    expect(around.dark).toBeLessThan(64);
  });

  test("when the board becomes full on the way, the strokes so far stay", async ({ canvas }) => {
    await canvas.evaluate(() => {
      window.harness.board.capacity = 2;
    });
    await drawSpiral(canvas, 40_000);
    await settle(canvas);
    const after = await canvas.evaluate(() => {
      const { board, live } = window.harness;
      return { objects: board.objects.size, refusals: board.refusals, events: live.events };
    });
    expect(after).toEqual({
      objects: 2,
      refusals: 1,
      events: ["start s1 #000000 3", "end s1 aaa0me-0", "start s2 #000000 3", "end s2 aaa0me-1"],
    });
  });
});
