import { expect, test } from "vitest";
import type { PresenceMeta } from "../../cluster/port.ts";
import type { Member } from "../wire/member.ts";
import { makeMeta } from "./presence.ts";
import type { StateReceiver } from "./presence-out.ts";
import { Topic } from "./topic.ts";

const meta = (ref: string): PresenceMeta => makeMeta("{}", ref, null);

/** Makes a topic with one member, and counts the frames that the member was sent. */
function makeTopic(presenceRate = { perSecond: 100_000, burst: 100_000 }) {
  const clock = { now: 1000 };
  const now = (): number => clock.now;
  const topic = new Topic("key", "realtime:room", {
    fanout: {
      liveQueueBytes: 1000,
      queueBytes: 5000,
      isShared: () => false,
      onDelivery: () => {},
      counts: { writes: 0, dropped: 0 },
      now,
    },
    presence: {
      presenceRate,
      summaryKeys: 150,
      counts: { presenceBytes: 0, presenceEncodes: 0 },
      now,
    },
    largeBytes: { waiting: 0 },
  });
  const frames: string[] = [];
  const socket = {
    writableLength: 0,
    cork: () => {},
    uncork: () => {},
    write: (chunk: Buffer) => frames.push(chunk.toString("latin1")),
  };
  const receiver = { version: 2, socket, webSocket: { readyState: 1 }, giveUp: () => {} };
  const add = (): void =>
    topic.fanout.add({ receiver, self: false, index: 0, stamp: 0 } as unknown as Member);
  add();
  return { topic, clock, frames, add };
}

test("RT-45 the first presence is announced at once, those of the next 50 ms together", () => {
  const { topic, clock, frames } = makeTopic();
  topic.replacePresence("a", null, meta("1"));
  expect(frames).toHaveLength(1);
  clock.now += 49;
  topic.replacePresence("b", null, meta("2"));
  topic.replacePresence("a", meta("1"), null);
  expect(frames).toHaveLength(1);
  clock.now += 1;
  topic.applyPresence({ joins: new Map([["c", [meta("3")]]]), leaves: new Map() });
  expect(frames).toHaveLength(2);
  const diff = JSON.parse(frames[1]!.slice(frames[1]!.indexOf("["))) as [
    ...unknown[],
    { joins: object; leaves: object },
  ];
  const { joins, leaves } = diff.at(-1) as { joins: object; leaves: object };
  expect([diff[2], Object.keys(joins), Object.keys(leaves)]).toEqual([
    "realtime:room",
    ["b", "c"],
    ["a"],
  ]);
  topic.dispose();
});

test("RT-45 the presence that came last is announced without another one", async () => {
  const { topic, clock, frames } = makeTopic();
  topic.replacePresence("a", null, meta("1"));
  clock.now += 49;
  topic.replacePresence("b", null, meta("2"));
  clock.now += 1;
  await expect.poll(() => frames.length).toBe(2);
  expect(frames[1]).toContain('"b"');
  topic.dispose();
});

test("RT-45 a topic that has sent its bytes of presence gathers the changes until it may send again", async () => {
  const { topic, clock, frames } = makeTopic({ perSecond: 100, burst: 10 });
  topic.replacePresence("a", null, meta("1"));
  expect(frames).toHaveLength(1);
  clock.now += 50;
  topic.replacePresence("a", meta("1"), meta("2"));
  topic.replacePresence("a", meta("2"), meta("3"));
  expect(frames).toHaveLength(1);
  clock.now += 1000;
  topic.replacePresence("b", null, meta("4"));
  expect(frames).toHaveLength(2);
  const refs = frames[1]!.match(/"phx_ref":"\d"/g);
  expect(refs).toEqual(['"phx_ref":"3"', '"phx_ref":"4"', '"phx_ref":"1"']);
  topic.dispose();
});

test("RT-45 where many are present the changes of a longer time are one diff, and of 1 s at most", () => {
  const { topic, clock, frames, add } = makeTopic();
  const announce = (ms: number, ref: string): number => {
    const before = frames.length;
    clock.now += ms;
    topic.replacePresence(ref, null, meta(ref));
    topic.fanout.flush();
    return frames.length - before;
  };
  while (topic.fanout.size < 300) add();
  expect(announce(0, "1")).toBe(300);
  expect(announce(299, "2")).toBe(0);
  expect(announce(1, "3")).toBe(300);
  while (topic.fanout.size < 2_000) add();
  expect(announce(999, "4")).toBe(0);
  expect(announce(1, "5")).toBe(2_000);
  topic.dispose();
});

test("RT-46 in a crowd the channels with summaries count for the time between two diffs to the others", () => {
  const { topic, clock, frames, add } = makeTopic();
  const joins = new Map(Array.from({ length: 160 }, (_, n) => [`key ${n}`, [meta(`${n}`)]]));
  topic.applyPresence({ joins, leaves: new Map() });
  const summarized = Array.from(
    { length: 599 },
    () =>
      ({
        receiver: { version: 2, webSocket: { readyState: 3 } },
        ...{ self: false, index: 0, stamp: 0, wantsSummary: true },
        ...{ stateWait: () => 0, sendState: () => {}, sendSummary: () => {} },
      }) as unknown as StateReceiver,
  );
  for (const one of summarized) {
    topic.fanout.add(one);
    topic.presenceOut.welcome(one);
  }
  add();
  const diffs = (ms: number, ref: string): number => {
    const before = frames.filter((frame) => frame.includes("presence_diff")).length;
    clock.now += ms;
    topic.replacePresence(ref, null, meta(ref));
    topic.fanout.flush();
    return frames.filter((frame) => frame.includes("presence_diff")).length - before;
  };
  // Two of the 601 channels get diffs.
  expect(diffs(1_000, "first")).toBe(2);
  expect(diffs(600, "second")).toBe(0);
  expect(diffs(1, "third")).toBe(2);
  topic.dispose();
});
