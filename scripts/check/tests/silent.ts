/**
 * Finds assertions that may never run, beside others that do: in a loop over a list that may be empty, in one branch
 * of a condition, in a callback.
 */

import { lineAt, walk } from "../../syntax.ts";
import {
  type AnyNode,
  bare,
  chainOf,
  EACH,
  isFunction,
  type Module,
  namesIn,
  NOT_AWAITED,
  rootOf,
  type Sources,
} from "./sources.ts";

const isExpect = (node: AnyNode) =>
  node.type === "CallExpression" &&
  node.callee.type === "Identifier" &&
  node.callee.name === "expect";

/** Whether a node contains an assertion. */
function asserts(node: AnyNode): boolean {
  let found = false;
  if (node) walk(node, (one: AnyNode) => void (found ||= isExpect(one)));
  return found;
}

/** Whether code in a scope, outside a node, asserts about one of these names. */
function isExamined(scope: AnyNode, outside: AnyNode, names: ReadonlySet<string>): boolean {
  let found = false;
  walk(scope, (node: AnyNode) => {
    if (node === outside) return false;
    if (!isExpect(node)) return;
    for (const given of node.arguments)
      for (const name of identifiersIn(given)) found ||= names.has(name);
  });
  return found;
}

/** Returns the variables that an expression reads, without its own parameters and the names of members. */
function identifiersIn(node: AnyNode): Set<string> {
  const names = new Set<string>();
  const own = new Set<string>();
  walk(node, (one: AnyNode, ancestors: readonly AnyNode[]) => {
    if (isFunction(one)) for (const name of one.params.flatMap(namesIn)) own.add(name);
    const parent = ancestors.at(-1);
    const isMember =
      (parent?.type === "MemberExpression" && parent.property === one && !parent.computed) ||
      (parent?.type === "Property" && parent.key === one && !parent.shorthand);
    if (one.type === "Identifier" && !isMember && !own.has(one.name)) names.add(one.name);
  });
  return names;
}

/** Returns the names of the values that a node counts or collects: a test that asserts about them knows whether it ran. */
function collectedIn(node: AnyNode): Set<string> {
  const names = new Set<string>();
  walk(node, (one: AnyNode) => {
    const isCall =
      one.type === "CallExpression" && /^(?:add|push|set)$/.test(chainOf(one).at(-1) ?? "");
    const target = isCall ? one : one.type === "UpdateExpression" ? one.argument : null;
    const name = target && rootOf(target)?.name;
    if (name) names.add(name);
  });
  return names;
}

/**
 * Returns the value whose presence a condition tests: `x`, `x.ok`, `x !== null`, `x !== undefined`; null for any
 * other question.
 */
function askedOf(test: AnyNode): AnyNode {
  const inner = bare(test);
  if (/^(?:Identifier|MemberExpression)$/.test(inner.type)) return rootOf(inner);
  const isPresence =
    inner.type === "BinaryExpression" &&
    inner.operator === "!==" &&
    (inner.right.name === "undefined" || inner.right.raw === "null");
  return isPresence ? rootOf(inner.left) : null;
}

/** Whether a name is a case of a table: a parameter of a function, or the variable of a loop. */
const isCase = (name: string, ancestors: readonly AnyNode[]) =>
  ancestors.some(
    (one) =>
      (isFunction(one) && one.params.flatMap(namesIn).includes(name)) ||
      (one.type === "ForOfStatement" &&
        one.left.declarations?.flatMap(({ id }: AnyNode) => namesIn(id)).includes(name)),
  );

/** Whether a node is in a property test: its values are drawn, and each run may take another branch. */
const isDrawn = (ancestors: readonly AnyNode[]) =>
  ancestors.some((one) => one.type === "CallExpression" && chainOf(one.callee)[0] === "fc");

/** Returns the assertions of a module that may never run. */
export function silentIn(module: Module, sources: Sources): string[] {
  const problems: string[] = [];
  const report = (node: AnyNode, text: string) =>
    problems.push(`${module.path}:${lineAt(module.source, node.start)}: ${text}`);
  const mayBeEmpty = (list: AnyNode, of: AnyNode, scope: AnyNode) =>
    !sources.hasElements(module, list) &&
    !sources.isGiven(module, list) &&
    !isExamined(scope, of, list ? identifiersIn(list) : new Set()) &&
    !isExamined(scope, of, collectedIn(of));
  walk(module.program, (node: AnyNode, ancestors: readonly AnyNode[]) => {
    if (isDrawn(ancestors)) return;
    // A helper inside a test goes through the values that the test examines.
    const scope = ancestors.find(isFunction) ?? module.program;
    if (node.type === "ForOfStatement" && asserts(node.body) && mayBeEmpty(node.right, node, scope))
      report(node, "the loop asserts, but its list may be empty");
    if (node.type === "CatchClause" && asserts(node.body))
      report(node, "the catch clause asserts, but nothing may be thrown");
    if (node.type === "IfStatement" && node.alternate === null && asserts(node.consequent)) {
      const asked = askedOf(node.test)?.name;
      const names = new Set([asked, ...collectedIn(node.consequent)]);
      if (asked !== undefined && !isCase(asked, ancestors) && !isExamined(scope, node, names))
        report(node, `the condition asserts only if ${asked} is there, and nothing asserts that`);
    }
    if (node.type !== "CallExpression") return;
    const last = chainOf(node.callee).at(-1) ?? "";
    if (last === "each" && mayBeEmpty(node.arguments[0] ?? null, node, module.program))
      report(node, "the table of cases may be empty");
    if (!node.arguments.some((given: AnyNode) => isFunction(given) && asserts(given))) return;
    if (EACH.test(last) && mayBeEmpty(bare(node.callee).object ?? null, node, scope))
      report(node, `${last} asserts, but its list may be empty`);
    if (NOT_AWAITED.test(last))
      report(node, `the callback of ${last} asserts, but may not be called`);
  });
  return problems;
}
