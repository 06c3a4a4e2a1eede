import { expect, test } from "vitest";
import { createHandClock } from "../../testing/clock.ts";
import { createPace } from "./pace.ts";

test("SYN-24 updates keep to 1 s, and go more rarely while so many draw that they would cost 40 % of the budget", async () => {
  const clock = createHandClock();
  let people = 2;
  const pace = createPace(clock, 100, () => people);
  expect(pace.interval()).toBe(1000);
  people = 10;
  expect(pace.interval()).toBe(1000);
  for (let count = 0; count < 9; count += 1) pace.heard(`person ${count}`);
  // Ten who draw, each update costs ten messages: 40 messages a second are 4 updates a second.
  expect(pace.interval()).toBe(2500);
  await clock.advance(11_000);
  expect(pace.interval()).toBe(1000);
});
