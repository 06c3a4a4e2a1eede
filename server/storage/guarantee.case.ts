/** Tests the guarantees of the history, whoever writes, in whatever order and number (docs/decisions/history-by-trigger.md). */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createHistoryBed,
  drawingOf,
  SLOTS,
  type HistoryBed,
  type StoredVersion,
} from "./history-bed.case.ts";
import type { Database } from "./port.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 8, 1, 7, 30, 12);

/** The number of classes that share the budget: the slots and the marks. */
const CLASSES = SLOTS.length + 1;

/** A write, `after` milliseconds later. */
interface Write {
  readonly after: number;
  readonly objects: number;
  readonly bytes: number;
}

/** A pause of seconds, minutes, hours or days between two writes: a uniform distribution would cover only one scale. */
const gap = fc.oneof(
  fc.integer({ min: 1, max: 5 * SECOND }),
  fc.integer({ min: 1, max: 5 * MINUTE }),
  fc.integer({ min: 1, max: 3 * HOUR }),
  fc.integer({ min: 1, max: 4 * DAY }),
);
const write: fc.Arbitrary<Write> = fc.record({
  after: gap,
  objects: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 8 }),
    fc.integer({ min: 0, max: 60 }),
  ),
  bytes: fc.oneof(fc.constant(20), fc.integer({ min: 20, max: 2000 }), fc.constant(4000)),
});

/** The number of histories that are tried, and of writes in an attack. */
export interface Effort {
  readonly runs: number;
  readonly writes: number;
}

/**
 * Runs the tests.
 * @param open Opens an empty database.
 */
export function examineGuarantee(
  kind: string,
  open: () => Promise<Database>,
  { runs, writes }: Effort,
): void {
  describe(`guarantee of the history on ${kind}`, () => {
    let bed: HistoryBed;
    beforeAll(async () => {
      bed = await createHistoryBed(await open());
    });
    afterAll(() => bed.database.close());

    test("STO-21 every sequence of writes leaves the drawings of the boundaries, of each day's losses and milestones, and the last one", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(write, { minLength: 1, maxLength: 60, size: "max" }),
          fc.constantFrom(3000, 20_000, 200_000, 100_000_000),
          async (history, budget) => {
            await begin(bed, budget);
            const model = createModel(budget);
            for (const [index, one] of history.entries()) {
              const replaced = await step(bed, model, one, `${index}`);
              if (replaced) checkAll(model, await bed.versions());
            }
          },
        ),
        { numRuns: runs, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
      );
    }, 120_000);

    examineAttacks(() => bed, writes);
  });
}

/** The replaced drawings, as the writer knows them. */
interface Model {
  readonly budget: number;
  now: number;
  version: number;
  /** The bytes of the row's drawing. */
  bytes: number;
  readonly all: StoredVersion[];
  /** The greatest weight of one version. */
  heaviest: number;
}

function createModel(budget: number): Model {
  return { budget, now: START, version: 0, bytes: 0, all: [], heaviest: 0 };
}

async function begin(bed: HistoryBed, budget: number): Promise<void> {
  await bed.setBudget(budget);
  await bed.setClock(START);
  await bed.empty();
}

/** Writes once, without reading anything. */
async function writeOne(bed: HistoryBed, model: Model, one: Write, mark: string): Promise<void> {
  model.now += one.after;
  await bed.setClock(model.now);
  const drawing = drawingOf(one.objects, one.bytes, mark);
  model.bytes = drawing.length;
  await bed.write(drawing);
}

/** Writes once and reads what is stored; true when a drawing was replaced. */
async function step(bed: HistoryBed, model: Model, one: Write, mark: string): Promise<boolean> {
  const { bytes } = model;
  await writeOne(bed, model, one, mark);
  const version = await bed.version();
  const first = model.version === 0;
  model.version = version;
  if (first) return false;
  const newest = (await bed.versions()).at(-1);
  const isStored = newest?.version === version - 1;
  expect(isStored, `the last drawing, of ${bytes} bytes`).toBe(bytes <= model.budget);
  if (newest !== undefined && isStored) {
    model.all.push(newest);
    model.heaviest = Math.max(model.heaviest, weightOf(model, newest));
  }
  return true;
}

function weightOf({ budget }: Model, { bytes }: StoredVersion): number {
  return Math.max(bytes, Math.floor(budget / 512));
}

