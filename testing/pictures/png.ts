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
  for (let row = 0; row < rows; row++) {
    const filter = raw[row * (stride + 1)] ?? 0;
    const from = row * (stride + 1) + 1;
    const to = row * stride;
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? (out[to + x - step] ?? 0) : 0;
      const up = row > 0 ? (out[to + x - stride] ?? 0) : 0;
      const corner = row > 0 && x >= step ? (out[to + x - stride - step] ?? 0) : 0;
      out[to + x] = (raw[from + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return out;
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const toLeft = Math.abs(guess - left);
  const toUp = Math.abs(guess - up);
  const toCorner = Math.abs(guess - corner);
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
