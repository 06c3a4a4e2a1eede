import { LIMITS, TEXTS } from "../board/constants.ts";
import type { Drawing } from "../board/drawing.ts";
import { EVENTS } from "../board/messages.ts";
import { countDifferences, type Picture } from "../testing/pictures/png.ts";
import { expect, test } from "./fixtures.ts";
import { openAttacker } from "./hostile/attacker.ts";
import { partialDrawing } from "./hostile/lines.ts";
import { knowEachOther, switchTabs, type Person } from "./person.ts";
import { savedObjects } from "./ui/controls.ts";

const CLEARED_BY_OTHER = /^(?:Someone|[A-Z][a-z]+ [A-Z][a-z]+) cleared the board/;

/** Largest difference, of 255 for a channel, at the edge of a line that is painted whole instead of bit by bit. */
const ANTI_ALIASING = 64;

/** Returns the pixels that a person sees in a column of the canvas, from the top to above the dock. */
async function column(person: Person, from: number, width: number): Promise<Picture> {
  return person.shotOf([from, 0], [width, 600]);
}

/** Whether ink is visible to a person at a point, their own or a peer's, finished or not. */
async function inkShows(person: Person, [x, y]: readonly [number, number]): Promise<boolean> {
  const around = await person.shotOf([x - 2, y - 2], [5, 5]);
  return around.rgba.some((byte) => byte < 200);
}

/** Returns whether a person sees anything on the canvas that was not there at this call. */
async function watchCanvas(person: Person): Promise<() => Promise<boolean>> {
  await person.leaveCanvas();
  const before = await column(person, 0, 700);
  return async () => countDifferences(await column(person, 0, 700), before) > 0;
}

/** Opens two pages, each of which knows that the other one is there. */
async function meet(visit: () => Promise<Person>): Promise<readonly [Person, Person]> {
  const people = [await visit(), await visit()] as const;
  await knowEachOther(...people);
  return people;
}

/** Returns a line that a peer draws, each lower than the one before. */
const lineOfPeer = (row: number): object => ({
  ...{ type: "Path", id: `peer-${row}`, z: row, originX: "left", originY: "top", fill: null },
  ...{ left: 798.5, top: 48.5 + row * 30, stroke: "#000000", strokeWidth: 3, path: "M0 0L200 0" },
});

test("CAN-14 a stroke and a drag in progress stay as they are across ten remote updates", async ({
  product,
  visit,
}) => {
  const peer = await openAttacker(product);
  const drawing = await visit();
  const dragging = await visit();
  await dragging.color("Red");
  await dragging.tool("Rectangle");
  await dragging.tool("Select");
  await expect.poll(() => drawing.colorAt([150, 150])).toBe("#ff0000");
  await dragging.press([150, 150]);
  await dragging.move([450, 250], 8);
  await drawing.press([50, 300]);
  await drawing.move([250, 400], 8);
  // Each page shows the present pointers of its peers.
  for (const [person, x, y] of [
    [drawing, 450, 250],
    [dragging, 250, 400],
  ] as const)
    await expect
      .poll(() => person.page.locator("[data-peer]").last().boundingBox())
      .toMatchObject({ x, y: y + LIMITS.headerHeight });
  // The peer sees the object where it is being dragged.
  await expect.poll(() => drawing.pixel([410, 230])).toEqual([255, 0, 0]);
  await expect.poll(() => drawing.pixel([110, 120])).toEqual([255, 255, 255]);
  const strokeBefore = await column(drawing, 0, 300);
  const dragBefore = await column(dragging, 350, 250);

  for (let row = 0; row < 10; row++) {
    const json = partialDrawing([lineOfPeer(row)]);
    await peer.send(EVENTS.update, { json, clientId: "peer00000000" });
    for (const person of [drawing, dragging])
      await expect.poll(() => person.colorAt([900, 50 + row * 30])).toBe("#000000");
    expect(countDifferences(await column(drawing, 0, 300), strokeBefore, ANTI_ALIASING)).toBe(0);
    expect(countDifferences(await column(dragging, 350, 250), dragBefore, ANTI_ALIASING)).toBe(0);
  }

  await drawing.move([250, 500], 8);
  await drawing.release();
  await dragging.move([500, 300], 4);
  await dragging.release();
  for (const person of [drawing, dragging]) {
    await expect.poll(() => person.colorAt([150, 350])).toBe("#000000");
    await expect.poll(() => person.colorAt([250, 450])).toBe("#000000");
    await expect.poll(() => person.colorAt([500, 300])).toBe("#ff0000");
    await expect.poll(() => person.colorAt([150, 150])).toBe("#ffffff");
  }
  // The peer gets both: the stroke from its first point to the last, and the object where it was released.
  const received = () =>
    peer.received.flatMap(({ json }) => (json as Drawing | undefined)?.objects ?? []);
  await expect.poll(received).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: "Path",
        path: expect.stringMatching(/^M50 300q.+l0 6\.2$/),
      }),
      expect.objectContaining({ type: "Rect", left: 450, top: 250 }),
    ]),
  );
  await peer.leave();
});

