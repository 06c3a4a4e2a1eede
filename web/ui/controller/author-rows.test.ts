import { expect, test } from "vitest";
import { makeAuthor } from "../../../board/author.ts";
import type { AuthorShare } from "../../../board/authorship.ts";
import type { Author, ObjectId, WrittenName } from "../../../board/drawing.ts";
import { colorOf, labelOf } from "../../../board/peer-label.ts";
import { authorRows, callingName, OTHER_PROGRAMS, type Known } from "./author-rows.ts";

const MINE = "0123456789ab";
const THEIRS = "ffeeddccbbaa";

function share(author: Author | null): AuthorShare {
  return { author, ids: ["a-1" as ObjectId], hidden: 1, chars: 200, colors: ["#ff0000"] };
}

function known(
  peers: Known["peers"] = new Map(),
  names: readonly [Author, WrittenName][] = [],
  own: readonly Author[] = [],
): Known {
  const isOwnPage = (author: Author): boolean => own.includes(author);
  return { clientId: MINE, peers, names: new Map(names), person: "myself00", isOwnPage };
}

test("authors are named and coloured as their pointers were, and this page says so", () => {
  const [mine, theirs] = authorRows(
    [share(makeAuthor(10, MINE)), share(makeAuthor(31, THEIRS))],
    known(new Map([[THEIRS, undefined]])),
  );
  expect(mine).toMatchObject({ name: labelOf(MINE), color: colorOf(MINE), isOwn: true });
  expect(theirs).toMatchObject({ name: labelOf(THEIRS), color: colorOf(THEIRS), isOwn: false });
  expect([mine?.day, theirs?.day]).toEqual([Date.UTC(2020, 0, 11), Date.UTC(2020, 1, 1)]);
  expect(mine).toMatchObject({ ids: ["a-1"], hidden: 1, bytes: 200, swatches: ["#ff0000"] });
});

test("WHO-1 an object without an author of its own belongs to other programs, whose name is quoted", () => {
  expect(authorRows([share(null)], known())).toMatchObject([
    { key: OTHER_PROGRAMS, name: "“Other programs”", isOwn: false, color: null, day: null },
  ]);
});

test("an author's name of any letters has a row", () => {
  expect(authorRows([share("a" as Author)], known())).toMatchObject([{ key: "a", day: null }]);
});

test("PRS-4 an online author is listed with their own name beside the label", () => {
  const rows = authorRows([share(makeAuthor(31, THEIRS))], known(new Map([[THEIRS, "Ben"]])));
  expect(rows).toMatchObject([{ name: `Ben (${labelOf(THEIRS)})` }]);
});

const MONDAY = makeAuthor(10, "aaaaaaaaaaaa");
const TUESDAY = makeAuthor(11, "bbbbbbbbbbbb");

test("WHO-2 the pages of one browser are one row, with the name that was written last", () => {
  const names: [Author, WrittenName][] = [
    [MONDAY, [1, "person00", "Ann"]],
    [TUESDAY, [2, "person00", "Ms Smith"]],
  ];
  const rows = authorRows([share(MONDAY), share(TUESDAY)], known(new Map(), names));
  expect(rows).toHaveLength(1);
  const label = labelOf("bbbbbbbbbbbb");
  expect(rows[0]).toMatchObject({
    name: `Ms Smith (${label})`,
    isOwn: false,
    bytes: 400,
    hidden: 2,
  });
  expect(rows[0]?.ids).toHaveLength(2);
  expect(callingName(MONDAY, known(new Map(), names))).toBe("Ann");
  expect(callingName(TUESDAY, known())).toBe(label);
  expect(callingName(null, known())).toBe("another program");
});

test("WHO-2 one's own rows are one by the browser's record, and a page that claims to be of it has a row without the name", () => {
  const names: [Author, WrittenName][] = [
    [MONDAY, [1, "myself00", "Ms Smith"]],
    [TUESDAY, [2, "myself00", "Ms Smith"]],
  ];
  const mine = known(new Map(), names, [MONDAY]);
  const rows = authorRows([share(MONDAY), share(makeAuthor(12, MINE)), share(TUESDAY)], mine);
  expect(rows.map(({ name, isOwn }) => [name, isOwn])).toEqual([
    ["Ms Smith", true],
    [labelOf("bbbbbbbbbbbb"), false],
  ]);
  expect(callingName(MONDAY, mine)).toBe("you");
  expect(callingName(TUESDAY, mine)).toBe(labelOf("bbbbbbbbbbbb"));
});
