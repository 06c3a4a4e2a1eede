/**
 * A service worker that sends what an unloading page could not send by itself: a browser limits such
 * requests to 64 KB, and a full board is larger. It controls no page and caches nothing.
 */

import type { UnloadRequest } from "./request-body.ts";

/** The part of a service worker's scope that is used here; its types conflict with those of a page. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "message", listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly data: UnloadRequest;
  waitUntil(work: Promise<unknown>): void;
}

const worker = globalThis as unknown as WorkerScope;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// Only pages of this origin can post to the worker, and they could send the request themselves.
worker.addEventListener("message", (event) => {
  const { url, method, headers, body } = event.data;
  event.waitUntil(
    fetch(url, { method, headers: headers.map(([name, value]) => [name, value]), body }),
  );
});
