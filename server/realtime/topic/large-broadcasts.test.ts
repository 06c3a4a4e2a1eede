import { expect, onTestFinished, test, vi } from "vitest";
import type { Member } from "../wire/member.ts";
import { LargeBroadcasts } from "./large-broadcasts.ts";

const MB = 1_048_576;
const LIMIT = 3_000 * 1_024;
const [a, b] = [{} as Member, {} as Member];

function open(all = { waiting: 0 }) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const large = new LargeBroadcasts(() => performance.now(), all);
  const sent: string[] = [];
  const pass = (name: string, bytes: number, sender: Member | null = a, event = "e"): boolean =>
    large.pass({ bytes, event, sender, send: () => void sent.push(name) });
  return { large, sent, pass, all };
}

test("RT-21 of all senders' large broadcasts one passes in 10 s, and the newest waits; smaller ones pass", () => {
  const { sent, pass, all } = open();
  expect(pass("first", 10 * MB)).toBe(true);
  expect([pass("second", 10 * MB), pass("third", 9 * MB, b), pass("http", 8 * MB, null)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(all.waiting).toBe(8 * MB);
  for (let n = 0; n < 5; n++) pass("small", LIMIT, b);
  expect(sent).toEqual(["first", "small", "small", "small", "small", "small"]);
  vi.advanceTimersByTime(9_999);
  expect(sent).toHaveLength(6);
  vi.advanceTimersByTime(1);
  expect(sent.slice(6)).toEqual(["http"]);
  expect(all.waiting).toBe(0);
  pass("next", LIMIT + 1);
  vi.advanceTimersByTime(9_999);
  expect(sent.at(-1)).toBe("http");
  vi.advanceTimersByTime(1);
  expect(sent.at(-1)).toBe("next");
  vi.advanceTimersByTime(10_000);
  pass("at once", 4 * MB);
  expect(sent.at(-1)).toBe("at once");
});

test("RT-21 an older drawing does not come after a newer one of its sender, also where that is small", () => {
  const { sent, pass, all } = open();
  pass("first", 10 * MB);
  pass("old", 10 * MB, a, "canvas-update");
  pass("pointer", 10, a, "canvas-live");
  pass("another's", 10, b, "canvas-update");
  expect(all.waiting).toBe(10 * MB);
  pass("new", 10, a, "canvas-update");
  expect(all.waiting).toBe(0);
  vi.advanceTimersByTime(20_000);
  expect(sent).toEqual(["first", "pointer", "another's", "new"]);
});

test("RT-21 broadcasts over HTTP or from another process, whose senders are unknown, end no waiting one", () => {
  const { sent, pass } = open();
  pass("first", 10 * MB, null);
  pass("waits", 10 * MB, null);
  pass("another's", 10, null);
  vi.advanceTimersByTime(10_000);
  expect(sent).toEqual(["first", "another's", "waits"]);
});

test("RT-21 waiting broadcasts are bounded over all topics, and go with their topic", () => {
  const all = { waiting: 0 };
  const topics = Array.from({ length: 8 }, () => open(all));
  for (const { pass } of topics) pass("first", 10 * MB);
  expect(topics.map(({ pass }) => pass("waits", 10 * MB))).toEqual([
    ...Array.from({ length: 6 }, () => true),
    false,
    false,
  ]);
  expect(topics[0]!.pass("replaces", 10 * MB)).toBe(true);
  topics[0]!.large.dispose();
  expect(topics[6]!.pass("waits", 10 * MB)).toBe(true);
  vi.advanceTimersByTime(10_000);
  expect(topics.map(({ sent }) => sent.length)).toEqual([1, 2, 2, 2, 2, 2, 2, 1]);
});
