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

test.each([
  ["picked from the client's wiring", 'f(given: Wired<"a" | "b" | "c" | "d" | Rest>)'],
  [
    "picked, with another parameter",
    'f(given: Wired<"a" | "b" | "c" | "d" | "e" | "f" | "g">, x: X)',
  ],
  ["picked, beside dependencies", 'f(a: ADependencies, b: Pick<CDependencies, "x" | "y" | "z">)'],
  ["added to", 'f(a: ADependencies & Pick<CDependencies, "x" | "y" | "z">)'],
  ["and a second parameter of a factory", "createF(a: ADependencies, x: X, y: Y, z: () => Z): F"],
])("dependencies that are %s count", (_name, head) => {
  const types = `
    type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;
    type Rest = "e" | "f" | "g" | "h";
    interface ADependencies extends Base { e: 1 }
  `;
  expect(check(`${types} function ${head} {}`)).toEqual([
    expect.stringMatching(/^web\/a\.ts \w+ is given 8 dependencies, more than 7$/),
  ]);
});

test("a value, an environment and a call's argument are no dependencies", () => {
  const types = "interface ADependencies extends Base { e: 1; f: 1; g: 1 }";
  const heads = [
    "createF(a: ADependencies, n: number, name: string | null): F",
    "createF(a: ADependencies, env: Environment): F",
    "openF(a: ADependencies, x: X): Promise<void>",
    "look(a: ADependencies, x: X): F",
  ];
  expect(check(`${types} ${heads.map((head) => `function ${head} {}`).join(" ")}`)).toEqual([]);
});

test("an environment may have ten", () => {
  const ten = "interface AEnvironment extends Base { e: 1; f: 1; g: 1; h: 1; i: 1; j: 1 }";
  expect(check(ten)).toEqual([]);
  expect(check(ten.replace("j: 1", "j: 1; k: 1"))).toHaveLength(1);
});
