/** Has a worker read a file that was opened, or a text that was pasted. */

import type { NewObject } from "../../board/drawing.ts";
import type { ReadDrawing, ReadPart, Source } from "./read-drawing.ts";

/**
 * Reads a drawing; null when `signal` was aborted, which ends the work immediately. Rejects when the worker's code does
 * not arrive.
 */
export async function readInWorker(
  source: Source,
  signal: AbortSignal,
): Promise<ReadDrawing | null> {
  const worker = new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module" });
  const objects: NewObject[] = [];
  const read = new Promise<ReadDrawing | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ReadPart>) => {
      if (!("end" in data)) objects.push(...data.objects);
      else resolve(data.end.ok ? { ...data.end, objects } : data.end);
    };
    worker.onerror = (event) => {
      // An exception, as where the memory is exhausted, has a message.
      if (event instanceof ErrorEvent) resolve({ ok: false, reason: "it could not be read" });
      else reject(new Error("The code that reads drawings did not arrive"));
    };
    signal.addEventListener("abort", () => resolve(null));
  });
  if (!signal.aborted) worker.postMessage(source);
  try {
    return signal.aborted ? null : await read;
  } finally {
    worker.terminate();
  }
}

/**
 * Returns why an SVG file is not drawn as a picture, as one clause; null when it may be drawn, or `signal` was aborted.
 * Rejects as `readInWorker` does.
 */
export async function refusePicture(svg: Blob, signal: AbortSignal): Promise<string | null> {
  const read = await readInWorker({ picture: svg }, signal);
  return !read || read.ok ? null : read.reason;
}

/** Whether a text looks like a drawing, so that pasting it does not mean its words. */
export function looksLikeDrawing(text: string): boolean {
  const start = text.slice(0, 2_000).trimStart();
  return (
    (/^(?:<\?xml|<!--|<!DOCTYPE svg|<svg[\s>])/i.test(start) && /<svg[\s>]/i.test(text)) ||
    (/^[{[]/.test(start) && /"(?:objects|elements)"\s*:\s*\[/.test(text))
  );
}
