import { expect, test } from "vitest";
import { mergeNames } from "../../../board/author-names.ts";
import { createBoard } from "../../../board/board.ts";
import type { Author } from "../../../board/drawing.ts";
import { MAX_COUNT } from "../../../board/limits.ts";
import { createOwnName } from "./own-name.ts";

const ME = "00aabcdefghij" as Author;

test("DAT-35 a page enters its own name, and a later one wins", () => {
  const board = createBoard();
  let now = Date.UTC(2020, 0, 1, 0, 1);
  const own = createOwnName(board, ME, () => now);
  expect(own.set("person00", undefined)).toBe(true);
  expect(board.names.get(ME)).toEqual([60, "person00"]);
  expect(own.set("person00", "Ann")).toBe(true);
  expect(board.names.get(ME)).toEqual([61, "person00", "Ann"]);
  expect(own.set("person00", "Ann")).toBe(false);
  now += 60_000;
  own.set("person00", "Anna");
  expect(board.names.get(ME)).toEqual([120, "person00", "Anna"]);
});

test("DAT-37 entries of others for this page are replaced, save at the greatest version, where it has no name", () => {
  const board = createBoard();
  const own = createOwnName(board, ME, () => 0);
  own.defend();
  expect(board.names.size).toBe(0);
  own.set("person00", "Ann");
  mergeNames(board.names, [[ME, [900, "person99", "Mallory"]]]);
  own.defend();
  expect(board.names.get(ME)).toEqual([901, "person00", "Ann"]);
  own.defend();
  expect(board.names.get(ME)).toEqual([901, "person00", "Ann"]);
  mergeNames(board.names, [[ME, [MAX_COUNT, "person99"]]]);
  own.defend();
  expect(board.names.get(ME)).toEqual([MAX_COUNT, "person99"]);
});
