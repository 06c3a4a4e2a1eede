import { expect, test } from "vitest";
import { checkTests } from "./assertions.ts";

const HELPERS = `
  export function expectAll(list, value) { for (const one of list) expect(one).toBe(value); }
  export const read = () => 5;
  export const SOME = [1, 2] as const;
  export const FOUND = readdirSync(".");
`;

/** Returns the problems of one test, whose file imports the helpers above. */
function problemsOf(source: string): readonly string[] {
  const imports = 'import { expectAll, read, SOME, FOUND } from "./helpers.ts";\n';
  const files = new Map([
    ["testing/a.test.ts", imports + source],
    ["testing/helpers.ts", HELPERS],
  ]);
  return checkTests(["testing/a.test.ts"], (path) => files.get(path) ?? null);
}

test.each([
  ["an assertion", 'test("a", () => { expect(1).toBe(1); });'],
  ["an assertion of a promise", 'test("a", () => expect(read()).resolves.toBe(1));'],
  ["an assertion that is polled", 'test("a", async () => { await expect.poll(read).toBe(1); });'],
  ["a helper that asserts", 'test("a", () => expectAll([1], 1));'],
  ["a list that is written out", 'test("a", () => { for (const x of [1]) expect(x).toBe(1); });'],
  ["a list of another file", 'test("a", () => { for (const x of SOME) expect(x).toBe(1); });'],
  ["numbers", 'test("a", () => { for (let at = 0; at < 9; at++) expect(at).toBe(1); });'],
  ["both ways of a condition", 'test("a", () => { if (read()) expect(1); else expect(2); });'],
  ["a property", 'test("a", () => fc.assert(fc.property(x, (y) => { expect(y).toBe(1); })));'],
  ["a function of the test", 'test("a", () => { const look = () => expect(1).toBe(1); look(); });'],
  ["a table of cases", 'test.each([1, 2])("%s", (x) => { expect(x).toBe(1); });'],
  ["a test that is skipped", 'test.skip("a", () => {});'],
  ["a group of tests", 'describe("a", () => { test("b", () => { expect(1).toBe(1); }); });'],
  [
    "a return in a callback",
    'test("a", () => { on(() => { if (x) return; }); expect(1).toBe(1); });',
  ],
])("%s is no problem", (_name, source) => {
  expect(problemsOf(source)).toEqual([]);
});

test.each([
  ["no assertion", 'test("a", () => { read(); });'],
  ["a table of cases without one", 'test.each([1])("%s", (x) => { read(x); });'],
  ["a test by another name", 'const here = test.skipIf(x); here("a", () => { read(); });'],
  ["a matcher alone", 'test("a", () => { read(expect.any(Number)); });'],
  ["a list that may be empty", 'test("a", () => { for (const x of read()) expect(x).toBe(1); });'],
  ["a list from elsewhere", 'test("a", () => { for (const x of FOUND) expect(x).toBe(1); });'],
  [
    "a helper with such a list",
    'test("a", () => { const look = () => { for (const x of read()) expect(x); }; look(); });',
  ],
  ["a callback of such a list", 'test("a", () => { read().forEach((x) => expect(x).toBe(1)); });'],
  ["an event that may not happen", 'test("a", () => { x.on("y", () => expect(1).toBe(1)); });'],
  ["one way of a condition", 'test("a", () => { if (read()) expect(1).toBe(1); });'],
  [
    "a failure that may not happen",
    'test("a", () => { try { read(); } catch (e) { expect(e).toBe(1); } });',
  ],
  [
    "a helper that returns early",
    'test("a", () => { const f = () => { if (read()) return; expect(1); }; f(); });',
  ],
  ["a loop that may not begin", 'test("a", () => { while (read()) expect(1).toBe(1); });'],
])("%s is a problem", (_name, source) => {
  expect(problemsOf(source)[0]).toContain("no assertion of the test is certain");
});

test("a return before the end is a problem, regardless of earlier assertions", () => {
  const source =
    '\ntest("a", () => {\n expect(1).toBe(1); if (read()) return; expect(2).toBe(2); });';
  expect(problemsOf(source)).toEqual(["testing/a.test.ts:3: the test returns before its end"]);
});

/** Returns a test with one assertion that is certain to run, and this source beside it. */
const beside = (source: string) => `test("a", () => { expect(1).toBe(1); ${source} });`;

test.each([
  ["a loop over a found list", "for (const x of read()) expect(x).toBe(1);", "its list may be"],
  ["a callback for each of it", "read().map((x) => expect(x).toBe(1));", "its list may be empty"],
  ["a condition", "const x = read(); if (x.ok) expect(x.a).toBe(1);", "only if x is there"],
  ["a check for null", "const x = read(); if (x !== null) expect(x);", "only if x is there"],
  ["a failure", "try { read(); } catch (e) { expect(e).toBe(1); }", "nothing may be thrown"],
  ["an event", 'x.on("y", () => expect(1).toBe(1));', "may not be called"],
])("%s beside a certain assertion is a problem", (_name, source, problem) => {
  expect(problemsOf(beside(source))).toEqual([expect.stringContaining(problem)]);
});

test("a table of cases that is found, not written out, is a problem", () => {
  const cases = 'test.each(FOUND)("%s", (x) => { expect(x).toBe(1); });';
  expect(problemsOf(cases)).toEqual([expect.stringContaining("table of cases may be empty")]);
  const examined = `${cases} test("b", () => { expect(FOUND).toHaveLength(3); });`;
  expect(problemsOf(examined)).toEqual([]);
});

test.each([
  ["a list that is examined", "const l = read(); expect(l.length); for (const x of l) expect(x);"],
  ["a counted loop", "let n = 0; for (const x of read()) { expect(x); n++; } expect(n).toBe(3);"],
  ["an asserted condition", "const x = read(); expect(x.ok); if (x.ok) expect(x.a);"],
  ["a case of a table", "for (const x of SOME) if (x) expect(x).toBe(1);"],
  ["a property", "fc.assert(fc.property(a, (x) => { if (x) expect(x).toBe(1); }));"],
])("%s is no problem beside a certain assertion", (_name, source) => {
  expect(problemsOf(beside(source))).toEqual([]);
});

test("a test of more than 80 lines is a problem, and a group of as many is none", () => {
  const lines = (count: number) => "expect(1).toBe(1);\n".repeat(count);
  expect(problemsOf(`test("a", () => {\n${lines(78)}});`)).toEqual([]);
  expect(problemsOf(`test("a", () => {\n${lines(79)}});`)).toEqual([
    "testing/a.test.ts:2: the test has 81 lines, more than 80",
  ]);
  const one = `test("a", () => {\n${lines(50)}});\n`;
  expect(problemsOf(`describe("b", () => {\n${one}${one}});`)).toEqual([]);
});
