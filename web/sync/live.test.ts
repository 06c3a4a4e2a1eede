import { describe, expect, test } from "vitest";
import { encodeLive, parseLive, type CanvasLive } from "../../board/live-wire.ts";
import type { ObjectId } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { createHandClock, type HandClock } from "../../testing/clock.ts";
import { createPlace, stroke, type Visit } from "../../testing/rooms.ts";
import { createLivePlayer, SILENCE, type LivePlayer } from "./live-play.ts";

interface Stage {
  readonly clock: HandClock;
  readonly player: LivePlayer;
  readonly shown: (readonly PeerView[])[];
  readonly objects: Set<ObjectId>;
  /** As it comes over the wire. */
  hear(live: Partial<CanvasLive> & { readonly tick: number }): void;
  readonly last: () => PeerView | undefined;
}

function createStage(): Stage {
  const clock = createHandClock();
  const shown: (readonly PeerView[])[] = [];
  const objects = new Set<ObjectId>();
  const player = createLivePlayer({
    clock,
    hasObject: (id) => objects.has(id),
    onPeers: (views) =>
      shown.push(
        views.map((view) => ({
          ...view,
          ink: view.ink.map((ink) => ({ ...ink, points: [...ink.points] })),
        })),
      ),
  });
  return {
    clock,
    player,
    shown,
    objects,
    hear(live) {
      const wire: unknown = JSON.parse(
        JSON.stringify(encodeLive({ clientId: "ben", ink: [], ...live })),
      );
      const parsed = parseLive(wire);
      if (!parsed.ok) throw new Error(parsed.reason);
      player.heard(parsed.value);
    },
    last: () => shown.at(-1)?.[0],
  };
}

const ID = "abcben-0" as ObjectId;
const line = (from: number, count: number): number[] =>
  Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? from + at / 2 : 7));

describe("what the others are doing", () => {
  test("LIV-4 ink is played through a buffer: points that come in jerks appear little by little, in order", async () => {
    const { clock, hear, shown } = createStage();
    for (let tick = 1; tick <= 20; tick += 1) {
      hear({
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

  test("LIV-5 a doubled or overtaken message adds nothing, and over a lost one the ink goes on", async () => {
    const { clock, hear, last } = createStage();
    hear({
      tick: 1,
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3 }],
    });
    hear({
      tick: 1,
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3 }],
    });
    hear({
      tick: 3,
      ink: [{ stroke: "s", offset: 8, points: line(8, 2) }],
      pointer: { x: 1, y: 1 },
    });
    hear({ tick: 2, pointer: { x: 999, y: 999 } });
    await clock.advance(500);
    expect(last()?.ink[0]?.points).toEqual([...line(0, 4), ...line(8, 2)]);
    expect(last()?.pointer?.x).not.toBe(999);
  });

  test("LIV-6 a preview goes when the finished object arrives, in the same moment", async () => {
    const { clock, hear, last, shown, player, objects } = createStage();
    hear({
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
    // The other way round: the object was there before the stroke's end.
    hear({
      tick: 2,
      ink: [{ stroke: "t", offset: 0, points: line(0, 4), color: "#000000", width: 3, end: ID }],
    });
    await clock.advance(300);
    expect(last()?.ink).toEqual([]);
  });

  test("LIV-7 a preview is gone 2 s after its author fell silent, and at once when they leave", async () => {
    const { clock, hear, shown, player } = createStage();
    hear({
      tick: 1,
      pointer: { x: 5, y: 5 },
      ink: [{ stroke: "s", offset: 0, points: line(0, 4), color: "#000000", width: 3 }],
    });
    await clock.advance(SILENCE - 50);
    expect(shown.at(-1)).toHaveLength(1);
    await clock.advance(100);
    expect(shown.at(-1)).toEqual([]);
    hear({ tick: 2, pointer: { x: 5, y: 5 } });
    await clock.advance(100);
    expect(shown.at(-1)).toHaveLength(1);
    player.keep(() => false);
    await clock.advance(50);
    expect(shown.at(-1)).toEqual([]);
    expect(clock.pending).toBe(1);
    player.stop();
    expect(clock.pending).toBe(0);
  });

  test("LIV-8 a dragged object stays where it was put down until its change arrives, at most 2 s", async () => {
    const { clock, hear, last, player } = createStage();
    const place = { id: ID, left: 10, top: 10, scaleX: 1, scaleY: 1, angle: 0 };
    hear({ tick: 1, drags: [place] });
    hear({ tick: 2, drags: [{ ...place, left: 50 }] });
    await clock.advance(200);
    expect(last()?.drags).toMatchObject([{ left: 50 }]);
    hear({ tick: 3, drags: [] });
    await clock.advance(200);
    expect(last()?.drags).toMatchObject([{ left: 50 }]);
    player.arrived([ID]);
    expect(last()?.drags ?? []).toEqual([]);
    hear({ tick: 4, drags: [place] });
    hear({ tick: 5, drags: [] });
    for (let tick = 6; tick < 40; tick += 1) {
      hear({ tick, pointer: { x: tick, y: 1 } });
      await clock.advance(100);
    }
    expect(last()?.drags).toEqual([]);
  });

  test("LIV-9 pictures are asked for only while something moves", async () => {
    const { clock, hear, shown } = createStage();
    hear({ tick: 1, pointer: { x: 5, y: 5 } });
    await clock.advance(500);
    const { length } = shown;
    await clock.advance(1000);
    expect(shown).toHaveLength(length);
  });

  test("a flood of invented people and strokes is bounded", async () => {
    const { clock, player, shown } = createStage();
    for (let count = 0; count < 1000; count += 1) {
      for (let one = 0; one < 20; one += 1) {
        player.heard({
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

  test("LIV-10 the others see a stroke while it is drawn, and somebody who comes in the middle sees its rest", async () => {
    const place = createPlace();
    const seen = new Map<string, number>();
    const watch = ({ name, room }: Visit): void => {
      room.onPeers((peers) => seen.set(name, peers[0]?.ink[0]?.points.length ?? 0));
    };
    const [ann, ben] = [place.visit("ann"), place.visit("ben")];
    watch(ben);
    await place.clock.advance(1000);
    ann.room.live.inkStart("s", "#ff0000", 3);
    const draw = async (from: number): Promise<void> => {
      for (let at = from; at < from + 60; at += 1) {
        ann.room.live.inkPoints("s", [at * 5, 100 + 40 * Math.sin(at)]);
        await place.clock.advance(16);
      }
    };
    await draw(0);
    expect(seen.get("ben")).toBeGreaterThan(40);
    const cat = place.visit("cat");
    watch(cat);
    await draw(60);
    expect(seen.get("cat")).toBeGreaterThan(10);
    const [object] = ann.room.editor.add([stroke()]);
    ann.room.live.inkEnd("s", object?.id ?? null);
    await place.clock.advance(1500);
    expect([...seen.values()]).toEqual([0, 0]);
  });

  test("LIV-11 somebody who holds the pen still says so once a second, so that their ink stays", async () => {
    const place = createPlace();
    const [ann, ben] = [place.visit("ann"), place.visit("ben")];
    let ink = 0;
    ben.room.onPeers((peers) => (ink = peers[0]?.ink.length ?? 0));
    await place.clock.advance(1000);
    ann.room.live.inkStart("s", "#ff0000", 3);
    ann.room.live.inkPoints("s", [1, 1, 2, 2]);
    await place.clock.advance(30_000);
    expect(ink).toBe(1);
    ann.kill();
    await place.clock.advance(SILENCE + 1000);
    expect(ink).toBe(0);
  });
});
