import { expect, test } from "vitest";
import { inBrackets, splitList, unquote } from "./split.ts";

test.each<[string, readonly string[] | null]>([
  ["", [""]],
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  ["a,", ["a", ""]],
  ['"e,f",g', ['"e,f"', "g"]],
  ['"e(f",g', ['"e(f"', "g"]],
  ['"e\\",f",g', ['"e\\",f"', "g"]],
  ["b(c,d),e", ["b(c,d)", "e"]],
  ["b(c,(d,e)),f", ["b(c,(d,e))", "f"]],
  ['b("),",c),d', ['b("),",c)', "d"]],
  ["b(c", null],
  ["b)c(", null],
  ['"b', null],
  ['"b\\"', null],
])("TAB-7 %s is split at the commas outside of quotes and brackets", (text, parts) => {
  expect(splitList(text)).toEqual(parts);
});

test("TAB-7 quotes and brackets are taken off only as pairs", () => {
  expect(['"a\\"b"', "a", '"', '"a', '""'].map(unquote)).toEqual(['a"b', "a", '"', '"a', ""]);
  expect(["(a,b)", "()", "(a", "a)"].map(inBrackets)).toEqual(["a,b", "", null, null]);
});
