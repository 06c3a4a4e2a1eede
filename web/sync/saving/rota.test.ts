import { describe, expect, test } from "vitest";
import { EVENTS } from "../../../board/messages.ts";
import { drawTogether, fillRow, type DrawnStroke } from "../../../testing/sync/large-row.ts";
import { replaceRow } from "../../../testing/network/backend.ts";
import { PERFECT } from "../../../testing/network/network.ts";
import { createTestBed, stroke, type TestBed, type Visit } from "../../../testing/sync/test-bed.ts";
import type { Environment } from "../environment/environment.ts";
import { createSaveRota } from "./rota.ts";
import { SAVE_CEILING } from "./schedule.ts";

const MB = 1024 * 1024;

/** The environment of a device without space for a copy of the drawing, which costs each page as much as a save. */
const NO_COPY: Partial<Environment> = {
  openDeviceCopyStore: () => ({
    read: async () => null,
    write: async () => false,
    clear: async () => undefined,
    close: () => undefined,
  }),
};

async function meet(bed: TestBed, count: number): Promise<Visit[]> {
  const visits = Array.from({ length: count }, (_, index) =>
    bed.visit(`visitor ${index}`, undefined, NO_COPY),
  );
  await bed.clock.advance(2_000);
  return visits;
}

function savedIds(bed: TestBed): ReadonlySet<string> {
  const { objects }: { objects: { id: string }[] } = JSON.parse(bed.backend.row?.text ?? "{}");
  return new Set(objects.map(({ id }) => id));
}

const stateOf = ({ client }: Visit): string => client.saveState.get().state;

/** Returns the strokes that the row lacks though their visitors say that everything is saved. */
function falselySaved(bed: TestBed, visits: readonly Visit[], drawn: readonly DrawnStroke[]) {
  const row = savedIds(bed);
  return drawn.filter(({ id, by }) => {
    const visit = visits[by];
    return visit && stateOf(visit) === "saved" && !row.has(id);
  });
}

/** Waits until all say that everything is saved. Returns the seconds. */
async function settle(bed: TestBed, visits: readonly Visit[]): Promise<number> {
  for (let second = 0; second < 200; second += 1) {
    if (visits.every((visit) => stateOf(visit) === "saved")) return second;
    await bed.clock.advance(1_000);
  }
  return Number.POSITIVE_INFINITY;
}

test("SAV-30 the rota forgets the edits that are saved, also where few draw", () => {
  const now = () => 5_000;
  let revision = 0;
  const asked: number[] = [];
  const isPending = (edit: number): boolean => {
    asked.push(edit);
    return edit >= revision;
  };
  const pending = {
    get revision() {
      return revision;
    },
    isPending,
  };
  const rota = createSaveRota({ clientId: "ann", pending, clock: { now } } as never);
  while (revision < 1_000) {
    revision += 1;
    rota.edited();
  }
  asked.length = 0;
  expect(rota.sinceOf({ since: 1_000, due: 6_000, atOnce: false } as never)).toBe(5_000);
  expect(asked).toEqual([1_000]);
});

