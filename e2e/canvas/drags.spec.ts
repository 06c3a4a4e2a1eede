/** Tests how a drag of this visitor begins and ends, and what is selected meanwhile. */

import { made, objects, setTool, view } from "./harness.ts";
import { drag, expect, settle, test } from "./page.ts";

test("CAN-7 Escape takes a drag back, and the object stays selected", async ({ canvas }) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 180, { steps: 5 });
  await canvas.locator("#host").press("Escape");
  await canvas.mouse.move(350, 280, { steps: 5 });
  await canvas.mouse.up();
  expect(await objects(canvas)).toMatchObject([{ left: 100, top: 100 }]);
  const { actions, calls, drags, selected } = await canvas.evaluate(() => ({
    actions: window.harness.actions,
    calls: window.harness.board.calls,
    drags: window.harness.live.drags,
    selected: window.harness.internals.selected,
  }));
  expect(actions).toEqual(["cancelled"]);
  expect({ calls, drags, selected }).toEqual({ calls: ["add"], drags: [], selected: ["aaa0me-0"] });
});

test("CAN-7 an object that is added and selected during a drag ends it, and stays where it is", async ({
  canvas,
}) => {
  await canvas.evaluate(() => window.harness.canvas.tools.choose("rectangle"));
  await canvas.mouse.move(150, 150);
  await canvas.mouse.down();
  await canvas.mouse.move(250, 180, { steps: 5 });
  await canvas.evaluate(() => window.harness.canvas.tools.choose("circle"));
  await canvas.mouse.move(350, 280, { steps: 5 });
  await canvas.mouse.up();
  expect(await objects(canvas)).toMatchObject([
    { type: "Rect", left: 200, top: 130 },
    { type: "Circle", left: 100, top: 100 },
  ]);
});

test("CAN-91 a drag from the corner of an object that is not selected moves it, and the next one resizes it", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("rectangle");
    window.harness.canvas.tools.choose("select");
    window.harness.canvas.tools.selectNone();
  });
  await drag(canvas, 247, 197, 297, 257);
  expect(await objects(canvas)).toMatchObject([{ left: 150, top: 160 }]);
  expect((await objects(canvas))[0]).not.toHaveProperty("scaleX");
  await settle(canvas);
  await drag(canvas, 300, 260, 375, 310);
  expect(await objects(canvas)).toMatchObject([{ left: 150, top: 160, scaleX: 1.5, scaleY: 1.5 }]);
});

test("CAN-92 a control that is pressed beside its middle moves by what the pointer moves", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("rectangle");
    window.harness.canvas.tools.choose("select");
  });
  await drag(canvas, 254, 196, 329, 246);
  expect(await objects(canvas)).toMatchObject([{ scaleX: 1.5, scaleY: 1.5 }]);
  await drag(canvas, 328, 171, 298, 171);
  expect(await objects(canvas)).toMatchObject([{ scaleX: expect.closeTo(1.3, 5), scaleY: 1.5 }]);
});

test("CAN-7 many dragged objects move with the pointer and with the view", async ({ canvas }) => {
  await canvas.evaluate(() => {
    const { board, canvas: shown } = window.harness;
    const square = { width: 10, height: 10, fill: "#2ecc71", strokeWidth: 0 };
    board.add(
      Array.from({ length: 101 }, (_, index) => ({
        ...{ ...square, type: "Rect", originX: "left", originY: "top" },
        left: 100 + 12 * (index % 15),
        top: 100 + 12 * Math.floor(index / 15),
      })),
    );
    shown.tools.choose("select");
    shown.tools.selectAll();
  });
  await canvas.mouse.move(129, 117);
  await canvas.mouse.down();
  await canvas.mouse.move(149, 117, { steps: 2 });
  const green = (x: number): Promise<boolean> =>
    canvas.evaluate((left) => {
      const dragged = document.querySelector<HTMLCanvasElement>("canvas.lower-canvas");
      const data = dragged?.getContext("2d")?.getImageData(left, 117, 1, 1).data;
      return data?.[1] === 204;
    }, x);
  await expect.poll(() => green(125)).toBe(true);
  await canvas.mouse.wheel(-200, 0);
  await expect.poll(() => view(canvas)).toEqual({ x: 200, y: 0, zoom: 1 });
  await settle(canvas);
  expect([await green(325), await green(525)]).toEqual([true, false]);
  await canvas.mouse.up();
});

