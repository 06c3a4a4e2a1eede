import { expect, test } from "vitest";
import { applyChange, drawn, mutantsOf } from "./mutants.ts";

/** Returns the faults of a source, each as the resulting source. */
function broken(source: string): readonly string[] {
  return mutantsOf("a.ts", source).map((mutant) => applyChange(source, mutant));
}

test.each([
  ["a < b", ["a <= b"]],
  ["a >= (b)", ["a > (b)"]],
  ["a === 1", ["a !== 1", "a === 2"]],
  ["a + b", ["a - b"]],
  ["a * 2", ["a / 2"]],
  ["a && (b ?? c)", ["((a) || ((b ?? c)))", "a && (((b) && (c)))"]],
  ["!a", ["(a)"]],
  ["a = true", ["a = false"]],
  ["Math.min(a)", ["Math.max(a)"]],
  ["a ? b : c", ["true ? b : c", "false ? b : c"]],
  ["a /* < */ < b", ["a /* < */ <= b"]],
])("%s", (expression, faults) => {
  const of = (text: string): string => `const x = (${text});`;
  expect(broken(of(expression)).toSorted()).toEqual(faults.map(of).toSorted());
});

test("statements that only have an effect are left out", () => {
  expect(broken("call();")).toEqual([";"]);
  expect(broken("await call();")).toEqual([";"]);
  expect(broken("a?.call();")).toEqual([";"]);
  expect(broken("a = b;")).toEqual([";"]);
  expect(broken("delete a.b;")).toEqual([";"]);
  expect(broken("a++;")).toEqual(["a--;", ";"]);
  expect(broken("a -= b;")).toEqual([";", "a += b;"]);
  expect(broken("while (a) {}")).toEqual(["while (false) {}"]);
  expect(broken("if (a) b();")).toEqual(["if (true) b();", "if (false) b();", "if (a) ;"]);
});

test("types, imports, logs, texts and sizes are left alone", () => {
  const source = `
    import { a } from "a";
    import type { B } from "b";
    export type C = true | 1;
    interface D { e: A extends B ? 1 : 2 }
    env.log.warn("gone", a < b);
    console.error(true);
    const text = "a" + b + \`c\`;
    const size = 1024;
    function f(this: Window, x: true): asserts x is true {}
  `;
  expect(broken(source)).toEqual([]);
  expect(broken("const a = (b < c) as true;")).toEqual(["const a = (b <= c) as true;"]);
});

test("a fault knows its line, and every fault can be parsed", () => {
  const source =
    "const a = b\n  ?? (c || d);\nif (a)\n  x = { ...(e === f ? {} : { g: true }) };\n";
  const mutants = mutantsOf("a.ts", source);
  expect(mutants.map(({ line }) => line)).toEqual([1, 2, 3, 3, 4, 4, 4, 4, 4]);
  for (const mutant of mutants)
    expect(() => mutantsOf("a.ts", applyChange(source, mutant))).not.toThrow();
});

test("the same seed draws the same sample, another seed another", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  expect(drawn(items, 10, 7)).toEqual(drawn(items, 10, 7));
  expect(drawn(items, 10, 7)).not.toEqual(drawn(items, 10, 8));
  expect(new Set(drawn(items, 100, 1)).size).toBe(100);
});
