/** Tests the ends of lines and arrows. */

import { parsePath } from "../../board/path.ts";
import type { Page } from "@playwright/test";
import { drag, expect, settle, test } from "./page.ts";

/** Returns the coordinates of the only object's path, which nobody has scaled or rotated, and the calls of the editor. */
async function drawn(page: Page) {
  const { calls, object } = await page.evaluate(() => ({
    calls: window.harness.board.calls,
    object: window.harness.board.stacked()[0],
  }));
  const { commands, coords } = parsePath(object?.["path"] as string) ?? {
    commands: "",
    coords: [],
  };
  return { calls, commands, ends: [...coords].slice(0, 4).map(Math.round) };
}

async function choose(page: Page, tool: "line" | "arrow" | "select"): Promise<void> {
  await page.evaluate((name) => window.harness.canvas.tools.choose(name), tool);
}

test("PNT-60 both ends of an arrow are dragged, with Shift in steps of 15 degrees, as one change each", async ({
  canvas,
}) => {
  await choose(canvas, "arrow");
  await drag(canvas, 100, 100, 300, 100);
  await choose(canvas, "select");
  await canvas.mouse.click(200, 100);
  await settle(canvas);
  await drag(canvas, 300, 100, 350, 150, 300, 300);
  expect(await drawn(canvas)).toEqual({
    calls: ["add", "change"],
    commands: "MLLLL",
    ends: [100, 100, 300, 300],
  });
  await settle(canvas);
  await canvas.keyboard.down("Shift");
  await canvas.mouse.move(100, 100);
  await canvas.mouse.down();
  await canvas.mouse.move(200, 110, { steps: 2 });
  await canvas.mouse.move(500, 290, { steps: 4 });
  await canvas.mouse.up();
  await canvas.keyboard.up("Shift");
  expect((await drawn(canvas)).ends).toEqual([500, 300, 300, 300]);
  await settle(canvas);
  const before = await canvas.evaluate(() => window.harness.internals.base.toDataURL());
  await canvas.evaluate(() => window.harness.internals.repaintAll());
  await settle(canvas);
  const { wrong } = await canvas.evaluate(
    async (url) =>
      window.instruments.compare(
        await window.instruments.pictureOf(url),
        window.instruments.pixelsOf(window.harness.internals.base),
        24,
      ),
    before,
  );
  expect(wrong).toBeLessThanOrEqual(4);
});

test("PNT-60 an end is dragged away while its line stays selected, and Escape puts it back", async ({
  canvas,
}) => {
  await choose(canvas, "line");
  await drag(canvas, 100, 100, 300, 100);
  await choose(canvas, "select");
  await canvas.mouse.click(200, 100);
  await settle(canvas);
  await canvas.locator("#host").focus();
  await canvas.mouse.move(300, 100);
  await canvas.mouse.down();
  await canvas.mouse.move(320, 200, { steps: 3 });
  // A browser withholds moves until its next frame, and a key would overtake them.
  await expect
    .poll(() => canvas.evaluate(() => window.harness.live.lines.at(-1)?.points.slice(-2)))
    .toEqual([320, 200]);
  await canvas.keyboard.press("Escape");
  await canvas.mouse.up();
  await settle(canvas);
  expect((await drawn(canvas)).calls).toEqual(["add"]);
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.ids)).toEqual(["aaa0me-0"]);
});

test("UI-150 Enter takes an end in hand and then the other, moves go to it, and Escape lets go of it alone", async ({
  canvas,
}) => {
  const nudge = (dx: number, dy: number) =>
    canvas.evaluate(([x, y]) => window.harness.canvas.selection?.nudge(x, y), [dx, dy] as const);
  await choose(canvas, "line");
  await drag(canvas, 100, 100, 300, 100);
  await choose(canvas, "select");
  await canvas.locator("#host").focus();
  await canvas.keyboard.press("]");
  await canvas.keyboard.press("Enter");
  await nudge(0, 10);
  expect((await drawn(canvas)).ends).toEqual([100, 100, 300, 110]);
  await canvas.keyboard.press("Enter");
  await nudge(-1, 0);
  expect((await drawn(canvas)).ends).toEqual([99, 100, 300, 110]);
  await canvas.keyboard.press("Escape");
  await nudge(5, 0);
  const { left, top } = await canvas.evaluate(() => window.harness.board.stacked()[0]!);
  expect([left, top]).toEqual([102.5, 98.5]);
  expect(await canvas.evaluate(() => window.harness.canvas.selection?.ids)).toEqual(["aaa0me-0"]);
  expect(await canvas.evaluate(() => window.harness.held)).toEqual([1, 1, 0, 0, null]);
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true });

  test("PNT-60 a finger drags an end of a short line 20 px beside it", async ({ canvas }) => {
    await choose(canvas, "line");
    await drag(canvas, 300, 200, 330, 200);
    await choose(canvas, "select");
    await canvas.mouse.click(315, 200);
    await settle(canvas);
    const session = await canvas.context().newCDPSession(canvas);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: [number, number][]) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([x, y]) => ({ id: 1, x, y })),
      });
    await touch("touchStart", [350, 215]);
    for (let y = 215; y <= 315; y += 10) await touch("touchMove", [350, y]);
    await touch("touchEnd");
    expect((await drawn(canvas)).ends).toEqual([300, 200, 330, 300]);
  });
});

