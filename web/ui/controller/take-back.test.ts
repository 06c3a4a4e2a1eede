import { expect, test } from "vitest";
import { makeAuthor } from "../../../board/author.ts";
import type { Author, WrittenName } from "../../../board/drawing.ts";
import { labelOf } from "../../../board/peer-label.ts";
import type { Doubt } from "../../../board/take-back.ts";
import { authorRows, withPagesOf, type Known } from "./author-rows.ts";
import { takeBackTexts, type TakeBackPlan } from "./take-back.ts";

const NOTHING = { goes: 0, returns: 0 };
const PLAN: TakeBackPlan = {
  ...{ goes: 12, returns: 3, lost: 2, versions: "read", watchedSince: 0 },
  doubts: { older: NOTHING, shared: { goes: 1, returns: 0 }, remover: { goes: 0, returns: 4 } },
  run: async () => null,
};
const NONE: ReadonlySet<Doubt> = new Set();

test("HOST-38 the panel counts the objects that go and return, with the included doubts, and those that cannot return", () => {
  const texts = takeBackTexts(PLAN, NONE);
  expect(texts.sum).toBe("Removes 12 objects and brings 3 back as before.");
  expect(texts.doubts).toEqual([
    ["shared", "Also 1 object that others have changed since"],
    ["remover", "Bring back 4 objects of which nobody saw who removed them"],
  ]);
  expect(texts.notes).toEqual(["2 objects cannot return: nobody knows how they were."]);
  const more = takeBackTexts(PLAN, new Set(["shared", "remover"] as const));
  expect(more.done).toBe("13 objects removed, 7 back as before");
});

test("HOST-37 without versions the panel says since when the page has watched; there may be nothing to take back", () => {
  const at = new Date(2026, 10, 23, 9, 5).getTime();
  const plan = { ...PLAN, goes: 0, returns: 0, lost: 0, watchedSince: at };
  const { sum, isSomething, notes } = takeBackTexts({ ...plan, versions: "none" }, NONE, at);
  expect([sum, isSomething]).toEqual(["There is nothing to take back.", false]);
  expect(notes).toEqual([
    "This server keeps no versions of the drawing: what this page has seen since 09:05 is known.",
  ]);
  expect(takeBackTexts({ ...plan, versions: "away" }, NONE, at).notes[0]).toContain("Not all");
});

const [one, other, mine] = ["one0000000", "other00000", "mine000000"].map((name) =>
  makeAuthor(2500, name),
) as [Author, Author, Author];

function known(names: readonly [Author, WrittenName][]): Known {
  const isOwnPage = (author: Author): boolean => author.slice(3) === mine.slice(3);
  const peers = new Map([["gone999999", "Zoe"]]);
  return { clientId: "here000000", peers, names: new Map(names), person: "myself00", isOwnPage };
}

test("HOST-38 pages that the drawing says are of the same browser come on demand, this browser's own never", () => {
  const names: [Author, WrittenName][] = [
    [one, [1, "somebody"]],
    [other, [1, "somebody"]],
    [mine, [1, "somebody"]],
  ];
  expect([...withPagesOf(new Set(["one0000000"]), known(names))]).toEqual([
    "one0000000",
    "other00000",
  ]);
  const impostor: [Author, WrittenName][] = [
    [one, [1, "myself00"]],
    [mine, [1, "myself00"]],
  ];
  expect([...withPagesOf(new Set(["one0000000"]), known(impostor))]).toEqual(["one0000000"]);
});

test("HOST-39 a host sees authors with observed actions and no objects on the board, but not this browser's own pages", () => {
  const rows = authorRows([], known([]), new Set(["gone999999", "mine000000", ""]));
  expect(rows.map(({ name, ids, culprits }) => [name, ids.length, [...culprits]])).toEqual([
    [`Zoe (${labelOf("gone999999")})`, 0, ["gone999999"]],
    ["“Other programs”", 0, [""]],
  ]);
});
