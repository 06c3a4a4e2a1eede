import { describe, expect, test } from "vitest";
import { encodeLive, EVENTS, type LiveMessage } from "../../../board/messages.ts";
import { SUMMARY_EVENT } from "../../../board/presence-summary.ts";
import type { PeerView } from "../../../board/live.ts";
import { createTestBed, stroke, type TestBed, type Visit } from "../../../testing/sync/test-bed.ts";
import type { ChannelEvents } from "../environment/backend.ts";

/** A client whose channel's events the test makes as well. */
function enter(bed: TestBed, name: string): Visit & { readonly events: ChannelEvents } {
  const made: ChannelEvents[] = [];
  const openBackend = () => {
    const backend = bed.backend.open(name);
    return {
      ...backend,
      unloadLimit: 0,
      openChannel(key: string, events: ChannelEvents) {
        made.push(events);
        // What the server says of who is online is the test's.
        return backend.openChannel(key, { ...events, presence: () => undefined });
      },
    };
  };
  const visit = bed.visit(name, undefined, { openBackend }, { liveBudget: 50_000 });
  return {
    ...visit,
    get events() {
      return made.at(-1)!;
    },
  };
}

const people = (count: number) => Array.from({ length: count }, (_, n) => [`id${n}`, `Name ${n}`]);

const live = (clientId: string, more: Partial<LiveMessage> = {}) =>
  encodeLive({ clientId, tick: 1, ink: [], ...more });

