import { Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import type { Member } from "../wire/member.ts";
import { Fanout } from "./fanout.ts";
import { BroadcastOut, TextOut, type BroadcastContent } from "../wire/outgoing.ts";
import { headerLength, writeHeader } from "../wire/websocket-frame.ts";

const TOPIC = "realtime:canvas-room";

/** Makes a member with a socket that keeps the very buffers it was given. */
function makeMember(
  version: 1 | 2,
  self = false,
): Member & { readonly chunks: Buffer[]; gone: boolean } {
  const chunks: Buffer[] = [];
  const socket = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const member = {
    receiver: {
      version,
      socket,
      webSocket: { readyState: 1 },
      giveUp: () => void (member.gone = true),
    },
    self,
    index: 0,
    stamp: 0,
    chunks,
    gone: false,
  };
  return member;
}

function makeTopic(
  options: { liveQueueBytes?: number; queueBytes?: number; isShared?: () => boolean } = {},
) {
  const counts = { writes: 0, dropped: 0, encodes: 0 };
  const clock = { now: 0 };
  /** The number of writes before each delivery. */
  const deliveries: number[] = [];
  const fanout = new Fanout({
    liveQueueBytes: 1000,
    queueBytes: 5000,
    isShared: () => false,
    onDelivery: () => void deliveries.push(counts.writes),
    ...options,
    now: () => clock.now,
    counts,
  });
  const broadcast = (
    event: string,
    sender: Member | null = null,
    droppable = false,
  ): BroadcastOut => {
    const content: BroadcastContent = {
      event,
      encoding: 1,
      payload: Buffer.from("{}"),
      checked: false,
    };
    return new BroadcastOut({ topic: TOPIC, counts }, content, sender, droppable);
  };
  return { fanout, counts, clock, deliveries, broadcast };
}

/** Resolves when the messages of one read have been sent. */
const afterRead = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const events = (member: { chunks: Buffer[] }): string[] =>
  [
    ...Buffer.concat(member.chunks)
      .toString("latin1")
      .matchAll(/event-[a-z]/g),
  ].map(([name]) => name);

test("RT-30 a broadcast is framed once for each version, and all receivers get the same buffer", async () => {
  const { fanout, counts, broadcast } = makeTopic();
  const members = Array.from({ length: 40 }, (_, n) => makeMember(n % 2 === 0 ? 1 : 2));
  for (const member of members) fanout.add(member);
  fanout.send(broadcast("event-a", members[0]));
  await afterRead();
  expect(counts).toEqual({ writes: 39, dropped: 0, encodes: 2 });
  expect(members[0]!.chunks).toEqual([]);
  for (const version of [1, 2]) {
    const buffers = members
      .slice(1)
      .filter((member) => member.receiver.version === version)
      .map((member) => member.chunks[0]);
    expect(new Set(buffers).size).toBe(1);
  }
});

test("RT-30 a version that no member of the topic speaks is not framed", () => {
  const { fanout, counts, broadcast } = makeTopic();
  for (let n = 0; n < 5; n++) fanout.add(makeMember(2));
  fanout.send(broadcast("event-a"));
  expect(counts.encodes).toBe(1);
});

test.each([
  ["4 ms", false, 4],
  ["12 ms, where other processes have the topic,", true, 12],
])(
  "RT-30 in a topic of more than 16 members, messages within %s of the last write share one; the first goes at once",
  async (_, isShared, window) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { fanout, counts, clock, deliveries, broadcast } = makeTopic({
      isShared: () => isShared,
    });
    const members = Array.from({ length: 20 }, () => makeMember(2));
    for (const member of members) fanout.add(member);
    const [sender, other] = members as [
      ReturnType<typeof makeMember>,
      ReturnType<typeof makeMember>,
    ];
    fanout.send(broadcast("event-a"));
    await afterRead();
    expect(counts.writes).toBe(20);
    clock.now = 1;
    for (const name of ["event-b", "event-c"]) fanout.send(broadcast(name));
    fanout.send(broadcast("event-d", sender));
    fanout.send(broadcast("event-e"));
    await afterRead();
    vi.advanceTimersByTime(window - 2);
    expect(counts.writes).toBe(20);
    vi.advanceTimersByTime(1);
    expect(counts).toEqual({ writes: 40, dropped: 0, encodes: 5 });
    expect(events(other)).toEqual(["event-a", "event-b", "event-c", "event-d", "event-e"]);
    expect(events(sender)).toEqual(["event-a", "event-b", "event-c", "event-e"]);
    expect(other.chunks[1]).toBe(members[7]!.chunks[1]);
    expect(other.chunks.length).toBe(2);
    clock.now = 1 + window;
    fanout.send(broadcast("event-f"));
    await afterRead();
    expect(counts.writes).toBe(60);
    expect(deliveries).toEqual([0, 20, 40]);
    vi.useRealTimers();
  },
);

