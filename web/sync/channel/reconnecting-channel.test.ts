import { describe, expect, test } from "vitest";
import { nextConnection, type Connection, type ConnectionEvent } from "./reconnecting-channel.ts";

/** Plays events at their times from an idle connection; returns all states. */
function play(events: readonly (readonly [at: number, event: ConnectionEvent])[]): Connection[] {
  let state: Connection = { at: "idle" };
  return events.map(([at, event]) => (state = nextConnection(state, event, at, 0)));
}

describe("the state of a connection", () => {
  test("a channel that is closed again and again is opened after 1, 2, 4, 8, 8 ... s", () => {
    const events = Array.from({ length: 6 }, (): [number, ConnectionEvent][] => [
      [0, "closed"],
      [0, "timer"],
      [0, "joined"],
    ]);
    const states = play([[0, "opened"], ...events.flat()]);
    const delays = states.flatMap((state) => (state.at === "waiting" ? state.delay : []));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test("after 30 s joined the next pause is a short one again", () => {
    const closeAfter = (ms: number) =>
      play([
        [0, "opened"],
        [0, "closed"],
        [0, "timer"],
        [0, "joined"],
        [ms, "closed"],
      ]).at(-1);
    expect(closeAfter(29_999)).toEqual({ at: "waiting", closures: 2, delay: 2_000 });
    expect(closeAfter(30_000)).toEqual({ at: "waiting", closures: 1, delay: 1_000 });
  });

  test("a lost channel has 30 s from the first loss to join again, then a new one is opened", () => {
    const states = play([
      [0, "opened"],
      [0, "joined"],
      [1_000, "lost"],
      [2_000, "lost"],
      [31_000, "timer"],
    ]);
    expect(states[2]).toEqual({ at: "lost", closures: 0, delay: 30_000 });
    expect(states[3]).toBe(states[2]);
    expect(states[4]).toEqual({ at: "joining", closures: 0 });
  });

  test("a loss after a closure does not change the pause", () => {
    const states = play([
      [0, "opened"],
      [0, "closed"],
      [0, "lost"],
    ]);
    expect(states[2]).toBe(states[1]);
  });

  test("every further join is a new state, so that the presence is tracked again", () => {
    const states = play([
      [0, "opened"],
      [0, "joined"],
      [0, "joined"],
    ]);
    expect(states[2]).toEqual(states[1]);
    expect(states[2]).not.toBe(states[1]);
  });

  test("an idle connection stays idle on any report of the driver, until it is opened", () => {
    const idle: Connection = { at: "idle" };
    for (const event of ["joined", "lost", "closed", "timer"] as const)
      expect(nextConnection(idle, event, 0, 0)).toBe(idle);
    expect(nextConnection({ at: "joining", closures: 3 }, "disposed", 0, 0)).toEqual(idle);
    expect(nextConnection(idle, "opened", 0, 0)).toEqual({ at: "joining", closures: 0 });
  });
});
