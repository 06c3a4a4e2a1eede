/** A visitor of the whiteboard in any engine: presses controls by their names, draws, and sees colours. */

import { expect } from "@playwright/test";
import { LIMITS } from "../../board/constants.ts";
import { decodePng, type Picture } from "../../testing/pictures/png.ts";
import type { PenPoint, Point, Tab } from "./tab.ts";

/** The number of points of one stroke between two given ones. */
const STEPS = 4;

export class Visitor {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** Opens the whiteboard as on a later visit of a device that knows no appearance, and waits for the drawing. */
  async open(origin: string): Promise<void> {
    await expect(async () => {
      try {
        // This is a page of the origin that runs nothing: values stored there are set before the whiteboard reads them.
        await this.tab.goto(`${origin}/favicon.svg`);
        await this.tab.evaluate(clearDevice);
      } catch (error) {
        await this.tab.restart?.();
        throw error;
      }
    }).toPass();
    await this.tab.goto(origin);
    await this.ready();
  }

  /** Waits until the drawing is there, and all of the page, including the code of the interaction. */
  async ready(): Promise<void> {
    await expect
      .poll(() =>
        this.tab.evaluate(
          () =>
            document.querySelector("[role=application] canvas") !== null &&
            document.querySelector("[role=progressbar]") === null &&
            document.querySelector("[role=log]") !== null &&
            document.querySelector("output")?.textContent !== "Loading...",
        ),
      )
      .toBe(true);
    // This is a first sign of the visitor: the page fetches the rest of its code, without which a line has no steps.
    await this.tab.evaluate(() => void dispatchEvent(new Event("wheel")));
    const isComplete = (): boolean =>
      document.querySelector("[role=application] [data-crosshair]") !== null;
    await expect.poll(() => this.tab.evaluate(isComplete)).toBe(true);
  }

  /** Presses the control with a name, once it exists, is uncovered and rests; `within`: a selector of what contains it. */
  async press(name: string, within = "body"): Promise<void> {
    let last: Point | null = null;
    const find = async (): Promise<boolean> => {
      const before = last;
      last = await this.tab.evaluate(findControl, name, within);
      return last !== null && String(last) === String(before);
    };
    await expect.poll(find, { message: `the control ${name}`, intervals: [20, 20, 50] }).toBe(true);
    if (last === null) throw new Error(`there is no ${name}`);
    await this.tab.move(last);
    await this.tab.down();
    await this.release();
  }

  /** Removes everything from the board, and waits until nobody sees it any more. */
  async clear(...peers: readonly Visitor[]): Promise<void> {
    await this.press("Clear Canvas");
    for (const { tab } of [this, ...peers])
      await expect.poll(() => tab.evaluate(isBlank), { message: "an empty board" }).toBe(true);
  }

  /** Empties the board, resets the view, and draws in black again. */
  async startAgain(): Promise<void> {
    await this.clear();
    await this.press("Draw");
    await this.press("Black");
    await this.focusCanvas();
    await this.tab.press("Shift+Digit0");
    await this.sees("Zoom: 100 %");
  }

  async sticker(name: string): Promise<void> {
    await this.press("Stickers");
    await this.press(name);
  }

  async chooseFromMenu(...names: readonly string[]): Promise<void> {
    await this.press("Menu");
    for (const name of names) await this.press(name);
  }

  async move(to: Point): Promise<void> {
    await this.tab.move(inWindow(to));
  }

  /** Presses at the first point, and moves through the others; the button stays pressed. */
  async beginStroke(...[first, ...rest]: readonly Point[]): Promise<void> {
    if (first === undefined) return;
    await this.move(first);
    await this.tab.down();
    for (const to of pointsOf(first, rest)) await this.move(to);
  }

  /** Moves a finger or a pen through these points; it stays at the last one. */
  async beginTouch(...[first, ...rest]: readonly Point[]): Promise<void> {
    if (first === undefined) return;
    const { contact } = this.tab;
    await contact.down(inWindow(first));
    for (const to of pointsOf(first, rest)) await contact.move(inWindow(to));
  }

  /** Draws a stroke, or drags an object. Points are in canvas pixels, as everywhere here. */
  async stroke(...points: readonly Point[]): Promise<void> {
    await this.beginStroke(...points);
    await this.release();
  }

  /** Moves the pointer, and waits until the page has noticed: in WebKit a key may overtake the mouse. */
  async rest(at: Point): Promise<void> {
    await this.untilReceived("pointermove", () => this.move(at));
  }

  /** Releases the button, and waits until the page has noticed. */
  async release(): Promise<void> {
    await this.untilReceived("pointerup", () => this.tab.up());
  }

  private async untilReceived(event: string, act: () => Promise<void>): Promise<void> {
    await this.tab.evaluate((name) => {
      Object.assign(window, { received: false });
      const note = (): void => void Object.assign(window, { received: true });
      addEventListener(name, note, { capture: true, once: true });
    }, event);
    await act();
    await expect
      .poll(() => this.tab.evaluate(() => (window as { received?: boolean }).received), {
        message: event,
        intervals: [20, 20, 50],
      })
      .toBe(true);
  }

  async click(at: Point): Promise<void> {
    await this.stroke(at);
  }

  /** Has the page save immediately, as when another tab is shown. */
  async saveNow(): Promise<void> {
    await this.tab.evaluate(() => {
      for (const value of ["hidden", "visible"]) {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }
    });
  }

  /** Waits until the page says that everything is saved. */
  async saved(): Promise<void> {
    await this.saveNow();
    await expect.poll(() => this.text("output")).toBe("Saved");
  }