test("RT-30 in a topic of more than 16 members, messages from one read share one write", async () => {
  const { fanout, counts, deliveries, broadcast } = makeTopic();
  const members = Array.from({ length: 17 }, () => makeMember(2));
  for (const member of members) fanout.add(member);
  for (const name of ["event-a", "event-b"]) fanout.send(broadcast(name));
  await afterRead();
  expect(counts.writes).toBe(17);
  expect(events(members[4]!)).toEqual(["event-a", "event-b"]);
  fanout.remove(members[16]!);
  for (const name of ["event-c", "event-d"]) fanout.send(broadcast(name));
  expect(counts.writes).toBe(17 + 2 * 16);
  expect(deliveries).toEqual([0, 17, 33]);
});

test("RT-30 a member gets messages sent after it was added, not those waiting for the window's end", () => {
  const { fanout, clock, broadcast } = makeTopic();
  const members = Array.from({ length: 20 }, () => makeMember(2));
  for (const member of members) fanout.add(member);
  fanout.send(broadcast("event-a"));
  clock.now = 1;
  fanout.send(broadcast("event-b"));
  const newcomer = makeMember(2);
  fanout.add(newcomer);
  fanout.send(broadcast("event-c"));
  fanout.flush();
  expect(events(newcomer)).toEqual(["event-c"]);
  expect(events(members[3]!)).toEqual(["event-a", "event-b", "event-c"]);
});

/** Makes a broadcast of 20 KB, and a topic with so many members. */
function makeLarge(version: 1 | 2, people: number) {
  const { fanout, clock, broadcast } = makeTopic();
  const members = Array.from({ length: people }, () => makeMember(version));
  for (const member of members) fanout.add(member);
  const payload = Buffer.from(JSON.stringify("x".repeat(20_000)));
  const content: BroadcastContent = { event: "event-a", encoding: 1, payload, checked: true };
  const to = { topic: TOPIC, counts: { encodes: 0 } };
  return {
    fanout,
    clock,
    broadcast,
    payload,
    large: new BroadcastOut(to, content, null, false),
    sender: members[0]!,
    other: members[1]!,
  };
}

/** Expects that the first frame is whole, and that another one follows it. */
function expectFrames(member: { readonly chunks: readonly Buffer[] }, payload: Buffer): void {
  const bytes = Buffer.concat(member.chunks);
  const first = bytes.readUInt16BE(2);
  expect(bytes.subarray(4, 4 + first).includes(payload)).toBe(true);
  expect(bytes[4 + first]! & 0x80).toBe(0x80);
}

test.each([1, 2] as const)(
  "RT-30 in a small topic the bytes of a large payload are sent from where they are (vsn %i)",
  (version) => {
    const { fanout, payload, large, other } = makeLarge(version, 10);
    fanout.send(large);
    fanout.send(large);
    expect(other.chunks.some((chunk) => chunk.buffer === payload.buffer)).toBe(true);
    expectFrames(other, payload);
  },
);

