/** Event canvas-live: what one client does right now, as it is sent and as it is read. */

import { isObjectId } from "./author.ts";
import type { ObjectId } from "./drawing.ts";
import { fail, isClientId, type Parsed } from "./events.ts";
import { decodeInk, encodeInk } from "./ink.ts";
import { isRecord } from "./json.ts";
import type { LivePlace } from "./live.ts";
import { MOST_COORDINATE } from "./schema.ts";
import { isColor } from "./values.ts";

/** Event canvas-live, decoded: what one client did in one tick. */
export interface CanvasLive {
  readonly clientId: string;
  /** Counts the sender's messages, so that an old one can be told. */
  readonly tick: number;
  /** Canvas pixels; null: it left; absent: as before, or at the end of the ink. */
  readonly pointer?: { readonly x: number; readonly y: number } | null;
  readonly ink: readonly LiveInk[];
  /** Absent: as before; empty: the drag is over. */
  readonly drags?: readonly LivePlace[];
}

/** More of one stroke. */
export interface LiveInk {
  readonly stroke: string;
  /** How many points were sent before these. */
  readonly offset: number;
  /** Flat, canvas pixels; half a pixel on the wire. */
  readonly points: readonly number[];
  /** With the first message of a stroke, and now and then for those who missed it. */
  readonly color?: string;
  readonly width?: number;
  /** The stroke is finished: the object that it became, or null when it was given up. */
  readonly end?: ObjectId | null;
}

/** As it is sent: short keys, and only what there is. `k`: [stroke, offset, points, { c, w, e }]. */
export interface LiveWire {
  readonly clientId: string;
  readonly n: number;
  readonly p?: readonly [number, number] | null;
  readonly k?: readonly InkWire[];
  readonly g?: readonly (readonly [ObjectId, number, number, number, number, number])[];
}

export interface InkMore {
  readonly c?: string;
  readonly w?: number;
  readonly e?: ObjectId | null;
}

export type InkWire =
  | readonly [string, number, string]
  | readonly [string, number, string, InkMore];

const STROKE = /^[A-Za-z0-9_-]{1,24}$/;
const MOST_STROKES = 10;
const MOST_DRAGS = 200;
const MOST_INK_CHARS = 20_000;
const MOST_OFFSET = 1e6;

/** What `parseLive` reads. Places are rounded to whole pixels for the pointer, to 0.1 for drags. */
export function encodeLive(live: CanvasLive): LiveWire {
  const { clientId, tick, pointer, ink, drags } = live;
  return {
    clientId,
    n: tick,
    ...(pointer === undefined
      ? {}
      : { p: pointer && [Math.round(pointer.x), Math.round(pointer.y)] }),
    ...(ink.length === 0 ? {} : { k: ink.map(encodeStroke) }),
    ...(drags === undefined ? {} : { g: drags.map(encodePlace) }),
  };
}

/** One bad part and the whole message is refused: it is a preview, and the next one comes soon. Never throws. */
export function parseLive(input: unknown): Parsed<CanvasLive> {
  if (!isRecord(input)) return fail("not an object");
  const { clientId, n, p, k, g } = input;
  if (!isClientId(clientId)) return fail("clientId is malformed");
  if (!isWhole(n, 2 ** 31)) return fail("n is malformed");
  const pointer = p === undefined || p === null ? p : readPointer(p);
  if (pointer === false) return fail("p is malformed");
  const ink = k === undefined ? [] : readList(k, MOST_STROKES, readStroke);
  if (ink === null) return fail("k is malformed");
  const drags = g === undefined ? undefined : readList(g, MOST_DRAGS, readPlace);
  if (drags === null) return fail("g is malformed");
  return {
    ok: true,
    value: {
      clientId,
      tick: n,
      ...(pointer === undefined ? {} : { pointer }),
      ink,
      ...(drags === undefined ? {} : { drags }),
    },
  };
}

/**
 * What is new in a message for a receiver that has `received` points of the stroke. Points that came before
 * are dropped; over a gap the ink goes on straight, for what was lost is not sent again.
 */
export function acceptInk(
  received: number,
  ink: LiveInk,
): { readonly points: readonly number[]; readonly received: number } {
  const count = ink.points.length / 2;
  const known = Math.max(0, received - ink.offset);
  return { points: ink.points.slice(known * 2), received: Math.max(received, ink.offset + count) };
}

function encodeStroke(ink: LiveInk): InkWire {
  const { stroke, offset, points, color, width, end } = ink;
  const more: InkMore = {
    ...(color === undefined ? {} : { c: color }),
    ...(width === undefined ? {} : { w: width }),
    ...(end === undefined ? {} : { e: end }),
  };
  const text = encodeInk(points);
  return Object.keys(more).length === 0 ? [stroke, offset, text] : [stroke, offset, text, more];
}

function readStroke(input: unknown): LiveInk | null {
  if (!Array.isArray(input) || input.length < 3 || input.length > 4) return null;
  const [stroke, offset, text, more = {}] = input as unknown[];
  if (typeof stroke !== "string" || !STROKE.test(stroke) || !isWhole(offset, MOST_OFFSET)) {
    return null;
  }
  if (typeof text !== "string" || text.length > MOST_INK_CHARS || !isRecord(more)) return null;
  const points = decodeInk(text);
  const { c, w, e } = more;
  if (points === null || (c !== undefined && !isColor(c))) return null;
  if (w !== undefined && !isWithin(w, 0, 1000)) return null;
  if (e !== undefined && e !== null && !isObjectId(e)) return null;
  return {
    stroke,
    offset,
    points,
    ...(c === undefined ? {} : { color: c }),
    ...(w === undefined ? {} : { width: w }),
    ...(e === undefined ? {} : { end: e }),
  };
}

function encodePlace(place: LivePlace): NonNullable<LiveWire["g"]>[number] {
  const { id, left, top, scaleX, scaleY, angle } = place;
  return [
    id,
    decimals(left, 1),
    decimals(top, 1),
    decimals(scaleX, 4),
    decimals(scaleY, 4),
    decimals(angle, 2),
  ];
}

function readPlace(input: unknown): LivePlace | null {
  if (!Array.isArray(input) || input.length !== 6) return null;
  const [id, left, top, scaleX, scaleY, angle] = input as unknown[];
  if (!isObjectId(id) || !isCoordinate(left) || !isCoordinate(top)) return null;
  if (!isWithin(scaleX, -10_000, 10_000) || !isWithin(scaleY, -10_000, 10_000)) return null;
  if (!isWithin(angle, -1e6, 1e6)) return null;
  return { id, left, top, scaleX, scaleY, angle };
}

function readPointer(input: unknown): { readonly x: number; readonly y: number } | false {
  if (!Array.isArray(input) || input.length !== 2) return false;
  const [x, y] = input as unknown[];
  return isCoordinate(x) && isCoordinate(y) ? { x, y } : false;
}

/** Null when it is not a list, too long, or one item is bad. */
function readList<T>(input: unknown, most: number, read: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(input) || input.length > most) return null;
  const items: T[] = [];
  for (const item of input as unknown[]) {
    const value = read(item);
    if (value === null) return null;
    items.push(value);
  }
  return items;
}

function decimals(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}

function isWhole(value: unknown, most: number): value is number {
  return Number.isInteger(value) && isWithin(value, 0, most);
}

function isCoordinate(value: unknown): value is number {
  return isWithin(value, -MOST_COORDINATE, MOST_COORDINATE);
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && value >= min && value <= max;
}
