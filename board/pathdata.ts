/** Reads SVG path data strictly: https://www.w3.org/TR/SVG2/paths.html, section 9.3. */

import { appendArc } from "./arc.ts";
import { MAX_COORDINATE } from "./limits.ts";

/** Absolute, simple path data: M x y, L x y, Q cx cy x y, C c1x c1y c2x c2y x y, Z. */
export interface PathData {
  /** One letter of "MLQCZ" for each command. */
  readonly commands: string;
  /** The numbers of all commands, one after the other. */
  readonly coords: readonly number[];
}

const ARGUMENTS: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
};

/** The state of a path being read: the pen, the start of the subpath, and the last control point. */
interface Pen {
  readonly letters: string[];
  readonly coords: number[];
  x: number;
  y: number;
  startX: number;
  startY: number;
  controlX: number;
  controlY: number;
  /** The command that the control point belongs to: a following S or T mirrors only its own kind. */
  curve: "" | "C" | "Q";
}

/** A reader over the text; `at` is its position. */
interface Cursor {
  readonly text: string;
  at: number;
}

/** True for path data that Fabric and every browser read alike: it begins with a move, and no number is missing or out of range. */
export function isPath(text: string): boolean {
  return walk(text, null);
}

/** The path with all shorthands resolved; null when it is not valid. Relative sums keep 6 decimals. */
export function parsePath(text: string): PathData | null {
  const pen: Pen = {
    letters: [],
    coords: [],
    x: 0,
    y: 0,
    startX: 0,
    startY: 0,
    controlX: 0,
    controlY: 0,
    curve: "",
  };
  if (!walk(text, pen)) return null;
  return { commands: pen.letters.join(""), coords: pen.coords };
}

function walk(text: string, pen: Pen | null): boolean {
  const cursor: Cursor = { text, at: 0 };
  const numbers = [0, 0, 0, 0, 0, 0, 0];
  let first = true;
  skipSpace(cursor);
  while (cursor.at < text.length) {
    const letter = text[cursor.at] as string;
    const kind = letter.toLowerCase();
    const count = Object.hasOwn(ARGUMENTS, kind) ? (ARGUMENTS[kind] as number) : -1;
    if (count < 0 || (first && kind !== "m")) return false;
    first = false;
    cursor.at += 1;
    if (count === 0) {
      if (pen !== null) draw(pen, kind, false, numbers);
      skipSpace(cursor);
      continue;
    }
    let step = kind;
    do {
      if (!readNumbers(cursor, numbers, kind === "a", count)) return false;
      if (pen !== null) draw(pen, step, letter === kind, numbers);
      // Further pairs of a move are lines.
      if (step === "m") step = "l";
    } while (startsNumber(cursor));
  }
  return !first;
}

function readNumbers(cursor: Cursor, numbers: number[], arc: boolean, count: number): boolean {
  for (let index = 0; index < count; index++) {
    skipComma(cursor);
    const value = arc && (index === 3 || index === 4) ? readFlag(cursor) : readNumber(cursor);
    // False for NaN as well.
    if (!(Math.abs(value) <= MAX_COORDINATE)) return false;
    numbers[index] = value;
  }
  skipSpace(cursor);
  return true;
}

function readFlag(cursor: Cursor): number {
  const code = cursor.text.charCodeAt(cursor.at);
  if (code !== 48 && code !== 49) return Number.NaN;
  cursor.at += 1;
  return code - 48;
}

/** Reads a number, without a regular expression, which would make every drawing cost several times as much. */
function readNumber(cursor: Cursor): number {
  const { text } = cursor;
  const start = cursor.at;
  let at = start;
  let code = text.charCodeAt(at);
  if (code === 45 || code === 43) code = text.charCodeAt(++at);
  let digits = 0;
  let mantissa = 0;
  let decimals = 0;
  while (code >= 48 && code <= 57) {
    mantissa = mantissa * 10 + code - 48;
    digits += 1;
    code = text.charCodeAt(++at);
  }
  if (code === 46) {
    code = text.charCodeAt(++at);
    while (code >= 48 && code <= 57) {
      mantissa = mantissa * 10 + code - 48;
      digits += 1;
      decimals += 1;
      code = text.charCodeAt(++at);
    }
    // "1." is no number in SVG 1.1, and readers disagree about it.
    if (decimals === 0) return Number.NaN;
  }
  if (digits === 0 || digits > 40) return Number.NaN;
  const plainEnd = at;
  if (code === 101 || code === 69) {
    code = text.charCodeAt(++at);
    if (code === 45 || code === 43) code = text.charCodeAt(++at);
    const exponent = at;
    while (code >= 48 && code <= 57) code = text.charCodeAt(++at);
    if (at === exponent || at - exponent > 3) return Number.NaN;
  }
  cursor.at = at;
  // Beyond 15 digits the sum above is not exact any more.
  if (at !== plainEnd || digits > 15) return Number(text.slice(start, at));
  const value = mantissa / 10 ** decimals;
  return text.charCodeAt(start) === 45 ? -value : value;
}

