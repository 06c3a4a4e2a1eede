import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findMembers, parseObjectText } from "./json-text.ts";

function finish<T>(slices: Generator<void, T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = slices.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}

function nativeObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

describe("MRG-17 a text parsed in slices gives the result of JSON.parse", () => {
  const check = (text: string): void =>
    expect(finish(parseObjectText(text, "objects")).value, text).toEqual(nativeObject(text));

  test.each([
    "{}",
    " { } ",
    '{"objects":[]}',
    '{"objects":[ ]}',
    '{"objects":[1,"a",null,{"a":[{}]},[]] , "b" : -1.5e3}',
    '{"objects":"[1,2]","x":true}',
    '{"objects":[{"t":"a\\"]}\\\\"},{"u":"\\u005d"}],"inkpool":{"seen":{}}}',
    '{"objects":[1],"objects":[2,3]}',
    '{"__proto__":{"a":1},"objects":[{"__proto__":2}]}',
    '{"a\\"b":1}',
  ])("%s", check);

  test.each([
    "",
    "[]",
    "null",
    "{",
    '{"objects"',
    '{"objects":[1,]}',
    '{"objects":[1 2]}',
    '{"objects":[1}',
    '{"objects":[1]]}',
    '{"objects":[1]} x',
    '{"objects":[01]}',
    '{"a":1,}',
    '{"a" 1}',
    "{'a':1}",
    '{"a":"b}',
    '{"a":tru}',
    '{"objects":[{]}]}',
    '{"objects":[1}}',
    '{"objects":[1},"a":[2}]',
    "{\u00a0}",
  ])("malformed: %s", check);

  test("for any value, and for any text with one character changed", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.oneof(fc.constant("objects"), fc.string()),
          fc.jsonValue({ maxDepth: 3 }),
          {
            maxKeys: 4,
          },
        ),
        fc.nat(),
        fc.constantFrom(...'{}[],:"\\ 0a\n'.split("")),
        (value, at, character) => {
          const text = JSON.stringify(value);
          check(text);
          check(JSON.stringify(value, null, 2));
          const where = at % text.length;
          check(text.slice(0, where) + character + text.slice(where + 1));
        },
      ),
      { seed: 20_261_121, numRuns: 1500 },
    );
  });

  test("with a pause after each 200,000 characters, inside of a long item too", () => {
    const item = { path: "M0 0".padEnd(1000, "l") };
    const text = JSON.stringify({ objects: Array.from({ length: 4000 }, () => item) });
    expect(finish(parseObjectText(text, "objects")).pauses).toBeGreaterThanOrEqual(2 * 19);
    const envelope = `{"id":"x","canvas_json":${text}}`;
    const { value, pauses } = finish(findMembers(envelope));
    expect(pauses).toBeGreaterThanOrEqual(19);
    const { start, end } = value.get("canvas_json") ?? { start: 0, end: 0 };
    expect(envelope.slice(start, end)).toBe(text);
  });
});
