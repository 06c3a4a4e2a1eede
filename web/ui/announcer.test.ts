import { expect, test } from "vitest";
import type { BoardChanges, BoardObject } from "../../board/drawing.ts";
import { createAnnouncer, COLLECT } from "./announcer.ts";

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
