import { describe, expect, test } from "vitest";
import {
  createDevice,
  createTestBed,
  meet,
  savedObjects,
  stroke,
  type TestBed,
  type Visit,
} from "../../../testing/sync/test-bed.ts";
import { replaceRow } from "../../../testing/network/backend.ts";
import { EVENTS } from "../../../board/messages.ts";

const errors = ({ notices }: Visit): string[] =>
  notices.flatMap((notice) => (notice.kind === "error" ? notice.text : []));

describe("saving", () => {
  test("SAV-13 a save by a peer that contains this client's edits takes the place of its own", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    ann.client.editor.add([stroke(1)]);
    await bed.clock.advance(2000);
    ben.client.editor.add([stroke(2)]);
    await bed.clock.advance(2000);
    expect(ben.client.saveState.get()).toEqual({ state: "waiting", changes: 1 });
    // Ann's save is due 5 s after her edit, and contains Ben's as well.
    await bed.clock.advance(1500);
    expect(savedObjects(bed)).toHaveLength(2);
    // Only the row proves that: Ben's client reads it when its own save is due, and writes nothing.
    expect(ben.client.saveState.get()).toEqual({ state: "waiting", changes: 1 });
    await bed.clock.advance(2000);
    expect(ben.client.saveState.get()).toEqual({ state: "saved" });
    await bed.clock.advance(30_000);
    expect(bed.backend.counts).toMatchObject({ inserts: 1, updates: 0 });
    // And the next save of either needs no second attempt.
    ben.client.editor.add([stroke(3)]);
    await bed.clock.advance(10_000);
    expect(bed.backend.counts).toMatchObject({ inserts: 1, updates: 1, misses: 0 });
  });

  test("SAV-10 whose first save comes second tries again at once, and no message is shown", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    for (const { client } of [ann, ben]) {
      client.clear();
      client.editor.add([stroke()]);
      client.clear();
      client.undo();
    }
    await bed.clock.advance(2000);
    expect(bed.backend.counts).toMatchObject({ inserts: 2 });
    expect(savedObjects(bed)).toHaveLength(2);
    expect([...errors(ann), ...errors(ben)]).toEqual([]);
  });

  test.each(["reads", "saves"])(
    "SAV-10 a page that was away when a backup was restored, and %s first, loses nothing though the count is the one it knows",
    async (first) => {
      const bed = createTestBed();
      const [ann] = (await meet(bed, "ann")) as [Visit];
      ann.client.editor.add([stroke(1)]);
      await bed.clock.advance(10_000);
      const backup = bed.backend.row;
      ann.client.editor.add([stroke(2)]);
      await bed.clock.advance(10_000);
      const count = bed.backend.row?.version;
      bed.network.cut("ann");
      ann.page("offline");
      if (first === "saves") ann.client.editor.add([stroke(3)]);
      bed.backend.row = backup;
      const [ben] = (await meet(bed, "ben")) as [Visit];
      ben.client.editor.add([stroke(4)]);
      await bed.clock.advance(10_000);
      expect(bed.backend.row?.version).toBe(count);
      ben.kill();
      bed.network.restore("ann");
      ann.page("online");
      await bed.clock.advance(20_000);
      expect(savedObjects(bed)).toHaveLength(first === "saves" ? 4 : 3);
      expect(ann.client.objects()).toHaveLength(savedObjects(bed).length);
    },
  );

  test("SAV-10 a save's time is after the row's, unless that is more than a day ahead", async () => {
    for (const [hours, isAfter] of [
      [1, true],
      [25, false],
    ] as const) {
      const bed = createTestBed();
      const time = bed.clock.now() + hours * 3_600_000;
      const updatedAt = new Date(time).toISOString();
      replaceRow(bed.backend, { id: "row-1", updatedAt, text: '{"objects":[]}' });
      const [ann] = (await meet(bed, "ann")) as [Visit];
      ann.client.editor.add([stroke()]);
      await bed.clock.advance(10_000);
      expect(savedObjects(bed)).toHaveLength(1);
      expect(Date.parse(bed.backend.row?.updatedAt ?? "") > time).toBe(isAfter);
    }
  });

  /** Writes an older drawing into the row, as a writer does that reads it, waits, and writes it back unguarded. */
  function writeBack(bed: TestBed, text: string): void {
    const { id } = bed.backend.row ?? { id: "row-1" };
    replaceRow(bed.backend, { id, updatedAt: new Date(bed.clock.now()).toISOString(), text });
  }

  test("SAV-31 an edit that an unguarded writer took out of the row is saved again by the page that had saved it", async () => {
    const bed = createTestBed();
    bed.backend.hasRowEvents = false;
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke(1)]);
    await bed.clock.advance(10_000);
    const old = bed.backend.row?.text ?? "";
    const [first] = ann.client.objects();
    ann.client.editor.add([stroke(2)]);
    if (first) ann.client.editor.change([{ id: first.id, props: { left: 500 } }]);
    await bed.clock.advance(6000);
    expect(savedObjects(bed)).toHaveLength(2);
    const [latest] = savedObjects(bed);
    writeBack(bed, old);
    // The page looks at the row 8 s after its save.
    await bed.clock.advance(8000);
    expect(ann.client.saveState.get()).toMatchObject({ state: "waiting" });
    expect(ann.device.entries.size).toBe(1);
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toHaveLength(2);
    expect(savedObjects(bed)[0]).toEqual(latest);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    expect(ann.device.entries.size).toBe(0);
    // A removal that was saved is saved again as well.
    const both = bed.backend.row?.text ?? "";
    if (first) ann.client.editor.remove([first.id]);
    await bed.clock.advance(6000);
    writeBack(bed, both);
    await bed.clock.advance(20_000);
    expect(savedObjects(bed)).toHaveLength(1);
  });

  test("SAV-31 many pages that read such a row save it once, and none looks at it for ever", async () => {
    const bed = createTestBed();
    const visits = await meet(bed, ..."a b c d e f g h i j k l".split(" "));
    visits[0]?.client.editor.add([stroke(1)]);
    await bed.clock.advance(10_000);
    const old = bed.backend.row?.text ?? "";
    visits[1]?.client.editor.add([stroke(2)]);
    await bed.clock.advance(200_000);
    const { counts } = bed.backend;
    for (const visit of visits) visit.page("visible");
    await bed.clock.advance(1000);
    const before = { ...counts };
    writeBack(bed, old);
    for (const visit of visits) visit.page("visible");
    await bed.clock.advance(300_000);
    expect(savedObjects(bed)).toHaveLength(2);
    expect(counts.updates - before.updates).toBeLessThanOrEqual(3);
    const { peeks, loads, updates } = counts;
    await bed.clock.advance(3_600_000);
    expect(counts).toMatchObject({ peeks, loads, updates });
    expect(visits).toHaveLength(12);
    for (const { client } of visits) expect(client.saveState.get()).toEqual({ state: "saved" });
  });

  test("SAV-31 objects that a plain writer leaves out beside something unreadable are not removed, and saved again", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke(1), stroke(2)]);
    await bed.clock.advance(10_000);
    const strange = { type: "NoSuchThing" };
    writeBack(bed, JSON.stringify({ objects: [{ type: "Rect", width: 9, height: 9 }, strange] }));
    await bed.clock.advance(30_000);
    expect(ann.client.objects()).toHaveLength(3);
    expect(savedObjects(bed)).toHaveLength(4);
    expect(savedObjects(bed)).toContainEqual(strange);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
  });

  test("a lie about a save is not believed", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke(1)]);
    await bed.clock.advance(7000);
    ann.client.editor.add([stroke(2)]);
    const hint = bed.backend.wire.at(-1)?.payload as { digest: string } | undefined;
    const liar = bed.backend.open("liar").openChannel("liar", {
      status: () => undefined,
      presence: () => undefined,
      broadcast: () => undefined,
    });
    await bed.clock.advance(100);
    liar.send(EVENTS.digest, {
      clientId: "liar",
      digest: hint?.digest,
      saved: { at: "2026-01-01", seen: "0", n: 9 },
    });
    await bed.clock.advance(500);
    expect(ann.client.saveState.get()).toEqual({ state: "waiting", changes: 1 });
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toHaveLength(2);
  });

  test("SAV-13 a departed peer's unsaved edits are saved by the clients that stay", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(1000);
    ann.kill();
    await bed.clock.advance(50_000);
    expect(savedObjects(bed)).toHaveLength(1);
  });

  test("SAV-18 a hidden page saves at once; an unloading one sends the edits that fit, before the listener returns", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    ann.client.editor.add([stroke()]);
    ann.page("hidden");
    await bed.clock.advance(100);
    expect(savedObjects(bed)).toHaveLength(1);
    ann.client.editor.add([stroke()]);
    ann.client.editor.add([stroke()]);
    ann.page("leaving");
    expect(savedObjects(bed)).toHaveLength(3);
    ann.kill();
    await bed.clock.advance(100);
    expect(ben.client.objects()).toHaveLength(3);
  });

  test("SAV-19 a killed page loses nothing: the next visit on its device merges the unsaved edits", async () => {
    const bed = createTestBed();
    const device = createDevice("laptop");
    const ann = bed.visit("ann", device);
    await bed.clock.advance(1000);
    ann.client.editor.add([stroke(1), stroke(2)]);
    ann.client.editor.remove(
      ann.client
        .objects()
        .slice(0, 1)
        .map(({ id }) => id),
    );
    ann.kill();
    expect(bed.backend.row).toBeNull();
    const [ben] = (await meet(bed, "ben")) as [Visit];
    ben.client.editor.add([stroke(3)]);
    await bed.clock.advance(10_000);
    const again = bed.visit("ann again", device);
    await bed.clock.advance(1000);
    expect(
      again.client
        .objects()
        .map(({ left }) => left ?? 0)
        .toSorted((a, b) => a - b),
    ).toEqual([2, 3]);
    expect(again.client.saveState.get()).toEqual({ state: "waiting", changes: 2 });
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toHaveLength(2);
    expect(device.entries.size).toBe(0);
  });

  test("SYN-3 ten minutes cut off while all draw: afterwards every board and the row are complete", async () => {
    const bed = createTestBed();
    const [ann, ben, cat] = (await meet(bed, "ann", "ben", "cat")) as [Visit, Visit, Visit];
    bed.network.cut("ann");
    for (let minute = 0; minute < 10; minute += 1) {
      for (const { client } of [ann, ben, cat]) client.editor.add([stroke(minute)]);
      await bed.clock.advance(60_000);
    }
    expect(ann.client.saveState.get()).toEqual({ state: "offline", changes: 10 });
    bed.network.restore("ann");
    await bed.clock.advance(60_000);
    for (const { client } of [ann, ben, cat]) {
      expect(client.objects()).toHaveLength(30);
      expect(client.saveState.get()).toEqual({ state: "saved" });
    }
    expect(savedObjects(bed)).toHaveLength(30);
  });
});

