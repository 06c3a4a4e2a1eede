/**
 * Finds out whether the file of a picture ends too early, as an interrupted download does: WebKit decodes such a file to
 * nothing but transparent pixels and Firefox to a part of the picture, without an error. Chromium refuses it.
 */

import type { PictureHeader } from "../../../board/picture-header.ts";

/** Bytes before the first chunk of a PNG, and of a chunk without its content. */
const PNG_SIGNATURE = 8;
const PNG_CHUNK = 12;
/** The type of a PNG's last chunk: "IEND". */
const PNG_END = 0x49454e44;

/** The markers of a JPEG before its pixels and after them. */
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;

/** Whether a file with a header contains all of its picture, of a GIF all of the first frame. Never throws. */
export function isComplete(bytes: Uint8Array, type: PictureHeader["type"]): boolean {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case "image/png":
      return isPngComplete(file);
    case "image/jpeg":
      return isJpegComplete(bytes);
    case "image/webp":
      // Some encoders count the last byte of padding, which they do not write.
      return file.getUint32(4, true) + 7 <= bytes.length;
    case "image/gif":
      return isGifComplete(bytes);
  }
}

function isPngComplete(file: DataView): boolean {
  let at = PNG_SIGNATURE;
  while (at + PNG_CHUNK <= file.byteLength) {
    if (file.getUint32(at + 4) === PNG_END) return true;
    at += PNG_CHUNK + file.getUint32(at);
  }
  return false;
}

/** Looks for the end behind the beginning of the pixels: the preview in the file's EXIF has an end of its own. */
function isJpegComplete(bytes: Uint8Array): boolean {
  let at = 2;
  while (bytes[at] === 0xff && bytes[at + 1] !== JPEG_SCAN)
    at += bytes[at + 1] === 0xff ? 1 : 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
  // From the end of the file, where it is in most.
  for (let end = bytes.length - 2; end >= at + 2; end--)
    if (bytes[end] === 0xff && bytes[end + 1] === JPEG_END) return true;
  return false;
}

/** Whether the blocks of the first frame's pixels are followed by an empty one. */
function isGifComplete(bytes: Uint8Array): boolean {
  const tableSize = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const behindBlocks = (start: number): number => {
    let at = start;
    for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += size + 1;
    return at + 1;
  };
  let at = 13 + tableSize(bytes[10]);
  while (bytes[at] === 0x21) at = behindBlocks(at + 2);
  return behindBlocks(at + 11 + tableSize(bytes[at + 9])) <= bytes.length;
}
