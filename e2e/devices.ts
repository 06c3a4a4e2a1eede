/** Browser contexts that the tests of a worker share, each emptied for the next visitor. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { Person } from "./person.ts";

export interface Devices {
  /** A visitor whose device remembers nothing of the origin, and keeps the code that it fetched before. */
  arrive(browser: Browser, options: BrowserContextOptions, origin: string): Promise<Person>;
  /** Takes a visitor's device back, for the next one; closes it if that one would notice. */
  leave(person: Person): Promise<void>;
}

/** A new context costs a process, the network and the compiler a quarter of a second of work; a used one has done it all. */
export function createDevices(): Devices {
  const idle = new Map<string, BrowserContext[]>();
  const kinds = new Map<BrowserContext, string>();

  return {
    async arrive(browser, options, origin) {
      const { viewport, ...kind } = options;
      const name = JSON.stringify(kind);
      const context = idle.get(name)?.pop();
      if (context === undefined) {
        const person = await Person.arrive(browser, options);
        const { context: fresh } = person;
        kinds.set(fresh, name);
        const spoil = (): void => void kinds.delete(fresh);
        fresh.on("close", spoil);
        for (const method of LASTING) uponCall(fresh, method, spoil);
        uponCall(fresh.clock, "install", spoil);
        return person;
      }
      await context.setOffline(false);
      const page = await context.newPage();
      await forget(page, origin);
      if (viewport) await page.setViewportSize(viewport);
      return new Person(context, page);
    },
    async leave({ context }) {
      const name = kinds.get(context);
      if (name === undefined) return context.close();
      // A page that is closed saves what it has: for the next test that would be too late.
      await context.setOffline(true);
      await Promise.all(context.pages().map((page) => page.close()));
      idle.set(name, [...(idle.get(name) ?? []), context]);
    },
  };
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

function uponCall<T extends object>(object: T, method: keyof T, act: () => void): void {
  const call = object[method] as (...args: unknown[]) => unknown;
  const replacement = (...args: unknown[]): unknown => {
    act();
    return call.apply(object, args);
  };
  Object.assign(object, { [method]: replacement });
}

/** Removes what the browser stores for the origin: cookies, storage, databases, service workers. */
async function forget(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}
