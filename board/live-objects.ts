/** Objects in live messages, that is dragged objects and lines being drawn: their types on the wire, parsers and encoders. */

import { isObjectId } from "./author.ts";
import type { ObjectId } from "./drawing.ts";
import { decodeInk, encodeInk } from "./ink.ts";
import type { LiveLine, LiveTransform } from "./live.ts";
import { isCoordinate, isWithin } from "./message-fields.ts";
import { isColor, round } from "./values.ts";

/** The end of drawing a line: the object that it became, or null when it was cancelled. */
export interface LineEnd {
  readonly end: ObjectId | null;
}

/** A line or its end as it is sent: [points, color, width, of], or the id of its object. */
export type EncodedLine =
  | readonly [points: string, color: string, width: number]
  | readonly [points: string, color: string, width: number, of: ObjectId]
  | ObjectId
  | null;

/** Greatest number of points of a line or an arrow; an arrow has five. */
const MAX_LINE_POINTS = 8;

/** Encodes a line or its end in the form that `parseLine` reads. */
export function encodeLine(line: LiveLine | LineEnd): EncodedLine {
  if ("end" in line) return line.end;
  const { points, color, width, of } = line;
  const text = encodeInk(points);
  return of === undefined ? [text, color, width] : [text, color, width, of];
}

/** Reads a line or its end; null for anything else. Never throws. */
export function parseLine(input: unknown): LiveLine | LineEnd | null {
  if (input === null || isObjectId(input)) return { end: input };
  if (!Array.isArray(input) || input.length < 3 || input.length > 4) return null;
  const [text, color, width, of] = input as unknown[];
  if (typeof text !== "string" || text.length > MAX_LINE_POINTS * 10) return null;
  if (!isColor(color) || !isWithin(width, 0, 1000)) return null;
  if (of !== undefined && !isObjectId(of)) return null;
  const points = decodeInk(text);
  if (points === null || points.length < 4 || points.length > MAX_LINE_POINTS * 2) return null;
  return { color, width, points, of };
}

/** A dragged object as it is sent: [id, left, top, scaleX, scaleY, angle]. */
export type EncodedTransform = readonly [ObjectId, number, number, number, number, number];

/** Encodes a dragged object, with lengths rounded to 0.1. */
export function encodeTransform(transform: LiveTransform): EncodedTransform {
  const { id, left, top, scaleX, scaleY, angle } = transform;
  return [id, round(left, 1), round(top, 1), round(scaleX, 4), round(scaleY, 4), round(angle, 2)];
}

/** Reads a dragged object; null for anything else. Never throws. */
export function parseTransform(input: unknown): LiveTransform | null {
  if (!Array.isArray(input) || input.length !== 6) return null;
  const [id, left, top, scaleX, scaleY, angle] = input as unknown[];
  if (!isObjectId(id) || !isCoordinate(left) || !isCoordinate(top)) return null;
  if (!isWithin(scaleX, -10_000, 10_000) || !isWithin(scaleY, -10_000, 10_000)) return null;
  if (!isWithin(angle, -1e6, 1e6)) return null;
  return { id, left, top, scaleX, scaleY, angle };
}
