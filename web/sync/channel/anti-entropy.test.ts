import { describe, expect, test } from "vitest";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import { ALONE } from "../presence/peers.ts";
import { createAntiEntropy } from "./anti-entropy.ts";

/** A client's anti-entropy; `calls` are what it asked for, each with the milliseconds since the start. */
function createBench({ random = 0, hasPeers = true, updateInterval = 1000 } = {}) {
  const clock = createFakeClock();
  const start = clock.now();
  const calls: (readonly [what: string, at: number])[] = [];
  const note = (what: string): void => void calls.push([what, clock.now() - start]);
  const boards = { mine: "a" };
  const peers = new Map(hasPeers ? [["peer", undefined]] : []);
  const part = createAntiEntropy({
    env: { clock, random: () => random },
    digest: () => boards.mine,
    presence: { get: () => ({ ...ALONE, peers }) },
    rate: { interval: () => updateInterval },
    resync: { run: async () => note("resync") },
  });
  part.onDue(() => note("digest"));
  return { clock, calls, boards, part };
}

describe("anti-entropy", () => {
  test("a digest is sent in the second half of each round, and the rounds get longer", async () => {
    for (const [random, times] of [
      [0, [4000, 12_000, 28_000, 60_000, 92_000]],
      [0.5, [6000, 18_000, 42_000, 90_000, 138_000]],
    ] as const) {
      const { clock, calls, part } = createBench({ random });
      part.changed();
      await clock.advance(140_000);
      expect(calls.slice(0, 5)).toEqual(times.map((at) => ["digest", at]));
    }
  });

  test("none is sent without a peer, nor in a round in which a peer sent the same one", async () => {
    const alone = createBench({ hasPeers: false });
    alone.part.changed();
    await alone.clock.advance(60_000);
    expect(alone.calls).toEqual([]);
    const { clock, calls, part } = createBench();
    part.changed();
    part.peerDigest("a");
    await clock.advance(4000);
    expect(calls).toEqual([]);
    await clock.advance(8000);
    expect(calls).toEqual([["digest", 12_000]]);
  });

  test("SYN-12 peers that keep sending another digest do not put off the check", async () => {
    const { clock, calls, part } = createBench();
    for (let time = 0; time < 10_000; time += 2000) {
      part.peerDigest(`b${time}`);
      await clock.advance(2000);
    }
    expect(calls.filter(([what]) => what === "resync")).toEqual([
      ["resync", 3000],
      ["resync", 9000],
    ]);
  });

  test("SYN-12 checks that do not help become rarer although another peer agrees", async () => {
    const { clock, calls, part, boards } = createBench();
    for (let time = 0; time < 60_000; time += 1000) {
      part.peerDigest(boards.mine);
      part.peerDigest("b");
      await clock.advance(1000);
    }
    const reads = calls.filter(([what]) => what === "resync");
    expect(reads.map(([, at]) => at)).toEqual([3000, 9000, 21_000, 45_000]);
  });

  test("after 3 s of another digest the row is read, then the digest sent if it still differs, ever more rarely", async () => {
    const { clock, calls, part, boards } = createBench();
    part.peerDigest("b");
    await clock.advance(2999);
    expect(calls).toEqual([]);
    await clock.advance(60_000);
    const at = [3000, 9000, 21_000, 45_000];
    expect(calls).toEqual(at.flatMap((time) => ["resync", "digest"].map((what) => [what, time])));
    boards.mine = "b";
    await clock.advance(200_000);
    expect(calls).toHaveLength(8);
  });

  test("a change here makes the peer's digest old", async () => {
    const { clock, calls, part } = createBench({ hasPeers: false });
    part.peerDigest("b");
    await clock.advance(2000);
    part.changed();
    await clock.advance(100_000);
    expect(calls).toEqual([]);
  });

  test("a stopped client asks for nothing and leaves no timer", async () => {
    const { clock, calls, part } = createBench();
    part.changed();
    part.peerDigest("b");
    part.stop();
    expect(clock.pending).toBe(0);
    part.peerDigest("c");
    part.changed();
    await clock.advance(100_000);
    expect(calls).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
