/** Small faults to put into a source, one at a time, to see whether the tests notice. */

import { lineAt, parse, walk } from "../../scripts/check/syntax.mjs";

/** @typedef {import("../../scripts/check/syntax.mjs").Node} Node */

/**
 * One fault: the text from `start` to `end` is replaced.
 *
 * @typedef {object} Mutant
 * @property {string} path
 * @property {number} line From 1.
 * @property {number} start
 * @property {number} end
 * @property {string} replacement
 */

/** @typedef {Pick<Mutant, "start" | "end" | "replacement">} Change */

/** Operators, and what stands in for them. @type {Readonly<Record<string, string>>} */
const OPERATORS = {
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
/** Methods that are easily taken for each other. */
const METHODS = new Map([
  ["min", "max"],
  ["max", "min"],
  ["some", "every"],
  ["every", "some"],
]);
const COMPARISONS = new Set(["<", "<=", ">", ">=", "===", "!==", "==", "!="]);
/** What only people read. */
const LOGS = new Set(["log", "logger", "console"]);

/**
 * All faults of a source, in its order. Types, imports and what is logged are left alone.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Mutant[]}
 * @throws {Error} when it cannot be parsed
 */
export function mutantsOf(path, source) {
  /** @type {Mutant[]} */
  const mutants = [];
  walk(parse(path, source).program, (node, ancestors) => {
    if (isSilent(node)) return false;
    for (const change of changesOf(node, ancestors.at(-1), source))
      mutants.push({ path, line: lineAt(source, node.start), ...change });
    return true;
  });
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The source with one fault. @param {string} source @param {Change} change */
export function applyChange(source, { start, end, replacement }) {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** @param {Node} node */
function isSilent(node) {
  if (node.type === "ImportDeclaration") return true;
  if (node.type.startsWith("TS"))
    return !["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"].includes(node.type);
  return node.type === "CallExpression" && isLog(node.callee);
}

/** `log.warn`, `this.#log.warn`, `parts.log.warn` and the like. @param {Node} callee */
function isLog(callee) {
  if (callee.type !== "MemberExpression") return false;
  const { object } = callee;
  const name = object.type === "MemberExpression" ? object.property : object;
  return (name.type === "Identifier" || name.type === "PrivateIdentifier") && LOGS.has(name.name);
}

/** @param {Node} node @param {Node | undefined} parent @param {string} source @returns {Change[]} */
function changesOf(node, parent, source) {
  const text = (/** @type {Node} */ part) => source.slice(part.start, part.end);
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

/** @param {Node} node @param {string} replacement @returns {Change} */
function replace(node, replacement) {
  return { start: node.start, end: node.end, replacement };
}

/** Texts are joined, not added. @param {Node & { type: "BinaryExpression" }} node @param {string} source @returns {Change[]} */
function binaryChanges(node, source) {
  const isText = (/** @type {Node} */ part) =>
    part.type === "TemplateLiteral" || (part.type === "Literal" && typeof part.value === "string");
  if (node.operator === "+" && (isText(node.left) || isText(node.right))) return [];
  return operatorChange(node, source);
}

/**
 * The operator is between the two sides, perhaps beside brackets and comments.
 *
 * @param {Node & { type: "BinaryExpression" | "AssignmentExpression" }} node
 * @param {string} source
 * @returns {Change[]}
 */
function operatorChange(node, source) {
  const replacement = OPERATORS[node.operator];
  if (replacement === undefined) return [];
  const between = source
    .slice(node.left.end, node.right.start)
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => " ".repeat(comment.length));
  const start = node.left.end + between.indexOf(node.operator);
  return [{ start, end: start + node.operator.length, replacement }];
}

/** @param {string} text */
function swapSteps(text) {
  return text.includes("++") ? text.replace("++", "--") : text.replace("--", "++");
}

/** Numbers only where something is compared with them: elsewhere most of them are a matter of taste. @param {Node & { type: "Literal" }} node @param {Node | undefined} parent @returns {Change[]} */
function literalChanges(node, parent) {
  if (typeof node.value === "boolean") return [replace(node, String(!node.value))];
  if (typeof node.value !== "number") return [];
  return parent?.type === "BinaryExpression" && COMPARISONS.has(parent.operator)
    ? [replace(node, String(node.value + 1))]
    : [];
}

/** A statement that has an effect and no value. @param {Node} expression @returns {boolean} */
function isRemovable(expression) {
  if (expression.type === "AwaitExpression" || expression.type === "UnaryExpression")
    return isRemovable(expression.argument) || expression.type === "UnaryExpression";
  if (expression.type === "ChainExpression") return isRemovable(expression.expression);
  if (expression.type === "CallExpression")
    return !isLog(expression.callee) && expression.callee.type !== "Super";
  return expression.type === "AssignmentExpression" || expression.type === "UpdateExpression";
}

/** @param {Node & { type: "CallExpression" }} node @returns {Change[]} */
function methodChange({ callee }) {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  const replacement = METHODS.get(callee.property.name);
  return replacement === undefined ? [] : [replace(callee.property, replacement)];
}

/**
 * A sample without repetition; the same seed draws the same.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} count
 * @param {number} seed
 * @returns {T[]}
 */
export function drawn(items, count, seed) {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);
}

/** Numbers in [0, 1), by mulberry32. @param {number} seed */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
