/** Reads type and size of a picture from the first bytes of its file, before anything is decoded. Pure. */

import { MAX_PICTURE_SIDE } from "./limits.ts";

/** Greatest number of pixels of a whole picture. */
const MAX_PICTURE_PIXELS = 8_000_000;

export interface PictureHeader {
  readonly type: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
  /** Width in pixels, before the picture is rotated. */
  readonly width: number;
  readonly height: number;
}

/** Greatest number of blocks or chunks before the one with the size: no camera writes as many. */
const MAX_BLOCKS = 1_000;

/** Reads the header of a file; null when it is of another type, or cut off before its size. Never throws. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const file = new Reader(bytes);
  const read = readPng(file) ?? readGif(file) ?? readWebp(file) ?? readJpeg(file);
  return read && read.width > 0 && read.height > 0 ? read : null;
}

/** True for a picture that a board shows: at most 4,096 pixels on a side and 8 million altogether. */
export function isWithinLimits({ width, height }: Omit<PictureHeader, "type">): boolean {
  return Math.max(width, height) <= MAX_PICTURE_SIDE && width * height <= MAX_PICTURE_PIXELS;
}

/** Reads numbers of a file; NaN behind its end. */
class Reader {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  text(at: number, length: number): string {
    return String.fromCharCode(...this.bytes.subarray(at, at + length));
  }

  byte(at: number): number {
    return this.bytes[at] ?? Number.NaN;
  }

  /** A little-endian number of so many bytes. */
  little(at: number, length: number): number {
    let value = 0;
    for (let index = length - 1; index >= 0; index--) value = value * 256 + this.byte(at + index);
    return value;
  }

  /** A big-endian number of so many bytes. */
  big(at: number, length: number): number {
    let value = 0;
    for (let index = 0; index < length; index++) value = value * 256 + this.byte(at + index);
    return value;
  }
}

function readPng(file: Reader): PictureHeader | null {
  if (file.text(0, 8) !== "\u0089PNG\r\n\u001a\n" || file.text(12, 4) !== "IHDR") return null;
  return { type: "image/png", width: file.big(16, 4), height: file.big(20, 4) };
}

/** Reads the size of a GIF: a browser shows the first frame on a screen that is large enough for it. */
function readGif(file: Reader): PictureHeader | null {
  if (!/^GIF8[79]a$/.test(file.text(0, 6))) return null;
  const flags = file.byte(10);
  let at = 13 + ((flags & 0x80) !== 0 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
    if (file.byte(at) === 0x2c) {
      const right = file.little(at + 1, 2) + file.little(at + 5, 2);
      const bottom = file.little(at + 3, 2) + file.little(at + 7, 2);
      return {
        type: "image/gif",
        width: Math.max(file.little(6, 2), right),
        height: Math.max(file.little(8, 2), bottom),
      };
    }
    if (file.byte(at) !== 0x21) return null;
    at += 2;
    while (file.byte(at) > 0) at += file.byte(at) + 1;
    at += 1;
  }
  return null;
}

function readWebp(file: Reader): PictureHeader | null {
  if (file.text(0, 4) !== "RIFF" || file.text(8, 4) !== "WEBP") return null;
  const type = "image/webp";
  const chunk = file.text(12, 4);
  if (chunk === "VP8X")
    return { type, width: 1 + file.little(24, 3), height: 1 + file.little(27, 3) };
  if (chunk === "VP8L" && file.byte(20) === 0x2f) {
    const bits = file.little(21, 4);
    return {
      type,
      width: 1 + (bits % 2 ** 14),
      height: 1 + (Math.floor(bits / 2 ** 14) % 2 ** 14),
    };
  }
  if (chunk !== "VP8 " || file.text(23, 3) !== "\u009d\u0001*") return null;
  return { type, width: file.little(26, 2) & 0x3fff, height: file.little(28, 2) & 0x3fff };
}

/** Whether a marker of JPEG has no length. */
function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** Whether a marker of JPEG begins a frame: those from C0 to CF except the tables and the reserved one. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readJpeg(file: Reader): PictureHeader | null {
  if (file.big(0, 2) !== 0xffd8) return null;
  let at = 2;
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
    if (file.byte(at) !== 0xff) return null;
    while (file.byte(at + 1) === 0xff) at += 1;
    const marker = file.byte(at + 1);
    if (beginsFrame(marker))
      return { type: "image/jpeg", height: file.big(at + 5, 2), width: file.big(at + 7, 2) };
    if (isBare(marker)) at += 2;
    else {
      const length = file.big(at + 2, 2);
      // This is the end, or the pixels, before any frame.
      if (!(length >= 2) || marker === 0xd9 || marker === 0xda) return null;
      at += 2 + length;
    }
  }
  return null;
}
