import { expect, test } from "vitest";
import { parseLive, type LiveMessage } from "../../../board/messages.ts";
import type { ObjectId } from "../../../board/drawing.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import { createTestBed, stroke, type Visit } from "../../../testing/sync/test-bed.ts";
import { createLiveSender } from "./live-sender.ts";
import { SILENCE } from "./peer-preview.ts";

const ID = "abcben-0" as ObjectId;
/** Milliseconds from an activity to its message (LIV-4). */
const LEAD = 20;

test("LIV-10 peers see a stroke while it is drawn, and one who joins in the middle sees the rest of it", async () => {
  const bed = createTestBed();
  const received = new Map<string, number>();
  const watch = ({ name, client }: Visit): void => {
    client.onPeers((peers) => received.set(name, peers[0]?.ink[0]?.points.length ?? 0));
  };
  const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
  watch(ben);
  await bed.clock.advance(1000);
  ann.client.live.inkStart("s", "#ff0000", 3);
  const draw = async (from: number): Promise<void> => {
    for (let at = from; at < from + 60; at += 1) {
      ann.client.live.inkPoints("s", [at * 5, 100 + 40 * Math.sin(at)]);
      await bed.clock.advance(16);
    }
  };
  await draw(0);
  expect(received.get("ben")).toBeGreaterThan(40);
  const cat = bed.visit("cat");
  watch(cat);
  await draw(60);
  expect(received.get("cat")).toBeGreaterThan(10);
  const [object] = ann.client.editor.add([stroke()]);
  ann.client.live.inkEnd("s", object?.id ?? null);
  await bed.clock.advance(1500);
  expect([...received.values()]).toEqual([0, 0]);
});

test("LIV-30 fading ink stays while its author writes on and for 2 s after, all of it, and becomes no object", async () => {
  const bed = createTestBed();
  const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
  let looks: unknown[] = [];
  ben.client.onPeers((peers) => (looks = peers.flatMap(({ ink }) => ink.map(({ look }) => look))));
  await bed.clock.advance(1000);
  const draw = async (name: string): Promise<void> => {
    ann.client.live.inkStart(name, "#ff0000", 6, "fading");
    ann.client.live.inkPoints(name, [1, 1, 50, 50]);
    await bed.clock.advance(200);
    ann.client.live.inkEnd(name, "fades");
    await bed.clock.advance(1300);
  };
  for (let count = 0; count < 12; count++) await draw(`s${count}`);
  expect(looks).toEqual(Array.from({ length: 12 }, () => "fading"));
  await bed.clock.advance(SILENCE);
  expect(looks).toEqual([]);
  expect(ben.client.objects()).toEqual([]);
});

test.each(["ink", "highlighter", "fading"] as const)(
  "LIV-30 %s that is cancelled is shown no more, and finished fading ink beside it stays its time",
  async (look) => {
    const bed = createTestBed();
    const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
    let shown: unknown[] = [];
    ben.client.onPeers(
      (peers) => (shown = peers.flatMap(({ ink }) => ink.map((one) => one.stroke))),
    );
    await bed.clock.advance(1000);
    const { live } = ann.client;
    for (const [name, as, end] of [
      ["first", "fading", "fades"],
      ["second", look, null],
    ] as const) {
      live.inkStart(name, "#ff0000", 6, as);
      live.inkPoints(name, [1, 1, 50, 50]);
      await bed.clock.advance(200);
      expect(shown).toContain(name);
      live.inkEnd(name, end);
      await bed.clock.advance(400);
    }
    expect(shown).toEqual(["first"]);
    await bed.clock.advance(SILENCE);
    expect(shown).toEqual([]);
  },
);

test("LIV-4 a tick that could not be sent is not counted, and the next one need not wait", async () => {
  const clock = createFakeClock();
  const ticks: number[] = [];
  let joined = false;
  const sender = createLiveSender({
    clock,
    clientId: "ann",
    rate: () => 10,
    send(message) {
      if (joined) ticks.push(message.n);
      return joined;
    },
  });
  sender.sink.pointer({ x: 1, y: 1 });
  await clock.advance(LEAD);
  joined = true;
  sender.sink.pointer({ x: 2, y: 2 });
  expect(ticks).toEqual([]);
  await clock.advance(LEAD);
  expect(ticks).toEqual([1]);
  sender.sink.pointer({ x: 3, y: 3 });
  await clock.advance(LEAD);
  expect(ticks).toEqual([1]);
  await clock.advance(100 - LEAD);
  expect(ticks).toEqual([1, 2]);
  sender.stop();
});

