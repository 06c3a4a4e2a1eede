import { describe, expect, test } from "vitest";
import { BACKGROUND, TEXTS } from "../../board/constants.ts";
import type { BoardObject } from "../../board/drawing.ts";
import {
  createDevice,
  createTestBed,
  stroke,
  type TestBed,
  type Visit,
} from "../../testing/sync/test-bed.ts";
import { EVENTS } from "../../board/messages.ts";
import { replaceRow, type StoredRow } from "../../testing/network/backend.ts";

/** Visits whose clients have read the row and found each other. */
async function meet(bed: TestBed, ...names: string[]): Promise<Visit[]> {
  const visits = names.map((name) => bed.visit(name));
  await bed.clock.advance(1000);
  return visits;
}

function savedObjects(bed: TestBed): unknown[] {
  const saved: { objects: unknown[] } = JSON.parse(bed.backend.row?.text ?? '{"objects":[]}');
  return saved.objects;
}

const texts = (visit: Visit): string[] =>
  visit.notices.map((notice) => ("text" in notice ? notice.text : notice.kind));

describe("a sync client", () => {
  test("SYN-1 a stroke of one client appears on the other within a second, and is saved 5 s later", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(1000);
    expect(ben.client.objects()).toEqual(ann.client.objects());
    expect(bed.backend.row).toBeNull();
    expect(ann.client.saveState.get()).toEqual({ state: "waiting", changes: 1 });

    await bed.clock.advance(5000);
    expect(savedObjects(bed)).toMatchObject([{ type: "Path" }]);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    const [cat] = (await meet(bed, "cat")) as [Visit];
    expect(cat.client.objects()).toEqual(ann.client.objects());
  });

  test("CAN-86 an object that is changed as it is added is one change for others, and two steps of undo", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    const received: unknown[] = [];
    ben.client.onChanges((changes) =>
      received.push(changes.added[0]?.["path"], changes.changed.length),
    );
    const added = ann.client.editor.addChanged(stroke(), { path: "M0 0l90 0" });
    expect(added).toMatchObject({ path: "M0 0l90 0" });
    await bed.clock.advance(3000);
    expect(received).toEqual(["M0 0l90 0", 0]);
    ann.client.undo();
    expect(ann.client.objects()).toMatchObject([{ id: added?.id, path: stroke()["path"] }]);
    ann.client.undo();
    expect(ann.client.objects()).toEqual([]);
    ann.client.redo();
    ann.client.redo();
    await bed.clock.advance(3000);
    expect(ben.client.objects()).toEqual(ann.client.objects());
    expect(ben.client.objects()).toMatchObject([{ path: "M0 0l90 0" }]);
  });

  test("SYN-13 updates that arrive while the row is being read are merged after it", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(7000);
    const [ben] = (await meet(bed, "ben")) as [Visit];
    bed.backend.row = bed.backend.row && { ...bed.backend.row, version: 9 };
    // Each way takes 900 ms: the version is known after 1,800 ms, the row after 3,600.
    bed.network.conditions = { drop: 0, double: 0, minDelay: 900, maxDelay: 900 };
    ben.page("visible");
    await bed.clock.advance(1900);
    ann.client.editor.add([stroke(50)]);
    await bed.clock.advance(1600);
    expect(ben.client.objects()).toHaveLength(1);
    await bed.clock.advance(200);
    expect(ben.client.objects()).toHaveLength(2);
  });

  test("SYN-12 a client that joins while others have pending edits gets them", async () => {
    const bed = createTestBed();
    bed.backend.refuse = { kind: "refused", message: "not now" };
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(3000);
    const ben = bed.visit("ben");
    await bed.clock.advance(2500);
    expect(ben.client.objects()).toEqual(ann.client.objects());
  });

  test("SYN-12 a lost update is noticed by its digest and sent again", async () => {
    const bed = createTestBed();
    bed.backend.refuse = { kind: "refused", message: "not now" };
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    bed.network.conditions = { drop: 1, double: 0, minDelay: 1, maxDelay: 1 };
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(100);
    bed.network.conditions = { drop: 0, double: 0, minDelay: 1, maxDelay: 1 };
    expect(ben.client.objects()).toHaveLength(0);
    await bed.clock.advance(20_000);
    expect(ben.client.objects()).toHaveLength(1);
  });

  test("SYN-13 on every join, on online and on visible the row is read if it is not of the version that this client saw", async () => {
    const bed = createTestBed();
    bed.backend.hasRowEvents = false;
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(10_000);
    const changed = (): void => {
      bed.backend.row = bed.backend.row && {
        ...bed.backend.row,
        version: bed.backend.row.version + 1,
      };
    };
    const causes: (() => void)[] = [
      () => ann.page("online"),
      () => ann.page("visible"),
      () => {
        bed.network.cut("ann");
        bed.network.restore("ann");
      },
    ];
    for (const cause of causes) {
      const { loads, peeks } = bed.backend.counts;
      cause();
      await bed.clock.advance(2000);
      expect(bed.backend.counts).toMatchObject({ loads, peeks: peeks + 1 });
      changed();
      cause();
      await bed.clock.advance(2000);
      expect(bed.backend.counts.loads).toBe(loads + 1);
    }
  });

  test("SYN-14 a channel that was closed by force is back within 10 s by itself, quietly", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    const delays: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      bed.backend.evict("ann");
      const closed = bed.clock.now();
      while (bed.backend.members < 2) await bed.clock.advance(100);
      delays.push(bed.clock.now() - closed);
    }
    expect(Math.max(...delays)).toBeLessThan(10_000);
    expect(delays.at(-1)).toBeGreaterThan(4000);
    expect(ann.notices).toEqual([]);
    ben.client.editor.add([stroke()]);
    await bed.clock.advance(1000);
    expect(ann.client.objects()).toHaveLength(1);
  });

  test("SYN-14 nothing is sent while the channel is not joined, and everything that waited when it joins", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    bed.network.cut("ann");
    for (let count = 0; count < 5; count += 1) {
      ann.client.editor.add([stroke(count)]);
      ann.client.live.pointer({ x: 1, y: 1 });
      await bed.clock.advance(1500);
    }
    expect(bed.backend.wire.filter(({ from }) => from === "ann")).toEqual([]);
    await bed.clock.advance(5000);
    expect(ann.client.saveState.get()).toEqual({ state: "offline", changes: 5 });
    bed.network.restore("ann");
    await bed.clock.advance(2000);
    expect(ben.client.objects()).toHaveLength(5);
  });

  test("DAT-20 rubbish on the channel changes nothing, and the messages after it are received", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    const evil = bed.backend.open("evil").openChannel("evil", {
      status: () => undefined,
      presence: () => undefined,
      broadcast: () => undefined,
    });
    await bed.clock.advance(100);
    const rubbish: object[] = [
      {},
      [],
      { clientId: "evil" },
      { clientId: "evil", json: null },
      { clientId: "evil", json: { objects: 7 } },
      { clientId: "__proto__", json: { objects: [{ type: "Image", src: "x" }] } },
      {
        clientId: "evil",
        json: {
          objects: [{ type: "Rect", left: "NaN" }, null],
          inkpool: { format: 1, seen: { a: -1 } },
        },
      },
      { clientId: "evil", json: "{", n: -1.5 },
    ];
    for (const event of [EVENTS.update, "canvas-live", "canvas-digest", "anything"]) {
      for (const payload of rubbish) evil.send(event, payload);
    }
    await bed.clock.advance(2000);
    expect(ann.client.objects().filter(({ type }) => type !== "Rect")).toEqual([]);
    evil.send(EVENTS.update, {
      clientId: "evil",
      json: { objects: [{ type: "Circle", radius: 5, left: 1, top: 1 }] },
    });
    await bed.clock.advance(100);
    expect(ann.client.objects().map(({ type }) => type)).toContain("Circle");
  });

  test("MRG-13 a foreign drawing replaces the board, except for pending edits", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    ann.client.editor.add([stroke(1)]);
    await bed.clock.advance(10_000);
    bed.network.cut("ben");
    ann.client.editor.add([stroke(2)]);
    const old = bed.backend.open("old").openChannel("old", {
      status: () => undefined,
      presence: () => undefined,
      broadcast: () => undefined,
    });
    await bed.clock.advance(100);
    old.send(EVENTS.update, {
      clientId: "old",
      json: {
        version: "7.4.0",
        objects: [{ type: "Rect", width: 10, height: 10 }],
        background: "white",
      },
    });
    await bed.clock.advance(100);
    expect(ann.client.objects().map(({ type, left }) => [type, left])).toEqual([
      ["Rect", undefined],
      ["Path", 2],
    ]);
    expect(ben.client.objects()).toHaveLength(1);
  });

  test("SYN-18 a row with bad objects is shown as far as it can be, logged, and keeps what this page cannot read", async () => {
    const image = { type: "Image", src: "http://x" };
    const text = JSON.stringify({ objects: [{ type: "Rect", width: 9, height: 9 }, image, 7] });
    const bed = createTestBed();
    bed.backend.row = rowOf(text);
    const [ann] = (await meet(bed, "ann")) as [Visit];
    expect(ann.client.objects()).toHaveLength(1);
    expect(ann.log.join()).toMatch(/left out/);
    await bed.clock.advance(120_000);
    expect(bed.backend.row.text).toBe(text);
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toMatchObject([image, { type: "Rect" }, { type: "Path" }]);
    ann.client.clear();
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toEqual([]);
  });

  test("SYN-18 an object that is nested too deeply to be written is left out, and the page loads and saves", async () => {
    const bed = createTestBed();
    const deep = `{"type":"X","objects":${"[".repeat(9000)}${"]".repeat(9000)}}`;
    bed.backend.row = rowOf(`{"objects":[{"type":"Rect","width":9,"height":9},${deep}]}`);
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toMatchObject([{ type: "Rect" }, { type: "Path" }]);
  });

  test("DAT-27 of an object that this page knows no unreadable copy is written back", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    ann.client.editor.add([stroke(1), stroke(2)]);
    await bed.clock.advance(10_000);
    const [gone, stored] = ann.client.objects();
    ben.client.editor.remove([gone!.id]);
    await bed.clock.advance(10_000);
    const row = JSON.parse(bed.backend.row?.text ?? "") as { objects: object[] };
    const broken = [gone, stored].map((object) => ({ ...object, path: 7 }));
    const text = JSON.stringify({ ...row, objects: broken });
    replaceRow(bed.backend, { id: bed.backend.row?.id ?? "", updatedAt: "later", text });
    for (const visit of [ann, ben]) visit.page("visible");
    await bed.clock.advance(60_000);
    expect(savedObjects(bed)).toEqual([stored]);
    const { updates } = bed.backend.counts;
    await bed.clock.advance(300_000);
    expect(bed.backend.counts.updates).toBe(updates);
  });

  test.each(['"not a drawing"', "null", "{}", '{"objects":{}}', manyObjects(100_002)])(
    "SYN-18 a row that cannot be read is never written over: %.20s",
    async (text) => {
      const bed = createTestBed();
      bed.backend.row = rowOf(text);
      const [ann] = (await meet(bed, "ann")) as [Visit];
      expect(ann.client.saveState.get()).toEqual({ state: "unreadable" });
      ann.client.editor.add([stroke()]);
      await bed.clock.advance(200_000);
      ann.page("leaving");
      expect(bed.backend.row).toEqual(rowOf(text));
      expect(ann.client.objects()).toHaveLength(1);
      expect(ann.device.entries.size).toBeGreaterThan(0);
      expect(ann.notices).toEqual([]);
      // Somebody repairs it, and what was drawn meanwhile is saved.
      replaceRow(bed.backend, { ...rowOf('{"objects":[{"type":"Rect"}]}'), updatedAt: "later" });
      await bed.clock.advance(200_000);
      expect(ann.client.saveState.get()).toEqual({ state: "saved" });
      expect(savedObjects(bed)).toHaveLength(2);
    },
  );

  test("PNT-85 objects that are added in parts are one undo step, whatever else the visitor does meanwhile", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    const lefts = () => ann.client.objects().map(({ left }) => left);
    ann.client.editor.add([stroke(10)]);
    ann.client.editor.add([stroke(11), stroke(12)], false);
    ann.client.editor.add([stroke(19)]);
    ann.client.editor.add([stroke(13)], true);
    ann.client.editor.add([stroke(14)], true);
    ann.client.undo();
    expect(lefts()).toEqual([10, 11, 12, 13, 14]);
    ann.client.undo();
    expect(lefts()).toEqual([10]);
    ann.client.redo();
    expect(lefts()).toEqual([10, 11, 12, 13, 14]);
    // What follows an undo is a step of its own.
    ann.client.undo();
    ann.client.editor.add([stroke(15)], true);
    ann.client.editor.add([stroke(16)], true);
    expect(lefts()).toEqual([10, 15, 16]);
    ann.client.undo();
    expect(lefts()).toEqual([10]);
  });

  test("SYN-18 a visitor may replace such a row by a version of the history", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke(1), stroke(2)]);
    await bed.clock.advance(10_000);
    replaceRow(bed.backend, { ...rowOf("{}"), id: bed.backend.row?.id ?? "", updatedAt: "later" });
    const [ben] = (await meet(bed, "ben")) as [Visit];
    expect(ben.client.objects()).toEqual([]);
    const [newest] = (await soon(bed, ben.client.versions.list())) ?? [];
    expect(newest).toMatchObject({ objects: 2 });
    const drawing = await soon(bed, ben.client.versions.load(newest?.id ?? ""));
    if (!drawing) throw new Error("the version cannot be read");
    expect(await soon(bed, ben.client.versions.restore(drawing, false))).toBe(true);
    await bed.clock.advance(10_000);
    expect(savedObjects(bed)).toHaveLength(2);
    expect(ben.client.saveState.get()).toEqual({ state: "saved" });
  });

  test("SYN-18 going back to a version that changes nothing saves the board in the place of such a row", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke(1), stroke(2)]);
    await bed.clock.advance(10_000);
    replaceRow(bed.backend, { ...rowOf("{}"), id: bed.backend.row?.id ?? "", updatedAt: "later" });
    ann.page("visible");
    await bed.clock.advance(1000);
    expect(ann.client.saveState.get()).toEqual({ state: "unreadable" });
    const [newest] = (await soon(bed, ann.client.versions.list())) ?? [];
    const drawing = await soon(bed, ann.client.versions.load(newest?.id ?? ""));
    if (!drawing) throw new Error("the version cannot be read");
    const restoring = ann.client.versions.restore(drawing, true);
    expect(ann.client.saveState.get()).not.toEqual({ state: "saved" });
    expect(await soon(bed, restoring)).toBe(true);
    await bed.clock.advance(10_000);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    expect(savedObjects(bed)).toHaveLength(2);
  });

  test("HIS-2 a large version is restored in slices, undone in one step, and refused when it could not be saved", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    const long = (left: number) => ({ ...stroke(left), path: `M0 0${"q1 1 2 2".repeat(300)}` });
    const made = (count: number) => Array.from({ length: count }, (_, at) => long(at));
    ann.client.editor.add(made(2500));
    ann.client.editor.change([{ id: ann.client.objects()[7]!.id, props: { left: 7.5 } }]);
    await bed.clock.advance(10_000);
    const before = ann.client.objects().slice();
    ann.client.editor.remove(before.slice(0, 2400).map(({ id }) => id));
    ann.client.editor.change([{ id: before[2450]!.id, props: { left: 3 } }]);
    ann.client.editor.add([stroke(9)]);
    await bed.clock.advance(10_000);
    const [newest] = (await soon(bed, ann.client.versions.list())) ?? [];
    const drawing = await soon(bed, ann.client.versions.load(newest?.id ?? ""));
    if (!drawing) throw new Error("the version cannot be read");
    const now = ann.client.objects().slice();
    const slices: number[] = [];
    const stop = ann.client.onChanges(({ added }) => slices.push(added.length));
    expect(await soon(bed, ann.client.versions.restore(drawing, false))).toBe(true);
    stop();
    expect(Math.max(...slices)).toBeLessThanOrEqual(400);
    const look = ({ life: _life, stamps: _stamps, ...rest }: BoardObject) => rest;
    expect(ann.client.objects().map(look)).toEqual(before.map(look));
    ann.client.undo();
    expect(ann.client.objects().map(look)).toEqual(now.map(look));
    await bed.clock.advance(10_000);
    // 6 MB are missing, and as much is there: nothing is changed, and the page says why.
    ann.client.editor.add(made(2300));
    const full = ann.client.objects().slice();
    expect(await soon(bed, ann.client.versions.restore(drawing, true))).toBe(false);
    expect(ann.client.objects()).toEqual(full);
    expect(texts(ann).at(-1)).toMatch(/^Cannot save: Canvas data too large \(1\d\.\d\dMB\)/);
  }, 120_000);

  test("SYN-19 a failed load is logged, not shown, and repeated until it succeeds", async () => {
    const bed = createTestBed();
    bed.network.cut("ann");
    const ann = bed.visit("ann");
    await bed.clock.advance(5000);
    expect(ann.log).toEqual(["The canvas was not loaded: Error: no answer"]);
    expect(ann.notices).toEqual([]);
    expect(ann.client.saveState.get()).toEqual({ state: "offline", changes: 0 });
    bed.network.restore("ann");
    await bed.clock.advance(30_000);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
  });

  test("SYN-19 a later read that fails is logged when its retry fails too, and not while the browser knows that there is no network", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    await bed.clock.advance(5_000);
    const isLogged = () => ann.log.filter((line) => /was not loaded/.test(line));
    ann.page("offline");
    bed.network.cut("ann");
    ann.page("visible");
    await bed.clock.advance(60_000);
    expect(isLogged()).toEqual([]);
    // The network is back, as the browser has it; the server is not.
    ann.page("online");
    await bed.clock.advance(60_000);
    expect(isLogged()).toEqual(["The canvas was not loaded: Error: no answer"]);
    bed.network.restore("ann");
    await bed.clock.advance(60_000);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    expect(isLogged()).toHaveLength(1);
    // One read alone is lost: its retry succeeds.
    bed.network.cut("ann");
    ann.page("visible");
    await bed.clock.advance(100);
    bed.network.restore("ann");
    await bed.clock.advance(60_000);
    expect(isLogged()).toHaveLength(1);
  });

  test("SYN-20 Clear removes what this visitor sees; a stroke that a peer finishes meanwhile survives; Restore brings the rest back", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    ann.client.editor.add([stroke(1), stroke(2)]);
    await bed.clock.advance(10_000);
    ben.client.clear();
    ann.client.editor.add([stroke(3)]);
    await bed.clock.advance(3000);
    for (const { client } of [ann, ben]) {
      expect(client.objects().map(({ left }) => left)).toEqual([3]);
      expect(client.background()).toBe(BACKGROUND);
    }
    expect(texts(ben)).toEqual([TEXTS.cleared]);
    expect(texts(ann)).toEqual(["losses"]);
    expect(ann.notices[0]).toMatchObject({
      ...{ cleared: true, count: 2 },
      by: { clientId: ben.client.clientId, name: undefined },
    });
    const [notice] = ann.notices;
    if (notice?.kind === "losses") notice.restore();
    await bed.clock.advance(10_000);
    expect(
      ben.client
        .objects()
        .map(({ left }) => left ?? 0)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 3]);
    expect(savedObjects(bed)).toHaveLength(3);
  });

  test("UI-11 Clear can be undone by its own notice and by undo, once", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, "ann")) as [Visit];
    ann.client.editor.add([stroke(1)]);
    ann.client.clear();
    const [notice] = ann.notices;
    if (notice?.kind === "cleared") notice.undo();
    expect(ann.client.objects()).toHaveLength(1);
    ann.client.clear();
    expect(ann.client.history.get()).toEqual({ canUndo: true, canRedo: false });
    ann.client.undo();
    expect(ann.client.objects()).toHaveLength(1);
    expect(ann.client.history.get().canRedo).toBe(true);
    ann.client.redo();
    expect(ann.client.objects()).toEqual([]);
  });

  test("UND-1 undo takes back this visitor's change and leaves alone what a peer has changed since", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    const [object] = ann.client.editor.add([stroke(1)]);
    const id = object?.id;
    if (!id) throw new Error("nothing was added");
    await bed.clock.advance(2000);
    ann.client.editor.change([{ id, props: { left: 300, stroke: "#ff0000" } }]);
    await bed.clock.advance(2000);
    ben.client.editor.change([{ id, props: { stroke: "#2ecc71" } }]);
    await bed.clock.advance(2000);
    ann.client.undo();
    await bed.clock.advance(2000);
    for (const { client } of [ann, ben])
      expect(client.objects()).toMatchObject([{ left: 1, stroke: "#2ecc71" }]);
  });

  test("UI-21 a disposed client leaves no timer and no channel, a hundred times over", async () => {
    const bed = createTestBed();
    for (let count = 0; count < 100; count += 1) {
      const visit = bed.visit(`visit ${count}`, createDevice("one"));
      await bed.clock.advance(count % 3 === 0 ? 5 : 400);
      visit.client.editor.add([stroke()]);
      visit.client.live.inkStart("s", "#000000", 3);
      visit.client.live.inkPoints("s", [1, 1]);
      if (count % 2 === 0) await bed.clock.advance(count * 10);
      await visit.client.dispose();
      expect(visit.listeners()).toBe(0);
    }
    expect(bed.backend.members).toBe(0);
    await bed.clock.advance(30_000);
    expect(bed.clock.pending).toBe(0);
  });
});

/** A row as a foreign writer left it. */
function rowOf(text: string): StoredRow {
  return { id: "row-1", version: 1, updatedAt: "2026-01-01T00:00:00+00:00", text };
}

function manyObjects(count: number): string {
  return JSON.stringify({ objects: Array.from({ length: count }, () => ({ type: "Rect" })) });
}

/** Moves the clock until the call has its result. */
async function soon<T>(bed: TestBed, call: Promise<T>): Promise<T> {
  await bed.clock.advance(5_000);
  return call;
}
