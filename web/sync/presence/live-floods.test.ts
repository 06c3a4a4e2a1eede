import { expect, test } from "vitest";
import type { ObjectId } from "../../../board/drawing.ts";
import type { PeerView } from "../../../board/live.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import { createLivePlayer } from "./live-player.ts";
import type { Presence } from "./peers.ts";

function createBench() {
  const clock = createFakeClock();
  const shown: (readonly PeerView[])[] = [];
  const player = createLivePlayer({ clock, hasObject: (id) => id.startsWith("board") });
  player.onPeers((views) => shown.push(views));
  return { clock, player, shown };
}

test("LIV-30 a flood of invented peers and strokes is bounded", async () => {
  const { clock, player, shown } = createBench();
  for (let count = 0; count < 1000; count += 1) {
    for (let one = 0; one < 20; one += 1) {
      player.receive({
        clientId: `c${count}`,
        tick: one + 1,
        ink: [{ stroke: `s${one}`, offset: 0, points: [1, 1], color: "#000000", width: 1 }],
      });
    }
  }
  await clock.advance(500);
  expect(shown.at(-1)).toHaveLength(100);
  expect(shown.at(-1)?.[0]?.ink).toHaveLength(10);
});

test("LIV-30 a flood of fading ink is bounded over all strokes of a peer, those that never end included", async () => {
  const { clock, player, shown } = createBench();
  const points = Array.from({ length: 4_000 }, (_, at) => at % 500);
  for (let tick = 1; tick <= 300; tick += 1) {
    const ink = { stroke: `s${tick % 100}`, offset: 0, points, color: "#000000", width: 1 };
    player.receive({ clientId: "flood", tick, ink: [{ ...ink, look: "fading" }] });
    await clock.advance(10);
  }
  await clock.advance(1_000);
  const strokes = shown.at(-1)?.[0]?.ink ?? [];
  const count = strokes.reduce((sum, one) => sum + one.points.length, 0);
  expect(count).toBeGreaterThan(1_000);
  expect(count).toBeLessThanOrEqual(40_000);
});

test("LIV-30 of a peer at most 100 fading strokes are shown", async () => {
  const { clock, player, shown } = createBench();
  for (let tick = 1; tick <= 101; tick += 1) {
    const ink = { stroke: `s${tick}`, offset: 0, points: [1, 1], color: "#000000", width: 1 };
    player.receive({ clientId: "flood", tick, ink: [{ ...ink, look: "fading" }] });
  }
  await clock.advance(500);
  expect(shown.at(-1)?.[0]?.ink).toHaveLength(100);
});

test("LIV-30 a peer with many fading strokes is seen to draw another stroke at once, as far as there are fewer than ten", async () => {
  const { clock, player, shown } = createBench();
  for (let tick = 1; tick <= 23; tick += 1) {
    const ink = { stroke: `s${tick}`, offset: 0, points: [1, 1], color: "#000000", width: 1 };
    player.receive({ clientId: "ben", tick, ink: [tick < 12 ? { ...ink, look: "fading" } : ink] });
  }
  await clock.advance(500);
  const looks = shown.at(-1)?.[0]?.ink.map(({ look }) => look) ?? [];
  expect(looks.filter((look) => look === "fading")).toHaveLength(11);
  expect(looks.filter((look) => look === "ink")).toHaveLength(10);
});

