/** Compares SPEC.md with the tests: every rule is named by a test, and every rule that a test names exists. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFiles } from "./imports.ts";
import { isMain, report } from "../report.ts";
import { ROOT } from "../root.mjs";

/** Greatest number of characters of a rule; a longer one promises several things. */
const MAX_LENGTH = 400;

const RULE = /^- \*\*([A-Z][A-Z0-9]*-\d+)\*\* (.+)$/gm;
/** Matches a title that begins with one id or several, joined by commas. */
const TITLE = /(["'`])((?:[A-Z][A-Z0-9]*-\d+)(?:,? [A-Z][A-Z0-9]*-\d+)*)(?=[ :.\d])/g;
/** Matches a title that names more than one rule. */
const SEVERAL = /["'`]([A-Z][A-Z0-9]*-\d+(?:,? [A-Z][A-Z0-9]*-\d+)+)(?=[ :.\d])/g;
const ID = /[A-Z][A-Z0-9]*-\d+/g;
/** Matches the plain form, in which an id of any area counts, even one that SPEC.md does not know. */
const CALL = /\b(?:test|it|describe)\(\s*["'`]([A-Z][A-Z0-9]*-\d+)(?=[ :])/g;

/**
 * Reads the rules.
 * @returns The ids in order, repetitions included.
 */
export function rulesOf(spec: string): string[] {
  return [...spec.matchAll(RULE)].map((match) => match[1] ?? "");
}

/**
 * Returns the ids that a test file's titles name.
 * @param prefixes An id-like word with another prefix ("UTF-8") counts only where it begins a test's name.
 */
export function namedRules(source: string, prefixes: ReadonlySet<string>) {
  const titles = [...source.matchAll(TITLE)].flatMap((match) => match[2]?.match(ID) ?? []);
  const known = titles.filter((id) => prefixes.has(id.split("-")[0] ?? ""));
  return [...new Set([...known, ...[...source.matchAll(CALL)].map((match) => match[1] ?? "")])];
}

export function compareRules(
  spec: string,
  tests: readonly { path: string; source: string }[],
): string[] {
  const rules = rulesOf(spec);
  const prefixes = new Set(rules.map((id) => id.split("-")[0] ?? ""));
  const named = new Map(
    tests.flatMap(({ path, source }) => namedRules(source, prefixes).map((id) => [id, path])),
  );
  const known = new Set(rules);
  return [
    ...rules
      .filter((id, at) => rules.indexOf(id) !== at)
      .map((id) => `SPEC.md has two rules ${id}`),
    ...[...spec.matchAll(RULE)]
      .filter(([, , text = ""]) => text.length > MAX_LENGTH)
      .map(
        ([, id, text = ""]) => `rule ${id} has ${text.length} characters, more than ${MAX_LENGTH}`,
      ),
    ...rules.filter((id) => !named.has(id)).map((id) => `no test names rule ${id}`),
    ...[...named]
      .filter(([id]) => !known.has(id))
      .map(([id, path]) => `${path} names rule ${id}, which SPEC.md does not have`),
    ...tests.flatMap(({ path, source }) =>
      [...source.matchAll(SEVERAL)].map(
        ([, ids]) => `${path} names ${ids} in one title: one behaviour, one rule`,
      ),
    ),
    ...(rules.length === 0 ? ["SPEC.md has no rules"] : []),
  ];
}

if (isMain(import.meta.url)) {
  const spec = readFileSync(join(ROOT, "SPEC.md"), "utf8");
  const tests = sourceFiles(ROOT, ["board", "web", "server", "testing", "scripts", "lab", "e2e"])
    .filter(
      (path) => /\.(?:test|spec|case)\.tsx?$/.test(path) && path !== "scripts/check/checks.test.ts",
    )
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), "utf8") }));
  report(
    "rules",
    compareRules(spec, tests),
    `${rulesOf(spec).length} rules, ${tests.length} test files`,
  );
}
