/**
 * Finds waits of tests for a time where they should await a state. A necessary one is explained: `// Clock: ...` in
 * the line above.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFiles } from "../files.ts";
import { isMain, report } from "../../report.ts";
import { ROOT } from "../../root.mjs";
import { lineAt, parse, walk } from "../../syntax.ts";

/** A node, which is read by its `type`. */
type AnyNode = any;

/** Matches tests and their helpers. */
const LOOKED_AT = /^(?:e2e|testing)\/.*\.tsx?$|\.(?:test|case)\.tsx?$/;

const TIMERS = /^(?:node:)?timers\/promises$/;

const REASON = /^\s*\/\/ Clock: \S.{14,}/;

/** The greatest number of waits with a reason, in all tests together. */
const MAX_REASONS = 8;

const isFunction = (node: AnyNode): boolean => /Function/.test(node?.type ?? "");

/** Whether a loop asks for a state: it has a condition that counts nothing, or a way out. */
function asks(loop: AnyNode): boolean {
  if (/^(?:DoWhile|While)Statement$/.test(loop.type) && loop.test.type !== "Literal") return true;
  if (loop.type === "ForStatement" && loop.test && loop.test.type !== "BinaryExpression")
    return true;
  let leaves = false;
  walk(loop.body, (node: AnyNode) => {
    if (isFunction(node)) return false;
    if (/^(?:Return|Break)Statement$/.test(node.type)) leaves = true;
  });
  return leaves;
}

/** Whether the function that waits does so between two checks of a state. */
function isPolling(ancestors: readonly AnyNode[]): boolean {
  const own = ancestors.slice(ancestors.findLastIndex(isFunction) + 1);
  return own.some(
    (node) => /^(?:DoWhile|While|For)Statement$/.test(node.type) && asks(node) === true,
  );
}

/** Whether `new Promise` resolves when a timer with a delay of its own ends. */
function isTimer(node: AnyNode): boolean {
  if (node.type !== "NewExpression" || node.callee.name !== "Promise") return false;
  const [executor] = node.arguments;
  const resolve = executor?.params?.[0]?.name;
  if (resolve === undefined) return false;
  let found = false;
  walk(executor.body, (call: AnyNode) => {
    if (call.type !== "CallExpression") return;
    const name = call.callee.name ?? call.callee.property?.name;
    const [run, delay] = call.arguments;
    if (name !== "setTimeout" || delay === undefined || delay.value === 0) return;
    const body = run.body?.type === "CallExpression" ? run.body.callee : run;
    if (body.name === resolve) found = true;
  });
  return found;
}

/** Returns the waits of a test for a time. */
export function findWaits(path: string, source: string): { problems: string[]; reasons: number } {
  const { program } = parse(path, source);
  const lines = source.split("\n");
  const timers = new Set<string>();
  const problems: string[] = [];
  let reasons = 0;
  walk(program, (node: AnyNode, ancestors: readonly AnyNode[]) => {
    if (node.type === "ImportDeclaration" && TIMERS.test(node.source.value))
      for (const { local } of node.specifiers) timers.add(local.name);
    const isCall = node.type === "CallExpression";
    const isPause = isCall && timers.has(node.callee.name ?? node.callee.object?.name);
    const isPlaywright = isCall && node.callee.property?.name === "waitForTimeout";
    if (!isPlaywright && !isPause && !isTimer(node)) return;
    if (!isPlaywright && isPolling(ancestors)) return;
    const line = lineAt(source, node.start);
    if (REASON.test(lines[line - 2] ?? "")) reasons++;
    else problems.push(`${path}:${line}: the test waits for a time, not for a state`);
  });
  return { problems, reasons };
}

if (isMain(import.meta.url)) {
  const paths = repositoryFiles().filter((path) => LOOKED_AT.test(path));
  const found = paths.map((path) => findWaits(path, readFileSync(join(ROOT, path), "utf8")));
  const problems = found.flatMap((one) => one.problems);
  const reasons = found.reduce((sum, one) => sum + one.reasons, 0);
  if (reasons > MAX_REASONS)
    problems.push(`${reasons} waits have a reason; expected at most ${MAX_REASONS}`);
  if (paths.length < 100) problems.push(`${paths.length} files; expected 100 or more`);
  report("waits", problems, `${paths.length} files, ${reasons} with a reason`);
}