test("SYN-20 Clear empties the canvas for every visitor, saves that and says so, and leaves the stroke that a peer is drawing; a removed stroke does not return, except by Restore", async ({
  product,
  visit,
}) => {
  const a = await visit();
  const b = await visit();
  await a.stroke([200, 200], [400, 200]);
  await expect.poll(() => b.colorAt([300, 200])).toBe("#000000");
  await switchTabs(a);
  await expect(a.saving).toHaveText("Saved");
  await b.clear();
  await expect(b.toast(TEXTS.cleared)).toBeVisible();
  expect(await b.colorAt([300, 200])).toBe("#ffffff");
  await expect.poll(() => a.colorAt([300, 200])).toBe("#ffffff");
  await switchTabs(b);
  await expect
    .poll(async () => (await product.row())?.canvas_json)
    .toMatchObject({ objects: [], background: "white" });

  await a.stroke([200, 100], [400, 100]);
  await expect.poll(() => b.colorAt([300, 100])).toBe("#000000");
  await b.press([200, 300]);
  await b.move([300, 300], 6);
  await a.clear();
  await expect(b.toast(CLEARED_BY_OTHER)).toBeVisible();
  await expect.poll(() => b.colorAt([300, 100])).toBe("#ffffff");
  await b.move([400, 300], 6);
  await b.release();
  for (const person of [a, b]) await expect.poll(() => person.colorAt([300, 300])).toBe("#000000");
  for (const person of [a, b]) await expect(person.saving).toHaveText("Saved");
  for (const person of [a, b]) expect(await person.colorAt([300, 100])).toBe("#ffffff");
  expect((await product.row())?.canvas_json.objects).toHaveLength(1);

  await b.toast(CLEARED_BY_OTHER).getByRole("button", { name: "Restore" }).click();
  for (const person of [a, b]) {
    await expect.poll(() => person.colorAt([300, 100])).toBe("#000000");
    await expect.poll(() => person.colorAt([300, 300])).toBe("#000000");
  }
});

test("UND-1 undo and redo take back the visitor's own changes only, and leave a peer's changes since", async ({
  visit,
}) => {
  const a = await visit();
  const b = await visit();
  await a.color("Red");
  await a.tool("Rectangle");
  await a.tool("Draw");
  await a.stroke([100, 400], [300, 400]);
  await expect.poll(() => b.colorAt([200, 400])).toBe("#ff0000");
  await b.stroke([100, 500], [300, 500]);
  await expect.poll(() => a.colorAt([200, 500])).toBe("#000000");

  await a.page.keyboard.press("Control+z");
  for (const person of [a, b]) await expect.poll(() => person.colorAt([200, 400])).toBe("#ffffff");
  expect(await a.colorAt([200, 500])).toBe("#000000");
  await a.page.keyboard.press("Control+Shift+z");
  for (const person of [a, b]) await expect.poll(() => person.colorAt([200, 400])).toBe("#ff0000");
  await a.page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => b.colorAt([200, 400])).toBe("#ffffff");
  await a.page.keyboard.press("Control+y");
  await expect.poll(() => b.colorAt([200, 400])).toBe("#ff0000");

  await a.tool("Select");
  await a.stroke([150, 150], [450, 150]);
  await expect.poll(() => b.colorAt([450, 150])).toBe("#ff0000");
  await b.tool("Select");
  await b.stroke([450, 150], [650, 250]);
  await expect.poll(() => a.colorAt([650, 250])).toBe("#ff0000");
  // A's move was overtaken by B's: undoing it changes nothing of B's.
  await a.page.keyboard.press("Control+z");
  // Messages sent after it have arrived.
  await a.tool("Draw");
  await a.stroke([200, 500], [400, 500]);
  await expect.poll(() => b.colorAt([300, 500])).not.toBe("#ffffff");
  for (const person of [a, b]) expect(await person.colorAt([650, 250])).toBe("#ff0000");
});

