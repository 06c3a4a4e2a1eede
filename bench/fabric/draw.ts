/** Draws with everything that the page has, by real pointers and keys: every tool, a pen's pressure, held shapes, a picture. */

import type { CDPSession, Page } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { takenFor } from "../../testing/strokes/confusion.ts";
import { drawnStroke, SHAPE_KINDS } from "../../testing/strokes/strokes.ts";
import { isSaved } from "../canvas/session.ts";

/** In canvas pixels. */
type Point = readonly [x: number, y: number];

/** The objects that are on the board then. */
export const DRAWN = 21;

/** Before the page is opened: no hints, which lie on the board, and the second toolbar closed. */
export async function preparePage(page: Page): Promise<void> {
  await page.addInitScript(`
    localStorage.setItem("inkpool:hints", "shown");
    localStorage.setItem("inkpool:more-tools", "closed");`);
}

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

/** Chooses one of the second toolbar, which is opened for that and closed again. */
async function chooseMore(page: Page, ...names: readonly string[]): Promise<void> {
  await press(page, "More tools");
  const bar = page.getByRole("toolbar", { name: "More tools" });
  for (const name of names)
    await bar
      .getByRole("button", { name, exact: true })
      .or(bar.getByRole("radio", { name, exact: true }))
      .click();
  await press(page, "More tools");
  await bar.waitFor({ state: "hidden" });
}

async function stroke(page: Page, points: readonly Point[], hold?: "held"): Promise<void> {
  const [first, ...rest] = points as [Point, ...Point[]];
  await page.mouse.move(first[0], first[1] + LIMITS.headerHeight);
  await page.mouse.down();
  const steps = hold ? 1 : 3;
  for (const [x, y] of rest) await page.mouse.move(x, y + LIMITS.headerHeight, { steps });
  if (hold) await untilShape(page);
  await page.mouse.up();
}

/** Waits until the stroke in hand looks otherwise, although nothing moves: it has become a shape. */
async function untilShape(page: Page): Promise<void> {
  const look = () =>
    page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const canvases = document.querySelectorAll<HTMLCanvasElement>("[role=application] canvas");
      return [...canvases].map((canvas) => canvas.toDataURL()).join();
    });
  const ink = await look();
  for (const end = Date.now() + 10_000; (await look()) === ink;)
    if (Date.now() > end) throw new Error("the stroke did not become a shape");
}

async function penStroke(session: CDPSession, y: number): Promise<void> {
  const send = (type: "mousePressed" | "mouseMoved" | "mouseReleased", i: number) =>
    session.send("Input.dispatchMouseEvent", {
      ...{ type, x: 620 + 7 * i, y: y + LIMITS.headerHeight + 40 * Math.sin(i / 6) },
      ...{ pointerType: "pen", force: Math.min(1, (i + 1) / 60), button: "left", clickCount: 1 },
      buttons: type === "mouseReleased" ? 0 : 1,
    });
  await send("mousePressed", 0);
  for (let i = 1; i < 60; i++) await send("mouseMoved", i);
  await send("mouseReleased", 60);
}

/** A stroke that means a shape, in a square of 110 px from there. */
function shapeStroke(kind: (typeof SHAPE_KINDS)[number], [left, top]: Point): Point[] {
  for (let seed = 1; ; seed++) {
    const points = drawnStroke(kind, seed, 110);
    if (takenFor(points) !== kind) continue;
    const minX = Math.min(...points.map(({ x }) => x));
    const minY = Math.min(...points.map(({ y }) => y));
    return points.map(({ x, y }): Point => [x - minX + left, y - minY + top]);
  }
}

/** A wave of ink, from there to the right. */
const wave = (x: number, y: number, count = 30): Point[] =>
  Array.from({ length: count }, (_, i) => [x + 8 * i, y + 18 * Math.sin(i / 3)] as const);

