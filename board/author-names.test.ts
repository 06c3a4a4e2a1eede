import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeNames, namesOf, parseNames, type AuthorNames } from "./author-names.ts";
import { createBoard, putObject } from "./board.ts";
import type { Author, ObjectId, WrittenName } from "./drawing.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { MAX_COUNT, MAX_NAMES } from "./limits.ts";
import { mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

const entry = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom("person00", "person01"),
    fc.option(fc.constantFrom("Ann", "Ben")),
  )
  .map(([version, person, name]): WrittenName =>
    name ? [version, person, name] : [version, person],
  );
const table = fc.array(
  fc.tuple(fc.constantFrom("aaa", "bbb", "ccc", "ddd") as fc.Arbitrary<Author>, entry),
);
type Entries = [Author, WrittenName][];

function joined(...tables: Entries[]): unknown {
  const names: AuthorNames = new Map();
  for (const one of tables) mergeNames(names, one);
  return namesOf(names, [...names.keys()].sort());
}

describe("DAT-35 names of authors merge", () => {
  test("in any order, any number of times", () => {
    fc.assert(
      fc.property(table, table, table, (a, b, c) => {
        expect(joined(a, b, c)).toEqual(joined(c, b, a));
        expect(joined(a, b, b, a)).toEqual(joined(b, a));
      }),
    );
  });

  test("the later name wins, and none is changed by an equal entry", () => {
    const names: AuthorNames = new Map([["aaa" as Author, [2, "person00", "Ann"]]]);
    expect(mergeNames(names, [["aaa" as Author, [1, "person00", "Zoe"]]])).toBe(false);
    expect(mergeNames(names, [["aaa" as Author, [2, "person00", "Ann"]]])).toBe(false);
    expect(mergeNames(names, [["aaa" as Author, [3, "person00", "Anna"]]])).toBe(true);
    expect(names.get("aaa" as Author)).toEqual([3, "person00", "Anna"]);
  });

  test("the table is bounded, regardless of the order", () => {
    const many = Array.from({ length: MAX_NAMES + 50 }, (_, n): [Author, WrittenName] => [
      n.toString(36).padStart(5, "0") as Author,
      [1, "person00"],
    ]);
    const names: AuthorNames = new Map();
    mergeNames(names, many);
    expect(names.size).toBe(MAX_NAMES);
    expect(joined(many)).toEqual(joined(many.slice(60), many.slice(0, 60)));
  });
});

describe("DAT-36 a table of names from outside is checked", () => {
  test.each([
    [{ aaa: [1, "person00", "Ann"] }, { aaa: [1, "person00", "Ann"] }],
    [{ aaa: [1, "person00"] }, { aaa: [1, "person00"] }],
    [{ aaa: [1, "person00", " \u202eA\u0007nn\u200b "] }, { aaa: [1, "person00", "Ann"] }],
    [{ aaa: [1, "person00", "x".repeat(99)] }, { aaa: [1, "person00", "x".repeat(24)] }],
    [{ aaa: [1, "person00", "x".repeat(101)] }, { aaa: [1, "person00"] }],
    [{ aaa: [1, "person00", 7] }, { aaa: [1, "person00"] }],
    [{ aaa: [MAX_COUNT, "person00", "Ann"] }, { aaa: [MAX_COUNT, "person00"] }],
    [{ aaa: [MAX_COUNT + 1, "person00"] }, undefined],
    [{ aaa: [0, "person00"] }, undefined],
    [{ aaa: [1.5, "person00"] }, undefined],
    [{ aaa: ["1", "person00"] }, undefined],
    [{ aaa: [1, "short"] }, undefined],
    [{ aaa: [1, "<script>"] }, undefined],
    [{ "A B": [1, "person00"] }, undefined],
    [{ aaa: { 0: 1 } }, undefined],
    [JSON.parse('{"__proto__":[1,"person00"]}'), undefined],
    [
      Object.fromEntries(
        Array.from({ length: MAX_NAMES + 1 }, (_, n) => [`a${n}`, [1, "person00"]]),
      ),
      undefined,
    ],
    ["aaa", undefined],
    [null, undefined],
    [[["aaa", 1]], undefined],
  ])("case %#", (input, expected) => {
    expect(parseNames(input)).toEqual(expected);
  });

  test("a drawing with a bad table loses the table only", () => {
    const drawing = { objects: [], inkpool: { format: 1, seen: {}, names: 7 } };
    expect(parseDrawing(drawing)).toMatchObject({ ok: true, faults: [], foreign: false });
  });
});

describe("DAT-35 names travel in the drawing", () => {
  const id = "00aabcdefghij-0" as ObjectId;
  const author = "00aabcdefghij" as Author;

  test("those of authors who have objects, in the whole drawing and in parts of it", () => {
    const board = createBoard();
    putObject(board, { type: "Rect", id, z: 1, width: 1, height: 1 });
    mergeNames(board.names, [
      [author, [1, "person00", "Ann"]],
      ["00azzzzzzzzzz" as Author, [1, "person01", "Ben"]],
    ]);
    const names = { [author]: [1, "person00", "Ann"] };
    expect(toDrawing(board).inkpool.names).toEqual(names);
    expect(toPartial(board, [id]).inkpool.names).toEqual(names);
    expect(toPartial(board, []).inkpool.names).toBeUndefined();
    const parsed = parseDrawing(JSON.stringify(toDrawing(board)));
    const other = createBoard();
    if (parsed.ok) mergeInto(other, parsed.drawing);
    expect(toDrawing(other)).toEqual(toDrawing(board));
  });

  test("the version before leaves the table out, and the names return with the next page that knows them", () => {
    const board = createBoard();
    putObject(board, { type: "Rect", id, z: 1, width: 1, height: 1 });
    mergeNames(board.names, [[author, [1, "person00", "Ann"]]]);
    const { names, ...rest } = toDrawing(board).inkpool;
    mergeInto(board, { ...toDrawing(board), inkpool: rest });
    expect(toDrawing(board).inkpool.names).toEqual(names);
  });
});
