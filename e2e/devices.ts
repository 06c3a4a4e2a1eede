/** Browser contexts that the tests of a worker share, one after another. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";

export interface Devices {
  /** A device of these options that nobody uses. What it stores may still be there ({@link forget}). */
  take(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes the pages of a device and keeps it for the next one; closes it too if that one would notice. */
  putBack(device: BrowserContext): Promise<void>;
}

/** What a test changes by these stays with the context. */
const LASTING = [
  "addInitScript",
  "clearPermissions",
  "exposeBinding",
  "exposeFunction",
  "grantPermissions",
  "route",
  "routeWebSocket",
] as const;

/**
 * A new context costs a process, the network and the compiler a tenth of a second of work; a used one has done it.
 *
 * @param prepare Done once to each new context.
 */
export function createDevices(prepare: (context: BrowserContext) => Promise<unknown>): Devices {
  const idle = new Map<string, BrowserContext[]>();
  const kinds = new Map<BrowserContext, string>();

  return {
    async take(browser, options) {
      const kind = JSON.stringify(options);
      const used = idle.get(kind)?.pop();
      if (used) {
        await used.setOffline(false);
        return used;
      }
      const context = await browser.newContext(options);
      await prepare(context);
      kinds.set(context, kind);
      const spoil = (): void => void kinds.delete(context);
      context.on("close", spoil);
      for (const method of LASTING) uponCall(context, method, spoil);
      uponCall(context.clock, "install", spoil);
      return context;
    },
    async putBack(context) {
      const kind = kinds.get(context);
      if (kind === undefined) return context.close();
      // A page that is closed saves what it has: for the next test that would be too late.
      await context.setOffline(true);
      await Promise.all(context.pages().map((page) => page.close()));
      idle.set(kind, [...(idle.get(kind) ?? []), context]);
    },
  };
}

function uponCall<T extends object>(object: T, method: keyof T, act: () => void): void {
  const call = object[method] as (...args: unknown[]) => unknown;
  const replacement = (...args: unknown[]): unknown => {
    act();
    return call.apply(object, args);
  };
  Object.assign(object, { [method]: replacement });
}

/** Removes what the browser stores for the origin: cookies, storage, databases, service workers; not the code that it fetched. */
export async function forget(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}
