/** Parses sources as syntax trees, for the checks and the mutation run. */

import { type Node, type ParseResult, parseSync, visitorKeys } from "oxc-parser";

export type { Node };

/**
 * Parses a source.
 * @param path Its ending determines the language.
 * @throws {Error} that names the file, when it cannot be parsed
 */
export function parse(path: string, source: string): ParseResult {
  const result = parseSync(path, source);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  return result;
}

/**
 * Calls `enter` with every node of a tree and its ancestors (the nearest last), parents first, in
 * the order of the source. `enter` returns false to leave out what is below a node.
 */
export function walk(
  root: Node,
  enter: (node: Node, ancestors: readonly Node[]) => boolean | void,
) {
  const ancestors: Node[] = [];
  const visit = (node: Node) => {
    if (enter(node, ancestors) === false) return;
    ancestors.push(node);
    for (const key of visitorKeys[node.type] ?? []) {
      const below = (node as unknown as Record<string, unknown>)[key];
      for (const child of Array.isArray(below) ? below : [below]) if (child) visit(child);
    }
    ancestors.pop();
  };
  visit(root);
}

/** Returns the line of an offset, from 1. */
export function lineAt(source: string, offset: number) {
  return source.slice(0, offset).split("\n").length;
}
