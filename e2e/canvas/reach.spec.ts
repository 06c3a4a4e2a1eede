/** Tests the edges of a board: a full one, a stroke without an end, objects that nobody sees. */

import type { NewObject } from "../../board/drawing.ts";
import { drag, expect, settle, test } from "./page.ts";
import type { Page } from "@playwright/test";

const selected = (page: Page) => page.evaluate(() => window.harness.internals.selected);

const inked = (page: Page) =>
  page.evaluate(() =>
    window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
  );

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
  test("100,000 points become several objects without a gap, one undo each, and so does the live ink", async ({
    canvas,
  }) => {
    test.slow();
    await drawSpiral(canvas, 100_000);
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
    expect(strokes.reduce((sum, { count }) => sum + count, 0) - repeated).toBe(100_000);
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

  test("when the board becomes full on the way, what was drawn so far stays", async ({
    canvas,
  }) => {
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

const CORNER = { originX: "left", originY: "top", strokeWidth: 0 } as const;
const SQUARE = { type: "Rect", ...CORNER, width: 50, height: 50 } as const;

/** Objects that a visitor cannot see or cannot select with the mouse, by description. */
const UNSEEN: Readonly<Record<string, NewObject>> = {
  hidden: { ...SQUARE, left: 100, top: 100, visible: false },
  transparent: { ...SQUARE, left: 100, top: 100, opacity: 0 },
  colourless: { ...SQUARE, left: 100, top: 100, fill: null },
  "far away": { ...SQUARE, left: -9e6, top: 9e6 },
  covered: { ...SQUARE, left: 300, top: 300 },
  covering: { ...SQUARE, left: 250, top: 250, width: 200, height: 200 },
  "without a size": { ...SQUARE, left: 10, top: 10, width: 0, height: 0 },
  "scaled to nothing": { ...SQUARE, left: 10, top: 10, scaleX: 0, scaleY: 0 },
  "an empty text": { type: "IText", ...CORNER, left: 10, top: 10, text: "" },
  "an empty group": { type: "Group", ...CORNER, left: 10, top: 10, objects: [] },
  "a path without a finite box": {
    type: "Path",
    ...CORNER,
    left: 10,
    top: 10,
    path: "M1e308 0L-1e308 0L1e308 1e308L-1e308 -1e308",
  },
  "what Fabric cannot make": {
    type: "Polygon",
    ...CORNER,
    left: 10,
    top: 10,
    points: 7 as never,
  },
  "what Fabric cannot paint": {
    ...SQUARE,
    left: 10,
    top: 10,
    fill: {
      type: "linear",
      coords: { x1: 0, y1: 0, x2: 50, y2: 0 },
      colorStops: [{ offset: 0, color: "nocolour" }],
    },
  },
  "a red stroke that claims to be the eraser's": {
    type: "Path",
    ...CORNER,
    left: 10,
    top: 400,
    path: "M0 0L50 0",
    fill: null,
    stroke: "#ff0000",
    strokeWidth: 500,
    eraser: true,
  },
};

/** Adds an object and waits until Fabric has made it, if it can. */
async function add(page: Page, ...objects: readonly NewObject[]): Promise<void> {
  await page.evaluate((list) => window.harness.board.add(list as never), objects as unknown[]);
  await page.evaluate(() => window.harness.internals.complete());
}

test.describe("UI-14 everything on the board can be reached", () => {
  for (const [what, object] of Object.entries(UNSEEN))
    test(`select all takes ${what}; it can be nudged, left alone and deleted`, async ({
      canvas,
    }) => {
      await add(canvas, object);
      await canvas.evaluate(() => {
        window.harness.canvas.tools.choose("select");
        window.harness.canvas.tools.selectAll();
      });
      expect(await selected(canvas)).toEqual(["aaa0me-0"]);
      const { left, top } = await canvas.evaluate(() => {
        window.harness.canvas.selection?.nudge(3, -4);
        return window.harness.board.stacked()[0] as { left: number; top: number };
      });
      expect([left, top]).toEqual([(object["left"] as number) + 3, (object["top"] as number) - 4]);
      expect(await selected(canvas)).toEqual(["aaa0me-0"]);
      await settle(canvas);
      const after = await canvas.evaluate(() => {
        const { canvas: shown, board, internals, selections } = window.harness;
        shown.tools.selectNone();
        const none = [internals.selected.length, shown.selection?.remove()];
        shown.tools.selectAll();
        return { none, removed: shown.selection?.remove(), left: board.objects.size, selections };
      });
      expect(after).toEqual({ none: [0, 0], removed: 1, left: 0, selections: [1, 0, 1, 0] });
      // The objects that could not be shown have broken nothing.
      await canvas.evaluate(() => window.harness.canvas.tools.choose("draw"));
      await drag(canvas, 100, 100, 300, 300);
      await settle(canvas);
      expect(await inked(canvas)).toBeGreaterThan(300);
    });

  test("what nobody sees is hit neither by a press nor by a rubber band, and the brackets skip it", async ({
    canvas,
  }) => {
    const { hidden, transparent } = UNSEEN as Record<string, NewObject>;
    await add(
      canvas,
      hidden as NewObject,
      transparent as NewObject,
      UNSEEN["what Fabric cannot make"] as NewObject,
    );
    await canvas.evaluate(() => {
      window.harness.canvas.tools.choose("select");
      document.querySelector<HTMLElement>("#host")?.focus();
    });
    await canvas.mouse.click(120, 120);
    await canvas.mouse.click(10, 10);
    await drag(canvas, 5, 5, 300, 300);
    await canvas.keyboard.press("]");
    expect(await selected(canvas)).toEqual([]);
    expect(await canvas.evaluate(() => window.harness.selections)).toEqual([]);
  });

  test("everything is dragged together, what cannot be shown included", async ({ canvas }) => {
    await add(canvas, { ...SQUARE, left: 300, top: 300 }, ...Object.values(UNSEEN).slice(8));
    await canvas.evaluate(() => {
      window.harness.canvas.tools.choose("select");
      window.harness.canvas.tools.selectAll();
    });
    await drag(canvas, 325, 325, 345, 365);
    const moved = await canvas.evaluate(() => window.harness.board.stacked());
    expect(moved[0]).toMatchObject({ left: 320, top: 340 });
    for (const { left, top } of moved)
      expect(Number.isFinite(left) && Number.isFinite(top)).toBe(true);
    expect(await canvas.evaluate(() => window.harness.canvas.selection?.remove())).toBe(7);
  });

  test("deleting everything deletes the eraser's strokes as well, in one change", async ({
    canvas,
  }) => {
    await drag(canvas, 100, 100, 300, 100);
    await canvas.evaluate(() => window.harness.canvas.tools.choose("eraser"));
    await drag(canvas, 200, 50, 200, 150);
    await canvas.evaluate(() => window.harness.canvas.tools.choose("draw"));
    await drag(canvas, 400, 100, 500, 100);
    await canvas.evaluate(() => window.harness.canvas.tools.choose("select"));
    // Only one of the two strokes is removed: the eraser's stays.
    await canvas.mouse.click(450, 100);
    expect(await canvas.evaluate(() => window.harness.canvas.selection?.remove())).toBe(1);
    expect(await canvas.evaluate(() => window.harness.board.objects.size)).toBe(2);
    await canvas.evaluate(() => window.harness.canvas.tools.selectAll());
    expect(await selected(canvas)).toEqual(["aaa0me-0"]);
    expect(await canvas.evaluate(() => window.harness.canvas.selection?.remove())).toBe(2);
    expect(await canvas.evaluate(() => window.harness.board.objects.size)).toBe(0);
    expect(await canvas.evaluate(() => window.harness.board.calls)).toEqual([
      "add",
      "add",
      "add",
      "remove",
      "remove",
    ]);
  });

  test("strokes of the eraser alone are deleted after select all, and not without it", async ({
    canvas,
  }) => {
    await canvas.evaluate(() => window.harness.canvas.tools.choose("eraser"));
    await drag(canvas, 200, 50, 200, 150);
    const remove = (command: "selectAll" | "selectNone") =>
      canvas.evaluate((name) => {
        window.harness.canvas.tools.choose("select");
        window.harness.canvas.tools[name]();
        return window.harness.canvas.selection?.remove();
      }, command);
    expect(await remove("selectNone")).toBe(0);
    expect(await remove("selectAll")).toBe(1);
    expect(await canvas.evaluate(() => window.harness.board.objects.size)).toBe(0);
  });
});