describe("a page in a crowd", () => {
  test("UI-2 the number online is that of the summary, and the first of them are listed, until the server sends all again", async () => {
    const bed = createTestBed();
    const { client, events, notices } = enter(bed, "ann");
    await bed.clock.advance(1000);
    const now = client.presence.get;
    events.summary!({ online: 300, plain: 0, people: [[client.clientId], ...people(99)] });
    await bed.clock.advance(1);
    expect([now().online, now().peers.size, now().allPartial]).toEqual([300, 99, true]);
    expect(now().peers.get("id7")).toBe("Name 7");
    events.summary!({ online: 1000, plain: 2 });
    await bed.clock.advance(1);
    expect([now().online, now().peers.size, now().allPartial]).toEqual([1000, 99, false]);
    for (const bad of [
      null,
      [],
      { online: -1, plain: 0 },
      { online: 1.5, plain: 0 },
      { online: 2 },
    ])
      events.summary!(bad);
    await bed.clock.advance(1);
    expect(now().online).toBe(1000);
    events.summary!({
      online: 400,
      plain: 0,
      people: [["bad id"], 5, ["ok", "\u202eDr Who"], ["x".repeat(65)], ...people(200)],
    });
    await bed.clock.advance(1);
    expect(now().peers.size).toBe(97);
    expect(now().peers.get("ok")).toBe("Dr Who");
    // Nobody of those who are listed now has joined now.
    expect(notices).toEqual([]);
    const meta = { online_at: new Date(0).toISOString(), partial: true };
    events.presence(
      new Map([[client.clientId, [meta]], ...people(3).map(([id]) => [id!, [meta]] as const)]),
    );
    expect([now().online, now().peers.size]).toEqual([4, 3]);
    expect(notices).toEqual([]);
  });

  test("LIV-10 the actions of an unlisted peer are shown while it sends", async () => {
    const bed = createTestBed();
    const { client, events } = enter(bed, "ann");
    let shown: readonly PeerView[] = [];
    client.onPeers((peers) => (shown = peers));
    await bed.clock.advance(1000);
    events.summary!({ online: 300, plain: 0, people: people(100) });
    await bed.clock.advance(1);
    const line = Array.from({ length: 8 }, (_, at) => at);
    const ink = [{ stroke: "s", offset: 0, points: line, color: "#000000", width: 3 }];
    events.broadcast(EVENTS.live, live("stranger", { ink, selected: [] }));
    events.broadcast(EVENTS.live, live("other", { pointer: { x: 4, y: 5 } }));
    events.broadcast(EVENTS.live, live("id7", { selected: ["a-1" as never] }));
    await bed.clock.advance(200);
    expect(shown.map(({ clientId }) => clientId)).toEqual(["stranger", "other", "id7"]);
    expect(shown[0]?.ink.length).toBe(1);
    expect(shown[1]?.pointer).toEqual({ x: 4, y: 5 });
    expect(shown[2]).toMatchObject({ name: "Name 7", selected: ["a-1"] });
    events.summary!({ online: 301, plain: 0, people: people(90) });
    await bed.clock.advance(500);
    expect(shown.length).toBe(3);
    await bed.clock.advance(3000);
    expect(shown.map(({ clientId }) => clientId)).toEqual(["id7"]);
  });

  test("LIV-2 with 300 people of whom 10 draw and all others point, the page sends ink 10 times a second, and with nothing to draw no pointer", async () => {
    const bed = createTestBed();
    const { client, events } = enter(bed, "ann");
    await bed.clock.advance(1000);
    events.summary!({ online: 300, plain: 0, people: people(100) });
    await bed.clock.advance(1);
    const sent = () => bed.backend.wire.filter(({ event }) => event === EVENTS.live).length;
    let tick = 0;
    const second = async (draws: boolean): Promise<number> => {
      const before = sent();
      for (let at = 0; at < 60; at += 1) {
        tick += 1;
        const points = [tick * 3, 100 + 40 * Math.sin(tick), tick * 3 + 1, 100];
        for (let n = 0; n < 9; n += 1)
          events.broadcast(
            EVENTS.live,
            live(`draws${n}`, {
              tick,
              ink: [{ stroke: "s", offset: tick * 2, points, color: "#000000", width: 3 }],
            }),
          );
        for (let n = 0; n < 80; n += 1)
          events.broadcast(EVENTS.live, live(`points${n}`, { tick, pointer: { x: tick, y: n } }));
        if (draws) client.live.inkPoints("mine", points);
        client.live.pointer({ x: tick, y: 1 });
        await bed.clock.advance(1000 / 60);
      }
      return sent() - before;
    };
    await second(false);
    expect(await second(false)).toBe(0);
    client.live.inkStart("mine", "#ff0000", 3);
    await second(true);
    expect(await second(true)).toBeGreaterThanOrEqual(10);
  });

  test("SAV-13 a client that stays saves the changes that an unlisted peer did not save in 70 s", async () => {
    const bed = createTestBed();
    const ben = bed.visit("ben");
    const { client, events } = enter(bed, "ann");
    await bed.clock.advance(8000);
    events.summary!({ online: 300, plain: 0, people: people(100) });
    await bed.clock.advance(1);
    const saves = () => bed.backend.counts.updates + bed.backend.counts.inserts;
    const before = saves();
    ben.client.editor.add([stroke()]);
    await bed.clock.advance(1000);
    expect(client.objects().length).toBe(1);
    ben.kill();
    await bed.clock.advance(60_000);
    expect(saves()).toBe(before);
    await bed.clock.advance(700_000);
    expect(saves()).toBe(before + 1);
    expect(bed.backend.row?.text).toContain("Path");
  });

  test("UI-21 a client that leaves a crowd while it merges a large update leaves no timer", async () => {
    const bed = createTestBed();
    const { client, events } = enter(bed, "ann");
    await bed.clock.advance(8000);
    events.summary!({ online: 300, plain: 0, people: people(100) });
    const objects = Array.from({ length: 1000 }, (_, at) => ({
      ...stroke(at),
      id: `bob-${at}`,
      z: at,
    }));
    const json = { version: "7.4.0", objects, inkpool: { format: 1, seen: {}, partial: true } };
    events.broadcast(EVENTS.update, { clientId: "stranger", json });
    await client.dispose();
    await bed.clock.advance(30_000);
    expect(bed.clock.pending).toBe(0);
  });

  test("RT-46 a peer's broadcast is never taken for a summary", async () => {
    const bed = createTestBed();
    const { client, events } = enter(bed, "ann");
    await bed.clock.advance(1000);
    events.broadcast(SUMMARY_EVENT, { online: 300, plain: 300, people: people(100) });
    await bed.clock.advance(100);
    expect(client.presence.get()).toEqual({ online: 1, peers: new Map(), allPartial: true });
  });
});
