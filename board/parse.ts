/**
 * The parser of drawings. Every drawing from the network, the table or the disk goes through it, and nothing behind
 * it checks again. Bad objects are left out and listed; the rest is well-formed. The drawing makes no claim about an
 * object that is left out.
 */

import { parseNames } from "./author-names.ts";
import { authorOf, isAuthor, isObjectId, makeId, sequenceOf } from "./author.ts";
import {
  contextOf,
  decodeContext,
  encodeContext,
  parseRuns,
  subtractContext,
} from "./causal-context.ts";
import { BACKGROUND } from "./constants.ts";
import { contentKey, copyContentKey } from "./content-key.ts";
import type {
  Author,
  BoardObject,
  Drawing,
  Fault,
  Group,
  NewObject,
  ContextRuns,
  Json,
  ObjectId,
  Stamp,
} from "./drawing.ts";
import { buildObject, GROUPS, type Props } from "./groups.ts";
import { isRecord } from "./json.ts";
import { isWhole } from "./message-fields.ts";
import { MAX_COUNT, MAX_OBJECTS, MAX_RUNS, MAX_Z } from "./limits.ts";
import { ownValue, readObject, type ParseOptions } from "./object-parser.ts";
import { FABRIC_VERSION } from "./schema.ts";
import { isColor } from "./values.ts";

export type ParsedDrawing =
  | {
      readonly ok: true;
      readonly drawing: Drawing;
      /** True when the drawing has no `inkpool` part: another program wrote it, and it is adopted, not merged. */
      readonly foreign: boolean;
      readonly partial: boolean;
      /** The objects that were left out, with the reasons; at most 100. */
      readonly faults: readonly Fault[];
      /** The objects that were left out, unchanged, except for entries that are no JSON objects. */
      readonly unreadable: readonly Json[];
      /** The number of entries of `objects` that were left out. */
      readonly leftOut: number;
      /** The valid ids that the objects of a foreign drawing had, by the ids that they have now. */
      readonly givenIds: ReadonlyMap<ObjectId, ObjectId>;
    }
  | { readonly ok: false; readonly reason: string };

const MAX_FAULTS = 100;

/** The state of one parse. */
interface ParseState {
  readonly options: ParseOptions;
  readonly foreign: boolean;
  readonly faults: Fault[];
  readonly objects: BoardObject[];
  readonly ids: Set<ObjectId>;
  /** The ids of a foreign drawing. */
  readonly given: Set<unknown>;
  /** The number of objects with the same content so far. */
  readonly copies: Map<string, number>;
  readonly unreadable: Json[];
  leftOut: number;
  /** Our own objects that were left out. */
  readonly unknown: [Author, number, number][];
  readonly givenIds: Map<ObjectId, ObjectId>;
}

