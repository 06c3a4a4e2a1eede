import { expect, test } from "vitest";
import { EVENTS } from "../../board/messages.ts";
import {
  createDevice,
  createTestBed,
  stroke,
  type TestBed,
  type Visit,
} from "../../testing/sync/test-bed.ts";

const SENTENCE = "The host has locked the board";

function savedObjects(bed: TestBed): number {
  const { objects }: { objects: unknown[] } = JSON.parse(bed.backend.row?.text ?? '{"objects":[]}');
  return objects.length;
}

async function lock(bed: TestBed, locked: boolean, ...visits: readonly Visit[]): Promise<void> {
  bed.backend.locked = locked;
  for (const { client } of visits) client.checkLock();
  await bed.clock.advance(600);
}

const errors = ({ notices }: Visit): readonly unknown[] =>
  notices.filter(({ kind }) => kind === "error");

test("HOST-14 strokes drawn when the lock falls are pending, survive a reload, and are saved when the board opens", async () => {
  const bed = createTestBed();
  const device = createDevice("ann");
  let ann = bed.visit("ann", device);
  const ben = bed.visit("ben");
  await bed.clock.advance(1000);
  ann.client.editor.add([stroke(1)]);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toBe(1);
  ann.client.editor.add([stroke(2)]);
  await lock(bed, true, ann, ben);
  expect([ann.client.locked.get(), ann.client.blocked.get()]).toEqual([true, true]);
  const sent = bed.backend.wire.length;
  ann.client.editor.add([stroke(3)]);
  await bed.clock.advance(120_000);
  expect(savedObjects(bed)).toBe(1);
  expect(ann.client.saveState.get()).toEqual({ state: "unsaved", changes: 2 });
  const events = bed.backend.wire.slice(sent).map(({ event }) => event);
  expect(events).not.toContain(EVENTS.update);
  expect(errors(ann)).toEqual([]);

  ann.page("leaving");
  ann.kill();
  ann = bed.visit("ann again", device);
  await bed.clock.advance(30_000);
  expect(ann.client.objects()).toHaveLength(3);
  expect(ann.client.saveState.get()).toEqual({ state: "unsaved", changes: 2 });
  expect(savedObjects(bed)).toBe(1);
  expect(await ann.client.versions.restore({ objects: [] } as never, false)).toBe(false);
  expect(errors(ann)).toEqual([{ kind: "error", text: SENTENCE }]);

  await lock(bed, false, ann, ben);
  await bed.clock.advance(1000);
  expect(savedObjects(bed)).toBe(3);
  expect(ann.client.saveState.get()).toEqual({ state: "saved" });
  expect(ann.notices.filter(({ kind }) => kind === "opened")).toEqual([
    { kind: "opened", count: 2 },
  ]);
  expect(ben.notices.filter(({ kind }) => kind === "opened")).toEqual([]);
});

test("HOST-15 a save that the lock refuses makes the page look at the lock, and shows no error", async () => {
  const bed = createTestBed();
  const ann = bed.visit("ann");
  await bed.clock.advance(1000);
  bed.backend.locked = true;
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(10_000);
  expect(ann.client.blocked.get()).toBe(true);
  expect(errors(ann)).toEqual([]);
  const { inserts } = bed.backend.counts;
  await bed.clock.advance(300_000);
  expect(bed.backend.counts.inserts).toBe(inserts);
  await lock(bed, false, ann);
  await bed.clock.advance(1000);
  expect(savedObjects(bed)).toBe(1);
});

test("HOST-15 messages about the lock cost one read in half a second; one that fails is repeated", async () => {
  const bed = createTestBed();
  let reads = 0;
  let isAway = false;
  const given = {
    openBackend: () => ({
      ...bed.backend.open("ann"),
      readLock: async () => {
        reads += 1;
        const fault = { kind: "network", message: "away" } as const;
        return isAway ? ({ ok: false, fault } as const) : ({ ok: true, value: true } as const);
      },
    }),
  };
  const ann = bed.visit("ann", createDevice("ann"), given, { presenceSummary: true });
  await bed.clock.advance(1000);
  expect(reads).toBe(0);
  for (let hints = 0; hints < 100; hints++) ann.client.checkLock();
  await bed.clock.advance(2000);
  expect(reads).toBe(2);
  isAway = true;
  ann.client.checkLock();
  await bed.clock.advance(1000);
  expect([reads, ann.client.locked.get()]).toEqual([3, true]);
  isAway = false;
  await bed.clock.advance(3000);
  expect(reads).toBe(4);
});

test("HOST-16 where the channel cannot be guarded, a locked page ignores its peers' broadcasts", async () => {
  for (const presenceSummary of [false, true]) {
    const bed = createTestBed();
    bed.backend.locked = true;
    const config = { presenceSummary };
    const ann = bed.visit("ann", createDevice("ann"), {}, config);
    const ben = bed.visit("ben", createDevice("ben"), {}, config);
    await bed.clock.advance(1000);
    expect(ann.client.locked.get()).toBe(!presenceSummary);
    await lock(bed, true, ann);
    // Ben's page does not believe in the lock, and sends.
    await lock(bed, false, ben);
    bed.backend.locked = true;
    ben.client.editor.add([stroke()]);
    await bed.clock.advance(3000);
    expect(ann.client.objects()).toHaveLength(presenceSummary ? 1 : 0);
  }
});

test("HOST-54 a save that adds more than the board takes in a minute is explained once, stays pending and is tried again", async () => {
  const bed = createTestBed();
  const device = createDevice("ann");
  let ann = bed.visit("ann", device);
  await bed.clock.advance(1000);
  ann.client.editor.add([stroke(1)]);
  await bed.clock.advance(10_000);
  const sentence = "This board takes no more from you in this minute";
  bed.backend.refuse = { kind: "limited", message: sentence };
  ann.client.editor.add([stroke(2), stroke(3)]);
  await bed.clock.advance(50_000);
  expect(errors(ann)).toEqual([{ kind: "error", text: sentence }]);
  expect(ann.client.saveState.get()).toEqual({ state: "unsaved", changes: 1 });
  const { updates } = bed.backend.counts;
  await bed.clock.advance(60_000);
  expect(bed.backend.counts.updates).toBeGreaterThan(updates);

  ann.page("leaving");
  ann.kill();
  ann = bed.visit("ann again", device);
  await bed.clock.advance(30_000);
  expect(ann.client.objects()).toHaveLength(3);
  expect(savedObjects(bed)).toBe(1);
  bed.backend.refuse = null;
  await bed.clock.advance(60_000);
  expect(savedObjects(bed)).toBe(3);
  expect(ann.client.saveState.get()).toEqual({ state: "saved" });
});

test("HOST-90 a paused visitor reads when the board opens again that the host has paused them, and not that changes are saved", async () => {
  const bed = createTestBed();
  const ann = bed.visit("ann");
  await bed.clock.advance(1000);
  await lock(bed, true, ann);
  ann.client.editor.add([stroke(1)]);
  const sentence = "The host has paused your drawing for up to an hour";
  bed.backend.refuse = { kind: "limited", message: sentence };
  await lock(bed, false, ann);
  await bed.clock.advance(10_000);
  expect(ann.notices).toEqual([{ kind: "error", text: sentence }]);
  // The pause ends long after that: no notice speaks of the lock any more.
  bed.backend.refuse = null;
  await bed.clock.advance(120_000);
  expect(savedObjects(bed)).toBe(1);
  expect(ann.notices).toHaveLength(1);
});
