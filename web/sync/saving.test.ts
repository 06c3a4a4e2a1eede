import { describe, expect, test } from "vitest";
import { LIMITS } from "../../board/spec.ts";
import { isNews, nextSaving, SAVE_CEILING, type Saving, type SavingEvent } from "./saving.ts";

const FAILED: SavingEvent = { type: "failed", text: "no", patient: false, dice: 0 };

/** Feeds events at their times; a state that falls due on the way gets its timer. */
function play(
  events: readonly (readonly [at: number, event: SavingEvent])[],
  until: number,
): { state: Saving; saves: number[] } {
  let state: Saving = { at: "rest" };
  const saves: number[] = [];
  const feed = (event: SavingEvent, now: number): void => {
    const next = nextSaving(state, event, now);
    if (next.at === "busy" && state.at !== "busy") saves.push(now);
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

  test("SAV-2 somebody who draws without a pause is saved every 60 s", () => {
    const events: [number, SavingEvent][] = [];
    for (let at = 0; at <= 150_000; at += 1000) {
      events.push([at, { type: "changed" }]);
    }
    const done = events.flatMap(([at, event]): [number, SavingEvent][] =>
      at === 61_000
        ? [
            [at, { type: "saved" }],
            [at, event],
          ]
        : [[at, event]],
    );
    expect(play(done, 150_000).saves).toEqual([SAVE_CEILING, 2 * SAVE_CEILING]);
  });

  test("SAV-3 what changes during a save is saved by the next one", () => {
    const { saves, state } = play(
      [
        [0, { type: "changed" }],
        [5100, { type: "changed" }],
        [5200, { type: "saved" }],
      ],
      20_000,
    );
    expect(saves).toEqual([5000, 10_100]);
    expect(state.at).toBe("busy");
  });

  test("SAV-4 a failed save is tried again after 2 s, 4 s and so on up to 60 s", () => {
    let state: Saving = { at: "busy", failures: 0, told: null, next: null };
    const delays: number[] = [];
    for (let now = 0; delays.length < 7;) {
      state = nextSaving(state, FAILED, now);
      if (state.at !== "failed") throw new Error(state.at);
      delays.push(state.due - now);
      now = state.due;
      state = nextSaving(state, { type: "timer" }, now);
    }
    expect(delays).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("SAV-5 a failure is told once for each streak, and again when its text differs", () => {
    let state: Saving = { at: "busy", failures: 0, told: null, next: null };
    expect(isNews(state, "no")).toBe(true);
    state = nextSaving(state, FAILED, 0);
    state = nextSaving(state, { type: "timer" }, 10_000);
    expect(isNews(state, "no")).toBe(false);
    expect(isNews(state, "too large")).toBe(true);
    state = nextSaving(state, { type: "saved" }, 10_001);
    state = nextSaving(state, { type: "hurry" }, 10_002);
    state = nextSaving(state, { type: "timer" }, 10_002);
    expect(isNews(state, "no")).toBe(true);
  });

  test("a change after a failure is tried 5 s later, not at the end of a long back-off", () => {
    let state: Saving = { at: "busy", failures: 6, told: "no", next: null };
    state = nextSaving(state, FAILED, 0);
    expect(state).toMatchObject({ due: 60_000 });
    expect(nextSaving(state, { type: "changed" }, 1000)).toMatchObject({ due: 6000 });
    expect(nextSaving(state, { type: "hurry" }, 1000)).toMatchObject({ due: 1000 });
  });

  test("events that do not belong to a state leave it alone", () => {
    const rest: Saving = { at: "rest" };
    expect(nextSaving(rest, { type: "saved" }, 0)).toBe(rest);
    expect(nextSaving(rest, FAILED, 0)).toBe(rest);
    expect(nextSaving(rest, { type: "timer" }, 0)).toBe(rest);
    const due: Saving = { at: "due", since: 0, due: 5000 };
    expect(nextSaving(due, { type: "timer" }, 4999)).toBe(due);
  });
});
