import { describe, expect, test } from "vitest";
import type { Author, BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import { createAnnouncer, COLLECT, describeChanges } from "./announcer.ts";

function text(id: string, words = id, more: Partial<BoardObject> = {}): BoardObject {
  return { type: "IText", id: id as ObjectId, z: 1, text: words, ...more };
}

function announcing() {
  const said: string[] = [];
  const timers: { work: () => void; ms: number }[] = [];
  const announcer = createAnnouncer(
    (sentence) => said.push(sentence),
    (work, ms) => {
      const timer = { work, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    (author) => ({ a: "Ann", b: "Ben" })[author as string] ?? "Someone",
  );
  const add = (changes: Partial<BoardChanges>, remover: string | null = null): void =>
    announcer.add({ added: [], changed: [], removed: [], ...changes }, remover as Author | null);
  return { said, timers, announcer, add, fire: () => timers.shift()?.work() };
}

describe("UI-76 the changes of peers are announced in one sentence for each 3 s", () => {
  test("the author and the change, if it was only one", () => {
    const { said, timers, add, fire } = announcing();
    add({ added: [text("a-0", "Photosynthesis")] });
    expect(timers.map(({ ms }) => ms)).toEqual([COLLECT]);
    expect(said).toEqual([]);
    fire();
    expect(said).toEqual(['Ann added text "Photosynthesis"']);
    const stamped = text("a-0", "Osmosis", { stamps: { content: [1, "b" as Author] } });
    add({ changed: [stamped], before: [text("a-0")] });
    fire();
    expect(said[1]).toBe('Ben changed text "Osmosis"');
    add({ removed: [stamped] });
    fire();
    expect(said[2]).toBe('Someone removed text "Osmosis"');
    add({ removed: [stamped] }, "b");
    fire();
    expect(said.pop()).toBe('Ben removed text "Osmosis"');
    add({ changed: [text("a-0")] });
    fire();
    expect(said[3]).toBe('Someone changed text "a-0"');
  });

  test("a sum, if it was more; with the name, if all was by one", () => {
    const { said, add, fire } = announcing();
    add({ added: [text("a-0"), text("a-1")] });
    fire();
    add({ added: [text("a-2")] });
    add({ added: [text("b-0")], removed: [text("a-0")] });
    fire();
    add({ removed: [text("a-1"), text("a-2")] }, "b");
    fire();
    expect(said.pop()).toBe("Ben removed 2 objects");
    expect(said).toEqual(["Ann added 2 objects", "Someone added 2 objects and removed 1 object"]);
  });

  test("a text that is written is added once, and an object that came and went is left out", () => {
    const { said, timers, announcer, add, fire } = announcing();
    add({ added: [text("a-0", "P")] });
    add({ changed: [text("a-0", "Ph")], before: [text("a-0", "P")] });
    fire();
    expect(said).toEqual(['Ann added text "Ph"']);
    add({ added: [text("a-1")] });
    add({ removed: [text("a-1")] });
    fire();
    expect(said).toHaveLength(1);
    add({ added: [text("a-2")] });
    announcer.dispose();
    expect(timers).toEqual([]);
  });
});

describe("the changes of peers, in one sentence", () => {
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
