/**
 * The one door for drawings. Every drawing from the network, the table or the disk comes through here, and
 * nobody checks again behind it. Bad objects are left out and listed; what is left is well-formed.
 */

import { authorOf, isAuthor, isObjectId, makeId, MAX_COUNT, seqOf } from "./author.ts";
import { readObject } from "./door.ts";
import type { Entry } from "./door.ts";
import type { Author, BoardObject, Drawing, Fault, Group, NewObject } from "./drawing.ts";
import type { Json, ObjectId, SeenRuns, Stamp } from "./drawing.ts";
import { MOST_RUNS } from "./forget.ts";
import { buildObject, GROUPS } from "./groups.ts";
import type { Props } from "./groups.ts";
import { hash53 } from "./hash.ts";
import { canonicalJson, isRecord } from "./json.ts";
import { FABRIC_VERSION, MOST_OBJECTS } from "./schema.ts";
import { markSeen, readRuns, readSeen, writeSeen } from "./seen.ts";
import { BACKGROUND } from "./spec.ts";
import { isColor } from "./values.ts";

export type ParsedDrawing =
  | {
      readonly ok: true;
      readonly drawing: Drawing;
      /** It has no `inkpool` part: some other program wrote it, and it is to be adopted, not merged. */
      readonly foreign: boolean;
      readonly partial: boolean;
      /** At most 100 are listed. */
      readonly faults: readonly Fault[];
    }
  | { readonly ok: false; readonly reason: string };

/** Authors in the `seen` of a drawing from outside. */
const MOST_AUTHORS_IN = 20_000;
const MOST_FAULTS = 100;
/** z from outside; anything else counts as 0. */
const MOST_Z = 2 ** 40;

/** What is gathered on the way through the door. */
interface Intake {
  readonly entry: Entry;
  readonly foreign: boolean;
  readonly faults: Fault[];
  readonly objects: BoardObject[];
  readonly ids: Set<ObjectId>;
  /** How many objects of one content hash came so far. */
  readonly copies: Map<string, number>;
}

