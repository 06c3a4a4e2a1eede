import { describe, expect, test } from "vitest";
import { LIMITS } from "../../board/spec.ts";
import { FAIR } from "../../testing/network.ts";
import { createPlace, stroke, type Place } from "../../testing/rooms.ts";
import { liveRate } from "./live-send.ts";
import { DIGEST, LIVE, UPDATE } from "./wire.ts";

/** What a frame of the socket adds to a payload: 7 bytes and the names of topic and event. */
const FRAME_BYTES = 7 + "realtime:canvas-room".length + "canvas-update".length + 6;

/** A curved stroke of `points` points, as the pen writes it. */
function curve(points: number): string {
  let path = "M0 0";
  for (let point = 1; point < points; point += 1)
    path += `q${(point % 7) + 0.3} ${(point % 5) - 2.1} 3.${point % 9} 1.2`;
  return path;
}

function sent(place: Place, event: string): { at: number; from: string; bytes: number }[] {
  return place.backend.wire.filter((one) => one.event === event);
}

describe("what goes over the wire", () => {
  test("SYN-4 one 40-point stroke on a board of 5,000 costs under 4 KB", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    const ben = place.visit("ben");
    await place.clock.advance(1000);
    ann.room.editor.add(
      Array.from({ length: 5000 }, (_, index) => ({
        ...stroke(index % 900, index % 700),
        path: curve(40),
      })),
    );
    await place.clock.advance(60_000);
    expect(ben.room.objects()).toHaveLength(5000);
    place.backend.wire.length = 0;
    ann.room.editor.add([{ ...stroke(), path: curve(40) }]);
    await place.clock.advance(2000);
    const updates = sent(place, UPDATE);
    expect(updates).toHaveLength(1);
    expect((updates[0]?.bytes ?? 0) + FRAME_BYTES).toBeLessThan(4096);
    expect(ben.room.objects()).toHaveLength(5001);
  });

  test("SYN-5 a canvas-update is sent at most once in 1 s, and the last change always", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    const ben = place.visit("ben");
    await place.clock.advance(1000);
    for (let count = 0; count < 100; count += 1) {
      ann.room.editor.add([stroke(count, count)]);
      await place.clock.advance(90);
    }
    await place.clock.advance(1000);
    const times = sent(place, UPDATE).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(8);
    for (let index = 1; index < times.length; index += 1) {
      expect((times[index] ?? 0) - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(
        LIMITS.broadcastThrottle,
      );
    }
    expect(ben.room.objects()).toEqual(ann.room.objects());
  });

  test("SYN-6 the first change after a pause is sent at once", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    await place.clock.advance(1000);
    ann.room.editor.add([stroke()]);
    expect(sent(place, UPDATE)).toHaveLength(1);
  });

  test("SYN-7 a great change goes in parts of about 200 KB, one in 1 s", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    const ben = place.visit("ben");
    await place.clock.advance(1000);
    ann.room.editor.add(Array.from({ length: 1500 }, () => ({ ...stroke(), path: curve(40) })));
    await place.clock.advance(10_000);
    const updates = sent(place, UPDATE);
    expect(updates.length).toBeGreaterThan(3);
    for (const { bytes } of updates) expect(bytes).toBeLessThan(260_000);
    expect(ben.room.objects()).toHaveLength(1500);
  });

  test("SYN-8 the drawing goes whole while it is at most 32 KB, or while somebody present cannot read parts", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    await place.clock.advance(1000);
    ann.room.editor.add([stroke()]);
    await place.clock.advance(2000);
    ann.room.editor.add([stroke(50)]);
    await place.clock.advance(2000);
    expect(place.backend.wire.at(-1)?.payload).toMatchObject({ json: { objects: [{}, {}] } });

    ann.room.editor.add(Array.from({ length: 300 }, () => ({ ...stroke(), path: curve(40) })));
    await place.clock.advance(2000);
    ann.room.editor.add([stroke(70)]);
    await place.clock.advance(2000);
    expect(place.backend.wire.at(-1)?.payload).toMatchObject({
      json: { objects: [{ left: 70 }], inkpool: { partial: true } },
    });

    const old = place.backend.open("old").openChannel("an-old-client", {
      status: (status) =>
        status === "joined" && old.track({ online_at: "2026-01-01T00:00:00.000Z" }),
      presences: () => undefined,
      broadcast: () => undefined,
    });
    await place.clock.advance(2000);
    ann.room.editor.add([stroke(90)]);
    await place.clock.advance(2000);
    const last = sent(place, UPDATE).at(-1);
    expect(last?.bytes).toBeGreaterThan(32 * 1024);
  });

  test("LIV-1 the ink of a 5 s stroke costs under 10 KB, frames included", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    place.visit("ben");
    await place.clock.advance(1000);
    const { live } = ann.room;
    live.inkStart("s1", "#000000", 3);
    // A pointer that reports 120 times a second, round handwriting of 600 points.
    for (let at = 0; at < 600; at += 1) {
      live.inkPoints("s1", [300 + 250 * Math.cos(at / 19), 300 + 200 * Math.sin(at / 23)]);
      await place.clock.advance(1000 / 120);
    }
    live.inkEnd("s1", null);
    await place.clock.advance(200);
    const messages = sent(place, LIVE);
    const bytes = messages.reduce((sum, one) => sum + one.bytes + FRAME_BYTES, 0);
    expect(messages.length).toBeGreaterThan(60);
    expect(bytes).toBeLessThan(10_000);
  });

  test("LIV-2 the rate is min(20, 0.6 * budget / N^2) messages a second, and live is off below 1 and alone", () => {
    const rates = [1, 2, 3, 4, 5, 7, 8, 50].map((people) => liveRate(people, 100));
    expect(rates[0]).toBe(0);
    expect(rates[1]).toBeCloseTo(15);
    expect(rates[2]).toBeCloseTo(60 / 9);
    expect(rates[3]).toBeCloseTo(60 / 16);
    expect(rates[4]).toBeCloseTo(60 / 25);
    expect(rates[5]).toBeCloseTo(60 / 49);
    expect(rates.slice(6)).toEqual([0, 0]);
    expect(liveRate(2, 10_000)).toBe(20);
    expect(liveRate(40, 10_000)).toBeCloseTo(3.75);
  });

  test("LIV-3 a pointer that never rests keeps to the rate for each number of people", async () => {
    for (const people of [1, 2, 3, 5, 8]) {
      const place = createPlace(people);
      const all = Array.from({ length: people }, (_, index) => place.visit(`person ${index}`));
      await place.clock.advance(2000);
      place.backend.wire.length = 0;
      for (let at = 0; at < 1000; at += 1) {
        all[0]?.room.live.pointer({ x: at, y: at });
        await place.clock.advance(10);
      }
      const { length } = sent(place, LIVE);
      expect(length).toBeLessThanOrEqual(liveRate(people, 100) * 10 + 1);
      expect(length).toBeGreaterThanOrEqual(Math.floor(liveRate(people, 100) * 9));
    }
  });

  test("a quiet room is quiet: digests are told ever more rarely, and not at all when alone", async () => {
    const place = createPlace();
    place.network.weather = FAIR;
    const alone = place.visit("ann");
    alone.room.editor.add([stroke()]);
    await place.clock.advance(10_000);
    place.backend.wire.length = 0;
    await place.clock.advance(600_000);
    expect(place.backend.wire).toHaveLength(0);
    for (let count = 0; count < 4; count += 1) place.visit(`other ${count}`);
    await place.clock.advance(60_000);
    place.backend.wire.length = 0;
    await place.clock.advance(600_000);
    expect(sent(place, UPDATE)).toHaveLength(0);
    expect(sent(place, DIGEST).length).toBeLessThan(50);
  });
});