test("UI-45 objects that the canvas shows in slices are selected when all of them are there", async ({
  canvas,
}) => {
  const selected = await canvas.evaluate(() => {
    const { board, canvas: shown, internals } = window.harness;
    shown.tools.choose("select");
    shown.tools.selectNone();
    const square = { type: "Rect", width: 10, height: 10 } as const;
    const [first, ...rest] = board.make([square, square, square]);
    const nothing = { added: [], changed: [], removed: [] };
    shown.apply({ ...nothing, added: first ? [first] : [] });
    const counts: number[] = [];
    const note = () => counts.push(internals.selected.length);
    shown.selection?.select(board.stacked().map(({ id }) => id));
    note();
    for (const object of rest) {
      shown.apply({ ...nothing, added: [object] });
      note();
    }
    return counts;
  });
  expect(selected).toEqual([1, 1, 3]);
});

test("UI-45 objects of a board that is being loaded are selected when all of them are there", async ({
  canvas,
}) => {
  const selected = await canvas.evaluate(async () => {
    const { board, canvas: shown, internals } = window.harness;
    shown.tools.choose("select");
    const objects = board.make(Array(3_000).fill({ type: "Rect", width: 10, height: 10 }));
    const loaded = shown.load(objects, "white");
    shown.selection?.select(objects.map(({ id }) => id));
    const before = internals.selected.length;
    await loaded;
    return [before < 3_000, internals.selected.length];
  });
  expect(selected).toEqual([true, 3_000]);
});

test("CAN-9 a drag or a rubber band that is released beside the canvas ends there, and the next press counts", async ({
  canvas,
}) => {
  await canvas.evaluate(() => {
    window.harness.canvas.tools.choose("rectangle");
    window.harness.canvas.tools.choose("select");
  });
  // The canvas is 800 px wide.
  await drag(canvas, 150, 150, 900, 150);
  expect(await objects(canvas)).toMatchObject([{ left: 850, top: 100 }]);
  await drag(canvas, 700, 400, 900, 130);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual(["aaa0me-0"]);
  await drag(canvas, 300, 300, 320, 320);
  expect(await canvas.evaluate(() => window.harness.internals.selected)).toEqual([]);
  await drag(canvas, 300, 300, 900, 300);
  await setTool(canvas, "draw");
  await drag(canvas, 100, 100, 200, 100);
  expect((await made(canvas)).types).toEqual(["Rect", "Path"]);
});

test("CAN-7 a dropped text is where it was dropped in each frame, also before the base canvas paints it", async ({
  canvas,
}) => {
  const text = { type: "IText", text: "MMMM", fontSize: 40, fontFamily: "Arial", fill: "#ff0000" };
  await canvas.evaluate((props) => {
    const { board, canvas: shown } = window.harness;
    board.add([{ ...props, left: 100, top: 100, originX: "left", originY: "top" } as never]);
    shown.tools.choose("select");
  }, text);
  await settle(canvas);
  await canvas.mouse.move(130, 125);
  await canvas.mouse.down();
  await canvas.mouse.move(330, 125, { steps: 4 });
  // While the view zooms the base canvas shows a copy of what it showed before.
  const shown = await canvas.evaluateHandle(() => {
    const found = { frames: 0, dropped: 0, left: Infinity, right: 0 };
    const look = (): void => {
      const { board, internals } = window.harness;
      internals.setView({ x: 0, y: 0, zoom: 1 + (found.frames % 2) / 1_000 });
      const layer = document.querySelector<HTMLCanvasElement>("canvas.lower-canvas")!;
      const { data, width } = window.instruments.pixelsOf(layer);
      for (let at = 0; at < data.length; at += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(at, at + 4);
        if (red < 200 || green > 60 || blue > 60 || alpha < 200) continue;
        const x = (at / 4) % width;
        found.left = Math.min(found.left, x);
        found.right = Math.max(found.right, x);
      }
      found.frames++;
      if (board.calls.includes("change")) found.dropped++;
      if (found.dropped < 5) requestAnimationFrame(look);
    };
    look();
    return found;
  });
  await canvas.mouse.up();
  await expect.poll(() => shown.evaluate(({ dropped }) => dropped)).toBe(5);
  const { left, right } = await shown.jsonValue();
  expect([left > 295, right < 450]).toEqual([true, true]);
});
