import { describe, expect, test } from "vitest";
import { encodeLive, parseLive, type LiveMessage } from "../../../board/messages.ts";
import type { ObjectId } from "../../../board/drawing.ts";
import type { PeerView } from "../../../board/live.ts";
import { createFakeClock, type FakeClock } from "../../../testing/sync/clock.ts";
import { createLivePlayer, type LivePlayer } from "./live-player.ts";
import { SILENCE } from "./peer-preview.ts";
import type { Presence } from "./peers.ts";

interface PlayerBench {
  readonly clock: FakeClock;
  readonly player: LivePlayer;
  readonly shown: (readonly PeerView[])[];
  readonly objects: Set<ObjectId>;
  /** Encoded and parsed, as a message comes over the wire. */
  readonly receive: (live: Partial<LiveMessage> & { readonly tick: number }) => void;
  readonly last: () => PeerView | undefined;
}

function createBench(): PlayerBench {
  const clock = createFakeClock();
  const shown: (readonly PeerView[])[] = [];
  const objects = new Set<ObjectId>();
  const player = createLivePlayer({ clock, hasObject: (id) => objects.has(id) });
  player.onPeers((views) => {
    shown.push(
      views.map((view) => ({
        ...view,
        ink: view.ink.map((ink) => ({ ...ink, points: [...ink.points] })),
      })),
    );
  });
  return {
    clock,
    player,
    shown,
    objects,
    receive(live) {
      const wire: unknown = JSON.parse(
        JSON.stringify(encodeLive({ clientId: "ben", ink: [], ...live })),
      );
      const parsed = parseLive(wire);
      if (!parsed.ok) throw new Error(parsed.reason);
      player.receive(parsed.value);
    },
    last: () => shown.at(-1)?.[0],
  };
}

const ID = "abcben-0" as ObjectId;
const line = (from: number, count: number): number[] =>
  Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? from + at / 2 : 7));

/** The presence of these peers and nobody else. */
const listed = (peers: ReadonlyMap<string, string | undefined>): Presence => ({
  online: peers.size + 1,
  peers,
  allPartial: true,
});

