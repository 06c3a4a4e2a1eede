/** The environment of a browser's page. */

import type { Clock, Environment, Log, PageEvent, PageEvents } from "./environment/environment.ts";
import type { DeviceCopyStore } from "./environment/device-stores.ts";
import { openIndexedDbCopyStore } from "./device/device-copy-store.ts";
import { openIndexedDbJournalStore } from "./device/journal-store.ts";
import { openSupabaseBackend } from "./supabase/supabase.ts";
import { openSession } from "./on-demand.ts";
import { registerUnloadWorker } from "./supabase/request-body.ts";
// oxlint-disable-next-line import/default -- the bundler makes it: the address of the built worker
import workerUrl from "./supabase/unload-worker.ts?worker&url";

/** All tabs and all visits of a board share one journal: one path of an origin shows one board. */
const JOURNAL = "inkpool";
/** A database of its own: the journal's must not be locked, damaged or filled by what only saves a wait. */
const DEVICE_COPY = "inkpool-drawing";

/** Milliseconds: a telephone has painted the edit by then, and peers that see it live miss nothing. */
const SEND_DELAY = 80;

/** `given` takes the place of what the browser has. */
export function browserEnvironment(given: Partial<Environment>): Environment {
  return {
    log: console,
    clock: browserClock(),
    random: Math.random,
    randomId,
    page: browserPage(),
    pause,
    sendDelay: typeof window === "undefined" ? 0 : SEND_DELAY,
    openBackend: (config) =>
      openSupabaseBackend(config, {
        unloadWorker: registerUnloadWorker(
          attempt(() => navigator.serviceWorker),
          workerUrl,
        ),
        openSession,
        pause,
      }),
    openJournalStore: (log: Log) => openIndexedDbJournalStore(findIndexedDb(), journalName(), log),
    openDeviceCopyStore,
    ...given,
  };
}

/** The server writes the path below which the page lies into it; at the root there is none. */
function journalName(): string {
  const path = attempt(
    () => document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content,
  );
  return path === undefined ? JOURNAL : `${JOURNAL} ${path}`;
}

/** Returns the clock's time. After it was set back the time goes on from where it was, so that nothing waits until it is that late again. */
function createNow(): Clock["now"] {
  let last = 0;
  let ahead = 0;
  return () => {
    const now = Date.now();
    ahead = Math.max(ahead, last - now);
    return (last = now + ahead);
  };
}

function browserClock(): Clock {
  const hasFrames = typeof requestAnimationFrame === "function";
  return {
    now: createNow(),
    setTimer: (run, delay) => setTimeout(run, delay),
    clearTimer: (timer) => clearTimeout(timer as number),
    requestFrame: (run) => (hasFrames ? requestAnimationFrame(run) : setTimeout(run, 16)),
    cancelFrame: (frame) =>
      hasFrames ? cancelAnimationFrame(frame as number) : clearTimeout(frame as number),
  };
}

/** A closing tab gets pagehide before it becomes hidden. The client library closes its socket on pagehide too, so our listener comes first. */
function browserPage(): PageEvents {
  return {
    isOffline: () => attempt(() => navigator.onLine) === false,
    listen(listener) {
      if (typeof window === "undefined" || typeof document === "undefined") return () => undefined;
      const listening = new AbortController();
      const options = { capture: true, signal: listening.signal };
      const emit = (event: PageEvent) => () => listener(event);
      window.addEventListener("online", emit("online"), options);
      window.addEventListener("offline", emit("offline"), options);
      window.addEventListener("pagehide", emit("leaving"), options);
      document.addEventListener(
        "visibilitychange",
        () => listener(document.visibilityState === "hidden" ? "hidden" : "visible"),
        options,
      );
      return () => listening.abort();
    },
  };
}

/** Returns what `read` finds; undefined where it is missing, or the browser refuses it, as in a frame that may store nothing. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The store of what the page's operator allows: none where the page says `<meta name="offline" content="off">`. */
function openDeviceCopyStore(board: string): DeviceCopyStore {
  const store = openIndexedDbCopyStore(findIndexedDb(), DEVICE_COPY, board);
  const isOff = attempt(() => document.querySelector('meta[name="offline"][content="off"]'));
  if (!isOff) return store;
  void store.clear();
  return { ...store, read: async () => null, write: async () => false };
}

const findIndexedDb = (): IDBFactory | undefined => attempt(() => indexedDB);

/** Pauses by a message instead of a timer: browsers delay nested timers by 4 ms each, and by a second in a hidden page. */
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

/** Returns 12 characters of [0-9a-z]. crypto.randomUUID is missing on pages that were not served securely. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}
