/** The recorded strokes in `testing/fixtures/strokes`: a file for each kind, with a stroke of JSON in each line. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Point } from "./motion.ts";
import type { DrawnKind } from "./strokes.ts";

const FOLDER = new URL("../fixtures/strokes/", import.meta.url);

/**
 * The origin of a stroke. "code": computed by `strokes.ts`. "mouse": the events that a page in a browser received, whose
 * mouse moved as `intents.ts` and `motion.ts` say, with a rest of half a second at its end. No person drew any of them.
 */
export type Origin = "code" | "mouse";

export interface RecordedStroke {
  readonly origin: Origin;
  /** In CSS pixels, whole ones. */
  readonly points: readonly Point[];
  /** Milliseconds since the press, for each point; none of code. */
  readonly times?: readonly number[];
}

/** A stroke in a file: differences from each point to the next, as the numbers of source maps (base64 VLQ). */
interface Line {
  readonly by: Origin;
  /** x, y, dx, dy, dx, dy ... */
  readonly points: string;
  /** Milliseconds from each event to the next, the first of which is the press. */
  readonly ms?: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Writes whole numbers: five bits in a digit, the lowest first, of which the first one is the sign. */
function encode(numbers: readonly number[]): string {
  let text = "";
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const bits = rest & 31;
      rest >>>= 5;
      text += DIGITS[rest > 0 ? bits | 32 : bits];
    } while (rest > 0);
  }
  return text;
}

function decode(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

const fileOf = (kind: DrawnKind): URL => new URL(`${kind}.jsonl`, FOLDER);

export function readStrokes(kind: DrawnKind): RecordedStroke[] {
  const lines = readFileSync(fileOf(kind), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { by, points: text, ms } = JSON.parse(line) as Line;
    const deltas = decode(text);
    const points: Point[] = [];
    let [x, y] = [0, 0];
    for (let i = 0; i + 1 < deltas.length; i += 2) {
      x += deltas[i] as number;
      y += deltas[i + 1] as number;
      points.push({ x, y });
    }
    let time = 0;
    const times = ms === undefined ? undefined : decode(ms).map((one) => (time += one));
    return { origin: by, points, ...(times && { times: [0, ...times] }) };
  });
}

/** Writes the strokes of a kind over those of before. */
export function writeStrokes(kind: DrawnKind, strokes: readonly RecordedStroke[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const lines = strokes.map(({ origin, points, times }): Line => {
    let [x, y] = [0, 0];
    const deltas = points.flatMap((point) => {
      const delta = [point.x - x, point.y - y];
      ({ x, y } = point);
      return delta;
    });
    const ms = times?.slice(1).map((time, i) => time - (times[i] as number));
    return { by: origin, points: encode(deltas), ...(ms && { ms: encode(ms) }) };
  });
  writeFileSync(fileOf(kind), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