test("SAV-13 an edit of a client that left before its message arrived is saved once by those that stay", async () => {
  const bed = createTestBed();
  await meet(bed, "ann", "ben", "cat");
  const none = (): void => undefined;
  const events = { status: none, presence: none, broadcast: none };
  const channel = bed.backend.open("plain").openChannel("plain", events);
  await bed.clock.advance(1000);
  const rectangle = { type: "Rect", left: 1, top: 1, width: 5, height: 5 };
  const json = { version: "5.3.0", objects: [rectangle], background: "white" };
  channel.send(EVENTS.update, { json, clientId: "nobody" });
  await bed.clock.advance(20_000);
  expect(savedObjects(bed)).toHaveLength(1);
  await bed.clock.advance(300_000);
  const { inserts, updates } = bed.backend.counts;
  expect(inserts + updates).toBe(1);
});

test("SAV-10 whose save lost a race waits a random part of 150 ms before it reads the row again", async () => {
  const bed = createTestBed();
  bed.backend.hasRowEvents = false;
  const ann = bed.visit("ann", createDevice("ann"), { random: () => 0.8 });
  await bed.clock.advance(1000);
  ann.client.editor.add([stroke(1)]);
  await bed.clock.advance(10_000);
  ann.client.editor.add([stroke(2)]);
  const { row } = bed.backend;
  // Another client writes the same drawing, in other words.
  if (row) replaceRow(bed.backend, { ...row, text: `${row.text} ` });
  const { counts } = bed.backend;
  const { loads } = counts;
  while (counts.misses === 0) await bed.clock.advance(1);
  let pause = 0;
  for (; counts.loads === loads && pause < 1000; pause += 1) await bed.clock.advance(1);
  // 120 ms, and the way of the response and of the request.
  expect(pause).toBeGreaterThanOrEqual(120);
  expect(pause).toBeLessThan(300);
  await bed.clock.advance(1000);
  expect(savedObjects(bed)).toHaveLength(2);
});