describe("the actions of peers", () => {
  test("LIV-4 ink is played through a buffer: points that arrive unevenly appear little by little, in order", async () => {
    const { clock, receive, shown } = createBench();
    for (let tick = 1; tick <= 20; tick += 1) {
      receive({
        tick,
        ink: [
          {
            stroke: "s",
            offset: (tick - 1) * 12,
            points: line((tick - 1) * 12, 12),
            ...(tick === 1 ? { color: "#ff0000", width: 3 } : {}),
          },
        ],
      });
      // A jittering network: now early, now late.
      await clock.advance(tick % 2 === 0 ? 30 : 90);
    }
    await clock.advance(300);
    const lengths = shown.map((views) => (views[0]?.ink[0]?.points.length ?? 0) / 2);
    const steps = lengths.slice(1).map((length, at) => length - (lengths[at] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps)).toBeLessThan(12);
    expect(shown.at(-1)?.[0]?.ink[0]?.points).toEqual(line(0, 240));
    expect(shown.length).toBeGreaterThan(40);
  });

  test("LIV-4 a doubled or overtaken message adds nothing, and over a lost one the ink goes on", async () => {
    const { clock, receive, last } = createBench();
    receive({
      tick: 1,
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3 }],
    });
    receive({
      tick: 1,
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3 }],
    });
    receive({
      tick: 3,
      ink: [{ stroke: "s", offset: 8, points: line(8, 2) }],
      pointer: { x: 1, y: 1 },
    });
    receive({ tick: 2, pointer: { x: 999, y: 999 } });
    await clock.advance(500);
    expect(last()?.ink[0]?.points).toEqual([...line(0, 4), ...line(8, 2)]);
    expect(last()?.pointer?.x).not.toBe(999);
  });

  test("LIV-6 a preview goes when the finished object arrives, in the same frame", async () => {
    const { clock, receive, last, shown, player, objects } = createBench();
    receive({
      tick: 1,
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3, end: ID }],
    });
    await clock.advance(200);
    expect(last()?.ink).toHaveLength(1);
    const before = shown.length;
    objects.add(ID);
    player.arrived([ID]);
    expect(shown.length).toBe(before + 1);
    expect(last()?.ink).toEqual([]);
    // The other way round: the object arrives before the end of the stroke.
    receive({
      tick: 2,
      ink: [{ stroke: "t", offset: 0, points: line(0, 4), color: "#000000", width: 3, end: ID }],
    });
    await clock.advance(300);
    expect(last()?.ink).toEqual([]);
  });

  test("LIV-7 a preview is gone 2 s after the last message of its peer, and at once when the peer leaves", async () => {
    const { clock, receive, shown, player } = createBench();
    receive({
      tick: 1,
      pointer: { x: 5, y: 5 },
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3 }],
    });
    await clock.advance(SILENCE - 50);
    expect(shown.at(-1)).toHaveLength(1);
    await clock.advance(100);
    expect(shown.at(-1)).toEqual([]);
    receive({ tick: 2, pointer: { x: 5, y: 5 } });
    await clock.advance(100);
    expect(shown.at(-1)).toHaveLength(1);
    expect(player.senders).toBe(1);
    player.keep(listed(new Map()));
    await clock.advance(50);
    expect(shown.at(-1)).toEqual([]);
    expect(clock.pending).toBe(1);
    player.stop();
    expect(clock.pending).toBe(0);
  });

  test("LIV-7 a peer that is silent for 2 s is forgotten, and nothing more is shown or waits", async () => {
    const { clock, receive, shown, player } = createBench();
    receive({ tick: 1, pointer: { x: 5, y: 5 } });
    await clock.advance(1000);
    player.receive({ clientId: "cat", tick: 1, pointer: { x: 6, y: 6 }, ink: [] });
    expect(player.senders).toBe(2);
    await clock.advance(SILENCE - 900);
    expect([player.senders, shown.at(-1)?.length]).toEqual([1, 1]);
    await clock.advance(1000);
    expect([player.senders, shown.at(-1)?.length]).toEqual([0, 0]);
    const { length } = shown;
    await clock.advance(10_000);
    expect(shown).toHaveLength(length);
    expect(clock.pending).toBe(0);
  });

  test.each(["ink", "highlighter", "fading"] as const)(
    "LIV-7 strokes (%s) whose end was lost disappear while their author goes on, and later ones are shown",
    async (look) => {
      const { clock, receive, last } = createBench();
      const details = { offset: 0, points: line(0, 4), color: "#000000", width: 3, look };
      const pointing = async (from: number): Promise<void> => {
        for (let tick = from; tick < from + 30; tick += 1) {
          receive({ tick, pointer: { x: tick, y: 5 } });
          await clock.advance(100);
        }
      };
      for (let tick = 1; tick <= 10; tick += 1)
        receive({ tick, ink: [{ ...details, stroke: `s${tick}` }] });
      await clock.advance(SILENCE - 100);
      expect(last()?.ink).toHaveLength(10);
      await pointing(11);
      expect(last()?.ink).toEqual([]);
      receive({ tick: 50, ink: [{ ...details, stroke: "later" }] });
      await clock.advance(100);
      expect(last()?.ink).toMatchObject([{ stroke: "later" }]);
    },
  );

  test("LIV-7 a drag and a line whose end was lost disappear while their author goes on", async () => {
    const { clock, receive, last, objects } = createBench();
    objects.add(ID);
    const shape = { color: "#ff0000", width: 3, points: [0, 0, 100, 50] };
    const drag = { id: ID, left: 10, top: 10, scaleX: 1, scaleY: 1, angle: 0 };
    receive({ tick: 1, drags: [drag], line: shape });
    await clock.advance(SILENCE - 100);
    expect(last()).toMatchObject({ drags: [drag], line: shape });
    for (let tick = 2; tick < 32; tick += 1) {
      receive({ tick, pointer: { x: tick, y: 5 } });
      await clock.advance(100);
    }
    expect(last()?.drags).toEqual([]);
    expect(last()?.line).toBeUndefined();
  });

  test("LIV-6 a dragged object stays where it was dropped until its change arrives, at most 2 s", async () => {
    const { clock, receive, last, player, objects } = createBench();
    objects.add(ID);
    const transform = { id: ID, left: 10, top: 10, scaleX: 1, scaleY: 1, angle: 0 };
    receive({ tick: 1, drags: [transform] });
    receive({ tick: 2, drags: [{ ...transform, left: 50 }] });
    await clock.advance(200);
    expect(last()?.drags).toMatchObject([{ left: 50 }]);
    receive({ tick: 3, drags: [] });
    await clock.advance(200);
    expect(last()?.drags).toMatchObject([{ left: 50 }]);
    player.arrived([ID]);
    expect(last()?.drags ?? []).toEqual([]);
    receive({ tick: 4, drags: [transform] });
    receive({ tick: 5, drags: [] });
    for (let tick = 6; tick < 40; tick += 1) {
      receive({ tick, pointer: { x: tick, y: 1 } });
      await clock.advance(100);
    }
    expect(last()?.drags).toEqual([]);
  });

  test("LIV-6 a change of the object ends its drag only after the release, also when it arrives before that", async () => {
    const { clock, receive, last, player, objects } = createBench();
    objects.add(ID);
    const transform = { id: ID, left: 10, top: 10, scaleX: 1, scaleY: 1, angle: 0 };
    receive({ tick: 1, drags: [transform] });
    await clock.advance(200);
    // That of an earlier drag, or of another peer.
    player.arrived([ID]);
    await clock.advance(20);
    expect(last()?.drags).toMatchObject([{ left: 10 }]);
    receive({ tick: 2, drags: [{ ...transform, left: 50 }] });
    receive({ tick: 3, drags: [] });
    await clock.advance(200);
    expect(last()?.drags).toMatchObject([{ left: 50 }]);
    player.arrived([ID]);
    expect(last()?.drags ?? []).toEqual([]);
    receive({ tick: 4, drags: [transform] });
    player.arrived([ID]);
    receive({ tick: 5, drags: [] });
    await clock.advance(20);
    expect(last()?.drags ?? []).toEqual([]);
  });

  test("CAN-20 frames are requested only while something moves", async () => {
    const { clock, receive, shown } = createBench();
    receive({ tick: 1, pointer: { x: 5, y: 5 } });
    await clock.advance(500);
    const { length } = shown;
    await clock.advance(1000);
    expect(shown).toHaveLength(length);
  });

  test("CAN-20 nor when presence changes and everybody who sends stays online", async () => {
    const { clock, receive, player } = createBench();
    receive({ tick: 1, pointer: { x: 5, y: 5 } });
    await clock.advance(500);
    const { pending } = clock;
    player.keep(listed(new Map([["ben", undefined]])));
    expect(clock.pending).toBe(pending);
    player.keep(listed(new Map()));
    expect(clock.pending).toBe(pending + 1);
  });

  test("LIV-10 a selection is shown until its peer deselects or leaves, and that of a peer who is offline never", async () => {
    const { clock, player, receive, shown, last } = createBench();
    receive({ tick: 1, selected: [ID] });
    await clock.advance(100);
    expect(last()).toBeUndefined();
    player.keep(listed(new Map([["ben", undefined]])));
    receive({ tick: 2, selected: [ID] });
    await clock.advance(10 * SILENCE);
    expect(shown.at(-1)).toMatchObject([{ clientId: "ben", pointer: null, selected: [ID] }]);
    expect(clock.pending).toBe(0);
    player.keep(listed(new Map([["ben", "Ben"]])));
    await clock.advance(100);
    expect(last()).toMatchObject({ name: "Ben", selected: [ID] });
    // An overtaken message says what was.
    receive({ tick: 4, selected: [] });
    receive({ tick: 3, selected: [ID] });
    await clock.advance(100);
    expect(shown.at(-1)?.[0]?.selected).toBeUndefined();
    receive({ tick: 5, selected: [ID] });
    await clock.advance(100);
    expect(last()).toMatchObject({ selected: [ID] });
    player.keep(listed(new Map()));
    await clock.advance(100);
    expect(shown.at(-1)).toEqual([]);
    for (let at = 0; at < 10_000; at += 1) receive({ clientId: `x${at}`, tick: 1, selected: [ID] });
    await clock.advance(100);
    expect(shown.at(-1)).toEqual([]);
    player.stop();
  });
});
