/** A visitor of the whiteboard: a browser context of their own, with their actions and observations. */

import {
  type BrowserContext,
  type CDPSession,
  type Locator,
  type Page,
  expect,
} from "@playwright/test";
import { LIMITS } from "../board/constants.ts";
import { decodePng, type Picture } from "../testing/pictures/png.ts";
import { clickOn } from "./click.ts";

/** A point in canvas pixels: the origin is the canvas's top-left corner. */
export type Point = readonly [x: number, y: number];

function between([x1, y1]: Point, [x2, y2]: Point, share: number): Point {
  return [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
}

/** Moves of a stroke between two of its points. Each costs a frame of work and a message. */
const STEPS = 3;

export class Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and warnings and uncaught errors, in order. */
  readonly problems: string[] = [];
  readonly #allowed: RegExp[] = [];
  #session: Promise<CDPSession> | undefined;

  constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        this.problems.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.problems.push(`uncaught: ${error.message}`));
  }

  /** Opens the whiteboard and waits until the drawing is there. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.ready();
  }

  /** Notes problems that the test expects. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  unexpected(): string[] {
    return this.problems.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)));
  }

  get canvas(): Locator {
    return this.page.getByRole("application", { name: "Canvas" });
  }

  /** The header's text about saving. */
  get saving(): Locator {
    return this.page.locator("output");
  }

  /** Waits until all of the page is there, including the code of the interaction. */
  async ready(): Promise<void> {
    await this.shown();
    await untilNothingLacks(this.page, () =>
      document.querySelector("[role=application] [data-crosshair]") ? "" : "the interaction",
    );
  }

  /**
   * Waits until the canvas is there, with the shared drawing, and the parts that arrive when the board is ready; the
   * code of the interaction is on its way.
   */
  async shown(): Promise<void> {
    await untilNothingLacks(this.page, () => {
      const canvas = document.querySelector("[role=application] canvas");
      if (!canvas?.getBoundingClientRect().width) return "a canvas that is visible";
      if (document.querySelector("[role=progressbar]")) return "an end of its progress bar";
      const saving = document.querySelector("output")?.textContent ?? "Loading...";
      if (saving === "Loading...") return "a loaded drawing";
      return document.querySelector("[role=log]") ? "" : "the log of what peers do";
    });
    await this.arrives();
  }

  /** Gives a first sign of the visitor: the page fetches the rest of its code. */
  async arrives(): Promise<void> {
    await this.page.evaluate(() => void dispatchEvent(new Event("wheel")));
  }

  tool(name: string): Promise<void> {
    return clickOn(this.page, "button", name);
  }

  color(name: string): Promise<void> {
    return clickOn(this.page, "button", name);
  }

  async sticker(name: string): Promise<void> {
    await this.tool("Stickers");
    await clickOn(this.page, "button", name);
  }

  clear(): Promise<void> {
    return clickOn(this.page, "button", "Clear Canvas");
  }

  toast(text: string | RegExp): Locator {
    return this.page.locator("[data-sonner-toast]").filter({ hasText: text });
  }

  async press(at: Point): Promise<void> {
    await this.move(at);
    await this.page.mouse.down();
  }

  async move([x, y]: Point, steps = 1): Promise<void> {
    await this.page.mouse.move(x, y + LIMITS.headerHeight, { steps });
  }

  async release(): Promise<void> {
    await this.page.mouse.up();
  }

  /**
   * Presses at the first point, moves through the others, and releases, without modifier keys. It also drags an object.
   * The events go past Playwright's mouse, which asks the page about each move and whose release comes late on a busy
   * machine: a pen that rests half a second draws a shape.
   */
  async stroke(...points: readonly Point[]): Promise<void> {
    const [first, ...rest] = points;
    if (first === undefined) return;
    await this.move(first);
    await this.#mouse("mousePressed", first);
    let from = first;
    const moves: Promise<unknown>[] = [];
    for (const to of rest) {
      for (let step = 1; step <= STEPS; step++) {
        await Promise.all(moves.splice(0));
        moves.push(this.#mouse("mouseMoved", between(from, to, step / STEPS)));
      }
      from = to;
    }
    await Promise.all([...moves, this.#mouse("mouseReleased", from)]);
  }

  /** Does the same as `stroke` while modifier keys are down. */
  async strokeWithKeys(first: Point, ...rest: readonly Point[]): Promise<void> {
    await this.press(first);
    for (const point of rest) await this.move(point, 6);
    await this.release();
  }

  /** Sends a mouse event of the left button, as Chromium's developer tools do. */
  async #mouse(
    type: "mousePressed" | "mouseMoved" | "mouseReleased",
    [x, y]: Point,
  ): Promise<unknown> {
    const session = await (this.#session ??= this.context.newCDPSession(this.page));
    const event = { type, x, y: y + LIMITS.headerHeight, button: "left" } as const;
    const buttons = type === "mouseReleased" ? 0 : 1;
    const clickCount = type === "mouseMoved" ? 0 : 1;
    return session.send("Input.dispatchMouseEvent", { ...event, buttons, clickCount });
  }

  async click(at: Point): Promise<void> {
    await this.press(at);
    await this.release();
  }

  /** Moves the pointer out of the canvas, so that neither a pointer nor a hover shows. */
  async leaveCanvas(): Promise<void> {
    await this.page.mouse.move(5, 5);
  }

  /** Returns the drawing's colour at a point as `#rrggbb`, without pointers, selection and ink in progress. */
  async colorAt([x, y]: Point): Promise<string> {
    const color = await this.page.evaluate(readColor, { x, y });
    if (color !== null) return color;
    // The canvas follows its surface, as right after a reload.
    await this.canvas.locator("canvas").first().waitFor();
    return (await this.page.evaluate(readColor, { x, y })) ?? "";
  }

  /** Returns the drawing alone: the lower canvas's pixels. */
  async drawing(): Promise<Picture> {
    const url = await this.canvas
      .locator("canvas")
      .first()
      .evaluate((element) => {
        return (element as HTMLCanvasElement).toDataURL("image/png");
      });
    return decodePng(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  }

  /** Returns a screenshot of the canvas, with everything that lies over it. */
  async shot(): Promise<Picture> {
    return decodePng(await this.canvas.screenshot());
  }

  /** Returns a screenshot of a part of the canvas, which costs a fraction of the whole. */
  async shotOf([x, y]: Point, [width, height]: Point): Promise<Picture> {
    const clip = { x, y: y + LIMITS.headerHeight, width, height };
    return decodePng(await this.page.screenshot({ clip }));
  }

  /** Returns red, green and blue that a person sees at a point, whatever lies there. */
  async pixel(at: Point): Promise<number[]> {
    return [...(await this.shotOf(at, [1, 1])).rgba.slice(0, 3)];
  }
}

/** Reads a colour of the lower canvas, which is null while there is none; runs in the page. */
function readColor(at: { readonly x: number; readonly y: number }): string | null {
  const canvas = document.querySelector<HTMLCanvasElement>("[role=application] canvas");
  if (canvas === null) return null;
  // It is copied first: reading the page's own canvas would move it off the GPU, with a warning.
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [1, 1];
  const context = copy.getContext("2d", { willReadFrequently: true });
  const scale = canvas.width / canvas.getBoundingClientRect().width;
  context?.drawImage(canvas, -Math.round(at.x * scale), -Math.round(at.y * scale));
  const bytes = [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Milliseconds in which a page has all of its parts. */
const COMPLETE_WITHIN = 30_000;

/**
 * Waits until a page lacks nothing, also over a reload. `lacking` runs in the page, after each change of its elements,
 * and returns the part that it lacks, or an empty text. An assertion on an element would describe the whole page for
 * each failed attempt, a tenth of the work of a visit.
 */
async function untilNothingLacks(page: Page, lacking: () => string): Promise<void> {
  const complete = (): Promise<unknown> =>
    page
      .evaluate(
        `new Promise((resolve) => {
          const lacking = ${String(lacking)};
          const observer = new MutationObserver(() => look());
          const look = () => {
            if (lacking() !== "") return;
            observer.disconnect();
            resolve(true);
          };
          observer.observe(document, {
            ...{ attributes: true, characterData: true, childList: true, subtree: true },
          });
          look();
        })`,
      )
      .catch((error: unknown) => {
        if (!String(error).includes("context was destroyed")) throw error;
        return complete();
      });
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Clock: a page that never gets complete is reported with the part that it lacks.
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), COMPLETE_WITHIN);
  });
  try {
    if ((await Promise.race([complete(), timeout])) === true) return;
    throw new Error(`the page lacks ${await page.evaluate(lacking)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Hides the hints and the second toolbar, which are for a first visit; few tests are about one. */
export async function hideHints(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (!location.protocol.startsWith("http")) return;
    localStorage.setItem("inkpool:hints", "shown");
    const more = "inkpool:more-tools";
    if (localStorage.getItem(more) === null) localStorage.setItem(more, "closed");
  });
}

/** Waits until peers know each other: no live activity is shown to a peer before its presence has arrived. */
export async function knowEachOther(...people: readonly Person[]): Promise<void> {
  for (const { page } of people) {
    await expect(page.getByText(`${people.length} users online`)).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
}

/** Shows another tab, and this one again: the page saves immediately, and reads the row if that changed. */
export async function switchTabs({ page }: { readonly page: Page }): Promise<void> {
  await page.evaluate(() => {
    for (const value of ["hidden", "visible"]) {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }
  });
}
