/**
 * The broadcast messages of the channel: the type of each and its parser (`unknown` in, a value or a reason out), and
 * the encoder of live messages, whose form on the wire differs from that in memory. SPEC.md has a table of the
 * fields.
 */

import { isObjectId } from "./author.ts";
import type { ObjectId } from "./drawing.ts";
import { decodeInk, encodeInk } from "./ink.ts";
import { isRecord } from "./json.ts";
import {
  encodeLine,
  encodeTransform,
  type EncodedLine,
  type EncodedTransform,
  type LineEnd,
  parseLine,
  parseTransform,
} from "./live-objects.ts";
import type { InkLook, LiveLine, LiveTransform } from "./live.ts";
import {
  isCoordinate,
  isCount,
  isDigest,
  isShortText,
  isWhole,
  isWithin,
  parseList,
} from "./message-fields.ts";
import { isColor } from "./values.ts";

/** The names of the broadcast events. */
export const EVENTS = {
  update: "canvas-update",
  live: "canvas-live",
  digest: "canvas-digest",
  /** Sent by the backend alone: the settings of the board have changed, or differ from the default. */
  settings: "canvas-settings",
  /** Sent by hosts alone: the backend refuses it from anybody else. */
  takenBack: "canvas-taken-back",
} as const;

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** The event canvas-update: a drawing, whole or partial. A plain client sends `json` and `clientId` only. */
export interface UpdateMessage {
  /** A `Drawing` when we send it; unchecked when we receive it, until `parseDrawing` reads it. */
  readonly json: unknown;
  readonly clientId: string;
  /** The digest of the sender's whole board (see `digest`). */
  readonly digest?: string;
  /** The number of this update among those of its sender, from 1; left out by a client that does not count. */
  readonly n?: number;
  /** True when the sender cleared the board. */
  readonly cleared?: true;
  /** True when the changes are not the sender's, which found them in the row. */
  readonly row?: true;
}

/** The event canvas-digest: the state of a board in a few characters, sent after a save and after a quiet period. */
export interface DigestMessage {
  readonly clientId: string;
  readonly digest: string;
  /** Sent after a save: the row of time `at` contains the board of this digest. */
  readonly saved?: {
    /** The row's `updated_at`. */
    readonly at: string;
    /** The hash of the sender's causal context. */
    readonly seen: string;
    /** The number of the sender's last update that the row contains. */
    readonly n: number;
    /** The row's `version`, where it has one and the sender knows it. */
    readonly version?: number;
  };
  /** Sent after a read: the board of this digest contains the row of time `at`. */
  readonly read?: {
    /** The row's `updated_at`. */
    readonly at: string;
    /** The row's `version`, where it has one. */
    readonly version?: number;
    /** Clients whose edits the sender has received and did not find in the row; they know whether they have saved them. */
    readonly lacks?: readonly string[];
  };
}

/** The event canvas-live: the activity of one client in one tick. It is never saved, and may be dropped. */
export interface LiveMessage {
  readonly clientId: string;
  /** The number of this message among those of its sender, by which an overtaken one is recognised. */
  readonly tick: number;
  /** The pointer in board coordinates. Null: it left the canvas. Absent: unchanged, or at the end of the ink. */
  readonly pointer?: { readonly x: number; readonly y: number } | null;
  readonly ink: readonly LiveInk[];
  /** The dragged objects. Absent: unchanged. Empty: the drag is over. */
  readonly drags?: readonly LiveTransform[];
  /** The line or arrow that is being drawn. With `end` it is finished, and became this object or was cancelled. Absent: unchanged. */
  readonly line?: LiveLine | LineEnd;
  /** The selected objects, or the first ones of many. Absent: unchanged. */
  readonly selected?: readonly ObjectId[];
}

/** New points of one stroke. */
export interface LiveInk {
  readonly stroke: string;
  /** The number of points that were sent before these. */
  readonly offset: number;
  /** Flat board coordinates, exact to half a pixel on the wire. */
  readonly points: readonly number[];
  /** The colour. Like the width, the first message of a stroke contains it, and some later ones repeat it for peers that missed it. */
  readonly color?: string;
  readonly width?: number;
  /** The look of the ink; absent for "ink". Every message of a fading stroke has it, but for one that cancels it; the highlighter's stands beside its colour. */
  readonly look?: InkLook;
  /** Present when the stroke is finished: the object that it became, or null when it was cancelled or is fading ink. */
  readonly end?: ObjectId | null;
}

