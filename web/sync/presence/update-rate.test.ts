import { expect, test } from "vitest";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import { createUpdateRate } from "./update-rate.ts";

test("SYN-24 updates are 1 s apart, and more while so many clients draw that updates would cost more than 40 % of the budget", async () => {
  const clock = createFakeClock();
  let online = 2;
  const rate = createUpdateRate(clock, 100, () => online);
  expect(rate.interval()).toBe(1000);
  online = 10;
  expect(rate.interval()).toBe(1000);
  for (let count = 0; count < 9; count += 1) rate.peerSent(`client ${count}`);
  // Ten clients draw, and each update costs ten messages: 40 messages per second are 4 updates per second.
  expect(rate.interval()).toBe(2500);
  // Who drew 10 s ago counts, who drew before that does not.
  await clock.advance(10_000);
  expect(rate.interval()).toBe(2500);
  await clock.advance(1);
  expect(rate.interval()).toBe(1000);
});
