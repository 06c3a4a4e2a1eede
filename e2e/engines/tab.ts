/** The suite's interface to a browser, whichever protocol controls it. */

/** A point in CSS pixels of the window. */
export type Point = readonly [x: number, y: number];

export type Button = "left" | "middle" | "right";

/** The input of a person: mouse and keyboard. */
export interface Input {
  move(to: Point): Promise<void>;
  down(button?: Button): Promise<void>;
  up(button?: Button): Promise<void>;
  /** Presses keys together and releases them, such as `Control+Shift+z`. */
  press(chord: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses a key and leaves it pressed. */
  hold(key: "Shift"): Promise<void>;
  letGo(key: "Shift"): Promise<void>;
  /** Turns the wheel by one notch where the pointer is. */
  wheel(towards: "up" | "down", held?: "Control"): Promise<void>;
}

/** A finger or a pen, whichever the engine's driver has: Firefox's has no pen, and WebKit's no finger. */
export interface Contact {
  readonly kind: "touch" | "pen";
  down(at: Point): Promise<void>;
  move(to: Point): Promise<void>;
  up(): Promise<void>;
}

/** A point under a pen, and its pressure from 0 to 1. */
export type PenPoint = readonly [x: number, y: number, pressure: number];

export interface Tab extends Input {
  readonly contact: Contact;
  /**
   * Draws with a pen that reports its pressure. Only Chromium's driver has one: Firefox's knows no pen, and WebKit's
   * reports a pressure of 1 for the press and of 0 for each move. There the page gets events that a script dispatches.
   */
  penStroke(points: readonly PenPoint[]): Promise<void>;
  /** Errors and warnings of the console and uncaught errors so far, in order. */
  readonly problems: () => Promise<readonly string[]>;
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a function in the page, which uses its arguments and nothing around it; arguments and result are passed as JSON. */
  evaluate<A extends readonly unknown[], T>(
    work: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T>;
  /** Ends the browser and starts another one, which shows no page; absent where no browser ever needed it. */
  restart?(): Promise<void>;
  close(): Promise<void>;
}

/** A browser that the steps of one file share. */
export interface SharedBrowser {
  /** Opens a tab for a visitor of its own, as far as the browser can have several. */
  open(): Promise<Tab>;
  close(): Promise<void>;
}

/** A browser on a profile that outlives it. */
export interface LastingBrowser extends Input {
  /** Errors and warnings of the console and uncaught errors so far, in order. */
  readonly problems: () => Promise<readonly string[]>;
  goto(url: string): Promise<void>;
  /** Returns the number of changes in the page's journal. */
  changes(): Promise<number>;
  /** Sends SIGKILL to all of its processes. */
  kill(): Promise<void>;
}

export interface Engine {
  readonly name: "chromium" | "firefox" | "webkit";
  /** Returns what this machine lacks for it; null where it can run. */
  missing(): string | null;
  start(): Promise<SharedBrowser>;
  startOn(profile: string): Promise<LastingBrowser>;
}

/** A contact by the pointer actions of WebDriver, each performed by itself. */
export function createContact(
  kind: Contact["kind"],
  perform: (source: object) => Promise<unknown>,
): Contact {
  const act = async (...actions: readonly object[]): Promise<void> =>
    void (await perform({ type: "pointer", id: kind, parameters: { pointerType: kind }, actions }));
  const moveTo = ([x, y]: Point) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y) });
  return {
    kind,
    down: (at) => act(moveTo(at), { type: "pointerDown", button: 0 }),
    move: (to) => act(moveTo(to)),
    up: () => act({ type: "pointerUp", button: 0 }),
  };
}

/**
 * Returns a function's work in a page as a script: a function of one text, which contains the arguments as JSON, that
 * resolves to JSON.
 */
export function scriptOf(work: (...args: never) => unknown): string {
  return `async (json) => JSON.stringify([await (${String(work)})(...JSON.parse(json))])`;
}

/** Returns the result of the script's function. */
export function resultOf<T>(json: string): T {
  return (JSON.parse(json) as [T])[0];
}

/** Draws with a pen by events of a script; runs in the page. */
export function dispatchPen(points: readonly PenPoint[]): void {
  const host = document.querySelector("[role=application]") as HTMLElement;
  // An event that a script dispatches has no pointer that could be captured.
  host.setPointerCapture = () => undefined;
  const send = (type: string, [x, y, pressure]: PenPoint): void => {
    const pointer = { pointerId: 77, pointerType: "pen", isPrimary: true, button: 0 };
    const at = { clientX: x, clientY: y, pressure, buttons: type === "pointerup" ? 0 : 1 };
    const how = { bubbles: true, cancelable: true };
    host.dispatchEvent(new PointerEvent(type, { ...pointer, ...at, ...how }));
  };
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return;
  send("pointerdown", first);
  for (const point of points.slice(1)) send("pointermove", point);
  send("pointerup", last);
  Reflect.deleteProperty(host, "setPointerCapture");
}

/** Counts the changes of the journal; runs in the page. */
export function countChanges(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("inkpool");
    opening.onerror = reject;
    opening.onsuccess = () => {
      const database = opening.result;
      const counting = database.transaction("changes").objectStore("changes").count();
      counting.onerror = reject;
      counting.onsuccess = () => {
        database.close();
        resolve(counting.result);
      };
    };
  });
}
