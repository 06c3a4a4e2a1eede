import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../board/constants.ts";
import {
  isNewError,
  nextSchedule,
  overdueAt,
  SAVE_CEILING,
  type SaveEvent,
  type SaveSchedule,
} from "./schedule.ts";

const FAILED: SaveEvent = { type: "failed", error: "no", invalid: false, random: 0 };

/** Plays events at their times, and the timers of the states on the way. */
function play(
  events: readonly (readonly [at: number, event: SaveEvent])[],
  until: number,
): { state: SaveSchedule; saves: number[] } {
  let state: SaveSchedule = { at: "idle" };
  const saves: number[] = [];
  const feed = (event: SaveEvent, now: number): void => {
    const next = nextSchedule(state, event, now);
    if (next.at === "saving" && state.at !== "saving") saves.push(now);
    state = next;
  };
  const runTimers = (before: number): void => {
    while ((state.at === "due" || state.at === "failed") && state.due <= before)
      feed({ type: "timer" }, state.due);
  };
  for (const [at, event] of events) {
    runTimers(at);
    feed(event, at);
  }
  runTimers(until);
  return { state, saves };
}

describe("when to save", () => {
  test("SAV-1 a save starts 5 s after the last change", () => {
    const { saves } = play(
      [
        [0, { type: "changed" }],
        [3000, { type: "changed" }],
      ],
      60_000,
    );
    expect(saves).toEqual([3000 + LIMITS.saveDebounce]);
  });

  test("SAV-1 the board of a visitor who draws without a pause is saved every 60 s", () => {
    const events: [number, SaveEvent][] = [];
    for (let at = 0; at <= 150_000; at += 1000) {
      events.push([at, { type: "changed" }]);
    }
    const done = events.flatMap(([at, event]): [number, SaveEvent][] =>
      at === 61_000
        ? [
            [at, { type: "saved" }],
            [at, event],
          ]
        : [[at, event]],
    );
    expect(play(done, 150_000).saves).toEqual([SAVE_CEILING, 2 * SAVE_CEILING]);
  });

  test("SAV-1 a change during a save is saved by the next one", () => {
    const { saves, state } = play(
      [
        [0, { type: "changed" }],
        [5100, { type: "changed" }],
        [5200, { type: "saved" }],
      ],
      20_000,
    );
    expect(saves).toEqual([5000, 10_100]);
    expect(state.at).toBe("saving");
  });

  test("SAV-33 a save at once begins as soon as the one under way has ended, whatever changes meanwhile", () => {
    const { saves } = play(
      [
        [0, { type: "changed" }],
        [5100, { type: "saveNow" }],
        [5200, { type: "changed" }],
        [5300, { type: "saved" }],
      ],
      20_000,
    );
    expect(saves).toEqual([5000, 5100]);
  });

  test("SAV-4 a failed save is tried again after 2 s, 4 s and so on up to 60 s", () => {
    let state: SaveSchedule = { at: "saving", failures: 0, shownError: null, next: null };
    const delays: number[] = [];
    for (let now = 0; delays.length < 7;) {
      state = nextSchedule(state, FAILED, now);
      if (state.at !== "failed") throw new Error(state.at);
      delays.push(state.due - now);
      now = state.due;
      state = nextSchedule(state, { type: "timer" }, now);
    }
    expect(delays).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("SAV-14 an error is shown once for each streak of failures, and again when its text differs", () => {
    let state: SaveSchedule = { at: "saving", failures: 0, shownError: null, next: null };
    expect(isNewError(state, "no")).toBe(true);
    state = nextSchedule(state, FAILED, 0);
    state = nextSchedule(state, { type: "timer" }, 10_000);
    expect(isNewError(state, "no")).toBe(false);
    expect(isNewError(state, "too large")).toBe(true);
    state = nextSchedule(state, { type: "saved" }, 10_001);
    state = nextSchedule(state, { type: "saveNow" }, 10_002);
    state = nextSchedule(state, { type: "timer" }, 10_002);
    expect(isNewError(state, "no")).toBe(true);
  });

  test("a change after a failure is tried 5 s later, not at the end of a long backoff", () => {
    let state: SaveSchedule = { at: "saving", failures: 6, shownError: "no", next: null };
    state = nextSchedule(state, FAILED, 0);
    expect(state).toMatchObject({ due: 60_000 });
    expect(nextSchedule(state, { type: "changed" }, 1000)).toMatchObject({ due: 6000 });
    expect(nextSchedule(state, { type: "saveNow" }, 1000)).toMatchObject({ due: 1000 });
  });

  test("events that do not belong to a state leave it alone", () => {
    const rest: SaveSchedule = { at: "idle" };
    expect(nextSchedule(rest, { type: "saved" }, 0)).toBe(rest);
    expect(nextSchedule(rest, FAILED, 0)).toBe(rest);
    expect(nextSchedule(rest, { type: "timer" }, 0)).toBe(rest);
    const waited = { failures: 1, shownError: "no", since: 0, due: 5000 };
    const failed: SaveSchedule = { at: "failed", ...waited };
    expect(nextSchedule(failed, { type: "timer" }, 4999)).toBe(failed);
  });
});

test("SAV-32 a change is overdue 60 s after it was made, and at once where a save has failed", () => {
  const wait = { since: 1_000, due: 6_000 };
  const saving = { at: "saving", shownError: null, next: null } as const;
  expect(overdueAt({ at: "idle" })).toBe(Number.POSITIVE_INFINITY);
  expect(overdueAt({ at: "due", ...wait })).toBe(1_000 + SAVE_CEILING);
  expect(overdueAt({ ...saving, failures: 0 })).toBe(Number.POSITIVE_INFINITY);
  expect(overdueAt({ ...saving, failures: 1 })).toBe(Number.NEGATIVE_INFINITY);
  expect(overdueAt({ at: "failed", failures: 1, shownError: "no", ...wait })).toBe(
    Number.NEGATIVE_INFINITY,
  );
});
