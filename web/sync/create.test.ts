import { describe, expect, test } from "vitest";
import { BACKGROUND, TEXTS } from "../../board/spec.ts";
import { createDevice, createPlace, stroke, type Place, type Visit } from "../../testing/rooms.ts";
import { UPDATE } from "./wire.ts";

/** Rooms that have read the row and found each other. */
async function meet(place: Place, ...names: string[]): Promise<Visit[]> {
  const visits = names.map((name) => place.visit(name));
  await place.clock.advance(1000);
  return visits;
}

function savedObjects(place: Place): unknown[] {
  const saved: { objects: unknown[] } = JSON.parse(place.backend.row?.text ?? '{"objects":[]}');
  return saved.objects;
}

const texts = (visit: Visit): string[] =>
  visit.notices.map((notice) => ("text" in notice ? notice.text : notice.kind));

describe("a room", () => {
  test("SYN-1 a stroke of one person appears for the other within a second, and is saved 5 s later", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    expect(ann.room.saveState.get()).toEqual({ state: "saved" });
    ann.room.editor.add([stroke()]);
    await place.clock.advance(1000);
    expect(ben.room.objects()).toEqual(ann.room.objects());
    expect(place.backend.row).toBeNull();
    expect(ann.room.saveState.get()).toEqual({ state: "unsaved", changes: 1 });

    await place.clock.advance(5000);
    expect(savedObjects(place)).toMatchObject([{ type: "Path" }]);
    expect(ann.room.saveState.get()).toEqual({ state: "saved" });
    const [cat] = (await meet(place, "cat")) as [Visit];
    expect(cat.room.objects()).toEqual(ann.room.objects());
  });

  test("SYN-10 updates that arrive while the row is being read are taken in after it", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    ann.room.editor.add([stroke()]);
    await place.clock.advance(7000);
    const [ben] = (await meet(place, "ben")) as [Visit];
    place.backend.row = place.backend.row && { ...place.backend.row, updatedAt: "later" };
    // Each way takes 900 ms: the mark is known after 1,800, the row after 3,600.
    place.network.weather = { drop: 0, double: 0, minDelay: 900, maxDelay: 900 };
    ben.page("visible");
    await place.clock.advance(1900);
    ann.room.editor.add([stroke(50)]);
    await place.clock.advance(1600);
    expect(ben.room.objects()).toHaveLength(1);
    await place.clock.advance(200);
    expect(ben.room.objects()).toHaveLength(2);
  });

  test("SYN-11 somebody who joins while others hold unsaved changes gets them", async () => {
    const place = createPlace();
    place.backend.refuse = { kind: "refused", message: "not now" };
    const [ann] = (await meet(place, "ann")) as [Visit];
    ann.room.editor.add([stroke()]);
    await place.clock.advance(3000);
    const ben = place.visit("ben");
    await place.clock.advance(2500);
    expect(ben.room.objects()).toEqual(ann.room.objects());
  });

  test("SYN-12 a lost update is noticed by its digest and made up for", async () => {
    const place = createPlace();
    place.backend.refuse = { kind: "refused", message: "not now" };
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    place.network.weather = { drop: 1, double: 0, minDelay: 1, maxDelay: 1 };
    ann.room.editor.add([stroke()]);
    await place.clock.advance(100);
    place.network.weather = { drop: 0, double: 0, minDelay: 1, maxDelay: 1 };
    expect(ben.room.objects()).toHaveLength(0);
    await place.clock.advance(20_000);
    expect(ben.room.objects()).toHaveLength(1);
  });

  test("SYN-13 on every join, on online and on visible the row is read if it is not as this page saw it", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    ann.room.editor.add([stroke()]);
    await place.clock.advance(10_000);
    const changed = (): void => {
      place.backend.row = place.backend.row && {
        ...place.backend.row,
        updatedAt: `at ${place.clock.now()}`,
      };
    };
    const causes: (() => void)[] = [
      () => ann.page("online"),
      () => ann.page("visible"),
      () => {
        place.network.cut("ann");
        place.network.mend("ann");
      },
    ];
    for (const cause of causes) {
      const { loads, peeks } = place.backend.counts;
      cause();
      await place.clock.advance(2000);
      expect(place.backend.counts).toMatchObject({ loads, peeks: peeks + 1 });
      changed();
      cause();
      await place.clock.advance(2000);
      expect(place.backend.counts.loads).toBe(loads + 1);
    }
  });

  test("SYN-14 a channel that was closed by force is back within 10 s by itself, quietly", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    const seen: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      place.backend.evict("ann");
      const closed = place.clock.now();
      while (place.backend.members < 2) await place.clock.advance(100);
      seen.push(place.clock.now() - closed);
    }
    expect(Math.max(...seen)).toBeLessThan(10_000);
    expect(seen.at(-1)).toBeGreaterThan(4000);
    expect(ann.notices).toEqual([]);
    ben.room.editor.add([stroke()]);
    await place.clock.advance(1000);
    expect(ann.room.objects()).toHaveLength(1);
  });

  test("SYN-15 nothing is sent while the channel is not joined, and everything that waited when it is", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    place.network.cut("ann");
    for (let count = 0; count < 5; count += 1) {
      ann.room.editor.add([stroke(count)]);
      ann.room.live.pointer({ x: 1, y: 1 });
      await place.clock.advance(1500);
    }
    expect(place.backend.wire.filter(({ from }) => from === "ann")).toEqual([]);
    await place.clock.advance(5000);
    expect(ann.room.saveState.get()).toEqual({ state: "offline", changes: 5 });
    place.network.mend("ann");
    await place.clock.advance(2000);
    expect(ben.room.objects()).toHaveLength(5);
  });

  test("SYN-16 rubbish on the channel changes nothing, and does not keep the rest from being heard", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    const evil = place.backend.open("evil").openChannel("evil", {
      status: () => undefined,
      presences: () => undefined,
      broadcast: () => undefined,
    });
    await place.clock.advance(100);
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
    for (const event of [UPDATE, "canvas-live", "canvas-digest", "anything"]) {
      for (const payload of rubbish) evil.send(event, payload);
    }
    await place.clock.advance(2000);
    expect(ann.room.objects().filter(({ type }) => type !== "Rect")).toEqual([]);
    evil.send(UPDATE, {
      clientId: "evil",
      json: { objects: [{ type: "Circle", radius: 5, left: 1, top: 1 }] },
    });
    await place.clock.advance(100);
    expect(ann.room.objects().map(({ type }) => type)).toContain("Circle");
  });

  test("SYN-17 a drawing without our fields replaces, save what this page has drawn and nobody saved", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    ann.room.editor.add([stroke(1)]);
    await place.clock.advance(10_000);
    place.network.cut("ben");
    ann.room.editor.add([stroke(2)]);
    const old = place.backend.open("old").openChannel("old", {
      status: () => undefined,
      presences: () => undefined,
      broadcast: () => undefined,
    });
    await place.clock.advance(100);
    old.send(UPDATE, {
      clientId: "old",
      json: {
        version: "7.4.0",
        objects: [{ type: "Rect", width: 10, height: 10 }],
        background: "white",
      },
    });
    await place.clock.advance(100);
    expect(ann.room.objects().map(({ type, left }) => [type, left])).toEqual([
      ["Rect", undefined],
      ["Path", 2],
    ]);
    expect(ben.room.objects()).toHaveLength(1);
  });

  test("SYN-18 a saved row that holds rubbish is shown as far as it can be, told in the log, and left alone until somebody draws", async () => {
    for (const [text, shown] of [
      ['{"objects":[{"type":"Rect","width":9,"height":9},{"type":"Image","src":"http://x"},7]}', 1],
      ['"not a drawing"', 0],
      ["null", 0],
    ] as const) {
      const place = createPlace();
      place.backend.row = { id: "row-1", updatedAt: "2026-01-01T00:00:00+00:00", text };
      const [ann] = (await meet(place, "ann")) as [Visit];
      expect(ann.room.objects()).toHaveLength(shown);
      expect(ann.log.join()).toMatch(/left out|cannot be read/);
      await place.clock.advance(120_000);
      expect(place.backend.row.text).toBe(text);
      ann.room.editor.add([stroke()]);
      await place.clock.advance(10_000);
      expect(savedObjects(place)).toHaveLength(shown + 1);
    }
  });

  test("SYN-19 a failed load is told in the log only, and repeated until it succeeds", async () => {
    const place = createPlace();
    place.network.cut("ann");
    const ann = place.visit("ann");
    await place.clock.advance(5000);
    expect(ann.log).toEqual(["The canvas was not loaded: Error: no answer"]);
    expect(ann.notices).toEqual([]);
    expect(ann.room.saveState.get()).toEqual({ state: "offline", changes: 0 });
    place.network.mend("ann");
    await place.clock.advance(30_000);
    expect(ann.room.saveState.get()).toEqual({ state: "saved" });
  });

  test("SYN-20 Clear removes what this person sees; a stroke that somebody finishes meanwhile survives; Restore brings the rest back", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    ann.room.editor.add([stroke(1), stroke(2)]);
    await place.clock.advance(10_000);
    ben.room.clear();
    ann.room.editor.add([stroke(3)]);
    await place.clock.advance(3000);
    for (const { room } of [ann, ben]) {
      expect(room.objects().map(({ left }) => left)).toEqual([3]);
      expect(room.background()).toBe(BACKGROUND);
    }
    expect(texts(ben)).toEqual([TEXTS.cleared]);
    expect(texts(ann)).toEqual(["cleared-by-other"]);
    const [notice] = ann.notices;
    if (notice?.kind === "cleared-by-other") notice.restore();
    await place.clock.advance(10_000);
    expect(
      ben.room
        .objects()
        .map(({ left }) => left ?? 0)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 3]);
    expect(savedObjects(place)).toHaveLength(3);
  });

  test("SYN-21 Clear can be taken back by its own notice and by undo, once", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    ann.room.editor.add([stroke(1)]);
    ann.room.clear();
    const [notice] = ann.notices;
    if (notice?.kind === "cleared") notice.undo();
    expect(ann.room.objects()).toHaveLength(1);
    ann.room.clear();
    expect(ann.room.history.get()).toEqual({ canUndo: true, canRedo: false });
    ann.room.undo();
    expect(ann.room.objects()).toHaveLength(1);
    expect(ann.room.history.get().canRedo).toBe(true);
    ann.room.redo();
    expect(ann.room.objects()).toEqual([]);
  });

  test("SYN-22 undo takes back this person's change and leaves alone what somebody else has changed since", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    const [object] = ann.room.editor.add([stroke(1)]);
    const id = object?.id;
    if (!id) throw new Error("nothing was added");
    await place.clock.advance(2000);
    ann.room.editor.change([{ id, props: { left: 300, stroke: "#ff0000" } }]);
    await place.clock.advance(2000);
    ben.room.editor.change([{ id, props: { stroke: "#2ecc71" } }]);
    await place.clock.advance(2000);
    ann.room.undo();
    await place.clock.advance(2000);
    for (const { room } of [ann, ben])
      expect(room.objects()).toMatchObject([{ left: 1, stroke: "#2ecc71" }]);
  });

  test("SYN-23 a disposed room leaves no timer and no channel, a hundred times over", async () => {
    const place = createPlace();
    for (let count = 0; count < 100; count += 1) {
      const visit = place.visit(`visit ${count}`, createDevice("one"));
      await place.clock.advance(count % 3 === 0 ? 5 : 400);
      visit.room.editor.add([stroke()]);
      visit.room.live.inkStart("s", "#000000", 3);
      visit.room.live.inkPoints("s", [1, 1]);
      if (count % 2 === 0) await place.clock.advance(count * 10);
      await visit.room.dispose();
      expect(visit.listening()).toBe(0);
    }
    expect(place.backend.members).toBe(0);
    await place.clock.advance(30_000);
    expect(place.clock.pending).toBe(0);
  });
});
