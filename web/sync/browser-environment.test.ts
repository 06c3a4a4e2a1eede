import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { browserEnvironment } from "./browser-environment.ts";

afterEach(() => void vi.unstubAllGlobals());

test("LIV-10 a clientId is random, also on a page that was not served securely", () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = [browserEnvironment({}).randomId(), browserEnvironment({}).randomId()];
  for (const id of ids) expect(id).toMatch(/^[0-9a-z]{12}$/);
  expect(ids[0]).not.toBe(ids[1]);
});

test("SAV-4 a clock that is set back goes on from where it was, and may jump forward", () => {
  let time = Date.UTC(2026, 0, 5);
  const spy = vi.spyOn(Date, "now").mockImplementation(() => time);
  const { clock } = browserEnvironment({});
  const began = clock.now();
  expect(began).toBe(time);
  const passed: number[] = [];
  for (const step of [1_000, -3_600_000, 1_000, -5_000, 1_000, 7_200_000, 1_000]) {
    time += step;
    passed.push(clock.now() - began);
  }
  expect(passed).toEqual([1_000, 1_000, 2_000, 2_000, 3_000, 7_203_000, 7_204_000]);
  spy.mockRestore();
});

test("SAV-18 the page's events reach a listener until it ends: leaving, hidden, offline and back", () => {
  const page = new EventTarget();
  const shown = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", shown);
  const events: string[] = [];
  const stop = browserEnvironment({}).page.listen((event) => events.push(event));
  page.dispatchEvent(new Event("pagehide"));
  shown.dispatchEvent(new Event("visibilitychange"));
  shown.visibilityState = "visible";
  shown.dispatchEvent(new Event("visibilitychange"));
  page.dispatchEvent(new Event("offline"));
  page.dispatchEvent(new Event("online"));
  expect(events).toEqual(["leaving", "hidden", "visible", "offline", "online"]);
  stop();
  for (const [target, type] of [
    [page, "pagehide"],
    [page, "online"],
    [shown, "visibilitychange"],
  ] as const)
    target.dispatchEvent(new Event(type));
  expect(events).toHaveLength(5);
});

test("SAV-19 without IndexedDB, service workers or the right to use them the environment is complete", async () => {
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("WebSocket", WebSocket);
  Object.defineProperty(globalThis, "indexedDB", {
    configurable: true,
    get() {
      throw new Error("forbidden");
    },
  });
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
  const env = browserEnvironment({ log });
  const store = env.openJournalStore(log);
  expect(typeof store).toBe("object");
  const backend = env.openBackend({ supabaseUrl: "http://127.0.0.1:9", supabaseAnonKey: "k" });
  expect(backend.unloadLimit).toBe(60_000);
  await backend.close();
  Reflect.deleteProperty(globalThis, "indexedDB");
});
