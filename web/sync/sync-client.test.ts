import { describe, expect, test } from "vitest";
import { BACKGROUND, TEXTS } from "../../board/constants.ts";
import {
  createDevice,
  createTestBed,
  meet,
  savedObjects,
  stroke,
  type Visit,
} from "../../testing/sync/test-bed.ts";
import { EVENTS } from "../../board/messages.ts";

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
    ben.client.onChanges(({ changes }) =>
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

  test("CAN-86 an object that is added with a change that changes nothing is added like any other", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
    const added = ann.client.editor.addChanged(stroke(), { path: stroke()["path"] });
    expect(ann.client.objects()).toEqual([added]);
    expect(ann.client.saveState.get()).toEqual({ state: "waiting", changes: 1 });
    await bed.clock.advance(3000);
    expect(ben.client.objects()).toEqual([added]);
    ann.client.undo();
    expect(ann.client.history.get()).toEqual({ canUndo: false, canRedo: true });
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

  test("PNT-85 objects that are added in parts are one undo step, despite the visitor's other edits meanwhile", async () => {
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

  test("SYN-20 Clear removes the objects that this visitor sees; a stroke that a peer finishes meanwhile survives; Restore brings the rest back", async () => {
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

  test("UND-1 undo takes back this visitor's change and leaves alone a value that a peer has changed since", async () => {
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
