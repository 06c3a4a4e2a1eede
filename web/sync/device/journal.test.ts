import { expect, test } from "vitest";
import type { Author } from "../../../board/drawing.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import { createDevice, createTestBed, stroke } from "../../../testing/sync/test-bed.ts";
import type { JournalStore } from "../environment/device-stores.ts";
import type { Environment } from "../environment/environment.ts";
import { createReplica } from "../replica/replica.ts";
import { createJournal } from "./journal.ts";

/** A journal store that keeps what is written to it as a list. */
function recordingStore() {
  const written: string[] = [];
  const store: JournalStore = {
    ...{ working: true, read: async () => [], remove: () => undefined },
    ...{ write: async ({ text }) => void written.push(text), close: async () => undefined },
  };
  return { written, store };
}

test("PNT-82 an edit that is sent at once is written to the journal once, as sent", async () => {
  const bed = createTestBed();
  const { written, store } = recordingStore();
  const ann = bed.visit("ann", undefined, { openJournalStore: () => store });
  await bed.clock.advance(10_000);
  ann.client.editor.add([stroke()]);
  expect(written.map((text): unknown => JSON.parse(text))).toMatchObject([
    { objects: [{}], unsent: [] },
  ]);
  // The next one waits for its second, and is written when it is made and when it was sent.
  ann.client.editor.add([stroke()]);
  expect(written).toHaveLength(2);
  await bed.clock.advance(1000);
  expect(written).toHaveLength(3);
});

test("PNT-86 a broadcast waits until the page has painted the edit, which is in the journal by then, as sent", async () => {
  const bed = createTestBed();
  const { written, store } = recordingStore();
  const given = { openJournalStore: () => store, sendDelay: 80 };
  const ann = bed.visit("ann", undefined, given);
  const ben = bed.visit("ben");
  await bed.clock.advance(10_000);
  ann.client.editor.add([stroke(1)]);
  expect(written.map((text): unknown => JSON.parse(text))).toMatchObject([
    { objects: [{}], unsent: [] },
  ]);
  await bed.clock.advance(79);
  expect(ben.client.objects()).toHaveLength(0);
  await bed.clock.advance(200);
  expect(ben.client.objects()).toHaveLength(1);
  // The interval counts from there, and one that waits for it is not sent yet.
  ann.client.editor.add([stroke(2)]);
  expect(JSON.parse(written.at(-1) ?? "")).toMatchObject({ unsent: [expect.any(String)] });
  await bed.clock.advance(500);
  expect(ben.client.objects()).toHaveLength(1);
  // A page that is hidden, and so may be closed, waits for nothing.
  ann.page("hidden");
  await bed.clock.advance(200);
  expect(ben.client.objects()).toHaveLength(2);
  await bed.clock.advance(5_000);
  ann.client.editor.add([stroke(3)]);
  ann.page("hidden");
  await bed.clock.advance(70);
  expect(ben.client.objects()).toHaveLength(3);
});

test("PNT-86 nothing is written as sent while there is no channel", async () => {
  const bed = createTestBed();
  const { written, store } = recordingStore();
  const ann = bed.visit("ann", undefined, { openJournalStore: () => store, sendDelay: 80 });
  ann.client.editor.add([stroke(1)]);
  expect(JSON.parse(written.at(-1) ?? "")).toMatchObject({ unsent: [expect.any(String)] });
  await bed.clock.advance(10_000);
  expect(JSON.parse(written.at(-1) ?? "")).not.toHaveProperty("unsent");
});

test("SAV-7 an edit that a later page has sent is in the journal as sent, and who removes it is believed", async () => {
  const bed = createTestBed();
  const device = createDevice("ann");
  const ben = bed.visit("ben");
  const first = bed.visit("ann 1", device);
  await bed.clock.advance(10_000);
  bed.network.cut("ann 1");
  first.client.editor.add([stroke()]);
  first.kill();
  const second = bed.visit("ann 2", device);
  await bed.clock.advance(1000);
  second.kill();
  expect([...device.entries.values()]).toHaveLength(1);
  for (const { text } of device.entries.values())
    expect(JSON.parse(text)).not.toHaveProperty("unsent");
  ben.client.editor.remove(ben.client.objects().map(({ id }) => id));
  await bed.clock.advance(30_000);
  const third = bed.visit("ann 3", device);
  await bed.clock.advance(30_000);
  for (const { client } of [ben, third]) expect(client.objects()).toEqual([]);
  expect(device.entries.size).toBe(0);
});