function checkAll(model: Model, stored: readonly StoredVersion[]): void {
  const there = new Set(stored.map(({ id }) => id));
  const sum = stored.reduce((bytes, one) => bytes + one.bytes, 0);
  expect(sum).toBeLessThanOrEqual(model.budget);
  expect(stored.length).toBeLessThanOrEqual(512);
  // One expectation for all of them: each costs as much as a write.
  expect([
    ...SLOTS.flatMap((slot) => lackingOfSlot(model, slot, there)),
    ...lackingMarks(model, there),
    ...needless(stored),
  ]).toEqual([]);
}

/** Whether it was the drawing at a boundary of the slot. */
function isAtBoundary({ saved, replaced }: StoredVersion, length: number): boolean {
  return Math.floor((replaced - 1) / length) * length >= saved;
}

/** Names what a slot lacks of its newest, as far as its part of the rest after the last one suffices. */
function lackingOfSlot(
  model: Model,
  { length, max }: (typeof SLOTS)[number],
  there: ReadonlySet<number>,
): string[] {
  const lacking: string[] = [];
  let share = 0;
  const newest = model.all.filter((one) => isAtBoundary(one, length)).slice(-max);
  for (const one of newest.toReversed()) {
    share += weightOf(model, one);
    if (model.heaviest + CLASSES * share > model.budget) break;
    if (!there.has(one.id))
      lacking.push(`the version ${one.version} at a boundary of ${length} ms is not stored`);
  }
  return lacking;
}

const dayOf = ({ replaced }: StoredVersion): number => Math.floor(replaced / DAY);

/**
 * Names what is lacking of the first losses and milestones of each day, as far as their part of the budget suffices:
 * nothing later can push them out.
 */
function lackingMarks(model: Model, there: ReadonlySet<number>): string[] {
  const days = new Set([...new Set(model.all.map(dayOf))].slice(-30));
  const marked = model.all.filter((one) => (one.loss || one.milestone) && days.has(dayOf(one)));
  const lacking: string[] = [];
  const depths = new Map<number, number>();
  for (const one of marked) {
    const depth = (depths.get(dayOf(one)) ?? 0) + weightOf(model, one);
    depths.set(dayOf(one), depth);
    if (model.heaviest + 2 * CLASSES * days.size * depth > model.budget) continue;
    if (!there.has(one.id))
      lacking.push(`the version ${one.version}, a loss or milestone, is not stored`);
  }
  // There is space for all of them: for each drawing an earlier one of its day with more than half of its objects.
  if (model.budget < 100_000_000) return lacking;
  const isWitness = (other: StoredVersion, one: StoredVersion): boolean =>
    dayOf(other) === dayOf(one) &&
    other.id <= one.id &&
    (other.objects * 2 > one.objects || one.objects === 0) &&
    there.has(other.id);
  for (const one of model.all)
    if (days.has(dayOf(one)) && !marked.some((other) => isWitness(other, one)))
      lacking.push(`an earlier version for ${one.version} is not stored`);
  return lacking;
}

/** Names the other versions that were not the drawing at a boundary, or long before others. */
function needless(stored: readonly StoredVersion[]): string[] {
  const needed = new Set(
    SLOTS.flatMap(({ length, max }) =>
      stored.filter((one) => isAtBoundary(one, length)).slice(-max),
    ),
  );
  return stored
    .slice(0, -1)
    .filter((one) => !one.loss && !one.milestone && !needed.has(one))
    .map(({ version }) => `version ${version} is kept without a reason`);
}

/** The size of the largest drawing. It is 250 times smaller than in reality, like the budget, which 20 of them fill. */
const LARGEST = 40_000;
const SMALL_BUDGET = 800_000;
const HONEST = { objects: 300, bytes: 8_000 } as const;

/** The n-th write of a vandal. */
const ATTACKS: Readonly<Record<string, (n: number) => Omit<Write, "after">>> = {
  "full and empty drawings in turn": (n) => ({ objects: n % 2 ? 0 : 900, bytes: LARGEST }),
  "drawings of the greatest size": (n) => ({ objects: 300 + (n % 7), bytes: LARGEST }),
  "ever more objects": (n) => ({ objects: Math.min(20_000, 2 ** (n % 15)), bytes: LARGEST }),
  "tiny drawings": (n) => ({ objects: n % 2 ? 0 : 3, bytes: 20 }),
  "a little less each time": (n) => ({
    objects: Math.floor(300 * 0.6 ** (n % 14)),
    bytes: HONEST.bytes,
  }),
};