test("CAN-87 a line and an arrow that are pressed before their code has arrived are one all the same", async ({
  page,
  open,
}) => {
  let release = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (release = resolve));
  await page.route(/interaction.*\.js/, async (route) => {
    await arrived;
    await route.continue();
  });
  await open(page);
  await choose(page, "line");
  await drag(page, 100, 100, 200, 300, 300, 100);
  await choose(page, "arrow");
  await drag(page, 100, 200, 200, 300, 300, 200);
  const paths = () =>
    page.evaluate(() => window.harness.board.stacked().map((object) => object["path"]));
  expect(await paths()).toEqual(["M100 100l200 0", "M100 200l200 0"]);
  release();
  await page.evaluate(() => window.harness.internals.complete());
  await expect.poll(async () => parsePath((await paths())[1] as string)?.commands).toBe("MLLLL");
  expect((await paths())[0]).toBe("M100 100l200 0");
});

/** Returns red, green and blue of a pixel of the canvas as it is seen, with all of its layers. */
async function colorAt(canvas: Page, x: number, y: number): Promise<string> {
  const box = (await canvas.locator("#host").boundingBox())!;
  const clip = { x: x + box.x, y: y + box.y, width: 1, height: 1 };
  const shot = await canvas.screenshot({ clip });
  return canvas.evaluate(
    async (url) => {
      const { data } = await window.instruments.pictureOf(url);
      return data.slice(0, 3).join(",");
    },
    `data:image/png;base64,${shot.toString("base64")}`,
  );
}

test("PNT-62 a line whose end a peer moves is shown where the peer has it; no other object is hidden so", async ({
  canvas,
}) => {
  const base = () =>
    canvas.evaluate(() =>
      window.instruments.inked(window.instruments.pixelsOf(window.harness.internals.base)),
    );
  const show = async (of?: string) => {
    await canvas.evaluate((id) => {
      const line = { color: "#ff0000", width: 6, points: [100, 300, 300, 300], of: id as never };
      const peer = { clientId: "bbb", pointer: null, ink: [], drags: [] };
      window.harness.canvas.showPeers(id === undefined ? [] : [{ ...peer, line }]);
    }, of);
    await settle(canvas);
  };
  /** True when the middle of the peer's line is red. */
  const isRed = async () => (await colorAt(canvas, 200, 300)).startsWith("255,0,");
  await choose(canvas, "line");
  await drag(canvas, 100, 100, 300, 100);
  await settle(canvas);
  const before = await base();
  expect(before).toBeGreaterThan(300);
  await show("aaa0me-0");
  expect([await base(), await isRed()]).toEqual([0, true]);
  await show();
  expect([await base(), await isRed()]).toEqual([before, false]);
  await canvas.evaluate(() => {
    const [line] = window.harness.board.stacked();
    window.harness.board.remove([line!.id]);
    window.harness.board.add([{ type: "Rect", left: 50, top: 50, width: 90, height: 90 } as never]);
  });
  await settle(canvas);
  const rectangle = await base();
  await show("aaa0me-1");
  expect([await base(), await isRed()]).toEqual([rectangle, false]);
});

test("PNT-62 the outline of a line that a peer has selected surrounds it while the peer moves its end", async ({
  canvas,
}) => {
  const show = async (of: string | null) => {
    await canvas.evaluate((id) => {
      const line = { color: "#ff0000", width: 6, points: [100, 300, 300, 300], of: id as never };
      const peer = {
        clientId: "bbb",
        color: "#0000ff",
        name: "B",
        pointer: null,
        ink: [],
        drags: [],
      };
      const selected = ["aaa0me-0" as never];
      window.harness.canvas.showPeers([{ ...peer, selected, ...(id && { line }) }]);
    }, of);
    await settle(canvas);
  };
  const isInked = async (y: number) => (await colorAt(canvas, 200, y)) !== "255,255,255";
  /** Whether the upper side of the outline is where the line was, and where the peer has it. */
  const outlines = async () => [await isInked(98), await isInked(296)];
  await choose(canvas, "line");
  await drag(canvas, 100, 100, 300, 100);
  await settle(canvas);
  await show(null);
  expect(await outlines()).toEqual([true, false]);
  await show("aaa0me-0");
  expect(await outlines()).toEqual([false, true]);
  await show(null);
  expect(await outlines()).toEqual([true, false]);
});
