import { IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { describe, expect, test } from "vitest";
import type { Drawing } from "../../../board/drawing.ts";
import { replaceRow } from "../../../testing/network/backend.ts";
import {
  createDevice,
  createTestBed,
  stroke,
  type TestBed,
} from "../../../testing/sync/test-bed.ts";
import type { Backend } from "../environment/backend.ts";
import { openIndexedDbCopyStore } from "./device-copy-store.ts";

const lefts = (objects: readonly { readonly left?: unknown }[]): unknown[] =>
  objects.map(({ left }) => left);

const BUSY = { ok: false, fault: { kind: "refused", message: "busy" } } as const;

const rowOf = (bed: TestBed): Drawing => JSON.parse(bed.backend.row?.text ?? "null") as Drawing;

/** A device whose copy contains these strokes, which the row contains as well. */
async function seeded(bed: TestBed, ...positions: number[]) {
  const device = createDevice("ann");
  const first = bed.visit("first", device);
  await bed.clock.advance(1_000);
  first.client.editor.add(positions.map((left) => stroke(left)));
  await bed.clock.advance(20_000);
  first.page("hidden");
  await bed.clock.advance(10);
  await first.client.dispose();
  return device;
}

/** A visit without a network, with the copy on the board. */
async function offline(
  bed: TestBed,
  device = createDevice("ann"),
  openBackend = () => bed.backend.open("ann"),
) {
  bed.network.cut("ann");
  const ann = bed.visit("ann", device, { openBackend });
  ann.page("offline");
  await bed.clock.advance(2_000);
  return ann;
}

async function reconnect(bed: TestBed, ann: Awaited<ReturnType<typeof offline>>) {
  bed.network.restore("ann");
  ann.page("online");
  await bed.clock.advance(10_000);
}

describe("the copy of the drawing on this device", () => {
  test("UI-50 without a network it is shown, edits of it are kept, and all of it is joined with the row later", async () => {
    const bed = createTestBed();
    const device = await seeded(bed, 1, 2, 3);
    const ann = await offline(bed, device);
    expect(lefts(ann.client.objects())).toEqual([1, 2, 3]);
    expect(ann.client.saveState.get()).toEqual({ state: "offline", changes: 0 });
    const [one, two] = ann.client.objects();
    ann.client.editor.add([stroke(4)]);
    ann.client.editor.change([{ id: one!.id, props: { left: 10 } }]);
    ann.client.editor.remove([two!.id]);
    const ben = bed.visit("ben");
    await bed.clock.advance(1_000);
    ben.client.editor.add([stroke(5)]);
    await bed.clock.advance(10_000);
    expect(lefts(rowOf(bed).objects)).toEqual([1, 2, 3, 5]);
    await reconnect(bed, ann);
    for (const { client } of [ann, ben])
      expect(new Set(lefts(client.objects()))).toEqual(new Set([10, 3, 4, 5]));
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    expect(rowOf(bed).objects).toHaveLength(4);
  });

  test("UI-50 a change during a write is written by a later one, though the page was hidden meanwhile", async () => {
    const bed = createTestBed();
    const written: string[] = [];
    const ends: (() => void)[] = [];
    const store = {
      ...{ read: async () => null, clear: async () => undefined, close: () => undefined },
      write: (text: string) =>
        new Promise<boolean>((resolve) => {
          written.push(text);
          ends.push(() => resolve(true));
        }),
    };
    const ann = bed.visit("ann", undefined, { openDeviceCopyStore: () => store });
    await bed.clock.advance(1_000);
    ann.client.editor.add([stroke(11)]);
    await bed.clock.advance(10_000);
    expect(written).toHaveLength(1);
    ann.client.editor.add([stroke(12)]);
    ann.page("hidden");
    ends[0]?.();
    await bed.clock.advance(100_000);
    expect(written.at(-1)).toContain('"left":12');
  });

  test.each([
    ["removed one by one", (drawing: Drawing) => drawing.objects.slice(2)],
    ["replaced by an older drawing", (drawing: Drawing) => drawing.objects.slice(0, 1)],
  ])("UI-50 objects that were %s meanwhile do not come back from it", async (how, rest) => {
    const bed = createTestBed();
    const device = await seeded(bed, 1, 2, 3);
    if (how.startsWith("removed")) {
      const ben = bed.visit("ben");
      await bed.clock.advance(1_000);
      ben.client.editor.remove(
        ben.client
          .objects()
          .slice(0, 2)
          .map(({ id }) => id),
      );
      await bed.clock.advance(10_000);
      await ben.client.dispose();
    } else {
      // A writer who knows nothing of the others, whose row claims nothing about what it does not contain.
      const { inkpool: _inkpool, ...drawing } = rowOf(bed);
      const inkpool = { format: 1, seen: {} };
      const older = { ...drawing, inkpool, objects: rest(rowOf(bed)) };
      replaceRow(bed.backend, { ...bed.backend.row!, text: JSON.stringify(older) });
    }
    const left = lefts(rowOf(bed).objects);
    const { text } = bed.backend.row!;
    const ann = await offline(bed, device);
    expect(lefts(ann.client.objects())).toEqual([1, 2, 3]);
    await reconnect(bed, ann);
    await bed.clock.advance(100_000);
    expect(lefts(ann.client.objects())).toEqual(left);
    expect(bed.backend.row?.text).toBe(text);
    expect(ann.notices).toEqual([]);
    // And what the copy knew is no claim of this page either.
    ann.client.editor.add([stroke(9)]);
    await bed.clock.advance(10_000);
    expect(lefts(rowOf(bed).objects)).toEqual([...left, 9]);
  });

  test("UI-50 a value that the row has in an older state is the row's again", async () => {
    const bed = createTestBed();
    const device = await seeded(bed, 1);
    const before = bed.backend.row!;
    const ben = bed.visit("ben", device);
    await bed.clock.advance(1_000);
    ben.client.editor.change([{ id: ben.client.objects()[0]!.id, props: { left: 50 } }]);
    await bed.clock.advance(70_000);
    await ben.client.dispose();
    expect(device.copy).toContain('"left":50');
    replaceRow(bed.backend, { ...before, updatedAt: "later" });
    const ann = await offline(bed, device);
    expect(lefts(ann.client.objects())).toEqual([50]);
    await reconnect(bed, ann);
    await bed.clock.advance(100_000);
    expect(lefts(ann.client.objects())).toEqual([1]);
    expect(lefts(rowOf(bed).objects)).toEqual([1]);
  });

  test("UI-50 an object removed before the copy was written returns if the row says so", async () => {
    const bed = createTestBed();
    const device = await seeded(bed, 1, 2);
    const before = bed.backend.row!;
    const ben = bed.visit("ben", device);
    await bed.clock.advance(1_000);
    ben.client.editor.remove([ben.client.objects()[0]!.id]);
    await bed.clock.advance(70_000);
    await ben.client.dispose();
    replaceRow(bed.backend, { ...before, updatedAt: "later" });
    const ann = await offline(bed, device);
    expect(lefts(ann.client.objects())).toEqual([2]);
    await reconnect(bed, ann);
    await bed.clock.advance(100_000);
    expect(lefts(ann.client.objects())).toEqual([1, 2]);
    expect(bed.backend.row?.text).toBe(before.text);
  });

  test("UI-50 peers get nothing of it before the row was read", async () => {
    const bed = createTestBed();
    const device = await seeded(bed, 1, 2);
    replaceRow(bed.backend, { ...bed.backend.row!, text: '{"objects":[]}' });
    let isBusy = true;
    const ann = await offline(bed, device, () => {
      const real = bed.backend.open("ann");
      const load: Backend["load"] = async () => (isBusy ? BUSY : real.load());
      return { ...real, load };
    });
    ann.client.editor.add([stroke(3)]);
    const ben = bed.visit("ben");
    await bed.clock.advance(1_000);
    await reconnect(bed, ann);
    expect(ann.client.presence.get().online).toBe(2);
    expect(ben.client.objects()).toEqual([]);
    isBusy = false;
    ann.page("visible");
    await bed.clock.advance(30_000);
    for (const { client } of [ann, ben]) expect(lefts(client.objects())).toEqual([3]);
    expect(lefts(rowOf(bed).objects)).toEqual([3]);
  });

  test.each([
    "",
    "no JSON",
    "null",
    "{}",
    '{"objects":{}}',
    '{"objects":[{"type":"Rect","width":5,"height":5}]}',
    '{"objects":[],"inkpool":{"format":1,"seen":{},"partial":true}}',
    '{"objects":[{"type":"Image","src":"x"}],"inkpool":{"format":1,"seen":{"a":[0,"x"]}}}',
    `{"objects":[${"[".repeat(5_000)}`,
  ])("UI-50 a copy that is damaged or foreign counts as none: %.30s", async (copy) => {
    const bed = createTestBed();
    const device = { ...createDevice("ann"), copy };
    const ann = await offline(bed, device);
    expect(ann.client.objects()).toEqual([]);
    expect(ann.log.filter((line) => !/was not loaded/.test(line))).toEqual([]);
    await reconnect(bed, ann);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    expect(bed.backend.row).toBeNull();
  });

  test("UI-50 it is written seldom, after a load and while the drawing changes, and when the page goes", async () => {
    const bed = createTestBed();
    const device = createDevice("ann");
    let writes = 0;
    const ann = bed.visit("ann", device, {
      openDeviceCopyStore: () => ({
        read: async () => null,
        async write(text) {
          writes += 1;
          device.copy = text;
          return true;
        },
        clear: async () => undefined,
        close: () => undefined,
      }),
    });
    await bed.clock.advance(10_000);
    expect(writes).toBe(1);
    for (let second = 0; second < 120; second += 1) {
      ann.client.editor.add([stroke(second)]);
      await bed.clock.advance(1_000);
    }
    expect(writes).toBeLessThanOrEqual(3);
    ann.page("leaving");
    await bed.clock.advance(10);
    expect((JSON.parse(device.copy ?? "") as Drawing).objects).toHaveLength(120);
    const now = writes;
    await ann.client.dispose();
    await bed.clock.advance(100_000);
    expect(writes).toBe(now);
  });

  test("UI-50 in IndexedDB it is kept for one board, and a device without space keeps none", async () => {
    const factory = new IDBFactory();
    const open = (board: string) => openIndexedDbCopyStore(factory, "copy", board);
    const one = open("https://one");
    expect(await one.read()).toBeNull();
    expect(await one.write("first")).toBe(true);
    expect(await one.write("second")).toBe(true);
    expect([await one.read(), await open("https://two").read()]).toEqual(["second", null]);
    await open("https://two").write("theirs");
    expect(await one.read()).toBeNull();
    await one.write("x".repeat(11_000_000));
    expect(await one.read()).toBeNull();
    const none = openIndexedDbCopyStore(undefined, "copy", "https://one");
    expect([await none.write("text"), await none.read()]).toEqual([false, null]);
    const full = new IDBFactory();
    const store = openIndexedDbCopyStore(full, "copy", "https://one");
    await store.write("before");
    const { put } = IDBObjectStore.prototype as { put: unknown };
    Object.assign(IDBObjectStore.prototype, {
      put() {
        throw new DOMException("no space", "QuotaExceededError");
      },
    });
    expect(await store.write("after")).toBe(false);
    Object.assign(IDBObjectStore.prototype, { put });
    expect(await store.read()).toBeNull();
  });
});
