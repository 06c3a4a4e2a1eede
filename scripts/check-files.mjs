/** Nothing that is unfinished or ties a file to one machine; style sheets, SQL and HTML of readable size (the linter sees to the rest). */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, report } from "./report.mjs";
import { ROOT } from "./root.mjs";

/** As `max-lines` of .oxlintrc.json. */
const MAX_LINES = 320;

/** What the linter does not read. */
const MEASURED = /\.(?:css|sql|html)$/;
const TEXT = /\.(?:ts|tsx|mjs|css|sql|html|md|json|yml|yaml)$|^\.ci\/run$|^\.npmrc$/;

/** What must not stand in any text of the repository. */
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
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function problemsOf(path, text) {
  const problems = [];
  const lines = text.split("\n");
  if (MEASURED.test(path) && lines.length > MAX_LINES)
    problems.push(`${path} has ${lines.length} lines, more than ${MAX_LINES}`);
  for (const [index, line] of lines.entries())
    for (const { pattern, name } of FORBIDDEN)
      if (pattern.test(line)) problems.push(`${path}:${index + 1} contains ${name}`);
  return problems;
}

/** The files of the repository, as git knows them, with those that are not committed yet. */
export function repositoryFiles() {
  const { stdout, status } = spawnSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard"],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) return [];
  return stdout.split("\n").filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

/** This check names what it looks for. */
const OWN = new Set(["scripts/check-files.mjs", "scripts/checks.test.ts"]);

if (isMain(import.meta.url)) {
  const files = repositoryFiles().filter((path) => TEXT.test(path) && !OWN.has(path));
  const problems = files.flatMap((path) =>
    problemsOf(path, readFileSync(join(ROOT, path), "utf8")),
  );
  if (files.length < 50)
    problems.push(`only ${files.length} files found: the check does not see the repository`);
  report("files", problems, `${files.length} files`);
}
