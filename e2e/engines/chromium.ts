/** Runs Chromium by Playwright, as everywhere in the end-to-end tests. */

import { chromium as playwright, type CDPSession, type Page } from "@playwright/test";
import { BROWSER } from "../browser.ts";
import { startBrowser } from "../profile.ts";
import {
  countChanges,
  resultOf,
  scriptOf,
  type Contact,
  type Engine,
  type Input,
  type PenPoint,
  type Point,
  type Tab,
} from "./tab.ts";

const VIEWPORT = { width: 1280, height: 800 };
/** Pixels of one notch of the wheel. */
const NOTCH = 100;

export const chromium: Engine = {
  name: "chromium",
  missing: () => null,
  async start() {
    const browser = await playwright.launch(BROWSER);
    return {
      async open() {
        const context = await browser.newContext({ viewport: VIEWPORT });
        const tab = createTab(await context.newPage());
        return { ...tab, close: () => context.close() };
      },
      close: () => browser.close(),
    };
  },
  async startOn(profile) {
    const browser = await startBrowser(profile);
    const tab = createTab(await browser.page());
    return { ...tab, changes: () => tab.evaluate(countChanges), kill: () => browser.kill() };
  },
};

function createTab(page: Page): Tab {
  const problems: string[] = [];
  page.on("console", (message) => {
    // Chromium requests this file for a page that names no icon, like the picture with which a visit begins.
    if (message.location().url.endsWith("/favicon.ico")) return;
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  return {
    ...createInput(page),
    contact: createTouch(page),
    penStroke: (points) => drawWithPen(page, points),
    problems: async () => problems,
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    async evaluate<A extends readonly unknown[], T>(
      work: (...args: A) => T | Promise<T>,
      ...args: A
    ): Promise<T> {
      const json = JSON.stringify(JSON.stringify(args));
      return resultOf(await page.evaluate<string>(`(${scriptOf(work)})(${json})`));
    },
    close: () => page.close(),
  };
}

function createInput({ mouse, keyboard }: Page): Input {
  return {
    move: ([x, y]) => mouse.move(x, y),
    down: (button = "left") => mouse.down({ button }),
    up: (button = "left") => mouse.up({ button }),
    press: (chord) => keyboard.press(chord),
    type: (text) => keyboard.type(text),
    hold: (key) => keyboard.down(key),
    letGo: (key) => keyboard.up(key),
    async wheel(towards, held) {
      if (held) await keyboard.down(held);
      await mouse.wheel(0, towards === "up" ? -NOTCH : NOTCH);
      if (held) await keyboard.up(held);
    },
  };
}

async function drawWithPen(page: Page, points: readonly PenPoint[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "mousePressed" | "mouseMoved" | "mouseReleased", [x, y, force]: PenPoint) =>
    session.send("Input.dispatchMouseEvent", {
      ...{ type, x, y, force, pointerType: "pen" },
      ...{ button: "left", clickCount: 1, buttons: type === "mouseReleased" ? 0 : 1 },
    });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return;
  await send("mousePressed", first);
  for (const point of points.slice(1)) await send("mouseMoved", point);
  await send("mouseReleased", last);
  await session.detach();
}

function createTouch(page: Page): Contact {
  let session: Promise<CDPSession> | null = null;
  const touch = async (
    type: "touchStart" | "touchMove" | "touchEnd",
    at?: Point,
  ): Promise<void> => {
    session ??= page.context().newCDPSession(page);
    const touchPoints = at ? [{ x: at[0], y: at[1] }] : [];
    await (await session).send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  return {
    kind: "touch",
    down: (at) => touch("touchStart", at),
    move: (to) => touch("touchMove", to),
    up: () => touch("touchEnd"),
  };
}
