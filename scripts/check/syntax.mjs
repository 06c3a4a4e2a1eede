/** Sources as syntax trees, for the checks and the mutation run. */

import { parseSync, visitorKeys } from "oxc-parser";

/** @typedef {import("oxc-parser").Node} Node */

/**
 * @param {string} path Its ending tells the language.
 * @param {string} source
 * @returns {import("oxc-parser").ParseResult}
 * @throws {Error} that names the file, when it cannot be parsed
 */
export function parse(path, source) {
  const result = parseSync(path, source);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  return result;
}

/**
 * Calls `enter` with every node of a tree and its ancestors (the nearest last), parents first, in
 * the order of the source. `enter` returns false to leave out what is below a node.
 *
 * @param {Node} root
 * @param {(node: Node, ancestors: readonly Node[]) => boolean | void} enter
 */
export function walk(root, enter) {
  /** @type {Node[]} */
  const ancestors = [];
  /** @param {Node} node */
  const visit = (node) => {
    if (enter(node, ancestors) === false) return;
    ancestors.push(node);
    for (const key of visitorKeys[node.type] ?? []) {
      const below = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node))[key];
      for (const child of Array.isArray(below) ? below : [below]) if (child) visit(child);
    }
    ancestors.pop();
  };
  visit(root);
}

/** The line of an offset, from 1. @param {string} source @param {number} offset */
export function lineAt(source, offset) {
  return source.slice(0, offset).split("\n").length;
}