/** Parses a drawing, or the JSON text of one. Never throws. */
export function parseDrawing(input: unknown): ParsedDrawing {
  const slices = parseDrawingSlices(input, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Parses a drawing as `parseDrawing` does, with a pause after each `size` objects, so that a large one does not block
 * the thread. Long paths and large groups count as several objects.
 */
export function* parseDrawingSlices(input: unknown, size: number): Generator<void, ParsedDrawing> {
  const drawing = typeof input === "string" ? parseJson(input) : input;
  if (!isRecord(drawing)) return refuse("not an object");
  const list = ownValue(drawing, "objects");
  if (!Array.isArray(list)) return refuse("objects is not a list");
  if (list.length > MAX_OBJECTS) return refuse("too many objects");
  const meta = ownValue(drawing, "inkpool");
  const partial = isRecord(meta) && ownValue(meta, "partial") === true;
  const state = createState(meta === undefined, ownValue(drawing, "version"), partial);
  if (state.foreign) for (const one of list) state.given.add(givenId(one));
  const context = readContext(meta, state.faults);
  let load = 0;
  for (let index = 0; index < list.length; index++) {
    if (load >= size) {
      yield;
      load = 0;
    }
    load += loadOf(list[index]);
    parseItem(list[index], index, state);
    // The rest of it cannot be distinguished from absent objects, and such a drawing is never written over.
    if (state.options.budget.left < 0) return refuse("too many objects");
  }
  const stamp = readBackgroundStamp(meta);
  const names = parseNames(isRecord(meta) ? ownValue(meta, "names") : undefined);
  return {
    ok: true,
    drawing: {
      version: FABRIC_VERSION,
      objects: state.objects,
      background: readBackground(ownValue(drawing, "background"), state.faults),
      inkpool: {
        format: 1,
        seen: withoutUnknown(context, state.unknown),
        ...(partial && { partial: true as const }),
        ...(stamp && { stamp }),
        ...(names && { names }),
      },
    },
    foreign: state.foreign,
    partial,
    faults: state.faults,
    unreadable: state.unreadable,
    leftOut: state.leftOut,
    givenIds: state.givenIds,
  };
}

/** Estimates the work that an object takes, in objects of the usual size: four segments of a path that is a list count as one. */
function loadOf(input: unknown): number {
  if (!isRecord(input)) return 1;
  const { path, points, objects } = input;
  const chars =
    typeof path === "string" ? path.length : 500 * lengthOf(path) + 100 * lengthOf(points);
  return 1 + Math.floor(chars / 2000) + lengthOf(objects);
}

function lengthOf(input: unknown): number {
  return Array.isArray(input) ? input.length : 0;
}

function createState(foreign: boolean, version: unknown, bare: boolean): ParseState {
  return {
    options: {
      compact: foreign,
      lenient: false,
      version: typeof version === "string" ? version : undefined,
      bare,
      budget: { left: MAX_OBJECTS },
    },
    ...{ foreign, given: new Set() },
    faults: [],
    objects: [],
    ids: new Set(),
    copies: new Map(),
    unreadable: [],
    leftOut: 0,
    unknown: [],
    givenIds: new Map(),
  };
}

function refuse(reason: string): ParsedDrawing {
  return { ok: false, reason };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function report(faults: Fault[], index: number, reason: string): void {
  if (faults.length < MAX_FAULTS) faults.push({ index, reason });
}

function givenId(input: unknown): ObjectId | undefined {
  const id = isRecord(input) ? ownValue(input, "id") : undefined;
  return isObjectId(id) ? id : undefined;
}

function parseItem(input: unknown, index: number, state: ParseState): void {
  const id = givenId(input);
  const ours = id !== undefined && !state.foreign;
  const read = readObject(input, ours ? state.options : { ...state.options, compact: true });
  const object =
    !read.ok || !isRecord(input)
      ? null
      : ours
        ? withOwnFields(read.object, id, input)
        : withContentId(read.object, index + 1, id, state);
  if (object === null) leaveOut(input, index, read.ok ? "life out of range" : read.reason, state);
  else if (state.ids.has(object.id)) report(state.faults, index, "id used twice");
  else {
    state.ids.add(object.id);
    state.objects.push(object);
    if (state.foreign && id !== undefined) state.givenIds.set(object.id, id);
  }
}

function leaveOut(input: unknown, index: number, reason: string, state: ParseState): void {
  report(state.faults, index, reason);
  state.leftOut += 1;
  if (!isRecord(input)) return;
  state.unreadable.push(input as Json);
  const id = givenId(input);
  if (id) state.unknown.push([authorOf(id), sequenceOf(id), 0]);
}

/** Adds our own fields to an object; null when its incarnation is out of range. */
function withOwnFields(
  object: NewObject,
  id: ObjectId,
  input: Readonly<Record<string, unknown>>,
): BoardObject | null {
  const incarnation = ownValue(input, "life") ?? 0;
  if (!isWhole(incarnation, MAX_COUNT)) return null;
  const z = ownValue(input, "z");
  const inRange = typeof z === "number" && Math.abs(z) <= MAX_Z;
  const { type, ...props } = object;
  const stamps = readStamps(ownValue(input, "stamps"), id);
  return buildObject({ type, id, incarnation }, stamps, { ...props, z: inRange ? z : 0 } as Props);
}

/**
 * Gives a foreign object an id that follows from its content and is the same in every browser; equal objects are
 * numbered, and ids passed over that other objects of the drawing have.
 */
function withContentId(object: NewObject, z: number, own: unknown, state: ParseState): BoardObject {
  const key = contentKey(object);
  let seq = state.copies.get(key) ?? 0;
  let id = makeId(`f${key}` as Author, seq);
  while (id !== own && state.given.has(id)) id = makeId(authorOf(id), ++seq);
  state.copies.set(key, seq + 1);
  const { type, ...props } = object;
  const named = buildObject({ type, id, incarnation: 0 }, {}, { ...props, z } as Props);
  copyContentKey(object, named);
  return named;
}

/** Reads an object's stamps; with one bad stamp it counts as an object without stamps. */
function readStamps(input: unknown, id: ObjectId): Partial<Record<Group, Stamp>> {
  const stamps: Partial<Record<Group, Stamp>> = {};
  if (!isRecord(input)) return stamps;
  for (const group of GROUPS) {
    const stamp = readStamp(ownValue(input, group));
    if (stamp === null) return {};
    if (stamp === undefined) continue;
    // The stamp that an unchanged group has by default is left out, so that equal objects are equal values.
    if (stamp[0] > 0 || stamp[1] !== authorOf(id)) stamps[group] = stamp;
  }
  return stamps;
}

/** Reads a stamp; undefined when it is absent, null when it is malformed. */
function readStamp(input: unknown): Stamp | null | undefined {
  if (input === undefined) return undefined;
  if (!Array.isArray(input) || input.length !== 2) return null;
  const [version, author] = input as unknown[];
  return isWhole(version, MAX_COUNT) && isAuthor(author) ? [version, author] : null;
}

/** Reads the background's stamp. Version 0 means that nobody changed it, and has no author. */
function readBackgroundStamp(meta: unknown): Stamp | null {
  const stamp = isRecord(meta) ? readStamp(ownValue(meta, "stamp")) : null;
  return stamp && stamp[0] > 0 ? stamp : null;
}

function readBackground(input: unknown, faults: Fault[]): string {
  if (input === undefined || input === null || input === "") return BACKGROUND;
  if (isColor(input)) return input;
  report(faults, -1, "background is not a colour");
  return BACKGROUND;
}

/** The causal context of the drawing. A malformed part, or one that is too long, is ignored, so it removes nothing. */
function readContext(meta: unknown, faults: Fault[]): Record<string, ContextRuns> {
  if (meta === undefined) return {};
  const written = isRecord(meta) && ownValue(meta, "format") === 1 ? ownValue(meta, "seen") : null;
  if (!isRecord(written)) {
    report(faults, -1, "inkpool is malformed");
    return {};
  }
  const context: Record<string, ContextRuns> = {};
  let runs = 0;
  for (const author of Object.keys(written)) {
    const given = written[author];
    runs += Array.isArray(given) ? given.length / (Array.isArray(given[0]) ? 1 : 2) : 1;
    if (runs > MAX_RUNS) {
      report(faults, -1, "too many runs in seen");
      return {};
    }
    if (isAuthor(author) && parseRuns(given) !== null) context[author] = given as ContextRuns;
    else report(faults, -1, "seen is malformed");
  }
  return context;
}

/** Removes the objects that were left out from the context: they count as not observed. */
function withoutUnknown(
  written: Record<string, ContextRuns>,
  unknown: readonly (readonly [Author, number, number])[],
): Record<string, ContextRuns> {
  if (unknown.length === 0) return written;
  const context = decodeContext(written);
  subtractContext(context, contextOf(unknown));
  return encodeContext(context);
}
