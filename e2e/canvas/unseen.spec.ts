/** Objects that nobody sees are reached as well. */

import type { NewObject } from "../../board/drawing.ts";
import { inSteps } from "../in-steps.ts";
import { drag, expect, settle, test } from "./page.ts";
import type { Page } from "@playwright/test";
import { inked } from "./harness.ts";

const selected = (page: Page) => page.evaluate(() => window.harness.internals.selected);

const CORNER = { originX: "left", originY: "top", strokeWidth: 0 } as const;

const SQUARE = { type: "Rect", ...CORNER, width: 50, height: 50 } as const;

/** Objects that a visitor cannot see or cannot take with the mouse, by what they are. */
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
  "an object that Fabric cannot make": {
    type: "Polygon",
    ...CORNER,
    left: 10,
    top: 10,
    points: 7 as never,
  },
  "an object that Fabric cannot paint": {
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

/** Adds an object and waits until Fabric has made it, as far as it can. */
async function add(page: Page, ...objects: readonly NewObject[]): Promise<void> {
  await page.evaluate((list) => window.harness.board.add(list as never), objects as unknown[]);
  await page.evaluate(() => window.harness.internals.complete());
}

test.describe("UI-14 everything on the board can be reached", () => {
  test("select all takes whatever is on it; that can be nudged, left alone and deleted", async ({
    canvas,
  }) => {
    const check = async (object: NewObject): Promise<void> => {
      await canvas.evaluate(async () => {
        await window.harness.canvas.dispose();
        window.harness = window.openHarness(800, 500);
        await window.harness.internals.complete();
      });
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
      // What could not be shown has broken nothing.
      await canvas.evaluate(() => window.harness.canvas.tools.choose("draw"));
      await drag(canvas, 100, 100, 300, 300);
      await settle(canvas);
      expect(await inked(canvas)).toBeGreaterThan(300);
    };
    await inSteps(
      Object.fromEntries(Object.entries(UNSEEN).map(([what, one]) => [what, () => check(one)])),
    );
  });

  test("an invisible object is hit neither by a press nor by a rubber band, and the brackets skip it", async ({
    canvas,
  }) => {
    const { hidden, transparent } = UNSEEN as Record<string, NewObject>;
    await add(
      canvas,
      hidden as NewObject,
      transparent as NewObject,
      UNSEEN["an object that Fabric cannot make"] as NewObject,
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

  test("everything is dragged together, objects that cannot be shown included", async ({
    canvas,
  }) => {
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
    // One of two strokes: the eraser's stays.
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

test("UI-140 a part of a marked object that is erased disappears at once, and returns with an undo", async ({
  canvas,
}) => {
  /** Whether the marks are painted at a point of the square. */
  const isPainted = (x: number, y: number) =>
    canvas.evaluate(
      ([left, top]) => {
        const marks = document.querySelector<HTMLCanvasElement>("[data-marked]")!;
        const { data, width } = window.instruments.pixelsOf(marks);
        return (data[(top * width + left) * 4 + 3] ?? 0) > 0;
      },
      [x, y] as const,
    );
  await canvas.evaluate(
    (square) => {
      const { board, canvas: shown } = window.harness;
      const [{ id } = { id: "" as never }] = board.add([square]);
      shown.view.mark([id]);
      shown.tools.choose("eraser");
    },
    { ...SQUARE, left: 100, top: 100, width: 200, height: 100, fill: "#ff0000" },
  );
  await expect.poll(() => isPainted(200, 150)).toBe(true);
  await drag(canvas, 150, 150, 250, 150);
  await expect.poll(() => isPainted(200, 150)).toBe(false);
  await expect.poll(() => isPainted(200, 180)).toBe(true);
  await canvas.evaluate(() => {
    const { board } = window.harness;
    board.removeByPeer([board.stacked().at(-1)!.id]);
  });
  await expect.poll(() => isPainted(200, 150)).toBe(true);
});
