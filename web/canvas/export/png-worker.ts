/** A worker that assembles a picture from strips and writes it as PNG, which takes long for a large picture. */

/** The messages to the worker: first the size in pixels, then strips from the top down, then the end. */
export type PngRequest =
  | { readonly width: number; readonly height: number }
  | { readonly pixels: Uint8ClampedArray<ArrayBuffer>; readonly top: number }
  | { readonly end: true };

/** The PNG; null when the browser made none. */
export type PngResponse = Blob | null;

/** The part of a worker's scope that is used here; its types conflict with those of a page. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: PngRequest }) => void): void;
  postMessage(response: PngResponse): void;
}

const worker = globalThis as unknown as WorkerScope;
let context: OffscreenCanvasRenderingContext2D | null = null;

worker.addEventListener("message", ({ data }) => {
  if ("width" in data) context = new OffscreenCanvas(data.width, data.height).getContext("2d");
  else if ("pixels" in data)
    context?.putImageData(new ImageData(data.pixels, context.canvas.width), 0, data.top);
  else void write();
});

async function write(): Promise<void> {
  const png = await context?.canvas.convertToBlob({ type: "image/png" }).catch(() => null);
  worker.postMessage(png ?? null);
}