test("LIV-7 a client whose pen is down and does not move says so once a second, so that its ink stays", async () => {
  const bed = createTestBed();
  const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
  let ink = 0;
  ben.client.onPeers((peers) => (ink = peers[0]?.ink.length ?? 0));
  await bed.clock.advance(1000);
  ann.client.live.inkStart("s", "#ff0000", 3);
  ann.client.live.inkPoints("s", [1, 1, 2, 2]);
  await bed.clock.advance(30_000);
  expect(ink).toBe(1);
  // The stroke of a key rests while the mouse moves.
  for (let x = 0; x < 50; x++) {
    ann.client.live.pointer({ x, y: 1 });
    await bed.clock.advance(100);
    expect(ink).toBe(1);
  }
  ann.kill();
  await bed.clock.advance(SILENCE + 1000);
  expect(ink).toBe(0);
});

test("LIV-7 a drag and a line that rest are sent again each second, also while the pointer moves, so that each stays until it is over", async () => {
  const bed = createTestBed();
  const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
  let dragged: unknown[] = [];
  let lines: unknown[] = [];
  ben.client.onPeers((peers) => {
    dragged = peers.flatMap(({ drags }) => drags);
    lines = peers.flatMap(({ line }) => line ?? []);
  });
  const [object] = ann.client.editor.add([stroke()]);
  await bed.clock.advance(2000);
  const drag = { id: object?.id as ObjectId, left: 5, top: 6, scaleX: 1, scaleY: 1, angle: 0 };
  const line = { color: "#ff0000", width: 3, points: [0, 0, 100, 50] };
  ann.client.live.line(line);
  ann.client.live.drag([drag]);
  await bed.clock.advance(30_000);
  for (let x = 0; x < 50; x++) {
    ann.client.live.pointer({ x, y: 1 });
    await bed.clock.advance(100);
    expect([dragged, lines]).toMatchObject([[drag], [line]]);
  }
  ann.client.live.drag([]);
  await bed.clock.advance(SILENCE + 1000);
  expect([dragged, lines]).toMatchObject([[], [line]]);
  ann.client.live.line(null);
  await bed.clock.advance(500);
  expect(lines).toEqual([]);
});

test("LIV-10 a selection is sent when it changes, to each client that joins, and with later messages", async () => {
  const clock = createFakeClock();
  const sent: unknown[] = [];
  let joined = true;
  const sender = createLiveSender({
    clock,
    clientId: "ann",
    rate: () => 10,
    send(message) {
      if (joined) sent.push(parseLive(message));
      return joined;
    },
  });
  const selected = () =>
    sent.splice(0).map((live) => (live as { value: LiveMessage }).value.selected?.length);
  sender.sink.select([]);
  await clock.advance(1000);
  expect(selected()).toEqual([]);
  sender.sink.select(Array.from({ length: 10_000 }, (_, at) => `abcann-${at}` as ObjectId));
  await clock.advance(60_000);
  expect(selected()).toEqual([200]);
  sender.sink.pointer({ x: 1, y: 1 });
  await clock.advance(1000);
  sender.sink.pointer({ x: 2, y: 1 });
  await clock.advance(1000);
  expect(selected()).toEqual([200, undefined]);
  sender.repeatSelection();
  await clock.advance(1000);
  expect(selected()).toEqual([200]);
  sender.sink.select([ID]);
  await clock.advance(LEAD);
  sender.sink.select([]);
  await clock.advance(1000);
  expect(selected()).toEqual([1, 0]);
  sender.repeatSelection();
  await clock.advance(60_000);
  expect(selected()).toEqual([]);
  // What could not be sent goes with the next message.
  joined = false;
  sender.sink.select([ID]);
  await clock.advance(LEAD);
  joined = true;
  sender.sink.pointer({ x: 3, y: 1 });
  await clock.advance(1000);
  expect(selected()).toEqual([1]);
  expect(clock.pending).toBe(0);
  sender.stop();
});
