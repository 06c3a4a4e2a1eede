/** Browser pages that the tests of a worker share, one after another. */

import type { Browser, BrowserContextOptions, CDPSession, Page } from "@playwright/test";
import { uponCall } from "../devices.ts";

export interface Tabs {
  /** Takes a page with these options that nobody uses; it may still show what the last user saw. */
  take(browser: Browser, options: BrowserContextOptions): Promise<Page>;
  /** Retains a page for the next test; closes it if that one would notice. */
  putBack(page: Page): Promise<void>;
}

/** The methods whose effects outlast a navigation. */
const LASTING = [
  "addInitScript",
  "emulateMedia",
  "exposeBinding",
  "exposeFunction",
  "on",
  "route",
  "setViewportSize",
] as const;

/** The sessions of the pages that nobody else uses, which stay with them. */
const own = new WeakMap<Page, CDPSession>();

/** Returns the session of a page of the pool, for input. */
export const ownSession = (page: Page): CDPSession => own.get(page)!;

/** Makes the pool of pages. A new one costs a process and the compilation of the page's code, more than most tests. */
export function createTabs(): Tabs {
  const idle = new Map<string, Page[]>();
  const kinds = new Map<Page, string>();
  const sessions = new Map<Page, CDPSession[]>();
  /** The number of buttons and keys that are down, by page. */
  const held = new Map<Page, number>();

  return {
    async take(browser, options) {
      const kind = JSON.stringify(options);
      const used = idle.get(kind)?.pop();
      if (used) return used;
      const context = await browser.newContext(options);
      const page = await context.newPage();
      own.set(page, await context.newCDPSession(page));
      kinds.set(page, kind);
      const spoil = (): void => void kinds.delete(page);
      for (const method of LASTING) uponCall(page, method, spoil);
      uponCall(page.clock, "install", spoil);
      uponCall(context, "newPage", spoil);
      const hold = (by: number): void => void held.set(page, (held.get(page) ?? 0) + by);
      for (const device of [page.mouse, page.keyboard]) {
        uponCall(device, "down", () => hold(1));
        uponCall(device, "up", () => hold(-1));
      }
      const newSession = context.newCDPSession.bind(context);
      context.newCDPSession = async (of) => {
        const session = await newSession(of);
        sessions.set(page, [...(sessions.get(page) ?? []), session]);
        uponCall(session, "send", (method) => {
          if (String(method).startsWith("Emulation.")) spoil();
        });
        return session;
      };
      return page;
    },
    async putBack(page) {
      const kind = kinds.get(page);
      if (kind === undefined || held.get(page)) return page.context().close();
      // Fingers that a test has left on the page leave with its session.
      for (const session of sessions.get(page)?.splice(0) ?? []) await session.detach();
      // Where the pointer rests, the next test's canvas would get a first event.
      await page.mouse.move(PARKED.x, PARKED.y);
      idle.set(kind, [...(idle.get(kind) ?? []), page]);
    },
  };
}

/** A position beside the canvas. */
const PARKED = { x: 1_270, y: 790 };
