/** Reads the PNG files that a browser writes: 8 bits for each channel, RGB or RGBA, not interlaced. */

import { inflateSync } from "node:zlib";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel: red, green, blue and alpha, row by row from the top. */
  readonly rgba: Uint8Array;
}

const SIGNATURE = 8;
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/**
 * Decodes a PNG.
 * @throws Error for one of another kind
 */
export function decodePng(file: Buffer): Picture {
  const parts: Buffer[] = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = SIGNATURE; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      channels = CHANNELS[data.readUInt8(9)] ?? 0;
      if (data.readUInt8(8) !== 8 || channels === 0 || data.readUInt8(12) !== 0)
        throw new Error("a PNG of a kind that is not read here");
    }
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels);
  return { width, height, rgba: channels === 4 ? bytes : withAlpha(bytes) };
}

/** Undoes the filters. Each row begins with the number of its filter: none, left, up, average, Paeth. */
function unfilter(raw: Uint8Array, stride: number, step: number): Uint8Array {
  const rows = raw.length / (stride + 1);
  const out = new Uint8Array(rows * stride);
  let above = new Uint8Array(stride);
  for (let row = 0; row < rows; row++) {
    const from = row * (stride + 1) + 1;
    const line = out.subarray(row * stride, (row + 1) * stride);
    line.set(raw.subarray(from, from + stride));
    UNDO[raw[from - 1] ?? 0]?.(line, above, step);
    above = line;
  }
  return out;
}

/** The inverse of each filter, applied to a row in place, in a loop of its own: a picture has millions of bytes. */
const UNDO: readonly ((line: Uint8Array, above: Uint8Array, step: number) => void)[] = [
  () => undefined,
  (line, _above, step) => {
    for (let x = step; x < line.length; x++) line[x] = (line[x] ?? 0) + (line[x - step] ?? 0);
  },
  (line, above) => {
    // The browser writes most rows this way, of which most are equal to the row above.
    if (Buffer.compare(line, new Uint8Array(line.length)) === 0) line.set(above);
    else for (let x = 0; x < line.length; x++) line[x] = (line[x] ?? 0) + (above[x] ?? 0);
  },
  (line, above, step) => {
    for (let x = 0; x < line.length; x++) {
      const left = x < step ? 0 : (line[x - step] ?? 0);
      line[x] = (line[x] ?? 0) + ((left + (above[x] ?? 0)) >> 1);
    }
  },
  (line, above, step) => {
    for (let x = 0; x < step; x++) line[x] = (line[x] ?? 0) + (above[x] ?? 0);
    for (let x = step; x < line.length; x++) {
      const before = x - step;
      line[x] = (line[x] ?? 0) + nearest(line[before] ?? 0, above[x] ?? 0, above[before] ?? 0);
    }
  },
];

/** Paeth's prediction: the neighbour that is nearest to left + up - corner. */
function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - corner - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function withAlpha(rgb: Uint8Array): Uint8Array {
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255);
  for (let at = 0, to = 0; at < rgb.length; at += 3, to += 4) {
    rgba[to] = rgb[at] ?? 0;
    rgba[to + 1] = rgb[at + 1] ?? 0;
    rgba[to + 2] = rgb[at + 2] ?? 0;
  }
  return rgba;
}

/** Returns one pixel as `#rrggbb`. */
export function colorAt(picture: Picture, x: number, y: number): string {
  const at = (Math.round(y) * picture.width + Math.round(x)) * 4;
  return `#${Buffer.from(picture.rgba.subarray(at, at + 3)).toString("hex")}`;
}

/** Returns a part of a picture, in pixels. */
export function crop(
  picture: Picture,
  from: readonly [x: number, y: number],
  size: readonly [width: number, height: number],
): Picture {
  const [x, y] = from;
  const [width, height] = size;
  const rgba = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const at = ((y + row) * picture.width + x) * 4;
    rgba.set(picture.rgba.subarray(at, at + width * 4), row * width * 4);
  }
  return { width, height, rgba };
}

/** Returns the number of pixels of two pictures of one size that differ by more than `tolerance` in some channel. */
export function countDifferences(a: Picture, b: Picture, tolerance = 0): number {
  if (a.width !== b.width || a.height !== b.height)
    return Math.max(a.rgba.length, b.rgba.length) / 4;
  if (Buffer.compare(a.rgba, b.rgba) === 0) return 0;
  let different = 0;
  for (let at = 0; at < a.rgba.length; at += 4) {
    for (let channel = 0; channel < 4; channel++) {
      if (Math.abs((a.rgba[at + channel] ?? 0) - (b.rgba[at + channel] ?? 0)) <= tolerance)
        continue;
      different++;
      break;
    }
  }
  return different;
}
