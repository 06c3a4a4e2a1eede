import fc from "fast-check";
import { expect, test } from "vitest";
import "../../testing/random/fast-check.ts";
import { stripNulls } from "./strip-nulls.ts";

/** Returns the value of a text without its null members. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(members.map(([name, one]) => [name, strip(one)]));
}

const stripped = (text: string): string => stripNulls(Buffer.from(text)).toString("utf8");

test.each([
  ["null", "null"],
  ["[]", "[]"],
  ['{"a":null}', "{}"],
  [' { "a" : null , "b" : [ null , { "c" : null } ] } ', '{"b":[null,{}]}'],
  ['{"a":1,"b":null,"c":"x,null\\"}{","d":-1.5e3}', '{"a":1,"c":"x,null\\"}{","d":-1.5e3}'],
  ['{"é\\\\":null,"n":"null"}', '{"n":"null"}'],
])("TAB-30 %s without nulls is %s", (text, expected) => {
  expect(stripped(text)).toBe(expected);
});

test("TAB-30 any JSON loses its null members and nothing else, however it is spaced", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, space) => {
      expect(JSON.parse(stripped(JSON.stringify(value, null, space)))).toEqual(
        strip(JSON.parse(JSON.stringify(value))),
      );
    }),
  );
});

test("TAB-30 the depth of JSON costs no stack", () => {
  const depth = 200_000;
  const text = `${'{"a":['.repeat(depth)}${"]}".repeat(depth)}`;
  expect(stripped(text)).toBe(text);
});