/** A `LiveMessage` as it is sent: with short keys, and without empty fields. */
export interface EncodedLiveMessage {
  readonly clientId: string;
  /** `tick` on the wire. */
  readonly n: number;
  /** `pointer` on the wire: [x, y]. */
  readonly p?: readonly [number, number] | null;
  /** `ink` on the wire: [stroke, offset, points, { c: color, w: width, e: end, h: 1 for the highlighter }]. */
  readonly k?: readonly EncodedInk[];
  /** Fading `ink` on the wire, in the same form; pages older than version 0.3 do not read it. */
  readonly f?: readonly EncodedInk[];
  /** `drags` on the wire: [id, left, top, scaleX, scaleY, angle]. */
  readonly g?: readonly EncodedTransform[];
  /** `line` on the wire: [points, color, width, of], or its end; pages older than version 0.4 do not read it. */
  readonly l?: EncodedLine;
  /** `selected` on the wire. */
  readonly s?: readonly ObjectId[];
}

interface EncodedInkDetails {
  readonly c?: string;
  readonly w?: number;
  readonly e?: ObjectId | null;
  readonly h?: 1;
}

type EncodedInk =
  | readonly [string, number, string]
  | readonly [string, number, string, EncodedInkDetails];

const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
const STROKE = /^[A-Za-z0-9_-]{1,24}$/;
const MAX_STROKES = 10;
const MAX_DRAGS = 200;
/** Greatest number of clients in one message whose edits are not in the row. */
export const MAX_LACKING = 50;
/** Greatest number of selected objects in one message. */
export const MAX_SELECTED = 200;
const MAX_INK_CHARS = 20_000;
const MAX_OFFSET = 1e6;

/** Reads the envelope of an update; `json` is left unchecked. A malformed `n`, `cleared` or `row` counts as absent. Never throws. */
export function parseUpdate(input: unknown): Parsed<UpdateMessage> {
  if (!isRecord(input)) return fail("not an object");
  const { json, clientId, digest, n, cleared, row } = input;
  if (!isClientId(clientId)) return fail("clientId is malformed");
  if (json === undefined) return fail("json is missing");
  if (digest !== undefined && !isDigest(digest)) return fail("digest is malformed");
  return {
    ok: true,
    value: {
      json,
      clientId,
      ...(digest !== undefined && { digest }),
      ...(isCount(n) && { n }),
      ...(cleared === true && { cleared }),
      ...(row === true && { row }),
    },
  };
}

/** Reads a digest message. Never throws. */
export function parseDigest(input: unknown): Parsed<DigestMessage> {
  if (!isRecord(input)) return fail("not an object");
  const { clientId, digest, saved, read } = input;
  if (!isClientId(clientId)) return fail("clientId is malformed");
  if (!isDigest(digest)) return fail("digest is malformed");
  if (read !== undefined) {
    const { at, version, lacks } = isRecord(read) ? read : {};
    const clients = lacks === undefined ? undefined : parseList(lacks, MAX_LACKING, parseClientId);
    if (!isShortText(at) || clients === null) return fail("read is malformed");
    const list = clients && { lacks: clients };
    return { ok: true, value: { clientId, digest, read: { at, ...counted(version), ...list } } };
  }
  if (saved === undefined) return { ok: true, value: { clientId, digest } };
  if (!isRecord(saved)) return fail("saved is malformed");
  const { at, seen, n, version } = saved;
  if (!isShortText(at) || !isShortText(seen) || !isCount(n)) return fail("saved is malformed");
  return { ok: true, value: { clientId, digest, saved: { at, seen, n, ...counted(version) } } };
}

/** Reads the row's version; a malformed one counts as absent. */
function counted(version: unknown): { readonly version?: number } {
  return isCount(version) ? { version } : {};
}

/**
 * Reads a live message. One bad field refuses the whole message: it is a preview, and the next one arrives soon.
 * Never throws.
 */
