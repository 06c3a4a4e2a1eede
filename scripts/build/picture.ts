/**
 * `npm run picture`: takes the README's pictures from the running product: two people who draw on one board, and
 * parts of the page.
 */

import "../node-version.mjs";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "../browser.mjs";
import { withoutSettings } from "../environment.mjs";
import { endWithProcess } from "../process.mjs";
import { ROOT } from "../root.mjs";
import { setUp } from "./setup.mjs";

/** A point in canvas pixels. */
type Point = readonly [x: number, y: number];

const WINDOW = { width: 1120, height: 720 };
const HEADER = 80;

/**
 * Returns the points of a curve.
 * @param shape From 0 to 1.
 */
const curve = (shape: (at: number) => Point, steps = 40): Point[] =>
  Array.from({ length: steps + 1 }, (_, at) => shape(at / steps));

const ring = ([x, y]: Point, radius: number): Point[] =>
  curve((at) => [x + radius * Math.cos(at * 6.4), y + radius * Math.sin(at * 6.4)]);

const line = (...corners: Point[]): Point[] => corners;

/** The drawings of the two, one after the other: a colour and a stroke. */
const STROKES: Readonly<Record<"left" | "right", readonly (readonly [string, Point[]])[]>> = {
  left: [
    ["Blue", line([240, 470], [240, 300], [460, 300], [460, 470], [240, 470])],
    ["Red", line([215, 305], [350, 190], [485, 305])],
    ["Orange", line([325, 470], [325, 385], [380, 385], [380, 470])],
    ["Orange", ring([820, 120], 46)],
    ...curve((at) => [at * 6.28, 0], 8).map(
      ([angle]) =>
        [
          "Orange",
          line(
            [820 + 62 * Math.cos(angle), 120 + 62 * Math.sin(angle)],
            [820 + 88 * Math.cos(angle), 120 + 88 * Math.sin(angle)],
          ),
        ] as const,
    ),
  ],
  right: [
    ["Green", curve((at) => [60 + at * 1000, 490 + 14 * Math.sin(at * 9)])],
    ["Salmon", line([660, 485], [660, 360])],
    ["Green", ring([660, 310], 62)],
    ["Green", ring([620, 345], 40)],
    ["Green", ring([702, 345], 40)],
    ["Purple", curve((at) => [120 + at * 70, 110 - 26 * Math.abs(Math.sin(at * 6.28))])],
    ["Purple", curve((at) => [215 + at * 56, 150 - 20 * Math.abs(Math.sin(at * 6.28))])],
  ],
};

await setUp((text) => console.log(text));
const dataDir = mkdtempSync(join(tmpdir(), "inkpool-picture-"));
const server = spawn(process.execPath, [join(ROOT, "dist/server/server/main.js")], {
  env: { ...withoutSettings(), PORT: "0", DATA_DIR: dataDir },
  stdio: ["ignore", "pipe", "inherit"],
});
endWithProcess(server);
const executablePath = await findBrowser();
const browser = await chromium.launch({
  args: BROWSER_ARGS,
  ...(executablePath ? { executablePath } : {}),
});

try {
  const url = await ready();
  const left = await visit(url);
  const right = await visit(url);
  for (const [color, stroke] of STROKES.right) await draw(right, color, stroke);
  for (const [color, stroke] of STROKES.left) await draw(left, color, stroke);
  await sticker(right, "cat face", [930, 420]);
  await left.getByText("Saved").waitFor();
  await right.getByText("Saved").waitFor();
  // Both are in the middle of something, and each sees the other's pointer.
  await begin(
    left,
    "Teal",
    curve((at) => [540 + at * 110, 180 - 30 * Math.sin(at * 12)], 60),
  );
  await begin(
    right,
    "Pink",
    curve((at) => [820 + at * 150, 300 - 30 * Math.sin(at * 12)], 60),
  );
  await left.waitForTimeout(900);
  await compose(await Promise.all([left, right].map((page) => page.screenshot())));
  for (const page of [left, right]) await page.mouse.up();
  await composeParts([
    await people(left),
    await selected(left),
    await history(left),
    await offline(right),
  ]);
} finally {
  await browser.close();
  server.kill();
  rmSync(dataDir, { recursive: true, force: true });
}

/**
 * Waits for the server.
 * @returns The server's origin.
 */
