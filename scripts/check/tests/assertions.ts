/** Finds tests that cannot fail: they return early, assert nothing, or assert only in code that the run may never reach. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, report } from "../../report.ts";
import { ROOT } from "../../root.mjs";
import { lineAt, walk } from "../../syntax.ts";
import { repositoryFiles } from "../files.ts";
import { silentIn } from "./silent.ts";
import { type AnyNode, chainOf, isFunction, type Read, Sources } from "./sources.ts";

/** As `max-lines-per-function` of .oxlintrc.json, which cannot tell a test from a list of tests. */
const MAX_LINES = 80;

const TESTS = /\.(?:test|case)\.tsx?$|\.spec\.ts$/;

/** Returns the problems of a test file. */
function problemsOf(path: string, sources: Sources) {
  const module = sources.module(path);
  const problems: string[] = [];
  if (module === null) return problems;
  walk(module.program, (node: AnyNode) => {
    if (node.type !== "CallExpression" || !sources.makesTest(module, node)) return;
    const [name] = node.arguments;
    const body = node.arguments.findLast(isFunction);
    const kind = chainOf(node.callee).at(-1) ?? "";
    if (body === undefined || isFunction(name) || /^(?:describe|skip|todo|step)$/.test(kind))
      return;
    const at = `${path}:${lineAt(module.source, node.start)}`;
    const lines = lineAt(module.source, body.end) - lineAt(module.source, body.start) + 1;
    if (lines > MAX_LINES)
      problems.push(`${at}: the test has ${lines} lines, more than ${MAX_LINES}`);
    if (returnsEarly(body)) problems.push(`${at}: the test returns before its end`);
    if (!sources.asserts(module, body))
      problems.push(`${at}: no assertion of the test is certain to run`);
  });
  return [...problems, ...silentIn(module, sources)];
}

/** Whether a function has a `return` of its own that is not its last statement. */
function returnsEarly(fn: AnyNode) {
  const last = fn.body.type === "BlockStatement" ? fn.body.body.at(-1) : null;
  let early = false;
  walk(fn.body, (node: AnyNode) => {
    if (isFunction(node)) return false;
    if (node.type === "ReturnStatement" && node !== last) early = true;
  });
  return early;
}

/**
 * Returns the tests that cannot fail.
 * @param paths Those of the test files.
 */
export function checkTests(paths: readonly string[], read: Read) {
  const sources = new Sources(read);
  for (const path of paths) sources.module(path);
  return paths.flatMap((path) => problemsOf(path, sources));
}

if (isMain(import.meta.url)) {
  const paths = repositoryFiles().filter((path) => TESTS.test(path));
  const read = (path: string) =>
    existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : null;
  const problems = checkTests(paths, read);
  if (paths.length < 300) problems.push(`${paths.length} files; expected 300 or more`);
  report("tests", problems, `${paths.length} files`);
}
