import { describe, expect, test } from "vitest";
import { keepShell, PAGE_PREFIX, type ShellHost } from "./keep-shell.ts";
import { SHELL_PREFIX } from "./shell.ts";
import { FIRST, SECOND, createCaches } from "./shell-bed.case.ts";

/** Makes a browser with a worker's registration, whose messages and updates the test sends. */
function createHost(overrides: Partial<ShellHost> = {}) {
  const workers = new EventTarget();
  const sent: unknown[] = [];
  const found = { installing: null as object | null, isServed: true, isKnown: false };
  const calls = { updates: 0, removed: 0, registered: 0 };
  const registration = {
    active: { postMessage: (message: unknown) => sent.push(message) },
    get installing() {
      return found.installing;
    },
    waiting: null,
    update: async () => void (calls.updates += 1),
    unregister: async () => (calls.removed += 1) > 0,
  };
  Object.assign(workers, {
    register: async () => {
      calls.registered += 1;
      return registration;
    },
    getRegistration: async () => (found.isKnown || calls.registered > 0 ? registration : undefined),
  });
  const { caches, all } = createCaches();
  let now = 0;
  let whenBack = (): void => undefined;
  const held: string[] = [];
  const host: ShellHost = {
    workers: workers as unknown as ServiceWorkerContainer,
    caches,
    locks: {
      request: (async (name: string, _options: object, run: () => Promise<void>) => {
        held.push(name);
        await run();
        held.splice(held.indexOf(name), 1);
      }) as unknown as LockManager["request"],
    },
    basePath: "/",
    entry: FIRST.entry,
    isOff: false,
    onReturn(listener) {
      whenBack = listener;
      return () => (whenBack = () => undefined);
    },
    isServed: async () => found.isServed,
    now: () => now,
    ...overrides,
  };
  return {
    ...{ host, sent, found, calls, held, all },
    say: async (shell: unknown) => {
      workers.dispatchEvent(new MessageEvent("message", { data: { shell } }));
      await new Promise((resolve) => setTimeout(resolve));
    },
    back: (ms: number) => {
      now += ms;
      whenBack();
    },
  };
}

describe("the page and its worker", () => {
  test("UI-48 a new build is offered once, when it is ready and is not this page's", async () => {
    const { host, say, found, held, sent } = createHost();
    let offers = 0;
    keepShell(host, () => (offers += 1));
    await say(undefined);
    expect([PAGE_PREFIX, held, sent]).toEqual([
      SHELL_PREFIX,
      [SHELL_PREFIX + FIRST.entry],
      ["hello"],
    ]);
    await say(FIRST.entry);
    // The page came from the network; the worker of the build before is about to be replaced.
    found.installing = {};
    await say(SECOND.entry);
    expect(offers).toBe(0);
    found.installing = null;
    await say(FIRST.entry);
    await say(SECOND.entry);
    await say(SECOND.entry);
    expect(offers).toBe(1);
    // The page goes on with its own build, which no worker may remove.
    expect(held).toEqual([SHELL_PREFIX + FIRST.entry]);
  });

  test("UI-48 a page that comes back looks for a new build, at most every ten minutes", async () => {
    const { host, back, calls } = createHost();
    keepShell(host, () => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    for (const ms of [1_000, 600_000, 1_000, 600_000]) back(ms);
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls.updates).toBe(2);
  });

  test("UI-20 a browser without workers, one that refuses them, and a page that was not built go on without", async () => {
    for (const overrides of [{ workers: undefined }, { entry: null }]) {
      const { host, calls } = createHost(overrides);
      keepShell(host, () => undefined);
      expect(calls.registered).toBe(0);
    }
    // A server without a worker, or with one that does not respond, is not asked for one.
    const without = createHost();
    without.found.isServed = false;
    keepShell(without.host, () => undefined);
    await without.say(SECOND.entry);
    expect([without.calls.registered, without.calls.updates]).toEqual([0, 0]);
    const { host, say } = createHost({ locks: undefined });
    Object.assign(host.workers!, { register: () => Promise.reject(new Error("refused")) });
    keepShell(host, () => {
      throw new Error("nothing is offered");
    });
    await say(SECOND.entry);
  });

  test("UI-20 with OFFLINE=off the worker goes, and so do its caches", async () => {
    const { host, calls, all, found } = createHost({ isOff: true });
    found.isKnown = true;
    for (const name of [`inkpool ${FIRST.entry} one`, "somebody else's"]) all.set(name, new Map());
    keepShell(host, () => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    expect([calls.registered, calls.removed, [...all.keys()]]).toEqual([0, 1, ["somebody else's"]]);
  });
});
