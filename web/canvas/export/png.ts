/** Writes a picture that is painted in strips as PNG. */

import { FALSIFIED, readsBack } from "../pictures/read-back.ts";
import type { PngRequest, PngResponse } from "./png-worker.ts";

export interface PngWriter {
  /** Copies the pixels of a strip, which begins so far below the picture's top. */
  add(strip: CanvasRenderingContext2D, top: number): void;
  /** Resolves to the PNG; called once, after the last strip. Rejects when the browser makes none. */
  finish(): Promise<Blob>;
  /** Ends the work and frees the memory. */
  dispose(): void;
}

/** Begins a picture of this size, in pixels. @throws Error where the browser would falsify it. */
export function createPngWriter(width: number, height: number): PngWriter {
  if (!readsBack()) throw new Error(FALSIFIED);
  return "OffscreenCanvas" in window ? writeInWorker(width, height) : writeHere(width, height);
}

function writeInWorker(width: number, height: number): PngWriter {
  const worker = new Worker(new URL("./png-worker.ts", import.meta.url), { type: "module" });
  const send = (request: PngRequest, moved: Transferable[] = []): void =>
    worker.postMessage(request, moved);
  const written = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PngResponse>) => {
      if (data) resolve(data);
      else reject(new Error(NO_PNG));
    };
    worker.onerror = () => reject(new Error(NO_PNG));
  });
  // It may fail while strips are still being painted.
  written.catch(() => undefined);
  send({ width, height });
  return {
    add(strip, top) {
      // A bitmap of the canvas is no copy in WebKit: it would show what is painted on the canvas next.
      const { data } = strip.getImageData(0, 0, width, strip.canvas.height);
      send({ pixels: data, top }, [data.buffer]);
    },
    finish() {
      send({ end: true });
      return written;
    },
    dispose: () => worker.terminate(),
  };
}

/** Begins a picture in a browser whose workers have no canvas. */
function writeHere(width: number, height: number): PngWriter {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return {
    add(strip, top) {
      canvas.getContext("2d")?.drawImage(strip.canvas, 0, top);
    },
    async finish() {
      const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
      if (!png) throw new Error(NO_PNG);
      return png;
    },
    dispose() {
      canvas.width = canvas.height = 0;
    },
  };
}

const NO_PNG = "the browser made no PNG";