test.each([1, 2] as const)(
  "RT-30 in a large topic each receiver gets one buffer, the same for all (vsn %i)",
  async (version) => {
    const { fanout, clock, broadcast, payload, large, sender, other } = makeLarge(version, 20);
    fanout.send(large);
    await afterRead();
    expect(other.chunks.length).toBe(1);
    expect(other.chunks[0]).toBe(sender.chunks[0]);
    clock.now = 1;
    for (const out of [broadcast("event-b", sender), large, broadcast("event-c")]) fanout.send(out);
    fanout.flush();
    expect(other.chunks.length).toBe(2);
    expect(events(other)).toEqual(["event-a", "event-b", "event-a", "event-c"]);
    expect(events(sender)).toEqual(["event-a", "event-a", "event-c"]);
    for (const member of [sender, other]) expectFrames(member, payload);
  },
);

test("a new member does not get earlier messages, and one that has left gets nothing more", async () => {
  const { fanout, clock, broadcast } = makeTopic();
  const members = Array.from({ length: 20 }, () => makeMember(2));
  for (const member of members) fanout.add(member);
  fanout.send(broadcast("event-a"));
  clock.now = 1;
  fanout.send(broadcast("event-b"));
  const joining = makeMember(2);
  fanout.add(joining);
  fanout.remove(members[3]!);
  fanout.remove(members[3]!);
  clock.now = 100;
  fanout.send(broadcast("event-c"));
  await afterRead();
  expect(events(joining)).toEqual(["event-c"]);
  expect(events(members[3]!)).toEqual(["event-a", "event-b"]);
  expect(events(members[19]!)).toEqual(["event-a", "event-b", "event-c"]);
  expect(fanout.size).toBe(20);
});

test("RT-32 droppable messages are left out for a long queue, a longer one ends the connection", () => {
  const { fanout, counts, clock, broadcast } = makeTopic();
  const [quick, behind, stuck, closing] = Array.from({ length: 4 }, () => makeMember(2)) as [
    any,
    any,
    any,
    any,
  ];
  for (const member of [quick, behind, stuck, closing]) fanout.add(member);
  Object.defineProperty(behind.receiver.socket, "writableLength", { get: () => 1001 });
  Object.defineProperty(stuck.receiver.socket, "writableLength", { get: () => 5001 });
  closing.receiver.webSocket.readyState = 2;
  fanout.send(broadcast("event-a", null, true));
  clock.now = 10;
  fanout.send(broadcast("event-b"));
  expect(events(quick)).toEqual(["event-a", "event-b"]);
  expect(events(behind)).toEqual(["event-b"]);
  expect(counts.dropped).toBe(1);
  expect([behind.gone, stuck.gone, closing.gone]).toEqual([false, true, false]);
  expect([...stuck.chunks, ...closing.chunks]).toEqual([]);
});

test("a message of the server is framed once for each version", () => {
  const out = new TextOut(TOPIC, "presence_diff", "{}");
  expect(out.frame(2)).toBe(out.frame(2));
  expect(out.frame(2)[0]!.subarray(2).toString()).toBe(`[null,null,"${TOPIC}","presence_diff",{}]`);
});

test("frame headers have the three forms of RFC 6455", () => {
  const header = (length: number): number[] => {
    const target = Buffer.alloc(headerLength(length));
    expect(writeHeader(target, 2, length)).toBe(target.length);
    return [...target];
  };
  expect(header(125)).toEqual([0x82, 125]);
  expect(header(126)).toEqual([0x82, 126, 0, 126]);
  expect(header(65_535)).toEqual([0x82, 126, 255, 255]);
  expect(header(65_536)).toEqual([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
});

test("RT-50 a message to some members looks at no others, and does not reach one that has left", () => {
  const { fanout, counts } = makeTopic();
  const [wanted, other, left] = [makeMember(2), makeMember(2), makeMember(2)];
  let looked = 0;
  Object.defineProperty(other.receiver, "webSocket", { get: () => ({ readyState: ++looked }) });
  for (const member of [wanted, other, left]) fanout.add(member);
  fanout.remove(left);
  fanout.sendTo(new TextOut(TOPIC, "event-a", "{}"), new Set([left, wanted]));
  expect([events(wanted), left.chunks, looked, counts.writes]).toEqual([["event-a"], [], 0, 1]);
});
