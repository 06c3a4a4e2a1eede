/**
 * The content of the board as far as this process knows it: the objects of the row, and those that were announced on
 * the channel.
 */

import { NOTHING, greater, minus, plus } from "./allowance.ts";
import type { Amount, MeasuredDrawing } from "./port.ts";

/** The bytes of an object's JSON, and the number of objects that it counts for: itself, and those inside of it. */
interface ObjectSize {
  readonly bytes: number;
  readonly count: number;
}

/** An object of the row. */
export interface KnownObject extends ObjectSize {
  readonly id: string;
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

/**
 * Makes the known board.
 * @param clock in milliseconds
 */
export function createKnownBoard(clock: () => number): KnownBoard {
  const sizes = createPeriods<Amount>(clock, SIZE_MS, () => NOTHING);
  const wholes = createPeriods<Amount>(clock, SIZE_MS, () => NOTHING);
  const announced = createPeriods(clock, ANNOUNCED_MS, () => new Map<string, ObjectSize>());
  let row: ReadonlyMap<string, ObjectSize> = new Map();
  /** The size of the row as it is, which may be older than all periods. */
  let present = NOTHING;
  const peak = (): Amount => sizes.all().reduce(greater, present);
  const noteRow = (size: Amount): void => {
    // The row that is replaced counts from now on like one that was noted now.
    sizes.set([present, size].reduce(greater, sizes.now()));
    present = size;
  };
  return {
    noteRow,
    noteObjects: (objects) => {
      row = new Map(objects.map(({ id, ...size }) => [id, size]));
    },
    growth: (size) => minus(size, peak()),
    addedBy(drawing, unsaved) {
      if (drawing.isForeign)
        return minus(sizeOf(drawing), wholes.all().reduce(greater, plus(peak(), unsaved)));
      const added = { objects: 0, bytes: 0 };
      const [now, earlier] = announced.all();
      const listed = new Set<string | null>([null]);
      for (const { id, bytes, count } of drawing.objects) {
        const isNamed = id !== null && !listed.has(id);
        const before = isNamed ? (row.get(id) ?? now.get(id) ?? earlier.get(id)) : undefined;
        listed.add(id);
        added.objects += Math.max(0, count - (before?.count ?? 0));
        added.bytes += Math.max(0, bytes - (before?.bytes ?? 0));
      }
      return added;
    },
    noteAnnounced(drawing) {
      const ids = announced.now();
      for (const { id, ...size } of drawing.objects)
        if (id !== null && ids.size < MAX_ANNOUNCED) ids.set(id, size);
      if (drawing.isForeign) wholes.set(greater(wholes.now(), sizeOf(drawing)));
    },
  };
}

const sizeOf = ({ bytes, objects }: MeasuredDrawing): Amount => ({
  bytes,
  objects: objects.reduce((sum, { count }) => sum + count, 0),
});

interface Periods<T> {
  /** The collection of this period. */
  now(): T;
  set(value: T): void;
  setAll(current: T, previous: T): void;
  /** The collections of this period and the one before. */
  all(): readonly [T, T];
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