test("SAV-7 a page learns that another one of its device has sent its edits, and believes who changed or removed them then", async () => {
  const bed = createTestBed();
  const device = createDevice("ann");
  const first = bed.visit("ann 1", device);
  await bed.clock.advance(10_000);
  bed.network.cut("ann 1");
  first.page("offline");
  first.client.editor.add([stroke(1), stroke(2)]);
  const second = bed.visit("ann 2", device);
  await bed.clock.advance(10_000);
  const [moved, removed] = second.client.objects();
  second.client.editor.change([{ id: moved!.id, props: { left: 3 } }]);
  second.client.editor.remove([removed!.id]);
  await bed.clock.advance(10_000);
  bed.network.restore("ann 1");
  // It reads the row before it has joined the channel.
  first.page("online");
  await bed.clock.advance(30_000);
  for (const { client } of [first, second])
    expect(client.objects()).toMatchObject([{ id: moved!.id, left: 3 }]);
  expect(device.entries.size).toBe(0);
});

test("SAV-7 a device that does not respond keeps no page from reading the row, also while edits are unsent", async () => {
  const bed = createTestBed();
  const ben = bed.visit("ben");
  const { store } = recordingStore();
  const read = (): Promise<never> => new Promise(() => undefined);
  const ann = bed.visit("ann", undefined, { openJournalStore: () => ({ ...store, read }) });
  await bed.clock.advance(10_000);
  bed.network.cut("ann");
  ann.client.editor.add([stroke(1)]);
  ben.client.editor.add([stroke(2)]);
  await bed.clock.advance(10_000);
  bed.network.restore("ann");
  ann.page("visible");
  await bed.clock.advance(30_000);
  for (const { client } of [ann, ben]) expect(client.objects()).toHaveLength(2);
});

test.each([
  ["written as sent, and then held back", true, true],
  ["not written, since the device is full", false, false],
])("SAV-7 an edit that was %s still counts as unsent", async (_, isSent, working) => {
  const clock = createFakeClock();
  const replica = createReplica({
    ...{ author: "ann" as Author, now: () => clock.now(), random: () => 0.5 },
    onFault: (fault) => expect.unreachable(String(fault)),
  });
  const store = { ...recordingStore().store, working };
  const journal = createJournal({
    store,
    page: "ann",
    replica,
    env: { clock } as unknown as Environment,
  });
  await journal.takeOver();
  replica.editor.add([stroke()]);
  const unsent = [...replica.pending.unsentIds()];
  expect(unsent).toHaveLength(1);
  void journal.write(new Set(unsent), isSent);
  await journal.ready();
  expect([...replica.pending.unsentIds()]).toEqual(unsent);
});

test.each(["{", "null"])(
  "SAV-7 an entry of another version, such as %s, does not hide which edits were sent",
  async (text) => {
    const clock = createFakeClock();
    const replica = createReplica({
      ...{ author: "ann" as Author, now: () => clock.now(), random: () => 0.5 },
      onFault: (fault) => expect.unreachable(String(fault)),
    });
    const read = async () => [{ key: ["ben", 1] as const, text }];
    const journal = createJournal({
      store: { ...recordingStore().store, read },
      page: "ann",
      replica,
      env: { clock, log: { warn: () => undefined } } as unknown as Environment,
    });
    await journal.takeOver();
    replica.editor.add([stroke()]);
    void journal.write(new Set(replica.pending.unsentIds()));
    await journal.ready();
    expect([...replica.pending.unsentIds()]).toEqual([]);
  },
);

test("SAV-21 the header does not say that the device keeps a change which it had no space for", async () => {
  const bed = createTestBed();
  let working = true;
  const store: JournalStore = {
    ...recordingStore().store,
    get working() {
      return working;
    },
    write: async () => {
      await Promise.resolve();
      working = false;
    },
  };
  const ann = bed.visit("ann", undefined, { openJournalStore: () => store });
  await bed.clock.advance(10_000);
  bed.network.cut("ann");
  ann.page("offline");
  await bed.clock.advance(100);
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(100);
  expect(ann.client.saveState.get()).toEqual({ state: "unsaved", changes: 1 });
});
