import fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectId } from "../../../board/drawing.ts";
import type { LiveLine } from "../../../board/live.ts";
import { encodeLive, parseLive, type LiveMessage } from "../../../board/messages.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import { createLiveSender } from "./live-sender.ts";
import {
  createPeerPreview,
  playFrame,
  receiveLive,
  removeArrived,
  removeExpired,
  viewOf,
} from "./peer-preview.ts";

const ID = "aaaaaa-1" as ObjectId;
const LINE: LiveLine = { color: "#ff0000", width: 3, points: [0, 0, 100, 50] };
const none = () => false;

function onWire(message: LiveMessage): LiveMessage {
  const parsed = parseLive(JSON.parse(JSON.stringify(encodeLive(message))));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const message = (tick: number, line: NonNullable<LiveMessage["line"]>): LiveMessage =>
  onWire({ clientId: "c1", tick, ink: [], line });

test("PNT-62 a line and an arrow travel with their ends, and where they end", () => {
  for (const line of [LINE, { ...LINE, points: [0, 0, 50, 0, 40, 5, 50, 0, 40, -5.5], of: ID }])
    expect(message(1, line).line).toEqual(line);
  expect(message(1, { end: ID }).line).toEqual({ end: ID });
  expect(message(1, { end: null }).line).toEqual({ end: null });
});

test("PNT-62 of a line that is malformed, too long or off the map nothing is shown", () => {
  const far = "g".repeat(20);
  for (const l of [
    ...[
      [],
      ["AA"],
      ["AAAA", "#ff0000"],
      ["AAAA", "red;", 3],
      ["AAAA", "#ff0000", -1],
      "x y",
      7,
      {},
    ],
    ...[
      ["AAAA", "#ff0000", 1001],
      ["AAAA", "#ff0000", 3, "__proto__ x"],
      ["AA", "#ff0000", 3],
    ],
    ...[
      ["A".repeat(34), "#ff0000", 3],
      [`${far}AAA`, "#ff0000", 3],
      ["AAAA", "#ff0000", 3, ID, 1],
    ],
    ...[
      ["A".repeat(100_000), "#ff0000", 3],
      [null, "#ff0000", 3],
      ["AAAA", "#ff0000", null],
    ],
  ])
    expect(parseLive({ clientId: "c1", n: 1, l }).ok, JSON.stringify(l)?.slice(0, 60)).toBe(false);
});

test("PNT-62 for any line of a message its parser does not throw, and bounds the points that it accepts", () => {
  fc.assert(
    fc.property(fc.anything(), (l) => {
      const parsed = parseLive({ clientId: "c1", n: 1, l });
      if (!parsed.ok || !parsed.value.line || "end" in parsed.value.line) return;
      expect(parsed.value.line.points.length).toBeLessThanOrEqual(16);
    }),
  );
});

test("PNT-62 a line follows the last message, and stays until its object is on the board", () => {
  const preview = createPeerPreview("c1", 0);
  receiveLive(preview, message(1, LINE), 0, none);
  expect(viewOf(preview, 0)?.line).toEqual({ ...LINE, of: undefined });
  receiveLive(preview, message(2, { ...LINE, points: [0, 0, 100, 150] }), 60, none);
  expect(playFrame(preview, 70, 10, none)).toBe(true);
  const [, , , y = 0] = viewOf(preview, 90)?.line?.points ?? [];
  expect(y > 50 && y < 150).toBe(true);
  expect(viewOf(preview, 1000)?.line?.points).toEqual([0, 0, 100, 150]);
  receiveLive(preview, message(3, { end: ID }), 1000, none);
  playFrame(preview, 1010, 10, none);
  expect(viewOf(preview, 1010)?.line).toBeDefined();
  playFrame(preview, 1020, 10, (id) => id === ID);
  expect(viewOf(preview, 1020)).toBeNull();
});

test("PNT-62 a line whose end is moved stays until the change arrives, or for 2 s", () => {
  for (const arrives of [true, false]) {
    const preview = createPeerPreview("c1", 0);
    receiveLive(preview, message(1, { ...LINE, of: ID }), 0, none);
    receiveLive(preview, message(2, { end: ID }), 100, none);
    playFrame(preview, 110, 10, () => true);
    expect(viewOf(preview, 110)?.line?.of).toBe(ID);
    if (arrives) expect(removeArrived(preview, new Set([ID]))).toBe(true);
    else removeExpired(preview, 2_100);
    expect(preview.line).toBeNull();
  }
});

test("PNT-62 a line that is given up disappears at once, and an overtaken message brings none back", () => {
  const preview = createPeerPreview("c1", 0);
  receiveLive(preview, message(2, LINE), 0, none);
  receiveLive(preview, message(3, { end: null }), 10, none);
  receiveLive(preview, message(1, LINE), 20, none);
  receiveLive(preview, message(3, LINE), 20, none);
  expect(viewOf(preview, 20)).toBeNull();
});

test("PNT-62 a line is sent as it is now, again each second while it rests, and once when it is over", async () => {
  const clock = createFakeClock();
  const sent: ReturnType<typeof encodeLive>[] = [];
  const { sink, stop } = createLiveSender({
    clock,
    clientId: "c1",
    rate: () => 20,
    send: (one) => sent.push(one) > 0,
  });
  sink.line(null, ID);
  sink.line(LINE);
  for (let y = 0; y < 40; y++) sink.line({ ...LINE, points: [0, 0, 100, y] });
  await clock.advance(200);
  const last = encodeLive({
    clientId: "c1",
    tick: 1,
    ink: [],
    line: { ...LINE, points: [0, 0, 100, 39] },
  });
  expect(sent.at(-1)?.l).toEqual(last.l);
  expect(sent.length).toBeLessThan(4);
  const before = sent.length;
  await clock.advance(1_500);
  expect(sent.slice(before).map(({ l }) => l)).toEqual([last.l]);
  sink.line(null, ID);
  await clock.advance(200);
  expect(sent.at(-1)?.l).toBe(ID);
  await clock.advance(5_000);
  expect(sent).toHaveLength(before + 2);
  stop();
});
