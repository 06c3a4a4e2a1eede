/** Pictures as pixels, and the differences between two of them. */

export interface Difference {
  /** The number of pixels of which a channel differs by more than the threshold. */
  readonly pixels: number;
  /**
   * The number of those pixels whose channels are not between the least and the greatest of the nine pixels around
   * the same position in the other picture. Where a clip cuts a curve its edge is smoothed differently, by less than
   * a pixel; a missing or doubled stroke differs by more.
   */
  readonly wrong: number;
}

/** Returns the pixels of a canvas, in device pixels. Throws without a 2D context. */
export function pixelsOf(canvas: HTMLCanvasElement): ImageData {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The canvas has no context");
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Returns the picture of a data URL. */
export async function pictureOf(url: string): Promise<ImageData> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return pixelsOf(canvas);
}

/** The channels of each pixel as one number, which is read in a fraction of the time: alpha, blue, green, red. */
const words = ({ data }: ImageData): Int32Array => new Int32Array(data.buffer);

/** White in such a number without its alpha. */
const WHITE = -256;

type Pixel = readonly [image: ImageData, offset: number];

function channelsDiffer([a, i]: Pixel, [b, j]: Pixel, threshold: number): boolean {
  for (let k = 0; k < 4; k++)
    if (Math.abs((a.data[i + k] as number) - (b.data[j + k] as number)) > threshold) return true;
  return false;
}

/** True when each channel lies between the darkest and the lightest of the nine pixels around it in `b`. */
function isWithin([a, i]: Pixel, b: ImageData, threshold: number): boolean {
  const x = (i / 4) % a.width;
  const y = Math.floor(i / 4 / a.width);
  for (let k = 0; k < 4; k++) {
    let min = 255;
    let max = 0;
    for (let v = Math.max(0, y - 1); v <= Math.min(a.height - 1, y + 1); v++)
      for (let u = Math.max(0, x - 1); u <= Math.min(a.width - 1, x + 1); u++) {
        const value = b.data[4 * (v * b.width + u) + k] as number;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    const value = a.data[i + k] as number;
    if (value < min - threshold || value > max + threshold) return false;
  }
  return true;
}

/** Compares two pictures; a channel (0 to 255) differs when it does so by more than `threshold`. */
export function compare(a: ImageData, b: ImageData, threshold: number): Difference {
  if (a.width !== b.width || a.height !== b.height) return { pixels: Infinity, wrong: Infinity };
  let pixels = 0;
  let wrong = 0;
  const [left, right] = [words(a), words(b)];
  for (let i = 0; i < a.data.length; i += 4) {
    if (left[i / 4] === right[i / 4]) continue;
    if (!channelsDiffer([a, i], [b, i], threshold)) continue;
    pixels++;
    if (!isWithin([a, i], b, threshold) || !isWithin([b, i], a, threshold)) wrong++;
  }
  return { pixels, wrong };
}

/** Returns the number of pixels that are not white like the background. */
export function inked(image: ImageData): number {
  let count = 0;
  for (const pixel of words(image)) if (pixel << 8 !== WHITE) count++;
  return count;
}

/** Returns the CSS pixel after the rightmost one that is not white; 0 on a white canvas. */
export function inkEnd(canvas: HTMLCanvasElement): number {
  const { data, width } = pixelsOf(canvas);
  let end = 0;
  for (let i = 0; i < data.length; i += 4)
    if ((data[i] as number) + (data[i + 1] as number) + (data[i + 2] as number) < 765)
      end = Math.max(end, ((i / 4) % width) + 1);
  return end / devicePixelRatio;
}
