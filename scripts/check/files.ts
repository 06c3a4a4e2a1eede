/**
 * Finds files that are unfinished, tied to one machine or left behind by a program, style sheets, SQL and HTML of
 * unreadable size, and factories with many dependencies (the linter checks the rest).
 */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, report } from "../report.ts";
import { checkFactories } from "./factories.ts";
import { ROOT } from "../root.mjs";

/** Greatest number of lines, the same as `max-lines` of .oxlintrc.json. */
const MAX_LINES = 320;

/** Matches files that the linter does not read. */
const MEASURED = /\.(?:css|sql|html)$/;
const TEXT = /\.(?:ts|tsx|mjs|css|sql|html|md|json|yml|yaml)$|^\.ci\/run$|^\.npmrc$/;

/** The kinds of files that we write; a program left behind any other. */
const KINDS =
  /\.(?:ts|tsx|mjs|css|html|sql|md|jsonl?|ya?ml|cfg|service|webmanifest|svg|png|webp)$|(?:^|\/)(?:\.\w+(?:ignore|rc|config)|LICENSE|Dockerfile)$|^\.ci\/run$/;

/** Texts that must not occur in the repository. */
const FORBIDDEN = [
  { pattern: /\b(?:TODO|FIXME|XXX)\b/, name: "an unfinished note" },
  {
    pattern: /(?:^|[\s"'`(=])\/(?:work|root|home\/\w+|Users\/\w+)\//,
    name: "a path of one machine",
  },
  {
    pattern: /https?:\/\/[\w.-]*(?:registry|artifactory|nexus|verdaccio)[\w.-]*/i,
    name: "the address of a package registry",
  },
];

/**
 * Style declarations that do not mirror themselves where a page is read from right to left. A side on purpose is
 * explained on its line.
 */
const SIDED = [
  /^\s*(?:margin|padding|border)-(?:left|right)\b/,
  /^\s*(?:text-align|float): (?:left|right)\b/,
  /^\s*(?:left|right): (?!(?:0|50%);)/,
  // It has four values, of which those of the sides differ.
  /^\s*(?:margin|padding|inset): (?:\S+ )(\S+) \S+ (?!\1;)\S+;/,
];

export const strays = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => !KINDS.test(path))
    .map((path) => `${path} is of a kind that the repository does not have`);

export function problemsOf(path: string, text: string): string[] {
  const problems = [];
  const lines = text.split("\n");
  if (MEASURED.test(path) && lines.length > MAX_LINES)
    problems.push(`${path} has ${lines.length} lines, more than ${MAX_LINES}`);
  const isStyle = path.endsWith(".css");
  for (const [index, line] of lines.entries()) {
    if (isStyle && !line.includes("/*") && SIDED.some((pattern) => pattern.test(line)))
      problems.push(`${path}:${index + 1} says left or right where start or end is meant`);
    for (const { pattern, name } of FORBIDDEN)
      if (pattern.test(line)) problems.push(`${path}:${index + 1} contains ${name}`);
  }
  return problems;
}

/** Returns the files of the repository, as git knows them, including those that are not committed yet. */
export function repositoryFiles() {
  const { stdout, status } = spawnSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard"],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) return [];
  return stdout.split("\n").filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

/** Files that name the texts which this check looks for. */
const OWN = new Set(["scripts/check/files.ts", "scripts/check/checks.test.ts"]);

/** Matches the sources that users run, whose factories are counted. */
const PRODUCT = /^(?:board|server|web)\/.*(?<!\.(?:test|spec|case))\.tsx?$/;

/** Factories with one dependency too many, to test whether the check of factories works. */
const CANARY = new Map([
  ["web/a.ts", "export interface Base { a: 1; b(): void; c: 1; d: 1 }"],
  ["web/b.ts", "export interface ADependencies extends Base { e: 1; f: 1; g: 1; h: 1 }"],
  [
    "web/c.ts",
    `type Wired<N extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, N>;
     function follow(given: Wired<"a" | "b" | "c" | "d" | "e" | "f" | "g">, clock: Clock): void {}`,
  ],
]);

if (isMain(import.meta.url)) {
  const all = repositoryFiles();
  const files = all.filter((path) => TEXT.test(path) && !OWN.has(path));
  const problems = files.flatMap((path) =>
    problemsOf(path, readFileSync(join(ROOT, path), "utf8")),
  );
  problems.push(...strays(all));
  const product = all.filter((path) => PRODUCT.test(path));
  const texts = new Map(product.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
  const factories = checkFactories(texts);
  problems.push(...factories.problems);
  if (factories.count < 50 || checkFactories(CANARY).problems.length !== 2)
    problems.push("the check does not see how many dependencies a factory has");
  if (files.length < 50)
    problems.push(`only ${files.length} files found: the check does not see the repository`);
  report("files", problems, `${files.length} files`);
}
