import { expect, test } from "vitest";
import { createLetterDelay, TYPING_GAP } from "./letter-delay.ts";

function createBed() {
  const timers = new Map<() => void, number>();
  const done: string[] = [];
  const letters = createLetterDelay((work, ms) => {
    timers.set(work, ms);
    return () => timers.delete(work);
  });
  return {
    letters,
    done,
    timers,
    press: (letter: string) => letters.press(() => done.push(letter)),
    /** Lets the delay pass without a letter. */
    pause: () => {
      expect([...timers.values()]).toEqual([TYPING_GAP]);
      const due = [...timers.keys()];
      timers.clear();
      for (const work of due) work();
    },
  };
}

test("UI-12 a letter alone is a shortcut", () => {
  const { press, pause, done } = createBed();
  press("v");
  expect(done).toEqual([]);
  pause();
  press("r");
  pause();
  expect(done).toEqual(["v", "r"]);
});

test("UI-12 letters that follow each other within 400 ms are a text: none of them is a shortcut", () => {
  const { press, pause, done, letters } = createBed();
  for (const letter of "red") press(letter);
  pause();
  letters.press(null);
  press("e");
  pause();
  expect(done).toEqual([]);
  press("e");
  pause();
  expect(done).toEqual(["e"]);
});

test("UI-12 letters with a press of the pointer between them are shortcuts, however fast", () => {
  const { press, pause, done, letters } = createBed();
  press("l");
  letters.flush();
  press("a");
  expect(done).toEqual(["l"]);
  letters.flush();
  expect(done).toEqual(["l", "a"]);
  press("r");
  pause();
  expect(done).toEqual(["l", "a", "r"]);
});

test("UI-63 an immediate action has the letters after it for itself, and none before it", () => {
  const { press, pause, done, letters } = createBed();
  letters.press(() => done.push("t"), true);
  expect(done).toEqual(["t"]);
  press("v");
  pause();
  press("h");
  letters.press(() => done.push("t"), true);
  pause();
  expect(done).toEqual(["t"]);
});

test("UI-12 a press of the pointer does not wait for the tool", () => {
  const { press, done, letters, timers } = createBed();
  press("d");
  letters.flush();
  expect(done).toEqual(["d"]);
  expect(timers.size).toBe(0);
});

test("UI-21 a letter whose page is gone has no effect", () => {
  const { press, done, letters, timers } = createBed();
  press("d");
  letters.dispose();
  letters.flush();
  expect(timers.size).toBe(0);
  expect(done).toEqual([]);
});
