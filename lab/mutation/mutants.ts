/** Finds small faults to put into a source, one at a time, to see whether the tests notice. */

import { lineAt, parse, walk, type Node } from "../../scripts/syntax.ts";

/** One fault: the text from `start` to `end` is replaced. */
export interface Mutant {
  path: string;
  /** The line, from 1. */
  line: number;
  start: number;
  end: number;
  replacement: string;
}

type Change = Pick<Mutant, "start" | "end" | "replacement">;

/** The operators, with their replacements. */
const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "&": "|",
  "|": "&",
  "<<": ">>",
  ">>": "<<",
};
const LOGICAL = { "&&": "||", "||": "&&", "??": "&&" };
/** Methods that are easily confused. */
const METHODS = new Map([
  ["min", "max"],
  ["max", "min"],
  ["some", "every"],
  ["every", "some"],
]);
const COMPARISONS = new Set(["<", "<=", ">", ">=", "===", "!==", "==", "!="]);
/** Names of loggers, whose output only people read. */
const LOGS = new Set(["log", "logger", "console"]);

/**
 * Returns all faults of a source, in its order. Types, imports and log output are left alone.
 *
 * @throws {Error} when it cannot be parsed
 */
export function mutantsOf(path: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  walk(parse(path, source).program, (node, ancestors) => {
    if (isSilent(node)) return false;
    for (const change of changesOf(node, ancestors.at(-1), source))
      mutants.push({ path, line: lineAt(source, node.start), ...change });
    return true;
  });
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns the source with one fault. */
export function applyChange(source: string, { start, end, replacement }: Change) {
  return source.slice(0, start) + replacement + source.slice(end);
}

function isSilent(node: Node) {
  if (node.type === "ImportDeclaration") return true;
  if (node.type.startsWith("TS"))
    return !["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"].includes(node.type);
  return node.type === "CallExpression" && isLog(node.callee);
}

/** Whether a callee is `log.warn`, `this.#log.warn`, `env.log.warn` or the like. */
function isLog(callee: Node) {
  if (callee.type !== "MemberExpression") return false;
  const { object } = callee;
  const name = object.type === "MemberExpression" ? object.property : object;
  return (name.type === "Identifier" || name.type === "PrivateIdentifier") && LOGS.has(name.name);
}

function changesOf(node: Node, parent: Node | undefined, source: string): Change[] {
  const text = (part: Node) => source.slice(part.start, part.end);
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return ["true", "false"].map((value) => replace(node.test, value));
    case "WhileStatement":
    case "DoWhileStatement":
      return [replace(node.test, "false")];
    case "LogicalExpression":
      return [
        replace(node, `((${text(node.left)}) ${LOGICAL[node.operator]} (${text(node.right)}))`),
      ];
    case "BinaryExpression":
      return binaryChanges(node, source);
    case "AssignmentExpression":
      return operatorChange(node, source);
    case "UpdateExpression":
      return [{ start: node.start, end: node.end, replacement: swapSteps(text(node)) }];
    case "UnaryExpression":
      if (node.operator === "!") return [replace(node, `(${text(node.argument)})`)];
      return node.operator === "-" && node.argument.type !== "Literal"
        ? [replace(node, `(${text(node.argument)})`)]
        : [];
    case "Literal":
      return literalChanges(node, parent);
    case "ExpressionStatement":
      return isRemovable(node.expression) ? [replace(node, ";")] : [];
    case "CallExpression":
      return methodChange(node);
    default:
      return [];
  }
}

function replace(node: Node, replacement: string): Change {
  return { start: node.start, end: node.end, replacement };
}

/** Returns the changes of a binary expression. Texts are joined, not added. */
function binaryChanges(node: Node & { type: "BinaryExpression" }, source: string): Change[] {
  const isText = (part: Node) =>
    part.type === "TemplateLiteral" || (part.type === "Literal" && typeof part.value === "string");
  if (node.operator === "+" && (isText(node.left) || isText(node.right))) return [];
  return operatorChange(node, source);
}

/** Returns the change of the operator, which is between the two sides, perhaps beside brackets and comments. */
function operatorChange(
  node: Node & { type: "BinaryExpression" | "AssignmentExpression" },
  source: string,
): Change[] {
  const replacement = OPERATORS[node.operator];
  if (replacement === undefined) return [];
  const between = source
    .slice(node.left.end, node.right.start)
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => " ".repeat(comment.length));
  const start = node.left.end + between.indexOf(node.operator);
  return [{ start, end: start + node.operator.length, replacement }];
}

function swapSteps(text: string) {
  return text.includes("++") ? text.replace("++", "--") : text.replace("--", "++");
}

/**
 * Returns the changes of a literal. Numbers are changed only where something is compared with them: elsewhere most of
 * them are a matter of taste.
 */
function literalChanges(node: Node & { type: "Literal" }, parent: Node | undefined): Change[] {
  if (typeof node.value === "boolean") return [replace(node, String(!node.value))];
  if (typeof node.value !== "number") return [];
  return parent?.type === "BinaryExpression" && COMPARISONS.has(parent.operator)
    ? [replace(node, String(node.value + 1))]
    : [];
}

/** Whether a statement has an effect and no value. */
function isRemovable(expression: Node): boolean {
  if (expression.type === "AwaitExpression" || expression.type === "UnaryExpression")
    return isRemovable(expression.argument) || expression.type === "UnaryExpression";
  if (expression.type === "ChainExpression") return isRemovable(expression.expression);
  if (expression.type === "CallExpression")
    return !isLog(expression.callee) && expression.callee.type !== "Super";
  return expression.type === "AssignmentExpression" || expression.type === "UpdateExpression";
}

function methodChange({ callee }: Node & { type: "CallExpression" }): Change[] {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  const replacement = METHODS.get(callee.property.name);
  return replacement === undefined ? [] : [replace(callee.property, replacement)];
}

/** Returns a sample without repetition; the same seed draws the same. */
export function drawn<T>(items: readonly T[], count: number, seed: number): T[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);
}

/** Returns numbers in [0, 1), by mulberry32. */
function createRandom(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
