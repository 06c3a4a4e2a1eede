/**
 * Reads how a camera was held for a picture in WebP, since Chromium turns a JPEG and a PNG by this value, but no WebP.
 * The chunks are those of RFC 9649, and the value is the tag 0x0112 of EXIF 2.32.
 */

/** Greatest number of chunks and of fields that are read: an encoder writes a few. */
const MAX_PARTS = 1_000;

/** Bytes before the first chunk, and before the content of a chunk. */
const FILE_HEADER = 12;
const CHUNK_HEADER = 8;

/** Bytes of a field of EXIF. */
const FIELD = 12;

/**
 * Returns the orientation of a WebP file, from 1 (upright) to 8, and makes it 1 in the file's bytes, so that no browser
 * turns the picture a second time. Returns 1 for a file without a valid one. Never throws.
 */
export function takeOrientation(bytes: Uint8Array): number {
  const field = orientationField(bytes);
  const orientation = field && bytes[field.high] === 0 ? (bytes[field.low] ?? 0) : 0;
  if (!field || orientation < 1 || orientation > 8) return 1;
  bytes[field.low] = 1;
  return orientation;
}

/** Returns where the low and the high byte of the orientation are; null where there is none. */
function orientationField(
  bytes: Uint8Array,
): { readonly low: number; readonly high: number } | null {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (at: number, length: number): boolean => at + length <= bytes.length;
  const textAt = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  let at = FILE_HEADER;
  for (let part = 0; part < MAX_PARTS && has(at, CHUNK_HEADER) && textAt(at) !== "EXIF"; part++) {
    const size = file.getUint32(at + 4, true);
    at += CHUNK_HEADER + size + (size % 2);
  }
  if (!has(at, CHUNK_HEADER) || textAt(at) !== "EXIF") return null;
  at += CHUNK_HEADER;
  // Some encoders repeat the header that a JPEG has there.
  const tiff = textAt(at) === "Exif" ? at + 6 : at;
  const isLittle = textAt(tiff).startsWith("II");
  if (!has(tiff, 8)) return null;
  const fields = tiff + file.getUint32(tiff + 4, isLittle);
  const count = has(fields, 2) ? Math.min(file.getUint16(fields, isLittle), MAX_PARTS) : 0;
  for (let index = 0; index < count; index++) {
    const field = fields + 2 + index * FIELD;
    if (!has(field, FIELD)) return null;
    if (file.getUint16(field, isLittle) !== 0x0112) continue;
    return isLittle ? { low: field + 8, high: field + 9 } : { low: field + 9, high: field + 8 };
  }
  return null;
}
