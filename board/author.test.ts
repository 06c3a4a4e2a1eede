import { describe, expect, test } from "vitest";
import { baseAuthor, compareIds, isAuthor, isObjectId, makeAuthor } from "./author.ts";
import type { Author, ObjectId } from "./drawing.ts";

describe("authors", () => {
  test("a name begins with its day, from 0 to 46655, and takes ten characters of the random text", () => {
    expect(makeAuthor(0, "A-b_c")).toBe("000abc");
    expect(makeAuthor(46_655, "0123456789abc")).toBe("zzz0123456789");
    expect(makeAuthor(-1, "x")).toBe("000x");
    expect(makeAuthor(46_656, "x")).toBe("zzzx");
  });

  test("a name has 1 to 24 characters, an id a number up to 2^31-1 without leading zeros", () => {
    expect(["a", "a".repeat(24)].every(isAuthor)).toBe(true);
    expect(["", "a".repeat(25), "A", "a-b", 7].some(isAuthor)).toBe(false);
    expect(["a-0", "a-10", `a-${2 ** 31 - 1}`].every(isObjectId)).toBe(true);
    expect(["a-01", `a-${2 ** 31}`, "a-", "-1", "a-1-1", 7].some(isObjectId)).toBe(false);
  });

  test("ids are ordered by author, and those of one author by number", () => {
    const ordered = ["aa-5", "ab-2", "ab-10", "b-0"] as ObjectId[];
    for (const [at, left] of ordered.entries())
      for (const [index, right] of ordered.entries())
        expect(Math.sign(compareIds(left, right)), `${left} ${right}`).toBe(Math.sign(at - index));
  });

  test("the names of one page have one beginning, those of plain clients' objects none", () => {
    const author = makeAuthor(2500, "0123456789");
    expect(baseAuthor(`${author}k3q9` as Author)).toBe(author);
    expect(baseAuthor("000abc" as Author)).toBe("000abc");
    expect(baseAuthor("f1234" as Author)).toBeNull();
  });
});
