import { expect, test } from "vitest";
import { checkWords } from "./words.ts";

/** Returns the words that the check finds in a file, by line. */
function found(path: string, source: string): readonly string[] {
  return checkWords(path, source).map((problem) => {
    const [, line = "", word = ""] =
      /:(\d+|) ?(?:the file's name has )?.*?"([^"]+)"/.exec(problem) ?? [];
    return `${line} ${word}`.trim();
  });
}

test("a word that must go is found in names of every kind, and in the file's name", () => {
  expect(found("board/others.ts", "")).toEqual(["others"]);
  expect(found("web/memoryRoom.ts", "")).toEqual(["memory room", "room"]);
  const source = `
    const lastWords = 1;
    function glideTo(place: number, { a: news, b: [tell] }: Given, ...past: number[]) {}
    class Patient { hurry() {} stage = 2 }
    interface Company { readonly holds: boolean; poke(moment: number): void }
    type Life = (late: number) => void;
    import { a as world } from "a";
    const MOST_POINTS = { others: 1 };
  `;
  expect(found("board/a.ts", source)).toEqual([
    "2 last words",
    ..."3 glide,3 place,3 news,3 tell,3 past".split(","),
    ..."4 patient,4 hurry,4 stage,5 company,5 holds,5 poke,5 moment".split(","),
    ..."6 life,6 late,7 world,8 most,8 others".split(","),
  ]);
});

test("a word that is only used, repeated or part of a longer one is not found", () => {
  const source = `
    import { past } from "library";
    const { seen, late: lazy, life: _life, place = 1 } = library.others(past.stage);
    const placeholder = { seen, [past]: withhold(replaced, mostly) };
    const pastedOtherwise = document.lifetime;
  `;
  expect(found("board/a.ts", source)).toEqual([]);
});

test("names that others rely on stay where they are a whole key", () => {
  expect(found("board/a.ts", "const a = { seen: 1, life: 2, place: 3 };")).toEqual([]);
  expect(found("board/a.ts", "const f = (atMost: number, most: number) => {};")).toEqual([
    "1 most",
  ]);
  expect(found("board/a.ts", "const seen = { seenBefore: 1 };")).toEqual(["1 seen", "1 seen"]);
  expect(found("a.md", "`canvas-room`, `REALTIME_ROOM_MEMBERS`, a room")).toEqual(["1 room"]);
});

test("comments, titles of tests and documents: metaphors, and every word that never fits", () => {
  const source = `
    /**
     * The room hears it.
     * The diary of others, in the world.
     */
    test.each([1])("a patient courier", () => {}); // Answers null.
    describe(\`the house of \${others}\`, () => {});
    const text = "a room, a world, a courier";
  `;
  expect(found("board/a.test.ts", source)).toEqual([
    ..."3 room,3 hears,4 diary,4 world,6 Answers,6 courier,6 patient".split(","),
    ..."7 house,8 courier".split(","),
  ]);
  expect(
    found("a.md", "A room.\n\nThe others: fine.\nA lane. The server answers. Answers it."),
  ).toEqual(["1 room", "4 Answers", "4 lane"]);
  expect(found("a.css", ".room {} /* the weather */")).toEqual(["1 weather"]);
});

test("a doc comment that cannot be read alone is found", () => {
  const source =
    "/** Of a pause. */\nconst a = 1;\n/**\n * Those that wait.\n */\nconst b = 2;\n// Of no doc.\n/** Offers. */\n/** How it waits. */\n/** However. */\n";
  expect(found("board/a.ts", source)).toEqual(["1 Of", "3 Those", "9 How"]);
});

test("a type of parts is found: a factory's arguments are its dependencies", () => {
  const source = "\ninterface OpenBoardParts {}\ntype Parts = number;\nconst parts = 1;\n";
  expect(found("board/a.ts", source)).toEqual(["2 parts", "3 parts"]);
});
