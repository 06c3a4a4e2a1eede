import { describe, expect, test } from "vitest";
import { LIMITS, TEXTS } from "../../board/spec.ts";
import { createDevice, createPlace, stroke, type Place, type Visit } from "../../testing/rooms.ts";
import { createCourier } from "./courier.ts";
import { saveStateOf } from "./save-state.ts";
import { DIGEST } from "./wire.ts";

async function meet(place: Place, ...names: string[]): Promise<Visit[]> {
  const visits = names.map((name) => place.visit(name));
  await place.clock.advance(1000);
  return visits;
}

function saved(place: Place): { id: string }[] {
  const drawing: { objects: { id: string }[] } = JSON.parse(
    place.backend.row?.text ?? '{"objects":[]}',
  );
  return drawing.objects;
}

const errors = ({ notices }: Visit): string[] =>
  notices.flatMap((notice) => (notice.kind === "error" ? notice.text : []));

describe("saving in a room", () => {
  test("SAV-13 a save by somebody else that holds this page's changes takes the place of its own", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    ann.room.editor.add([stroke(1)]);
    await place.clock.advance(2000);
    ben.room.editor.add([stroke(2)]);
    await place.clock.advance(2000);
    expect(ben.room.saveState.get()).toEqual({ state: "unsaved", changes: 1 });
    // Ann's save is due 5 s after her change, and holds Ben's as well.
    await place.clock.advance(1500);
    expect(saved(place)).toHaveLength(2);
    expect(ben.room.saveState.get()).toEqual({ state: "saved" });
    await place.clock.advance(30_000);
    expect(place.backend.counts).toMatchObject({ inserts: 1, updates: 0 });
    // And the next save of either needs no second try.
    ben.room.editor.add([stroke(3)]);
    await place.clock.advance(10_000);
    expect(place.backend.counts).toMatchObject({ inserts: 1, updates: 1, misses: 0 });
  });

  test("a lie about a save is not believed", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    ann.room.editor.add([stroke(1)]);
    await place.clock.advance(7000);
    ann.room.editor.add([stroke(2)]);
    const hint = place.backend.wire.at(-1)?.payload as { digest: string } | undefined;
    const liar = place.backend.open("liar").openChannel("liar", {
      status: () => undefined,
      presences: () => undefined,
      broadcast: () => undefined,
    });
    await place.clock.advance(100);
    liar.send(DIGEST, {
      clientId: "liar",
      digest: hint?.digest,
      saved: { at: "2026-01-01", seen: "0", n: 9 },
    });
    await place.clock.advance(500);
    expect(ann.room.saveState.get()).toEqual({ state: "unsaved", changes: 1 });
    await place.clock.advance(10_000);
    expect(saved(place)).toHaveLength(2);
  });

  test("SAV-14 a save that fails is told with the words of the specification, once for each streak", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    place.backend.refuse = { kind: "refused", message: "permission denied" };
    ann.room.editor.add([stroke()]);
    await place.clock.advance(120_000);
    expect(errors(ann)).toEqual([TEXTS.saveFailed]);
    expect(ann.room.saveState.get()).toEqual({ state: "unsaved", changes: 1 });
    place.backend.refuse = null;
    await place.clock.advance(70_000);
    expect(saved(place)).toHaveLength(1);
    place.backend.sizeLimit = 10;
    ann.room.editor.add([stroke(), stroke()]);
    await place.clock.advance(10_000);
    expect(errors(ann)).toEqual([TEXTS.saveFailed, TEXTS.tooLargeToSave]);
    expect(ann.room.objects()).toHaveLength(3);
  });

  test("SAV-15 a drawing of more than 10 MB is not sent; the reason is told, and nothing leaves the screen", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    const path = `M0 0${"q1.1 2.2 3.3 4.4".repeat(12_000)}`;
    for (let count = 0; count < 60; count += 1) ann.room.editor.add([{ ...stroke(count), path }]);
    await place.clock.advance(6000);
    expect(errors(ann)).toEqual([
      expect.stringMatching(
        /^Cannot save: Canvas data too large \(1\d\.\d\dMB\)\. Maximum is 10MB\.$/,
      ),
    ]);
    expect(place.backend.counts).toMatchObject({ inserts: 0, updates: 0 });
    expect(ann.room.objects()).toHaveLength(60);
    ann.room.undo();
    ann.room.editor.remove(
      ann.room
        .objects()
        .map(({ id }) => id)
        .slice(10),
    );
    await place.clock.advance(6000);
    expect(saved(place)).toHaveLength(10);
  });

  test("SAV-16 Clear saves at once, even on an empty board", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann")) as [Visit];
    ann.room.clear();
    await place.clock.advance(100);
    expect(place.backend.row?.text).toContain('"objects":[]');
    expect(ann.room.saveState.get()).toEqual({ state: "saved" });
  });

  test("SAV-17 what somebody left behind unsaved is saved by those who stay", async () => {
    const place = createPlace();
    const [ann] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    ann.room.editor.add([stroke()]);
    await place.clock.advance(1000);
    ann.kill();
    await place.clock.advance(50_000);
    expect(saved(place)).toHaveLength(1);
  });

  test("SAV-18 a hidden page saves at once; a leaving one sends what fits, before it returns", async () => {
    const place = createPlace();
    const [ann, ben] = (await meet(place, "ann", "ben")) as [Visit, Visit];
    ann.room.editor.add([stroke()]);
    ann.page("hidden");
    await place.clock.advance(100);
    expect(saved(place)).toHaveLength(1);
    ann.room.editor.add([stroke()]);
    ann.room.editor.add([stroke()]);
    ann.page("leaving");
    expect(saved(place)).toHaveLength(3);
    ann.kill();
    await place.clock.advance(100);
    expect(ben.room.objects()).toHaveLength(3);
  });

  test("SAV-19 a killed page loses nothing: the next visit on its device merges what was unsaved", async () => {
    const place = createPlace();
    const device = createDevice("laptop");
    const ann = place.visit("ann", device);
    await place.clock.advance(1000);
    ann.room.editor.add([stroke(1), stroke(2)]);
    ann.room.editor.remove(
      ann.room
        .objects()
        .slice(0, 1)
        .map(({ id }) => id),
    );
    ann.kill();
    expect(place.backend.row).toBeNull();
    const [ben] = (await meet(place, "ben")) as [Visit];
    ben.room.editor.add([stroke(3)]);
    await place.clock.advance(10_000);
    const again = place.visit("ann again", device);
    await place.clock.advance(1000);
    expect(
      again.room
        .objects()
        .map(({ left }) => left ?? 0)
        .toSorted((a, b) => a - b),
    ).toEqual([2, 3]);
    expect(again.room.saveState.get()).toEqual({ state: "unsaved", changes: 2 });
    await place.clock.advance(10_000);
    expect(saved(place)).toHaveLength(2);
    expect(device.entries.size).toBe(0);
  });

  test("SAV-20 ten minutes cut off while all draw: afterwards everybody and the row have everything", async () => {
    const place = createPlace();
    const [ann, ben, cat] = (await meet(place, "ann", "ben", "cat")) as [Visit, Visit, Visit];
    place.network.cut("ann");
    for (let minute = 0; minute < 10; minute += 1) {
      for (const { room } of [ann, ben, cat]) room.editor.add([stroke(minute)]);
      await place.clock.advance(60_000);
    }
    expect(ann.room.saveState.get()).toEqual({ state: "offline", changes: 10 });
    place.network.mend("ann");
    await place.clock.advance(60_000);
    for (const { room } of [ann, ben, cat]) {
      expect(room.objects()).toHaveLength(30);
      expect(room.saveState.get()).toEqual({ state: "saved" });
    }
    expect(saved(place)).toHaveLength(30);
  });

  test("SAV-21 the header's state is the truth, and says 'kept on this device' only where it is so", () => {
    const facts = { known: true, saving: false, reached: true, changes: 0, kept: true };
    expect(saveStateOf({ ...facts, known: false })).toEqual({ state: "loading" });
    expect(saveStateOf({ ...facts, known: false, reached: false })).toEqual({
      state: "offline",
      changes: 0,
    });
    expect(saveStateOf(facts)).toEqual({ state: "saved" });
    expect(saveStateOf({ ...facts, saving: true })).toEqual({ state: "saved" });
    expect(saveStateOf({ ...facts, changes: 3 })).toEqual({ state: "unsaved", changes: 3 });
    expect(saveStateOf({ ...facts, changes: 3, saving: true })).toEqual({ state: "saving" });
    expect(saveStateOf({ ...facts, changes: 3, reached: false })).toEqual({
      state: "offline",
      changes: 3,
    });
    expect(saveStateOf({ ...facts, changes: 3, reached: false, kept: false })).toEqual({
      state: "unsaved",
      changes: 3,
    });
  });
});