async function addPicture(page: Page): Promise<void> {
  const url: string = await page.evaluate(`(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [240, 120];
    const context = canvas.getContext("2d");
    const colors = context.createLinearGradient(0, 0, 240, 120);
    colors.addColorStop(0, "red");
    colors.addColorStop(1, "blue");
    context.fillStyle = colors;
    context.fillRect(0, 0, 240, 120);
    return canvas.toDataURL("image/png");
  })()`);
  await press(page, "Menu");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("menuitem", { name: "Add picture" }).click(),
  ]);
  const buffer = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  await chooser.setFiles({ name: "colors.png", mimeType: "image/png", buffer });
  await page.getByRole("toolbar", { name: "Selection" }).waitFor();
}

/** Drags what is selected from one point to another. */
const drag = (page: Page, from: Point, to: Point) => stroke(page, [from, to]);

/** Draws everything on an empty board that is ready, and waits until it is saved. */
export async function drawEverything(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await press(page, "Red");
  await press(page, "Draw");
  await stroke(page, wave(200, 60));
  await stroke(page, [
    [200, 100],
    [201, 100],
  ]);
  await chooseMore(page, "Thick");
  await stroke(page, wave(200, 130));
  await press(page, "Menu");
  await page.getByRole("menuitemcheckbox", { name: "Pressure" }).click();
  await page.keyboard.press("Escape");
  await press(page, "Purple");
  await penStroke(session, 90);
  await chooseMore(page, "Medium", "Line");
  await press(page, "Green");
  await stroke(page, [
    [200, 190],
    [440, 210],
  ]);
  await chooseMore(page, "Arrow");
  await stroke(page, [
    [200, 230],
    [440, 250],
  ]);
  await chooseMore(page, "Highlighter");
  await press(page, "Yellow");
  await stroke(page, [
    [190, 60],
    [330, 135],
    [450, 120],
  ]);
  await stroke(page, wave(620, 150, 20));
  await press(page, "Draw");
  await press(page, "Blue");
  for (const [i, kind] of SHAPE_KINDS.entries())
    await stroke(
      page,
      shapeStroke(kind, [200 + 150 * (i % 3), 300 + 140 * Math.floor(i / 3)]),
      "held",
    );
  await addObjects(page);
  await press(page, "Eraser");
  await stroke(page, [
    [180, 330],
    [520, 480],
  ]);
  await changeSome(page);
  await page.keyboard.press("Escape");
  await isSaved(page);
}

/** Shapes, a sticker, a text and a picture, each dragged away from where it is added. */
async function addObjects(page: Page): Promise<void> {
  await press(page, "Teal");
  await press(page, "Rectangle");
  await drag(page, [175, 150], [720, 300]);
  await page.keyboard.press("Escape");
  await press(page, "Salmon");
  await press(page, "Circle");
  await drag(page, [175, 175], [1000, 300]);
  await page.keyboard.press("Escape");
  await press(page, "Stickers");
  await press(page, "rocket");
  await drag(page, [130, 130], [700, 420]);
  await page.keyboard.press("Escape");
  await press(page, "Black");
  await chooseMore(page, "Text");
  await page.mouse.click(800, 420 + LIMITS.headerHeight);
  await page.keyboard.type("Hello, Fabric: äöü");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await addPicture(page);
  // It lies in the middle of the view, and its corner makes it larger.
  const { width = 0, height = 0 } = (await page.getByRole("application").boundingBox()) ?? {};
  await drag(page, [width / 2, height / 2], [1000, 560]);
  await drag(page, [1120, 620], [1180, 650]);
  await page.keyboard.press("Escape");
}

/** An end of the line is moved, and the arrow gets a copy. */
async function changeSome(page: Page): Promise<void> {
  await press(page, "Select");
  await page.mouse.click(320, 200 + LIMITS.headerHeight);
  await page.getByRole("toolbar", { name: "Selection" }).waitFor();
  await drag(page, [440, 210], [540, 180]);
  await page.keyboard.press("Escape");
  await page.getByRole("toolbar", { name: "Selection" }).waitFor({ state: "hidden" });
  await page.mouse.click(320, 240 + LIMITS.headerHeight);
  await page.getByRole("toolbar", { name: "Selection" }).waitFor();
  await press(page, "Duplicate");
  await page.keyboard.press("Shift+ArrowRight");
}
