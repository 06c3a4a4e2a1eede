/**
 * The page's service worker, `sw.js`: stores the shell of its build and responds from it. It becomes active as soon
 * as it has stored its build; open pages then stay with theirs, whose files remain until they are closed.
 */

import { buildBelow, createShell, type Build } from "./shell.ts";

/** The part of a service worker's scope that is used here; its types conflict with those of a page. */
interface WorkerScope {
  readonly location: Location;
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  readonly clients: { claim(): Promise<void>; matchAll(): Promise<readonly Sender[]> };
  skipWaiting(): Promise<void>;
  addEventListener<Type extends keyof WorkerEvents>(
    type: Type,
    listener: (event: WorkerEvents[Type]) => void,
  ): void;
}

interface WorkerEvents {
  readonly install: InstallEvent;
  readonly activate: WorkEvent;
  readonly message: WorkEvent & { readonly source: Sender | null };
  readonly fetch: WorkEvent & {
    readonly request: Request;
    readonly preloadResponse?: Promise<Response | undefined>;
    respondWith(response: Promise<Response>): void;
  };
}

interface WorkEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface InstallEvent extends WorkEvent {
  addRoutes?(routes: readonly object[]): Promise<void>;
}

interface Sender {
  postMessage(message: unknown): void;
}

/** The build, which the bundler writes (web/vite.config.ts). */
declare const __BUILD__: Build;

const worker = globalThis as unknown as WorkerScope;
const basePath = new URL(".", worker.location.href).pathname;
const build = buildBelow(__BUILD__, basePath);
const shell = createShell(build, {
  origin: worker.location.origin,
  basePath,
  caches,
  fetch: (input, init) => fetch(input, init),
  async heldLocks() {
    if (!("locks" in navigator)) return null;
    const { held = [] } = await navigator.locks.query();
    return held.map(({ name = "" }) => name);
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
const hello = { shell: build.entry } as const;

/** Requests that no worker has to look at: the browser then does not even start it. Older browsers ask, and get no response. */
const PASSED_BY = [
  ...["POST", "PATCH", "PUT", "DELETE"].map((requestMethod) => ({ requestMethod })),
  ...["rest", "auth", "realtime"].map((api) => ({
    urlPattern: { pathname: `${basePath}${api}/*` },
  })),
].map((condition) => ({ condition, source: "network" }));

worker.addEventListener("install", (event) => {
  const routes = event.addRoutes?.(PASSED_BY).catch(() => undefined);
  event.waitUntil(
    Promise.all([routes, shell.install()]).then(
      () => worker.skipWaiting(),
      () => {
        // The next visit tries again.
        throw new Error("the page could not be stored on this device");
      },
    ),
  );
});

worker.addEventListener("activate", (event) => {
  const start = async (): Promise<void> => {
    // With this the page is under way while the worker starts.
    await worker.registration.navigationPreload?.enable().catch(() => undefined);
    await worker.clients.claim();
    for (const page of await worker.clients.matchAll()) page.postMessage(hello);
    await shell.prune();
  };
  event.waitUntil(start());
});

// An open page asks which build this is, and has old builds removed.
worker.addEventListener("message", (event) => {
  event.source?.postMessage(hello);
  event.waitUntil(shell.prune());
});

worker.addEventListener("fetch", (event) => {
  const response = shell.respond(event.request, event.preloadResponse);
  if (response) event.respondWith(response);
});