describe("carrying a drawing", () => {
  const text = { pieces: ['{"objects":[', '"é"]}'], bytes: 18 };
  const answer = async (): Promise<Response> => new Response(null, { status: 204 });

  test("SAV-22 a drawing goes out as the text that it is, however large", async () => {
    const bodies: string[] = [];
    const courier = createCourier(async (_input, init) => {
      bodies.push(await new Response(init?.body as BodyInit).text());
      return answer();
    });
    const large = { pieces: [`"${"x".repeat(400_000)}"`], bytes: 400_002 };
    for (const parcel of [text, large]) {
      await courier.carry(parcel, (stand) =>
        courier.fetch("http://x", {
          method: "PATCH",
          body: JSON.stringify({ canvas_json: stand, a: 1 }),
        }),
      );
    }
    expect(bodies).toEqual([
      `{"canvas_json":{"objects":["é"]},"a":1}`,
      `{"canvas_json":${large.pieces[0]},"a":1}`,
    ]);
    await courier.fetch("http://x", { method: "POST", body: '{"canvas_json":"drawing 1"}' });
    expect(bodies.at(-1)).toBe('{"canvas_json":"drawing 1"}');
  });

  test("SAV-23 a leaving page sends up to 60,000 bytes itself and hands more to the service worker, if there is one", async () => {
    const sent: (boolean | undefined)[] = [];
    const handed: number[] = [];
    const outliving = {
      ready: false,
      send: ({ body }: { body: string }) => void handed.push(body.length),
    };
    const courier = createCourier(async (_input, init) => {
      sent.push(init?.keepalive);
      return answer();
    }, outliving);
    expect(courier.lastLimit).toBe(60_000);
    const leave = (bytes: number): Promise<Response> =>
      courier.carry({ pieces: [`"${"x".repeat(bytes - 2)}"`], bytes }, (stand) =>
        courier.lastFetch("http://x", {
          method: "PATCH",
          body: JSON.stringify({ canvas_json: stand }),
        }),
      );
    await leave(50_000);
    expect([sent, handed]).toEqual([[true], []]);
    outliving.ready = true;
    expect(courier.lastLimit).toBe(LIMITS.canvasBytes);
    await leave(50_000);
    await leave(300_000);
    expect([sent, handed]).toEqual([[true, true], [300_016]]);
  });
});
