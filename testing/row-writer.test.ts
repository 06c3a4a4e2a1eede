/** Tests rows that somebody writes by hand, as any program may, while pages show the board. */

import { expect, test } from "vitest";
import { replaceRow } from "./network/backend.ts";
import type { Random } from "./random/random.ts";
import type { SyncClient } from "../web/sync/port.ts";
import { createTestBed, stroke, type TestBed } from "./sync/test-bed.ts";

/** The first seed; `npm run chaos` gives new ones. */
const FIRST = Number(process.env["CHAOS_SEED"] ?? 1);
const SEEDS = 12;
const ROUNDS = 6;

type Shape = Readonly<Record<"left" | "top" | "width" | "height", number>>;

function change(shapes: Shape[], random: Random): void {
  const at = random.integer(0, shapes.length);
  const shape = { top: random.integer(0, 700), width: random.integer(1, 90), height: 20 };
  const acts = [
    () => shapes.push({ ...shape, left: random.integer(0, 900) }),
    () => shapes.splice(at, 1, { ...shape, left: random.integer(0, 900) }),
    () => shapes.splice(at, 1),
    () => shapes.reverse(),
    () => shapes.splice(0),
  ];
  random.pick(acts)();
}

function write({ backend, clock }: TestBed, shapes: readonly Shape[]): void {
  const objects = shapes.map((shape) => ({ type: "Rect", fill: "red", ...shape }));
  const text = JSON.stringify({ version: "5.3.0", objects, background: "white" });
  const id = backend.row?.id ?? "row-1";
  replaceRow(backend, { id, updatedAt: new Date(clock.now()).toISOString(), text });
}

/** The pages leave out a position of 0, which is Fabric's default. */
const shapesOf = (objects: readonly object[]): Shape[] =>
  objects.map((object) => {
    const {
      left = 0,
      top = 0,
      width,
      height,
    } = object as Partial<Shape> & Pick<Shape, "width" | "height">;
    return { left, top, width, height };
  });

const rowOf = ({ backend }: TestBed): readonly object[] =>
  (JSON.parse(backend.row?.text ?? "{}") as { objects?: readonly object[] }).objects ?? [];

/** Returns the fault in what a page shows and says, or null. `wanted` is empty where the pages may have restored objects. */
function faultOf(client: SyncClient, bed: TestBed, wanted: readonly Shape[]): string | null {
  const { state } = client.saveState.get();
  const [shown, row] = [client.objects(), rowOf(bed)].map((one) => JSON.stringify(shapesOf(one)));
  if (wanted.length > 0 && shown !== JSON.stringify(shapesOf(wanted)))
    return `${shown} is shown, not ${JSON.stringify(wanted)}`;
  if (shown === row) return state === "saved" ? null : `${state} of ${row}`;
  return `${state} of ${shown} while the row is ${row}`;
}

/** Milliseconds within which every page shows the row. */
const SHOWN = 2_000;

/** Lets that time pass after the last write of anybody: the pages may restore objects, once. */
async function settle({ backend, clock }: TestBed): Promise<void> {
  for (let writes = 0; writes < 3; writes += 1) {
    const { row } = backend;
    await clock.advance(SHOWN);
    if (backend.row === row) return;
  }
}

async function play(seed: number): Promise<string | null> {
  const bed = createTestBed(seed);
  const { random, clock } = bed;
  const count = random.integer(1, 12);
  const pages = Array.from({ length: count }, (_, index) => bed.visit(`page ${index}`));
  await clock.advance(2_000);
  const shapes: Shape[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isDrawing = random.boolean(0.4);
    if (isDrawing) {
      random.pick(pages).client.editor.add([stroke(round)]);
      await clock.advance(60_000);
    }
    // Nobody knows whether the writer had seen objects younger than a few seconds: they stay, and are saved again.
    const isCalm = !isDrawing && random.boolean(0.5);
    for (let left = isCalm ? 1 : random.integer(2, 6); left > 0; left -= 1) {
      change(shapes, random);
      write(bed, shapes);
      if (left > 1) await clock.advance(random.integer(0, 900));
    }
    await settle(bed);
    const fault = pages
      .map(({ client }) => faultOf(client, bed, isCalm ? shapes : []))
      .find(Boolean);
    if (fault) return `seed ${seed}, round ${round}, ${count} pages: ${fault}`;
    await clock.advance(60_000);
    shapes.splice(0, shapes.length, ...shapesOf(rowOf(bed)));
  }
  return null;
}

test("SAV-70 2 s after the last of several rows that were written by hand every page shows the row", async () => {
  const broken: string[] = [];
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const fault = await play(seed);
    if (fault) broken.push(fault);
  }
  expect(broken).toEqual([]);
}, 120_000);