export function parseLive(input: unknown): Parsed<LiveMessage> {
  if (!isRecord(input)) return fail("not an object");
  const { clientId, n, p, k, f, g, l, s } = input;
  if (!isClientId(clientId)) return fail("clientId is malformed");
  if (!isWhole(n, 2 ** 31)) return fail("n is malformed");
  const pointer = p === undefined || p === null ? p : parsePointer(p);
  if (pointer === false) return fail("p is malformed");
  const ink = k === undefined ? [] : parseList(k, MAX_STROKES, parseInk);
  if (ink === null) return fail("k is malformed");
  const fading = f === undefined ? [] : parseList(f, MAX_STROKES, parseInk);
  if (fading === null) return fail("f is malformed");
  const drags = g === undefined ? undefined : parseList(g, MAX_DRAGS, parseTransform);
  if (drags === null) return fail("g is malformed");
  const line = l === undefined ? undefined : parseLine(l);
  if (line === null) return fail("l is malformed");
  const selected = s === undefined ? undefined : parseList(s, MAX_SELECTED, parseId);
  if (selected === null) return fail("s is malformed");
  return {
    ok: true,
    value: {
      clientId,
      tick: n,
      ...(pointer !== undefined && { pointer }),
      ink: [...ink, ...fading.map((one): LiveInk => ({ ...one, look: "fading" }))],
      ...(drags !== undefined && { drags }),
      ...(line !== undefined && { line }),
      ...(selected !== undefined && { selected }),
    },
  };
}

/** Encodes a live message in the form that `parseLive` reads. The pointer is rounded to whole pixels, drags to 0.1. */
export function encodeLive(live: LiveMessage): EncodedLiveMessage {
  const { clientId, tick, pointer, drags, line, selected } = live;
  const fading = live.ink.filter(({ look }) => look === "fading");
  const ink = live.ink.filter(({ look }) => look !== "fading");
  return {
    clientId,
    n: tick,
    ...(pointer === undefined
      ? {}
      : { p: pointer && [Math.round(pointer.x), Math.round(pointer.y)] }),
    ...(ink.length > 0 && { k: ink.map(encodeLiveInk) }),
    ...(fading.length > 0 && { f: fading.map(encodeLiveInk) }),
    ...(drags !== undefined && { g: drags.map(encodeTransform) }),
    ...(line !== undefined && { l: encodeLine(line) }),
    ...(selected !== undefined && { s: selected }),
  };
}

export function isClientId(value: unknown): value is string {
  return typeof value === "string" && CLIENT_ID.test(value);
}

/** Makes a refusal with its reason. */
export function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

function encodeLiveInk(ink: LiveInk): EncodedInk {
  const { stroke, offset, points, color, width, end, look } = ink;
  const details: EncodedInkDetails = {
    ...(color !== undefined && { c: color }),
    ...(width !== undefined && { w: width }),
    ...(end !== undefined && { e: end }),
    ...(look === "highlighter" && { h: 1 }),
  };
  const text = encodeInk(points);
  return Object.keys(details).length === 0
    ? [stroke, offset, text]
    : [stroke, offset, text, details];
}

function parseInk(input: unknown): LiveInk | null {
  if (!Array.isArray(input) || input.length < 3 || input.length > 4) return null;
  const [stroke, offset, text, details = {}] = input as unknown[];
  if (typeof stroke !== "string" || !STROKE.test(stroke) || !isWhole(offset, MAX_OFFSET)) {
    return null;
  }
  if (typeof text !== "string" || text.length > MAX_INK_CHARS || !isRecord(details)) return null;
  const points = decodeInk(text);
  const { c, w, e, h } = details;
  if (points === null || (c !== undefined && !isColor(c))) return null;
  if (w !== undefined && !isWithin(w, 0, 1000)) return null;
  if (e !== undefined && e !== null && !isObjectId(e)) return null;
  return {
    stroke,
    offset,
    points,
    ...(c !== undefined && { color: c }),
    ...(w !== undefined && { width: w }),
    ...(e !== undefined && { end: e }),
    ...(h === 1 && { look: "highlighter" }),
  };
}

function parsePointer(input: unknown): { readonly x: number; readonly y: number } | false {
  if (!Array.isArray(input) || input.length !== 2) return false;
  const [x, y] = input as unknown[];
  return isCoordinate(x) && isCoordinate(y) ? { x, y } : false;
}

function parseClientId(input: unknown): string | null {
  return isClientId(input) ? input : null;
}

function parseId(input: unknown): ObjectId | null {
  return isObjectId(input) ? input : null;
}