describe("where many draw on a large board", () => {
  test("SAV-30 twenty visitors who draw for a minute on 5 MB cause at most 6 saves, none in vain, and each reads the row about once", async () => {
    const bed = createTestBed();
    fillRow(bed, 5 * MB);
    const visits = await meet(bed, 20);
    const { counts } = bed.backend;
    const before = { ...counts };
    const lies: DrawnStroke[] = [];
    const drawn = await drawTogether(
      bed,
      visits.map(({ client }) => client),
      {
        ...{ seconds: 60, longest: 8 },
        eachSecond: (all, second) => {
          if (second % 5 === 0) lies.push(...falselySaved(bed, visits, all));
        },
      },
    );
    expect(drawn.length).toBeGreaterThan(200);
    expect(counts.loads - before.loads).toBeLessThanOrEqual(30);
    expect(await settle(bed, visits)).toBeLessThan(30);
    expect(counts.updates - before.updates).toBeLessThanOrEqual(6);
    expect(counts.updates - before.updates).toBeGreaterThan(2);
    expect(counts.misses).toBe(before.misses);
    const row = savedIds(bed);
    expect([lies, drawn.filter(({ id }) => !row.has(id))]).toEqual([[], []]);
    for (const { device } of visits) expect(device.entries.size).toBe(0);
  }, 120_000);

  test("SAV-30 when all stop at once, their rota goes on", async () => {
    const bed = createTestBed();
    fillRow(bed, 2 * MB);
    const visits = await meet(bed, 12);
    bed.network.conditions = { ...PERFECT, minDelay: 200, maxDelay: 200 };
    const clients = visits.map(({ client }) => client);
    await drawTogether(bed, clients, { seconds: 10, longest: 2 });
    const before = { ...bed.backend.counts };
    expect(await settle(bed, visits)).toBeLessThan(60);
    const { updates, misses } = bed.backend.counts;
    expect([updates - before.updates, misses - before.misses]).toEqual([1, 0]);
  });

  test("SAV-30 three visitors who draw there, or twenty on a small board, save 5 s after their last change", async () => {
    for (const [bytes, count] of [
      [2 * MB, 3],
      [MB / 2, 20],
    ] as const) {
      const bed = createTestBed();
      fillRow(bed, bytes);
      const visits = await meet(bed, count);
      const before = { ...bed.backend.counts };
      for (const { client } of visits) client.editor.add([stroke()]);
      await bed.clock.advance(4_900);
      expect(bed.backend.counts).toMatchObject({ updates: before.updates });
      await bed.clock.advance(1_500);
      for (const visit of visits) expect(stateOf(visit)).toBe("saved");
    }
  });

  test("SAV-13 when the saving client dies in the middle of a save, again and again, another one saves for all", async () => {
    const bed = createTestBed(3);
    fillRow(bed, 2 * MB);
    const visits = await meet(bed, 8);
    // A request takes a second each way, so that a save can be killed under way.
    bed.network.conditions = { ...PERFECT, minDelay: 1_000, maxDelay: 1_000 };
    const dead = new Set<number>();
    const drawn = await drawTogether(
      bed,
      visits.map(({ client }) => client),
      {
        ...{ seconds: 90, longest: 9 },
        isGone: (visitor) => dead.has(visitor),
        eachSecond: (_, second) => {
          const saving = visits.findIndex(
            (visit, index) => !dead.has(index) && stateOf(visit) === "saving",
          );
          if (second % 10 > 4 && saving >= 0 && dead.size < 3) {
            dead.add(saving);
            visits[saving]?.kill();
          }
        },
      },
    );
    expect(dead.size).toBe(3);
    const alive = visits.filter((_, index) => !dead.has(index));
    expect(await settle(bed, alive)).toBeLessThan(90);
    await bed.clock.advance(60_000);
    // What the dead drew and could still send the others save; the rest is in the journals of their devices.
    const row = savedIds(bed);
    const journaled = visits.flatMap(({ device }) =>
      [...device.entries.values()].map(({ text }) => text),
    );
    const lost = drawn.filter(
      ({ id }) => !row.has(id) && !journaled.some((text) => text.includes(id)),
    );
    expect(lost).toEqual([]);
    const ofAlive = drawn.filter(({ id, by }) => !dead.has(by) && !row.has(id));
    expect(ofAlive).toEqual([]);
  }, 120_000);

  test("SAV-13 beside a visitor who says without end that it saved, every edit is in the row a minute later, and no state is false", async () => {
    const bed = createTestBed(5);
    fillRow(bed, 2 * MB);
    const visits = await meet(bed, 6);
    const none = (): void => undefined;
    const events = { status: none, presence: none, broadcast: none };
    const liar = bed.backend.open("liar").openChannel("liar", events);
    await bed.clock.advance(1_000);
    const overdue: DrawnStroke[] = [];
    const { counts } = bed.backend;
    const before = { ...counts };
    const drawn = await drawTogether(
      bed,
      visits.map(({ client }) => client),
      {
        ...{ seconds: 120, longest: 9 },
        eachSecond: (all, second) => {
          for (let count = 0; count < 5; count += 1)
            liar.send(EVENTS.digest, {
              clientId: `liar${count}`,
              digest: "0",
              saved: { at: "2026-01-01", seen: "0", n: 9 },
            });
          if (second % 5 > 0) return;
          const row = savedIds(bed);
          const limit = bed.clock.now() - SAVE_CEILING - 5_000;
          overdue.push(...all.filter(({ id, at }) => at < limit && !row.has(id)));
          overdue.push(...falselySaved(bed, visits, all));
        },
      },
    );
    expect(overdue).toEqual([]);
    expect(counts.peeks - before.peeks).toBeLessThan((6 * 120) / 3);
    await settle(bed, visits);
    const row = savedIds(bed);
    expect(drawn.filter(({ id }) => !row.has(id))).toEqual([]);
  }, 120_000);

  test("SAV-31 strokes that an older drawing takes out of the row, again and again, are in it when its writer has left", async () => {
    const bed = createTestBed(9);
    fillRow(bed, 2 * MB);
    const old = bed.backend.row;
    const visits = await meet(bed, 6);
    const none = (): void => undefined;
    const events = { status: none, presence: none, broadcast: none };
    const vandal = bed.backend.open("vandal").openChannel("vandal", events);
    const drawn = await drawTogether(
      bed,
      visits.map(({ client }) => client),
      {
        ...{ seconds: 100, longest: 9 },
        eachSecond: (_, second) => {
          if (second % 12 !== 11 || !old) return;
          const at = new Date(bed.clock.now()).toISOString();
          replaceRow(bed.backend, { ...old, updatedAt: at });
          const saved = { at, seen: "0", n: 9 };
          vandal.send(EVENTS.digest, { clientId: "vandal", digest: "0", saved });
        },
      },
    );
    await bed.clock.advance(120_000);
    await settle(bed, visits);
    const row = savedIds(bed);
    expect(drawn.filter(({ id }) => !row.has(id))).toEqual([]);
  }, 120_000);
});
