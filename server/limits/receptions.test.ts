import { expect, test } from "vitest";
import { createReceptions } from "./receptions.ts";

/** Opens limits: bodies are large from 100 bytes on, with 2 of one client and 4 in all; 150 and 200 bytes of smaller ones. */
function open() {
  let now = 0;
  const receptions = createReceptions({
    large: { from: 100, perClient: 2, inAll: 4 },
    small: { perClient: 150, inAll: 200 },
    now: () => now,
  });
  const ended: string[] = [];
  const begin = (client: string, name = client) =>
    receptions.begin(client, () => void ended.push(name));
  return { begin, ended, pass: (ms: number) => void (now += ms) };
}

test("TAB-19 a body of which nothing has arrived holds nothing, and one takes its permit when it is large", () => {
  const { begin } = open();
  for (let idle = 0; idle < 1_000; idle++) begin("idle").arrived(0);
  const bodies = ["a", "a", "b", "b"].map((client) => begin(client));
  for (const body of bodies) expect([body.arrived(30), body.arrived(70)]).toEqual([true, true]);
  expect(begin("a").arrived(100)).toBe(false);
  expect(begin("c").arrived(100)).toBe(false);
  expect(begin("c").arrived(99)).toBe(true);
  bodies[2]?.end();
  expect(begin("c").arrived(100)).toBe(true);
});

test("TAB-19 bytes of smaller bodies are counted as they arrive, until they end or are large", () => {
  const { begin } = open();
  const first = begin("a");
  const second = begin("a");
  expect([first.arrived(90), second.arrived(60), second.arrived(1)]).toEqual([true, true, false]);
  expect([begin("b").arrived(50), begin("b").arrived(1)]).toEqual([true, false]);
  expect(first.arrived(10)).toBe(true);
  expect(second.arrived(30)).toBe(true);
  second.end();
  second.end();
  expect(second.arrived(1)).toBe(false);
  expect(begin("c").arrived(99)).toBe(true);
});

test("TAB-19 the slowest large body gives way, once it is known to be slow, and none that has arrived", () => {
  const { begin, ended, pass } = open();
  const bodies = ["idle", "slow", "fast", "whole"].map((name) => begin(name));
  for (const body of bodies) body.arrived(100);
  bodies[3]?.complete();
  const [, slow, fast] = bodies;
  pass(999);
  expect(begin("new").arrived(100)).toBe(false);
  pass(1);
  slow?.arrived(60_000);
  fast?.arrived(70_000);
  expect(begin("new").arrived(100)).toBe(true);
  expect(ended).toEqual(["idle"]);
  expect(begin("more").arrived(100)).toBe(true);
  expect(ended).toEqual(["idle", "slow"]);
  expect(begin("none").arrived(100)).toBe(false);
  expect(slow?.arrived(1)).toBe(false);
});

test("TAB-19 where a client has its share already, its own slow body gives way and no other's", () => {
  const { begin, ended, pass } = open();
  begin("other").arrived(100);
  for (const name of ["first", "second"]) begin("a", name).arrived(100);
  pass(1_000);
  expect(begin("a", "third").arrived(100)).toBe(true);
  expect(ended).toEqual(["first"]);
});
