/**
 * Ink in progress on the wire: the points of one tick as a short text. A point is two steps in units of half a pixel
 * from the point before; the first point of a message is counted from (0, 0), so that it can be read although the
 * message before it was lost. A step is a whole number, zigzag (0, -1, 1, -2 ...), in digits of five bits with the
 * lowest first, each written as one character; all but the last of a step carry 32.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES: ReadonlyMap<string, number> = new Map(
  Array.from(ALPHABET, (char, value) => [char, value] as const),
);

/** Units in a pixel. */
const UNITS = 2;
const MAX_UNITS = 1e6;

/** Greatest number of points in one message. */
export const MAX_INK_POINTS = 2000;

/** Encodes flat points in canvas pixels as text. Coordinates are clamped to 500,000 px. */
export function encodeInk(points: readonly number[]): string {
  let text = "";
  let x = 0;
  let y = 0;
  for (let index = 0; index + 1 < points.length; index += 2) {
    const nextX = toUnits(points[index] as number);
    const nextY = toUnits(points[index + 1] as number);
    text += encodeStep(nextX - x) + encodeStep(nextY - y);
    x = nextX;
    y = nextY;
  }
  return text;
}

/** Decodes a text to flat points, exact to half a pixel; null for a text that is malformed, too long, or leads out of range. */
export function decodeInk(text: string): number[] | null {
  const points: number[] = [];
  const point: [number, number] = [0, 0];
  let axis = 0;
  let value = 0;
  let weight = 1;
  for (const char of text) {
    const digit = VALUES.get(char);
    if (digit === undefined || weight > 2 ** 25) return null;
    value += (digit & 31) * weight;
    weight *= 32;
    if (digit >= 32) continue;
    const step = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    const units = (axis === 0 ? point[0] : point[1]) + step;
    if (Math.abs(units) > MAX_UNITS) return null;
    point[axis === 0 ? 0 : 1] = units;
    points.push(units / UNITS);
    if (points.length > MAX_INK_POINTS * 2) return null;
    axis = 1 - axis;
    value = 0;
    weight = 1;
  }
  return weight === 1 && axis === 0 ? points : null;
}

function toUnits(pixels: number): number {
  const units = Math.round(pixels * UNITS);
  return Number.isFinite(units) ? Math.min(MAX_UNITS, Math.max(-MAX_UNITS, units)) : 0;
}

function encodeStep(step: number): string {
  let rest = step >= 0 ? step * 2 : -step * 2 - 1;
  let text = "";
  do {
    const digit = rest % 32;
    rest = (rest - digit) / 32;
    text += ALPHABET[rest > 0 ? digit + 32 : digit];
  } while (rest > 0);
  return text;
}

/**
 * Appends the new part of received ink, for a receiver that has `received` points of the stroke. Points that it has
 * already are dropped. Across a gap the ink continues in a straight line, since lost points are not sent again.
 */
export function appendInk(
  received: number,
  ink: { readonly offset: number; readonly points: readonly number[] },
): { readonly points: readonly number[]; readonly received: number } {
  const count = ink.points.length / 2;
  const known = Math.max(0, received - ink.offset);
  return { points: ink.points.slice(known * 2), received: Math.max(received, ink.offset + count) };
}
