/**
 * The content of the board as far as this process knows it: the objects of the row, and those that were announced on
 * the channel.
 */

import { isRecord } from "../../board/json.ts";
import { NOTHING, greater, minus, plus } from "./allowance.ts";
import type { Amount } from "./port.ts";

/** An object of the row: its id, and the bytes of its JSON. */
export interface KnownObject {
  readonly id: string;
  readonly bytes: number;
}

export interface KnownBoard {
  /** Notes the size of the row. */
  readonly noteRow: (row: Amount) => void;
  /** Notes the objects of the row. Objects that were announced within the last minutes stay known. */
  readonly noteObjects: (objects: readonly KnownObject[]) => void;
  /**
   * Returns how much larger a row of this size is than the board was within the last two hours, so that restoring
   * something adds nothing.
   */
  readonly growth: (row: Amount) => Amount;
  /**
   * Returns how much a drawing of a `canvas-update` adds to everything known. `unsaved`: the amount that was added in
   * this way and is not in the row yet.
   */
  readonly addedBy: (drawing: MeasuredDrawing, unsaved: Amount) => Amount;
  /** Notes the drawing's objects as known from now on. */
  readonly noteAnnounced: (drawing: MeasuredDrawing) => void;
}

/** Milliseconds for which a size of the board counts at least, and an announced object is known. */
const SIZE_MS = 60 * 60_000;
const ANNOUNCED_MS = 10 * 60_000;

/** Greatest number of announced objects that are remembered: more than a board may have. */
const MAX_ANNOUNCED = 100_000;

/** Bytes of a message around its drawing. */
const ENVELOPE = 256;

/**
 * Makes the known board.
 * @param clock in milliseconds
 */
export function createKnownBoard(clock: () => number): KnownBoard {
  const sizes = createPeriods<Amount>(clock, SIZE_MS, () => NOTHING);
  const wholes = createPeriods<Amount>(clock, SIZE_MS, () => NOTHING);
  const announced = createPeriods(clock, ANNOUNCED_MS, () => new Map<string, number>());
  let row: ReadonlyMap<string, number> = new Map();
  const peak = (): Amount => sizes.all().reduce(greater);
  const bytesOf = (id: string): number | undefined =>
    row.get(id) ??
    announced
      .all()
      .map((ids) => ids.get(id))
      .find((bytes) => bytes !== undefined);
  const noteRow = (size: Amount): void => sizes.set(greater(sizes.now(), size));
  return {
    noteRow,
    noteObjects: (objects) => {
      row = new Map(objects.map(({ id, bytes }) => [id, bytes]));
    },
    growth: (size) => minus(size, peak()),
    addedBy(drawing, unsaved) {
      if (!drawing.isPartial) {
        const size = { bytes: drawing.bytes, objects: drawing.objects.length };
        return minus(size, wholes.all().reduce(greater, plus(peak(), unsaved)));
      }
      let added: Amount = NOTHING;
      const listed = new Set<string>();
      for (const { id, bytes } of drawing.objects) {
        const before = id === null || listed.has(id) ? undefined : bytesOf(id);
        if (id !== null) listed.add(id);
        const isNew = before === undefined;
        added = plus(added, { objects: isNew ? 1 : 0, bytes: Math.max(0, bytes - (before ?? 0)) });
      }
      return added;
    },
    noteAnnounced(drawing) {
      const ids = announced.now();
      for (const { id, bytes } of drawing.objects)
        if (id !== null && ids.size < MAX_ANNOUNCED) ids.set(id, bytes);
      if (drawing.isPartial) return;
      wholes.set(greater(wholes.now(), { bytes: drawing.bytes, objects: drawing.objects.length }));
    },
  };
}

/** The measured part of a drawing of a `canvas-update`. */
export interface MeasuredDrawing {
  readonly objects: readonly { readonly id: string | null; readonly bytes: number }[];
  readonly bytes: number;
  /** True when the drawing contains some objects of the board and says nothing about the others. */
  readonly isPartial: boolean;
}

/** Returns the drawing in the payload as pages read it. A payload without one counts with its bytes. */
export function readDrawing(payload: Uint8Array): MeasuredDrawing {
  const message = parseJson(Buffer.from(payload).toString());
  const json = isRecord(message) ? message["json"] : undefined;
  const drawing = typeof json === "string" ? parseJson(json) : json;
  if (!isRecord(drawing) || !Array.isArray(drawing["objects"])) {
    const unreadable = { id: null, bytes: payload.length };
    return { objects: [unreadable], bytes: payload.length, isPartial: true };
  }
  const meta = drawing["inkpool"];
  const objects = (drawing["objects"] as unknown[]).map((object) => ({
    id: isRecord(object) && typeof object["id"] === "string" ? object["id"] : null,
    bytes: Buffer.byteLength(JSON.stringify(object)),
  }));
  const isPartial = isRecord(meta) && meta["partial"] === true;
  return { objects, bytes: Math.max(0, payload.length - ENVELOPE), isPartial };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Periods<T> {
  /** The collection of this period. */
  now(): T;
  set(value: T): void;
  setAll(current: T, previous: T): void;
  /** The collections of this period and the one before. */
  all(): readonly T[];
}

/** Makes collections that are forgotten after one to two periods of `ms`. */
export function createPeriods<T>(clock: () => number, ms: number, empty: () => T): Periods<T> {
  let [begin, current, previous] = [clock(), empty(), empty()];
  const renew = (): void => {
    const passed = clock() - begin;
    if (passed < ms) return;
    previous = passed < 2 * ms ? current : empty();
    current = empty();
    begin = clock();
  };
  return {
    now: () => {
      renew();
      return current;
    },
    set: (value) => {
      renew();
      current = value;
    },
    setAll: (one, other) => {
      renew();
      [current, previous] = [one, other];
    },
    all: () => {
      renew();
      return [current, previous];
    },
  };
}