/** Reads a drawing, or the JSON text of one. Never throws. */
export function parseDrawing(input: unknown): ParsedDrawing {
  const slices = parseDrawingSlices(input, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same, with a pause after each `size` objects, so that a large drawing does not hold the thread. Long
 * paths and large groups count as several objects.
 */
export function* parseDrawingSlices(input: unknown, size = 500): Generator<void, ParsedDrawing> {
  const drawing = typeof input === "string" ? readJson(input) : input;
  if (!isRecord(drawing)) return refuse("not an object");
  const list = ownValue(drawing, "objects");
  if (!Array.isArray(list)) return refuse("objects is not a list");
  if (list.length > MOST_OBJECTS) return refuse("too many objects");
  const meta = ownValue(drawing, "inkpool");
  const foreign = meta === undefined;
  const intake = createIntake(foreign, ownValue(drawing, "version"));
  const seen = readMeta(meta, intake.faults);
  if (seen === null) return refuse("too many runs in seen");
  let load = 0;
  for (let index = 0; index < list.length; index++) {
    if (load >= size) {
      yield;
      load = 0;
    }
    load += loadOf(list[index]);
    takeIn(list[index], index, intake);
  }
  const stamp = readBackgroundStamp(meta);
  const partial = isRecord(meta) && ownValue(meta, "partial") === true;
  return {
    ok: true,
    drawing: {
      version: FABRIC_VERSION,
      objects: intake.objects,
      background: readBackground(ownValue(drawing, "background"), intake.faults),
      inkpool: {
        format: 1,
        seen: withObjects(seen, intake.objects),
        ...(partial ? { partial: true as const } : {}),
        ...(stamp ? { stamp } : {}),
      },
    },
    foreign,
    partial,
    faults: intake.faults,
  };
}

/** How much work an object is, in objects of the usual size. */
function loadOf(input: unknown): number {
  if (!isRecord(input)) return 1;
  const { path, points, objects } = input;
  const chars =
    typeof path === "string" ? path.length : 20 * lengthOf(path) + 10 * lengthOf(points);
  return 1 + Math.floor(chars / 2000) + lengthOf(objects);
}

function lengthOf(input: unknown): number {
  return Array.isArray(input) ? input.length : 0;
}

function createIntake(foreign: boolean, version: unknown): Intake {
  return {
    entry: {
      compact: foreign,
      forgiving: false,
      version: typeof version === "string" ? version : undefined,
      budget: { left: MOST_OBJECTS },
    },
    foreign,
    faults: [],
    objects: [],
    ids: new Set(),
    copies: new Map(),
  };
}

function refuse(reason: string): ParsedDrawing {
  return { ok: false, reason };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function report(faults: Fault[], index: number, reason: string): void {
  if (faults.length < MOST_FAULTS) faults.push({ index, reason });
}

function takeIn(input: unknown, index: number, intake: Intake): void {
  const id = intake.foreign || !isRecord(input) ? undefined : ownValue(input, "id");
  const ours = isObjectId(id);
  const read = readObject(input, ours ? intake.entry : { ...intake.entry, compact: true });
  if (!read.ok || !isRecord(input)) {
    report(intake.faults, index, read.ok ? "not an object" : read.reason);
    return;
  }
  const taken = ours
    ? withOwnFields(read.object, id, input)
    : withContentId(read.object, index, intake.copies);
  if (taken === null) report(intake.faults, index, "life out of range");
  else if (intake.ids.has(taken.id)) report(intake.faults, index, "id used twice");
  else {
    intake.ids.add(taken.id);
    intake.objects.push(taken);
  }
}

/** Null for a life that is not a number of lives. */
function withOwnFields(
  object: NewObject,
  id: ObjectId,
  input: Readonly<Record<string, unknown>>,
): BoardObject | null {
  const life = ownValue(input, "life") ?? 0;
  if (!isCount(life)) return null;
  const z = ownValue(input, "z");
  const inRange = typeof z === "number" && Math.abs(z) <= MOST_Z;
  const { type, ...props } = object;
  const stamps = readStamps(ownValue(input, "stamps"), id);
  return buildObject({ type, id, life }, stamps, { ...props, z: inRange ? z : 0 } as Props);
}

/** Equal content gets equal ids in every browser; several equal objects are counted. */
function withContentId(object: NewObject, index: number, copies: Map<string, number>): BoardObject {
  const hash = hash53(canonicalJson(object as Json)).toString(36);
  const seq = copies.get(hash) ?? 0;
  copies.set(hash, seq + 1);
  const { type, ...props } = object;
  const id = makeId(`f${hash}` as Author, seq);
  return buildObject({ type, id, life: 0 }, {}, { ...props, z: index + 1 } as Props);
}

/** One bad stamp and the object counts as one without stamps. */
function readStamps(input: unknown, id: ObjectId): Partial<Record<Group, Stamp>> {
  const stamps: Partial<Record<Group, Stamp>> = {};
  if (!isRecord(input)) return stamps;
  for (const group of GROUPS) {
    const stamp = readStamp(ownValue(input, group));
    if (stamp === null) return {};
    if (stamp === undefined) continue;
    // The stamp that an unchanged group has anyway is left out, so that equal objects are equal values.
    if (stamp[0] > 0 || stamp[1] !== authorOf(id)) stamps[group] = stamp;
  }
  return stamps;
}

/** Undefined when there is none, null when it is malformed. */
function readStamp(input: unknown): Stamp | null | undefined {
  if (input === undefined) return undefined;
  if (!Array.isArray(input) || input.length !== 2) return null;
  const [version, author] = input as unknown[];
  return isCount(version) && isAuthor(author) ? [version, author] : null;
}

/** Version 0 is that of a background that nobody changed; it has no author. */
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

/** What the drawing has seen; null when it is too much. A malformed part is left out, which removes nothing. */
function readMeta(meta: unknown, faults: Fault[]): Record<string, SeenRuns> | null {
  if (meta === undefined) return {};
  const written = isRecord(meta) && ownValue(meta, "format") === 1 ? ownValue(meta, "seen") : null;
  if (!isRecord(written)) {
    report(faults, -1, "inkpool is malformed");
    return {};
  }
  const seen: Record<string, SeenRuns> = {};
  const authors = Object.keys(written);
  if (authors.length > MOST_AUTHORS_IN) return null;
  let runs = 0;
  for (const author of authors) {
    const given = written[author];
    const size = Array.isArray(given) ? given.length / (Array.isArray(given[0]) ? 1 : 2) : 1;
    runs += size;
    if (runs > MOST_RUNS) return null;
    if (isAuthor(author) && readRuns(given) !== null) seen[author] = given as SeenRuns;
    else report(faults, -1, "seen is malformed");
  }
  return seen;
}

/** A living object has been seen, whatever the drawing says. */
function withObjects(
  written: Record<string, SeenRuns>,
  objects: readonly BoardObject[],
): Record<string, SeenRuns> {
  const seen = readSeen(written);
  for (const { id, life } of objects) markSeen(seen, authorOf(id), seqOf(id), life ?? 0);
  return writeSeen(seen);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
}

function ownValue(input: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}
