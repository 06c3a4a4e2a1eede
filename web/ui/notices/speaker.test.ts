import { expect, test } from "vitest";
import { createSpeaker, SENTENCE } from "./speaker.ts";

function createBed() {
  const timers: { readonly work: () => void; readonly ms: number }[] = [];
  const said: string[] = [];
  const speaker = createSpeaker(
    (sentence) => said.push(sentence),
    (work, ms) => {
      const timer = { work, ms };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  );
  return {
    said,
    timers,
    speaker,
    say: (kind: string, sentence: string) => speaker.add(kind, () => sentence),
    /** Lets time pass until the next timer. Returns how long it took. */
    pass: () => {
      const timer = timers.shift();
      timer?.work();
      return timer?.ms;
    },
  };
}

test("UI-15 at most one sentence in 1 s; of several of a kind the last one", () => {
  const { say, pass, said, timers } = createBed();
  say("move", "Moved to 1, 0.");
  say("joined", "Swift Beaver joined.");
  say("move", "Moved to 2, 0.");
  expect(said).toEqual([]);
  pass();
  expect(said).toEqual(["Swift Beaver joined."]);
  expect(pass()).toBe(SENTENCE);
  expect(said).toEqual(["Swift Beaver joined.", "Moved to 2, 0."]);
  say("move", "Moved to 3, 0.");
  expect(timers).toHaveLength(1);
  expect(pass()).toBe(SENTENCE);
  expect(said.at(-1)).toBe("Moved to 3, 0.");
  pass();
  expect(timers).toEqual([]);
});

test("an action without a sentence does not delay the next one", () => {
  const { say, pass, said } = createBed();
  say("picked", "");
  say("move", "Moved to 1, 0.");
  pass();
  expect(said).toEqual(["Moved to 1, 0."]);
});

test("UI-21 a speaker that is disposed of leaves no timer", () => {
  const { say, speaker, timers, pass, said } = createBed();
  say("move", "Moved to 1, 0.");
  speaker.dispose();
  expect(timers).toEqual([]);
  pass();
  expect(said).toEqual([]);
});