function examineAttacks(bed: () => HistoryBed, writes: number): void {
  const attack = async (model: Model, name: string, lasting: number): Promise<void> => {
    const after = Math.ceil(lasting / writes);
    for (let n = 1; n <= writes; n++)
      await writeOne(bed(), model, { ...(ATTACKS[name]?.(n) as Write), after }, `attack ${n}`);
  };

  test.each(Object.keys(ATTACKS))(
    "STO-21 after %s the drawing of the last boundary before is there",
    async (name) => {
      const attacked = SLOTS.filter(({ length }) => [MINUTE, HOUR, DAY].includes(length));
      expect(attacked).not.toEqual([]);
      for (const { length: slot } of attacked) {
        await begin(bed(), SMALL_BUDGET);
        const model = createModel(SMALL_BUDGET);
        for (let n = 0; n < 50; n++)
          await writeOne(bed(), model, { ...HONEST, after: 53 * MINUTE }, `honest ${n}`);
        const boundary = Math.floor(model.now / slot) * slot;
        // This is an attack of three and a half slots.
        await attack(model, name, 3.5 * slot - (model.now - boundary));
        const stored = await bed().versions();
        const then = stored.find(({ saved, replaced }) => saved <= boundary && boundary < replaced);
        expect(await bed().drawing(then?.id ?? -1)).toContain('"note":"honest');
      }
    },
    120_000,
  );

  test.each(Object.keys(ATTACKS))(
    "STO-21 a board of ten minutes outlives a day of %s with more than half of its objects, or whole",
    async (name) => {
      await begin(bed(), SMALL_BUDGET);
      const model = createModel(SMALL_BUDGET);
      for (let n = 1; n <= 30; n++) {
        const one = { after: 20 * SECOND, objects: 10 * n, bytes: HONEST.bytes };
        await writeOne(bed(), model, one, "honest");
      }
      const begun = model.now;
      const first = ATTACKS[name]?.(1) as Write;
      const whole = first.objects * 2 < 300 || first.bytes * 2 < HONEST.bytes;
      await attack(model, name, 20 * HOUR);
      const stored = await bed().versions();
      const objects = stored.filter(({ saved }) => saved <= begun).map((one) => one.objects);
      expect(Math.max(...objects)).toBeGreaterThanOrEqual(whole ? 300 : 151);
    },
    120_000,
  );

  test("STO-21 an attack costs at most the work since the last boundary of the shortest slot that is as long, regardless of the vandal's earlier writes that day", async () => {
    await begin(bed(), SMALL_BUDGET);
    const model = createModel(SMALL_BUDGET);
    for (let n = 0; n < 24; n++) {
      const one = { after: SECOND, objects: n % 2 ? 0 : 20_000, bytes: LARGEST };
      await writeOne(bed(), model, one, "early");
    }
    // This is honest work of an hour, from 30 s after a full hour on.
    const hour = Math.ceil(model.now / HOUR) * HOUR;
    for (let n = 1; n <= 177; n++) {
      const after = n === 1 ? hour + 30 * SECOND - model.now : 20 * SECOND;
      await writeOne(bed(), model, { after, objects: n, bytes: HONEST.bytes }, "honest");
    }
    const begun = model.now;
    for (let minute = 1; minute <= 240; minute++) {
      // It has as many objects as before, so that nothing is a loss or a milestone.
      await writeOne(bed(), model, { after: MINUTE, objects: 177, bytes: LARGEST }, `${minute}`);
      const lasted = model.now - begun;
      const slot = SLOTS.find(({ length }) => length >= lasted)?.length ?? 0;
      const boundary = Math.floor(begun / slot) * slot;
      const stored = await bed().versions();
      const then = stored.find(({ saved, replaced }) => saved <= boundary && boundary < replaced);
      expect(then, `the drawing ${begun - boundary} ms before minute ${minute}`).toBeDefined();
      const objects = stored.filter(({ saved }) => saved >= hour && saved < begun);
      // It is a milestone of the work itself, more than half of it.
      expect(Math.max(...objects.map((one) => one.objects)), `minute ${minute}`).toBeGreaterThan(
        88,
      );
      if (minute === 11) expect(await bed().drawing(then?.id ?? -1)).toContain('"note":"honest');
    }
  }, 120_000);
}
