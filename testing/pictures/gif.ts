/** GIF files, written: with a few colours, in one frame or several. */

/** A pixel's colour by its number in the table. */
export type Frame = (x: number, y: number) => number;

/** Bits of a colour's number, of which the format wants two at least. */
const COLOR_BITS = 2;
const CLEAR = 1 << COLOR_BITS;
const END = CLEAR + 1;
const CODE_BITS = COLOR_BITS + 1;

const word = (value: number): number[] => [value & 0xff, value >> 8];

/** Codes without compression: the table of the decoder is cleared before it would need longer codes. */
function codesOf(frame: Frame, width: number, height: number): number[] {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  const write = (code: number): void => {
    bits |= code << count;
    for (count += CODE_BITS; count >= 8; count -= 8) {
      bytes.push(bits & 0xff);
      bits >>= 8;
    }
  };
  for (let at = 0; at < width * height; at++) {
    if (at % 2 === 0) write(CLEAR);
    write(frame(at % width, Math.floor(at / width)));
  }
  write(END);
  if (count > 0) bytes.push(bits & 0xff);
  return bytes;
}

/** Writes a GIF that plays the frames for ever, each for a tenth of a second. `colors`: at most four, as 0xrrggbb. */
export function encodeGif(
  { width, height }: { readonly width: number; readonly height: number },
  colors: readonly number[],
  frames: readonly Frame[],
): Buffer {
  const table = Array.from({ length: 1 << COLOR_BITS }, (_, i) => colors[i] ?? 0);
  const bytes = [
    ...Buffer.from("GIF89a"),
    ...[...word(width), ...word(height), 0x80 | (COLOR_BITS - 1), 0, 0],
    ...table.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]),
    ...[0x21, 0xff, 11, ...Buffer.from("NETSCAPE2.0"), 3, 1, 0, 0, 0],
  ];
  for (const frame of frames) {
    bytes.push(0x21, 0xf9, 4, 0, ...word(10), 0, 0);
    bytes.push(0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, COLOR_BITS);
    const codes = codesOf(frame, width, height);
    for (let at = 0; at < codes.length; at += 255) {
      const block = codes.slice(at, at + 255);
      bytes.push(block.length, ...block);
    }
    bytes.push(0);
  }
  return Buffer.from([...bytes, 0x3b]);
}