  /** Returns the text of the first such element; null when there is none. */
  text(selector: string): Promise<string | null> {
    return this.tab.evaluate(
      (wanted) => document.querySelector(wanted)?.textContent ?? null,
      selector,
    );
  }

  /** Waits until a button with the name exists. */
  async sees(name: string): Promise<void> {
    await expect
      .poll(() => this.tab.evaluate(findControl, name, "body"), { message: `the control ${name}` })
      .not.toBeNull();
  }

  /** Waits until the canvas shows a colour, `#rrggbb`, at a point; `layers`: whether live activity of peers counts. */
  async shows(at: Point, colour: string, layers: "drawing" | "all" = "drawing"): Promise<void> {
    await expect.poll(() => this.colourAt(at, layers), { message: `at ${at.join()}` }).toBe(colour);
  }

  /** The drawing as it is shown, without what peers are doing, a pixel for each of the canvas's. */
  async picture(): Promise<Picture> {
    const url = await this.tab.evaluate(readPicture);
    return decodePng(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  }

  /** A pen goes through these points, with a pressure from 0 to 1 in each. */
  async penStroke(points: readonly PenPoint[]): Promise<void> {
    await this.tab.penStroke(
      points.map(([x, y, pressure]): PenPoint => [...inWindow([x, y]), pressure]),
    );
  }

  /** The canvas has the keys. */
  async focusCanvas(): Promise<void> {
    await this.tab.evaluate(() =>
      document.querySelector<HTMLElement>("[role=application]")?.focus(),
    );
  }

  colourAt([x, y]: Point, layers: "drawing" | "all" = "drawing"): Promise<string> {
    return this.tab.evaluate(readColour, x, y, layers === "all");
  }
}

/** Converts canvas pixels to those of the window. */
function inWindow([x, y]: Point): Point {
  return [x, y + LIMITS.headerHeight];
}

function pointsOf(first: Point, rest: readonly Point[]): readonly Point[] {
  let from = first;
  return rest.flatMap((to) => {
    const [[x, y], [toX, toY]] = [from, to];
    from = to;
    return Array.from({ length: STEPS }, (_, at): Point => {
      const part = (at + 1) / STEPS;
      return [x + (toX - x) * part, y + (toY - y) * part];
    });
  });
}

/** Finds the middle of the control with a name where a press would reach it; runs in the page. */
function findControl(name: string, within: string): Point | null {
  const nameOf = (element: Element): string => {
    const own = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent)
      .join("");
    return (element.getAttribute("aria-label") ?? (own.trim() || element.textContent)).trim();
  };
  const controls = [...document.querySelectorAll(within)].flatMap((holder) => [
    ...holder.querySelectorAll("button, [role^=menuitem], [role=radio]"),
  ]);
  // The last one is first: elements that lie above the page follow it in the document.
  for (const control of controls.toReversed()) {
    if (nameOf(control) !== name) continue;
    const { left, top, width, height } = control.getBoundingClientRect();
    const point: Point = [left + width / 2, top + height / 2];
    if (control.contains(document.elementFromPoint(...point))) return point;
  }
  return null;
}

/** Whether nothing is drawn; runs in the page. */
function isBlank(): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>("[role=application] canvas")!;
  const { width, height } = canvas;
  const copy = Object.assign(document.createElement("canvas"), { width, height });
  const context = copy.getContext("2d", { willReadFrequently: true })!;
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return new Uint32Array(data.buffer).every((pixel) => pixel === 0xffffffff);
}

/** Runs in the page. */
function readPicture(): string {
  const canvas = document.querySelector<HTMLCanvasElement>("[role=application] canvas")!;
  const surface = document.querySelector("[role=application]")!.getBoundingClientRect();
  const box = canvas.getBoundingClientRect();
  const scale = canvas.width / box.width;
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [surface.width, surface.height];
  const context = copy.getContext("2d")!;
  context.fillStyle = "white";
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(
    canvas,
    (surface.left - box.left) * scale,
    (surface.top - box.top) * scale,
    ...([surface.width * scale, surface.height * scale] as const),
    ...([0, 0, surface.width, surface.height] as const),
  );
  return copy.toDataURL("image/png");
}

/** Runs in the page. */
function readColour(x: number, y: number, allLayers: boolean): string {
  const canvases = [
    ...document.querySelectorAll<HTMLCanvasElement>("[role=application] canvas"),
  ].slice(0, allLayers ? undefined : 1);
  // It is copied first: reading the page's own canvas would move it off the GPU.
  const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const surface = document.querySelector("[role=application]")!.getBoundingClientRect();
  for (const canvas of canvases) {
    const box = canvas.getBoundingClientRect();
    if (box.width === 0) continue;
    const scale = canvas.width / box.width;
    const [left, top] = [x - (box.left - surface.left), y - (box.top - surface.top)];
    copy?.drawImage(canvas, -Math.round(left * scale), -Math.round(top * scale));
  }
  const bytes = [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Clears what an earlier visit stored, and closes what opens at a first one. Runs in the page. */
function clearDevice(): Promise<void> {
  localStorage.clear();
  localStorage.setItem("inkpool:hints", "shown");
  localStorage.setItem("inkpool:more-tools", "closed");
  // WebKit has one profile for all visitors: what an earlier one has not saved would come back.
  return new Promise((resolve, reject) => {
    const removal = indexedDB.deleteDatabase("inkpool");
    removal.onsuccess = removal.onerror = removal.onblocked = () => resolve();
    // Clock: on a busy machine a WebKit may answer no request about the database any more, until it is started anew.
    setTimeout(() => reject(new Error("The database was not removed")), 10_000);
  });
}
