/** The world of a browser's page. */

import { openIndexedDbJournal } from "./journal.ts";
import { openOutliving } from "./outliving.ts";
import { openSupabaseBackend } from "./supabase.ts";
import type { Clock, Log, PageEvent, PageEvents, World } from "./world.ts";

/** All tabs and all visits of an origin share one journal: one origin shows one board. */
const JOURNAL = "inkpool";

/** `given` takes the place of what the browser has. */
export function browserWorld(given: Partial<World>): World {
  const log: Log = given.log ?? console;
  return {
    log,
    clock: given.clock ?? browserClock(),
    random: given.random ?? Math.random,
    randomId: given.randomId ?? randomUuid,
    page: given.page ?? browserPage(),
    pause: given.pause ?? pause,
    openBackend:
      given.openBackend ??
      ((config) =>
        openSupabaseBackend(config, {
          outliving: openOutliving(findServiceWorkers(), workerScript),
        })),
    openJournal:
      given.openJournal ??
      ((_config, told) => openIndexedDbJournal(findIndexedDb(), JOURNAL, told)),
    loadHistory: given.loadHistory ?? (() => import("../../board/history.ts")),
    loadAdoption: given.loadAdoption ?? (() => import("../../board/adopt.ts")),
    loadDealings: given.loadDealings ?? (() => import("./dealings.ts")),
  };
}

function browserClock(): Clock {
  const hasFrames = typeof requestAnimationFrame === "function";
  return {
    now: () => Date.now(),
    setTimer: (run, delay) => setTimeout(run, delay),
    clearTimer: (timer) => clearTimeout(timer as number),
    requestFrame: (run) => (hasFrames ? requestAnimationFrame(run) : setTimeout(run, 16)),
    cancelFrame: (frame) =>
      hasFrames ? cancelAnimationFrame(frame as number) : clearTimeout(frame as number),
  };
}

/** A closing tab hears pagehide before it becomes hidden; the client library closes its socket on pagehide too, so ours comes first. */
function browserPage(): PageEvents {
  return {
    isOnline: () => typeof navigator === "undefined" || navigator.onLine !== false,
    isVisible: () => typeof document === "undefined" || document.visibilityState !== "hidden",
    listen(listener) {
      if (typeof window === "undefined" || typeof document === "undefined") return () => undefined;
      const tell = (event: PageEvent) => () => listener(event);
      const changed = (): void =>
        listener(document.visibilityState === "hidden" ? "hidden" : "visible");
      const heard: [EventTarget, string, () => void][] = [
        [window, "online", tell("online")],
        [window, "offline", tell("offline")],
        [window, "pagehide", tell("leaving")],
        [document, "visibilitychange", changed],
      ];
      for (const [target, type, run] of heard)
        target.addEventListener(type, run, { capture: true });
      return () => {
        for (const [target, type, run] of heard)
          target.removeEventListener(type, run, { capture: true });
      };
    },
  };
}

function findServiceWorkers(): ServiceWorkerContainer | undefined {
  return typeof navigator !== "undefined" && "serviceWorker" in navigator
    ? navigator.serviceWorker
    : undefined;
}

/** The bundler's address of the worker; asked for when it is needed, since only a bundler knows it. */
const workerScript = async (): Promise<string> =>
  (await import("./outliving-worker.ts?worker&url")).default;

/** Reading the property throws in some browsers that forbid storage. */
function findIndexedDb(): IDBFactory | undefined {
  try {
    return typeof indexedDB === "undefined" ? undefined : indexedDB;
  } catch {
    return undefined;
  }
}

/** A message instead of a timer: nested timers are held back for 4 ms each, and for a second in a hidden page. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** crypto.randomUUID is missing on pages that were not served securely. */
function randomUuid(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte, index) => {
    const dash = index === 4 || index === 6 || index === 8 || index === 10 ? "-" : "";
    return dash + byte.toString(16).padStart(2, "0");
  }).join("");
}
