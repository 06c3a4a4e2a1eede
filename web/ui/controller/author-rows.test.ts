import { expect, test } from "vitest";
import { makeAuthor } from "../../../board/author.ts";
import type { AuthorShare } from "../../../board/authorship.ts";
import type { Author, ObjectId } from "../../../board/drawing.ts";
import { colorOf, labelOf } from "../../../board/peer-label.ts";
import { authorRows, OTHER_PROGRAMS } from "./author-rows.ts";

const MINE = "0123456789ab";
const THEIRS = "ffeeddccbbaa";

function share(author: Author | null): AuthorShare {
  return { author, ids: ["a-1" as ObjectId], hidden: 1, chars: 200, colors: ["#ff0000"] };
}

test("authors are named and coloured as their pointers were, and this page says so", () => {
  const [mine, theirs] = authorRows(
    [share(makeAuthor(10, MINE)), share(makeAuthor(31, THEIRS))],
    MINE,
    new Map([[THEIRS, undefined]]),
  );
  expect(mine).toMatchObject({ name: labelOf(MINE), color: colorOf(MINE), isOwn: true });
  expect(theirs).toMatchObject({ name: labelOf(THEIRS), color: colorOf(THEIRS), isOwn: false });
  expect([mine?.day, theirs?.day]).toEqual([Date.UTC(2020, 0, 11), Date.UTC(2020, 1, 1)]);
  expect(mine).toMatchObject({ ids: ["a-1"], hidden: 1, bytes: 200, swatches: ["#ff0000"] });
});

test("what has no author of its own belongs to other programs", () => {
  expect(authorRows([share(null)], MINE, new Map())).toMatchObject([
    { key: OTHER_PROGRAMS, name: OTHER_PROGRAMS, isOwn: false, color: null, day: null },
  ]);
});

test("an author's name of any letters has a row", () => {
  expect(authorRows([share("a" as Author)], MINE, new Map())).toMatchObject([
    { key: "a", day: null },
  ]);
});

test("PRS-4 who is online is listed with the name of their own, beside the label", () => {
  const rows = authorRows([share(makeAuthor(31, THEIRS))], MINE, new Map([[THEIRS, "Ben"]]));
  expect(rows).toMatchObject([{ name: `Ben (${labelOf(THEIRS)})` }]);
});
