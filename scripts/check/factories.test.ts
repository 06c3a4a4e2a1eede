import { expect, test } from "vitest";
import { checkFactories } from "./factories.ts";

const BASE = "export interface Base { a: 1; b(): void; c: 1; d: 1 }";
/** Returns the problems of one file beside that of the interface above. */
function check(text: string): string[] {
  const files = new Map([
    ["web/base.ts", BASE],
    ["web/a.ts", text],
  ]);
  return checkFactories(files).problems;
}

test("more than seven dependencies are found, those that are inherited included", () => {
  const seven = "interface ADependencies extends Base { e: 1; f: 1; g: 1 }";
  expect(check(seven)).toEqual([]);
  expect(check(seven.replace("g: 1", "g: 1; h: 1"))).toEqual([
    "web/a.ts ADependencies has 8 members, more than 7",
  ]);
  expect(check('interface AOptions extends Omit<Base, "a"> { e: 1; f: 1; g: 1; h: 1 }')).toEqual(
    [],
  );
});

test("an environment may have ten", () => {
  const ten = "interface AEnvironment extends Base { e: 1; f: 1; g: 1; h: 1; i: 1; j: 1 }";
  expect(check(ten)).toEqual([]);
  expect(check(ten.replace("j: 1", "j: 1; k: 1"))).toHaveLength(1);
});
