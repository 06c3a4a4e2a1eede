/**
 * A service worker that sends what a leaving page could not send by itself: a browser lets a page
 * that closes take 64 KB along, and a full board is larger. It controls no page and caches nothing.
 */

import type { OutlivingRequest } from "./outliving.ts";

/** The part of a service worker's world that is used here; its types do not go together with a page's. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "message", listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly data: OutlivingRequest;
  waitUntil(work: Promise<unknown>): void;
}

const worker = globalThis as unknown as WorkerScope;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

// Only pages of this origin can talk to the worker, and they could send the request themselves.
worker.addEventListener("message", (event) => {
  const { url, method, headers, body } = event.data;
  event.waitUntil(
    fetch(url, { method, headers: headers.map(([name, value]) => [name, value]), body }),
  );
});