function startsNumber(cursor: Cursor): boolean {
  const { text } = cursor;
  const code = text.charCodeAt(cursor.at);
  if (code === 44) {
    skipComma(cursor);
    // After a comma a number must follow.
    return true;
  }
  return (code >= 48 && code <= 57) || code === 45 || code === 43 || code === 46;
}

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text.charCodeAt(cursor.at))) cursor.at += 1;
}

function skipComma(cursor: Cursor): void {
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) === 44) {
    cursor.at += 1;
    skipSpace(cursor);
  }
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}

function draw(pen: Pen, kind: string, relative: boolean, n: readonly number[]): void {
  const dx = relative ? pen.x : 0;
  const dy = relative ? pen.y : 0;
  const a = n[0] as number;
  const b = n[1] as number;
  const c = n[2] as number;
  const d = n[3] as number;
  const e = n[4] as number;
  const f = n[5] as number;
  const g = n[6] as number;
  switch (kind) {
    case "m":
      lineTo(pen, "M", a + dx, b + dy);
      pen.startX = pen.x;
      pen.startY = pen.y;
      return;
    case "l":
      return lineTo(pen, "L", a + dx, b + dy);
    case "h":
      return lineTo(pen, "L", a + dx, pen.y);
    case "v":
      return lineTo(pen, "L", pen.x, a + dy);
    case "q":
      return quadTo(pen, a + dx, b + dy, c + dx, d + dy);
    case "t": {
      const mirrored = pen.curve === "Q";
      const cx = mirrored ? 2 * pen.x - pen.controlX : pen.x;
      const cy = mirrored ? 2 * pen.y - pen.controlY : pen.y;
      return quadTo(pen, cx, cy, a + dx, b + dy);
    }
    case "c":
      return cubicTo(pen, [a + dx, b + dy], [c + dx, d + dy], [e + dx, f + dy]);
    case "s": {
      const mirrored = pen.curve === "C";
      const cx = mirrored ? 2 * pen.x - pen.controlX : pen.x;
      const cy = mirrored ? 2 * pen.y - pen.controlY : pen.y;
      return cubicTo(pen, [cx, cy], [a + dx, b + dy], [c + dx, d + dy]);
    }
    case "a": {
      const arc = { rx: a, ry: b, rotation: c, large: d === 1, clockwise: e === 1 };
      const before = pen.coords.length;
      const curves = appendArc(pen.coords, [pen.x, pen.y], arc, [f + dx, g + dy]);
      if (curves === 0) return lineTo(pen, "L", f + dx, g + dy);
      for (let index = 0; index < curves; index++) pen.letters.push("C");
      for (let index = before; index < pen.coords.length; index++) {
        pen.coords[index] = tidy(pen.coords[index] as number);
      }
      pen.x = tidy(f + dx);
      pen.y = tidy(g + dy);
      pen.curve = "";
      return;
    }
    default:
      pen.letters.push("Z");
      pen.x = pen.startX;
      pen.y = pen.startY;
      pen.curve = "";
  }
}

function lineTo(pen: Pen, letter: "M" | "L", x: number, y: number): void {
  pen.x = tidy(x);
  pen.y = tidy(y);
  pen.letters.push(letter);
  pen.coords.push(pen.x, pen.y);
  pen.curve = "";
}

function quadTo(pen: Pen, cx: number, cy: number, x: number, y: number): void {
  pen.controlX = tidy(cx);
  pen.controlY = tidy(cy);
  pen.x = tidy(x);
  pen.y = tidy(y);
  pen.letters.push("Q");
  pen.coords.push(pen.controlX, pen.controlY, pen.x, pen.y);
  pen.curve = "Q";
}

type Point = readonly [number, number];

function cubicTo(pen: Pen, first: Point, second: Point, end: Point): void {
  pen.controlX = tidy(second[0]);
  pen.controlY = tidy(second[1]);
  pen.x = tidy(end[0]);
  pen.y = tidy(end[1]);
  pen.letters.push("C");
  pen.coords.push(tidy(first[0]), tidy(first[1]), pen.controlX, pen.controlY, pen.x, pen.y);
  pen.curve = "C";
}

/** Rounds a coordinate. Otherwise the sums of relative steps would drift off the decimals that were written. */
function tidy(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
