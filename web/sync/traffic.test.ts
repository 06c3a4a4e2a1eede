import { describe, expect, test } from "vitest";
import { LIMITS } from "../../board/constants.ts";
import { PERFECT } from "../../testing/network/network.ts";
import { createTestBed, stroke, type TestBed } from "../../testing/sync/test-bed.ts";
import { liveRate } from "./presence/live-sender.ts";
import { EVENTS } from "../../board/messages.ts";

/** Bytes that a frame of the socket adds to a payload: 7 bytes and the names of topic and event. */
const FRAME_BYTES = 7 + "realtime:canvas-room".length + "canvas-update".length + 6;

/** A curved stroke of `points` points, as the pen writes it. */
function curve(points: number): string {
  let path = "M0 0";
  for (let point = 1; point < points; point += 1)
    path += `q${(point % 7) + 0.3} ${(point % 5) - 2.1} 3.${point % 9} 1.2`;
  return path;
}

function sent(bed: TestBed, event: string): { at: number; from: string; bytes: number }[] {
  return bed.backend.wire.filter((one) => one.event === event);
}

describe("messages on the wire", () => {
  test("SYN-4 one 40-point stroke on a board of 5,000 costs under 4 KB", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    const ben = bed.visit("ben");
    await bed.clock.advance(1000);
    ann.client.editor.add(
      Array.from({ length: 5000 }, (_, index) => ({
        ...stroke(index % 900, index % 700),
        path: curve(40),
      })),
    );
    await bed.clock.advance(60_000);
    expect(ben.client.objects()).toHaveLength(5000);
    bed.backend.wire.length = 0;
    ann.client.editor.add([{ ...stroke(), path: curve(40) }]);
    await bed.clock.advance(2000);
    const updates = sent(bed, EVENTS.update);
    expect(updates).toHaveLength(1);
    expect((updates[0]?.bytes ?? 0) + FRAME_BYTES).toBeLessThan(4096);
    expect(ben.client.objects()).toHaveLength(5001);
  });

  test("SYN-5 a canvas-update is sent at most once in 1 s, and the last change always", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    const ben = bed.visit("ben");
    await bed.clock.advance(1000);
    for (let count = 0; count < 100; count += 1) {
      ann.client.editor.add([stroke(count, count)]);
      await bed.clock.advance(90);
    }
    await bed.clock.advance(1000);
    const times = sent(bed, EVENTS.update).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(8);
    for (let index = 1; index < times.length; index += 1) {
      expect((times[index] ?? 0) - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(
        LIMITS.broadcastThrottle,
      );
    }
    expect(ben.client.objects()).toEqual(ann.client.objects());
  });

  test("SYN-5 the first change after a pause is sent at once", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    await bed.clock.advance(1000);
    ann.client.editor.add([stroke()]);
    expect(sent(bed, EVENTS.update)).toHaveLength(1);
  });

  test("SYN-8 a great change is sent in parts of about 200 KB, one in 1 s", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    const ben = bed.visit("ben");
    await bed.clock.advance(1000);
    ann.client.editor.add(Array.from({ length: 1500 }, () => ({ ...stroke(), path: curve(40) })));
    await bed.clock.advance(10_000);
    const updates = sent(bed, EVENTS.update);
    expect(updates.length).toBeGreaterThan(3);
    for (const { bytes } of updates) expect(bytes).toBeLessThan(260_000);
    expect(ben.client.objects()).toHaveLength(1500);
  });

  test("SYN-8 the drawing is sent whole while it is at most 32 KB, or while a peer cannot read parts", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    await bed.clock.advance(1000);
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(2000);
    ann.client.editor.add([stroke(50)]);
    await bed.clock.advance(2000);
    expect(bed.backend.wire.at(-1)?.payload).toMatchObject({ json: { objects: [{}, {}] } });

    ann.client.editor.add(Array.from({ length: 300 }, () => ({ ...stroke(), path: curve(40) })));
    await bed.clock.advance(2000);
    ann.client.editor.add([stroke(70)]);
    await bed.clock.advance(2000);
    expect(bed.backend.wire.at(-1)?.payload).toMatchObject({
      json: { objects: [{ left: 70 }], inkpool: { partial: true } },
    });

    const old = bed.backend.open("old").openChannel("an-old-client", {
      status: (status) =>
        status === "joined" && old.track({ online_at: "2026-01-01T00:00:00.000Z" }),
      presence: () => undefined,
      broadcast: () => undefined,
    });
    await bed.clock.advance(2000);
    ann.client.editor.add([stroke(90)]);
    await bed.clock.advance(2000);
    const last = sent(bed, EVENTS.update).at(-1);
    expect(last?.bytes).toBeGreaterThan(32 * 1024);
  });

  test("LIV-1 the ink of a 5 s stroke costs under 10 KB, frames included", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    bed.visit("ben");
    await bed.clock.advance(1000);
    const { live } = ann.client;
    live.inkStart("s1", "#000000", 3);
    // A pointer that reports 120 times a second, round handwriting of 600 points.
    for (let at = 0; at < 600; at += 1) {
      live.inkPoints("s1", [300 + 250 * Math.cos(at / 19), 300 + 200 * Math.sin(at / 23)]);
      await bed.clock.advance(1000 / 120);
    }
    live.inkEnd("s1", null);
    await bed.clock.advance(200);
    const messages = sent(bed, EVENTS.live);
    const bytes = messages.reduce((sum, one) => sum + one.bytes + FRAME_BYTES, 0);
    expect(messages.length).toBeGreaterThan(60);
    expect(bytes).toBeLessThan(10_000);
  });

  test("LIV-2 the rate is min(20, 0.6 * budget / (S * N)) messages per second for S senders of N clients, and live is off below 1 and without a peer", () => {
    const rateOf = (online: number, senders: number, budget: number): number =>
      liveRate(online, { senders: senders - 1, drawing: 0 }, budget, false);
    const rates = [1, 2, 3, 4, 5, 7, 8, 50].map((all) => rateOf(all, all, 100));
    expect(rates[0]).toBe(0);
    expect(rates[1]).toBeCloseTo(15);
    expect(rates[2]).toBeCloseTo(60 / 9);
    expect(rates[3]).toBeCloseTo(60 / 16);
    expect(rates[4]).toBeCloseTo(60 / 25);
    expect(rates[5]).toBeCloseTo(60 / 49);
    expect(rates.slice(6)).toEqual([0, 0]);
    expect(rateOf(2, 2, 10_000)).toBe(20);
    expect(rateOf(40, 40, 10_000)).toBeCloseTo(3.75);
    // Who only watches, or is invented, silences nobody.
    expect(rateOf(41, 1, 100)).toBeCloseTo(60 / 41);
  });

  test("LIV-2 of more than 50 clients those that draw share the budget left by those that only point: 10 that draw among 300 have 10 messages a second", () => {
    const rateOf = (online: number, senders: number, drawing: number, isDrawing = true): number =>
      liveRate(online, { senders, drawing }, 50_000, isDrawing);
    expect(rateOf(300, 9, 9)).toBeCloseTo(10);
    // The others move their pointers, or would.
    expect(rateOf(300, 99, 9)).toBeCloseTo(10);
    expect([rateOf(300, 0, 0, false), rateOf(300, 99, 9, false)]).toEqual([0, 0]);
    expect(rateOf(80, 79, 9, false)).toBeCloseTo((0.15 * 50_000) / (80 * 80));
    expect(rateOf(80, 79, 9)).toBe(20);
    expect(rateOf(80, 79, 79)).toBeCloseTo((0.6 * 50_000) / (80 * 80));
    expect(rateOf(50, 49, 9, false)).toBeCloseTo((0.6 * 50_000) / (50 * 50));
    expect(liveRate(300, { senders: 9, drawing: 9 }, 100_000, true)).toBe(20);
  });

  test("LIV-2 a pointer that never rests keeps to the rate for each number of clients", async () => {
    for (const online of [1, 2, 3, 5, 8]) {
      const bed = createTestBed(online);
      const all = Array.from({ length: online }, (_, index) => bed.visit(`client ${index}`));
      await bed.clock.advance(2000);
      bed.backend.wire.length = 0;
      for (let at = 0; at < 1000; at += 1) {
        all[0]?.client.live.pointer({ x: at, y: at });
        await bed.clock.advance(10);
      }
      const { length } = sent(bed, EVENTS.live);
      const rate = liveRate(online, { senders: 0, drawing: 0 }, 100, false);
      expect(length).toBeLessThanOrEqual(rate * 10 + 1);
      expect(length).toBeGreaterThanOrEqual(Math.floor(rate * 9));
    }
  });

  test("a quiet board is quiet: digests are sent ever more rarely, and not at all without a peer", async () => {
    const bed = createTestBed();
    bed.network.conditions = PERFECT;
    const alone = bed.visit("ann");
    alone.client.editor.add([stroke()]);
    await bed.clock.advance(10_000);
    bed.backend.wire.length = 0;
    await bed.clock.advance(600_000);
    expect(bed.backend.wire).toHaveLength(0);
    for (let count = 0; count < 4; count += 1) bed.visit(`other ${count}`);
    await bed.clock.advance(60_000);
    bed.backend.wire.length = 0;
    await bed.clock.advance(600_000);
    expect(sent(bed, EVENTS.update)).toHaveLength(0);
    expect(sent(bed, EVENTS.digest).length).toBeLessThan(50);
  });
});
