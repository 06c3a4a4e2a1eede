/** Writes path data compactly: relative commands, few decimals, no drift. */

import { MAX_COORDINATE } from "./limits.ts";
import { parsePath, type PathData } from "./pathdata.ts";

export { isPath, parsePath } from "./pathdata.ts";
export type { PathData } from "./pathdata.ts";
export { simplify, thinStroke } from "./simplify.ts";

/** Path text being written. Numbers are whole: units of the last decimal. */
interface Writer {
  text: string;
  readonly unit: number;
  /** The command that a bare number would repeat. */
  letter: string;
  /** Whether the last number had a decimal point, so that another one that begins with a point may follow it without a space. */
  pointed: boolean;
}

/**
 * A freehand stroke through flat points (canvas pixels), as Fabric's pencil draws it: quadratic curves from middle to
 * middle, each point a control point, a line to the end. It is written with T, which mirrors the control point, so
 * that each point costs two numbers. Each middle is rounded so that the control point that follows from it is within
 * one unit of the last decimal of its position: no error adds up. One point gives a dot.
 */
export function encodePath(points: readonly number[], digits = 1): string {
  const unit = 10 ** digits;
  const xs: number[] = [];
  const ys: number[] = [];
  for (let index = 0; index + 1 < points.length; index += 2) {
    const x = (points[index] as number) * unit;
    const y = (points[index + 1] as number) * unit;
    const last = xs.length - 1;
    if (
      last >= 0 &&
      Math.round(xs[last] as number) === Math.round(x) &&
      Math.round(ys[last] as number) === Math.round(y)
    )
      continue;
    xs.push(x);
    ys.push(y);
  }
  if (xs.length === 0) return "";
  const writer: Writer = { text: "", unit, letter: "", pointed: false };
  let controlX = Math.round(xs[0] as number);
  let controlY = Math.round(ys[0] as number);
  let x = controlX;
  let y = controlY;
  write(writer, "M", [x, y]);
  // Browsers paint no cap for a line without length.
  if (xs.length === 1) write(writer, "l", [1, 0]);
  for (let index = 1; index < xs.length; index++) {
    const nextX = xs[index] as number;
    const nextY = ys[index] as number;
    if (xs.length > 2) {
      const endX = Math.round((controlX + nextX) / 2);
      const endY = Math.round((controlY + nextY) / 2);
      if (index === 1) write(writer, "q", [0, 0, endX - x, endY - y]);
      else write(writer, "t", [endX - x, endY - y]);
      x = endX;
      y = endY;
      controlX = 2 * endX - controlX;
      controlY = 2 * endY - controlY;
    }
    if (index === xs.length - 1) {
      write(writer, "l", [Math.round(nextX) - x, Math.round(nextY) - y]);
    }
  }
  return writer.text;
}

/**
 * Writes Fabric's path array (`[["M", 1, 2], ["Q", ...], ...]`, any SVG commands) as path text; null when it is not
 * valid. A stroke of Fabric's pencil is recognised and written like one of ours.
 */
export function encodeCommands(commands: readonly unknown[], digits = 1): string | null {
  const parts: string[] = [];
  for (const command of commands) {
    if (!Array.isArray(command) || typeof command[0] !== "string" || command[0].length !== 1) {
      return null;
    }
    if (!command.slice(1).every((value) => typeof value === "number")) return null;
    parts.push(command.join(" "));
  }
  const data = parsePath(parts.join(""));
  if (data === null) return null;
  const points = pencilPoints(data);
  return points === null ? encodeData(data, digits) : encodePath(points, digits);
}

/**
 * Writes absolute path data as text with relative commands. They are differences of rounded coordinates, so nothing
 * drifts. A command is absolute where its steps would be longer than a reader takes.
 */
export function encodeData(data: PathData, digits = 1): string {
  const unit = 10 ** digits;
  const writer: Writer = { text: "", unit, letter: "", pointed: false };
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  let at = 0;
  for (const letter of data.commands) {
    if (letter === "Z") {
      write(writer, "z", []);
      x = startX;
      y = startY;
      continue;
    }
    const count = letter === "Q" ? 4 : letter === "C" ? 6 : 2;
    const rounded = data.coords.slice(at, at + count).map((value) => Math.round(value * unit));
    at += count;
    const first = writer.text === "";
    const steps = rounded.map((position, index) => position - (index % 2 === 0 ? x : y));
    if (first || steps.some((step) => Math.abs(step) > MAX_COORDINATE * unit))
      write(writer, letter, rounded);
    else write(writer, letter.toLowerCase(), steps);
    x = rounded[count - 2] as number;
    y = rounded[count - 1] as number;
    if (letter === "M") {
      startX = x;
      startY = y;
    }
  }
  return writer.text;
}

/** The points of a stroke of Fabric's pencil (`getSmoothPathFromPoints`); null for any other path. */
function pencilPoints(data: PathData): number[] | null {
  if (!/^MQ*L$/.test(data.commands)) return null;
  const { coords } = data;
  // The pencil moves the first and the last point by a thousandth of the width, so that a dot shows.
  const near = 0.03;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= near;
  const at = (index: number): number => coords[index] as number;
  const points: number[] = [];
  for (let index = 2; index + 2 < coords.length; index += 4) {
    const middleX = (at(index) + at(index + 4)) / 2;
    const middleY = (at(index + 1) + at(index + 5)) / 2;
    if (!isNear(middleX, at(index + 2)) || !isNear(middleY, at(index + 3))) return null;
    points.push(at(index), at(index + 1));
  }
  if (points.length === 0) {
    return isNear(at(0), at(2)) && isNear(at(1), at(3)) ? [at(2), at(3)] : null;
  }
  if (!isNear(at(0), at(2)) || !isNear(at(1), at(3))) return null;
  points.push(at(coords.length - 2), at(coords.length - 1));
  return points;
}

function write(writer: Writer, letter: string, numbers: readonly number[]): void {
  // Numbers that follow a move without a letter would be read as lines.
  let bare = false;
  if (letter !== writer.letter || letter === "m" || letter === "z") {
    writer.text += letter;
    writer.letter = letter === "M" ? "L" : letter;
    bare = true;
  }
  for (const number of numbers) {
    const text = decimal(number, writer.unit);
    const joins = bare || text[0] === "-" || (text[0] === "." && writer.pointed);
    writer.text += joins ? text : ` ${text}`;
    writer.pointed = text.includes(".");
    bare = false;
  }
}

/** Writes a whole number of units as the shortest decimal: without a zero before the point or behind the last digit. */
function decimal(units: number, unit: number): string {
  if (units === 0) return "0";
  if (unit === 1) return String(units);
  const size = Math.abs(units);
  const whole = Math.floor(size / unit);
  const rest = size - whole * unit;
  let text = whole === 0 && rest > 0 ? "" : String(whole);
  if (rest > 0)
    text += `.${String(rest)
      .padStart(String(unit).length - 1, "0")
      .replace(/0+$/, "")}`;
  return units < 0 ? `-${text}` : text;
}