test("PNT-89 Escape cancels the stroke in hand: nobody sees it any more, and there is nothing to undo", async ({
  product,
  visit,
}) => {
  const [a, b] = await meet(visit);
  await a.page.getByRole("button", { name: "More tools" }).click();
  await a.page.getByRole("button", { name: "2 users online" }).click();
  for (const tool of ["Line", "Fading ink", "Highlighter", "Draw"]) {
    await a.tool(tool);
    await a.press([200, 200]);
    await a.move([500, 200], 20);
    await expect.poll(() => inkShows(b, [350, 200])).toBe(true);
    await a.page.keyboard.press("Escape");
    await expect.poll(() => inkShows(b, [350, 200])).toBe(false);
    expect(await inkShows(a, [350, 200])).toBe(false);
    await a.move([500, 300], 4);
    await a.release();
    expect(await inkShows(a, [500, 250])).toBe(false);
  }
  // By keys: Space begins a stroke at the crosshair, in the middle.
  await a.page.keyboard.press(" ");
  for (let step = 0; step < 8; step++) await a.page.keyboard.press("ArrowRight");
  const { width, height } = (await a.canvas.boundingBox())!;
  const middle = [width / 2 + 20, height / 2] as const;
  await expect.poll(() => inkShows(b, middle)).toBe(true);
  await a.page.keyboard.press("Escape");
  await expect.poll(() => inkShows(b, middle)).toBe(false);
  await expect(a.page.locator("[data-own-actions]")).toHaveText("Cancelled.");
  // The panel is open all the time; with nothing in hand Escape closes it.
  const panel = a.page.getByRole("dialog", { name: "People" });
  await expect(panel).toBeVisible();
  await a.page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(a.page.getByRole("button", { name: "Undo", exact: true })).toBeDisabled();
  await a.stroke([200, 400], [400, 400]);
  await expect(a.page.getByRole("button", { name: "Undo", exact: true })).toBeEnabled();
  // Undo does the same, and leaves the stroke before alone.
  await a.press([200, 200]);
  await a.move([500, 200], 20);
  await a.page.keyboard.press("Control+z");
  await a.move([500, 300], 4);
  await a.release();
  expect([await inkShows(a, [350, 200]), await inkShows(a, [500, 250])]).toEqual([false, false]);
  await switchTabs(a);
  await expect.poll(async () => (await product.row())?.canvas_json.objects).toHaveLength(1);
});

test("LIV-7 ink and pointer of a peer are shown, stay where the stroke is finished, and disappear when the peer rests or vanishes, also after the page's clock was set back", async ({
  visit,
  product,
}) => {
  const [a, b] = await meet(visit);
  const shown = await watchCanvas(b);
  await a.move([350, 200], 5);
  await expect.poll(shown).toBe(true);
  await b.page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() - 3_600_000;
  });
  await expect.poll(shown, { timeout: 30_000 }).toBe(false);
  await b.stroke([200, 300], [400, 300]);
  await expect
    .poll(async () => (await savedObjects(product, b)).length, { timeout: 30_000 })
    .toBe(1);

  await a.press([200, 200]);
  await a.move([500, 200], 5);
  await expect.poll(() => inkShows(b, [350, 200])).toBe(true);
  expect(await b.colorAt([350, 200])).toBe("#ffffff");
  await a.move([500, 400], 5);
  await expect.poll(() => inkShows(b, [500, 300])).toBe(true);
  await a.release();
  await expect.poll(() => b.colorAt([350, 200])).toBe("#000000");

  await a.press([200, 500]);
  await a.move([500, 500], 5);
  await expect.poll(() => inkShows(b, [350, 500])).toBe(true);
  await a.context.close();
  await expect.poll(() => inkShows(b, [350, 500]), { timeout: 30_000 }).toBe(false);
  await expect(b.page.locator("[data-peer]:visible")).toHaveCount(0);
});