test.each(["fading", "ink"] as const)(
  "LIV-30 a flood of ink (%s) from 100 invented peers is bounded in all, and each peer has some of it",
  async (look) => {
    const { clock, player, shown } = createBench();
    const points = Array.from({ length: 8_000 }, (_, at) => at % 500);
    const details = { offset: 0, points, color: "#000000", width: 1, look };
    for (let tick = 1; tick <= 5; tick += 1) {
      for (let peer = 0; peer < 100; peer += 1) {
        const ink = [1, 2].map((one) => ({ ...details, stroke: `s${2 * tick + one}` }));
        player.receive({ clientId: `invented${peer}`, tick, ink });
      }
      await clock.advance(100);
    }
    await clock.advance(500);
    const counts = (shown.at(-1) ?? []).map(({ ink }) => ink.flatMap((one) => one.points).length);
    expect(counts).toHaveLength(100);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(800);
    expect(Math.max(...counts)).toBeLessThanOrEqual(40_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(120_000);
  },
);

test("LIV-30 of a flood of drags the last 200 objects on the board are shown, and of others none", async () => {
  const { clock, player, shown } = createBench();
  const at = { top: 2, scaleX: 1, scaleY: 1, angle: 0 };
  const flood = (tick: number, author: string): void => {
    const drags = Array.from({ length: 150 }, (_, left) => ({
      ...{ ...at, left, id: `${author}-${tick * 150 + left}` as ObjectId },
    }));
    player.receive({ clientId: "flood", tick, ink: [], drags });
  };
  const dragged = () => shown.at(-1)?.flatMap(({ drags }) => drags.map(({ id }) => id)) ?? [];
  for (let tick = 1; tick <= 20; tick += 1) flood(tick, "absent");
  await clock.advance(100);
  expect(dragged()).toEqual([]);
  for (let tick = 21; tick <= 40; tick += 1) flood(tick, "board");
  await clock.advance(100);
  expect(dragged()).toEqual(Array.from({ length: 200 }, (_, n) => `board-${41 * 150 - 200 + n}`));
});

const presence = (online: number, ...names: readonly string[]): Presence => ({
  ...{ online, allPartial: true },
  peers: new Map(names.map((name) => [name, undefined])),
});
const pointer = { x: 1, y: 1 };

test("LIV-60 names that are in no presence take no place and count for no rate, and who comes online is shown", async () => {
  const { clock, player, shown } = createBench();
  player.keep(presence(2, "ben"));
  const receiveAll = (tick: number): void => {
    for (let one = 0; one < 100; one += 1)
      player.receive({ clientId: `invented${one}`, tick, ink: [], pointer });
    for (const clientId of ["ben", "cat"]) player.receive({ clientId, tick, ink: [], pointer });
  };
  const shownIds = () => shown.at(-1)?.map(({ clientId }) => clientId);
  receiveAll(1);
  await clock.advance(100);
  expect([shownIds(), player.senders]).toEqual([["ben"], 1]);
  player.keep(presence(3, "ben", "cat"));
  receiveAll(2);
  await clock.advance(100);
  expect([shownIds(), player.senders]).toEqual([["ben", "cat"], 2]);
});

test("LIV-60 in a crowd a listed peer takes the place of one that is not listed", async () => {
  const { clock, player, shown } = createBench();
  player.keep(presence(300, "ben", "cat"));
  const receive = (clientId: string): void =>
    player.receive({ clientId, tick: 1, ink: [], pointer });
  receive("ben");
  for (let one = 0; one < 100; one += 1) receive(`unlisted${one}`);
  receive("cat");
  await clock.advance(100);
  const ids = new Set(shown.at(-1)?.map(({ clientId }) => clientId));
  expect(ids.size).toBe(100);
  expect([ids.has("ben"), ids.has("cat")]).toEqual([true, true]);
});

test("LIV-61 on a hidden page, which has no frames, it is known where a peer that rests was last", async () => {
  const clock = { ...createFakeClock(), requestFrame: () => 1, cancelFrame: () => undefined };
  const player = createLivePlayer({ clock, hasObject: () => false });
  const shown: (readonly PeerView[])[] = [];
  player.onPeers((views) => shown.push(views));
  for (const [tick, x] of [1, 500].entries())
    player.receive({ clientId: "ben", tick: tick + 1, ink: [], pointer: { x, y: 7 } });
  await clock.advance(10_000);
  expect(shown.map(([ben]) => ben?.pointer)).toEqual([{ x: 500, y: 7 }]);
  player.stop();
});
