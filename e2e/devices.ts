/** Browser contexts that the tests of a worker share, one after another. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";

export interface Devices {
  /**
   * Takes a device with these options that nobody uses and that has visited no other origin. Its stored data may still
   * be there ({@link forget}).
   */
  take(browser: Browser, options: BrowserContextOptions, origin: string): Promise<BrowserContext>;
  /** Closes the pages of a device and retains it for the next one; closes it too if that one would notice. */
  putBack(device: BrowserContext): Promise<void>;
}

/** The methods whose effects stay with the context. */
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
 * Makes the pool of devices. A new context costs a process, the network and the compiler a tenth of a second of work,
 * which a used one has already done.
 *
 * @param prepare Done once to each new context.
 */
export function createDevices(prepare: (context: BrowserContext) => Promise<unknown>): Devices {
  const idle = new Map<string, BrowserContext[]>();
  const kinds = new Map<BrowserContext, string>();

  return {
    async take(browser, options, origin) {
      const kind = JSON.stringify([options, origin]);
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
      // A closing page saves its changes, which would be too late for the next test.
      await context.setOffline(true);
      await Promise.all(context.pages().map((page) => page.close()));
      idle.set(kind, [...(idle.get(kind) ?? []), context]);
    },
  };
}

/** Runs `act` before each call of a method, with what the method is given. */
export function uponCall<T extends object>(
  object: T,
  method: keyof T,
  act: (...given: unknown[]) => void,
): void {
  const call = object[method] as (...args: unknown[]) => unknown;
  const replacement = (...args: unknown[]): unknown => {
    act(...args);
    return call.apply(object, args);
  };
  Object.assign(object, { [method]: replacement });
}

/**
 * Removes everything that the browser stores for the origin: cookies, storage, databases, service workers; but not
 * the code that it fetched.
 */
export async function forget(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}
