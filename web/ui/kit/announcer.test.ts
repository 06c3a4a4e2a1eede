import { describe, expect, test } from "vitest";
import type { BoardChanges, BoardObject } from "../../../board/drawing.ts";
import { createAnnouncer, COLLECT, describeChanges } from "./announcer.ts";

function changes(added: number, removed = 0): BoardChanges {
  const some = (count: number) => Array.from({ length: count }, () => ({}) as BoardObject);
  return { added: some(added), changed: [], removed: some(removed) };
}

test("UI-15 what peers do is announced in one sentence for each 5 s", () => {
  const said: string[] = [];
  const timers: { work: () => void; ms: number }[] = [];
  const announcer = createAnnouncer(
    (sentence) => said.push(sentence),
    (work, ms) => {
      const timer = { work, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  );
  const fire = () => timers.shift()?.work();

  announcer.add(changes(1));
  announcer.add(changes(2, 1));
  expect(timers.map(({ ms }) => ms)).toEqual([COLLECT]);
  expect(said).toEqual([]);
  fire();
  expect(said).toEqual(["Someone added 3 objects and removed 1 object"]);

  announcer.add(changes(1));
  fire();
  expect(said[1]).toBe("Someone added 1 object");

  announcer.add(changes(1));
  announcer.dispose();
  expect(timers).toEqual([]);
});

describe("what peers do, in one sentence", () => {
  test.each([
    [{ added: 0, changed: 0, removed: 0 }, null],
    [{ added: 3, changed: 0, removed: 0 }, "Someone added 3 objects"],
    [{ added: 1, changed: 0, removed: 2 }, "Someone added 1 object and removed 2 objects"],
    [
      { added: 1, changed: 4, removed: 2 },
      "Someone added 1 object, changed 4 objects and removed 2 objects",
    ],
  ])("%j", (counts, sentence) => {
    expect(describeChanges(counts)).toBe(sentence);
  });
});
