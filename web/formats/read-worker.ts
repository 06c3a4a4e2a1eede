/** A worker that reads one drawing, so that the page responds to input meanwhile, whatever the file contains. */

import { type ReadPart, readParts, type Source } from "./read-drawing.ts";

/** The part of a worker's scope that is used here; its types conflict with those of a page. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: Source }) => void): void;
  postMessage(part: ReadPart): void;
}

const worker = globalThis as unknown as WorkerScope;

worker.addEventListener("message", ({ data }) => void send(data));

async function send(source: Source): Promise<void> {
  try {
    for await (const part of readParts(source)) worker.postMessage(part);
  } catch {
    // The page learns of no exception that is thrown here, as where the memory is exhausted, and would wait.
    worker.postMessage({ end: { ok: false, reason: "it could not be read" } });
  }
}