function ready(): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error("the server did not start")));
    server.stdout.on("data", (chunk) => {
      const found = /listening on (\S+)/.exec(String(chunk));
      if (found?.[1]) resolve(found[1]);
    });
  });
}

async function visit(url: string) {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText("Saved").waitFor();
  return page;
}

async function draw(page: Page, color: string, stroke: readonly Point[]) {
  await begin(page, color, stroke);
  await page.mouse.up();
}

async function begin(page: Page, color: string, stroke: readonly Point[]) {
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  await page.getByRole("button", { name: color, exact: true }).click();
  const [first, ...rest] = stroke;
  if (first === undefined) return;
  await page.mouse.move(first[0], first[1] + HEADER);
  await page.mouse.down();
  for (const [x, y] of rest) await page.mouse.move(x, y + HEADER, { steps: 4 });
}

/** Adds a sticker and drags it to a point. */
async function sticker(page: Page, name: string, [x, y]: Point) {
  await page.getByRole("button", { name: "Stickers" }).click();
  await page.getByRole("button", { name, exact: true }).click();
  await page.mouse.move(130, 130 + HEADER);
  await page.mouse.down();
  await page.mouse.move(x, y + HEADER, { steps: 10 });
  await page.mouse.up();
  await page.keyboard.press("Escape");
}

/**
 * Takes a part of a window.
 * @param corner Its top left one.
 */
function part(page: Page, [x, y]: Point = [WINDOW.width - 640, 0]) {
  return page.screenshot({ clip: { x, y, width: 640, height: 480 } });
}

/** Opens a panel from the menu. */
async function fromMenu(page: Page, name: string) {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(800);
}

async function people(page: Page) {
  await page.getByRole("button", { name: "2 users online" }).click();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(500);
  const shot = await part(page);
  await page.keyboard.press("Escape");
  return shot;
}

/** Shows a selected object, and the menu of a right click. */
async function selected(page: Page) {
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.mouse.click(459, 400 + HEADER, { button: "right" });
  await page.waitForTimeout(500);
  const shot = await part(page, [160, 100]);
  await page.keyboard.press("Escape");
  return shot;
}

async function history(page: Page) {
  await page.getByText("Saved").waitFor();
  await fromMenu(page, "History");
  const shot = await part(page);
  await page.keyboard.press("Escape");
  return shot;
}

/** Shows the page in the dark, and without a network. */
async function offline(page: Page) {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.context().setOffline(true);
  await page.getByText("Offline: kept on this device").waitFor();
  await page.setViewportSize({ width: 800, height: 600 });
  await fromMenu(page, "Copy link");
  return page.screenshot();
}

/** Composes four parts in one picture, as WebP, which takes a fifth of a PNG. */
async function composeParts(shots: readonly Buffer[]) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 1040 } });
  const images = shots
    .map((shot) => `<img src="data:image/png;base64,${shot.toString("base64")}">`)
    .join("");
  await page.setContent(`<style>
    body { margin: 0; height: 100vh; display: grid; grid-template-columns: auto auto; gap: 24px; place-content: center; background: #e9ecf8 }
    img { width: 640px; border-radius: 12px; box-shadow: 0 8px 30px rgb(30 35 90 / 0.18) }
  </style>${images}`);
  const whole = await page.screenshot();
  const webp = await page.evaluate(async (base64) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- this runs in the page, whose types the scripts lack
    const window = globalThis as any;
    const image = await window.createImageBitmap(
      await (await fetch(`data:image/png;base64,${base64}`)).blob(),
    );
    const canvas = window.document.createElement("canvas");
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return String(canvas.toDataURL("image/webp", 0.85)).split(",")[1] ?? "";
  }, whole.toString("base64"));
  writeFileSync(join(ROOT, "docs/parts.webp"), Buffer.from(webp, "base64"));
}

/** Puts both windows into one picture. */
async function compose(shots: readonly Buffer[]) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 560 } });
  const images = shots
    .map((shot) => `<img src="data:image/png;base64,${shot.toString("base64")}">`)
    .join("");
  await page.setContent(`<style>
    body { margin: 0; height: 100vh; display: flex; gap: 24px; align-items: center; justify-content: center; background: #e9ecf8 }
    img { width: 760px; border-radius: 12px; box-shadow: 0 8px 30px rgb(30 35 90 / 0.18) }
  </style>${images}`);
  await page.screenshot({ path: join(ROOT, "docs/picture.png") });
}
