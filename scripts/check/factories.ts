/** Counts the dependencies of factories: at most seven named ones in all their parameters, and ten in an environment. */

import type { TSSignature } from "oxc-parser";
import { type Node, parse, walk } from "../syntax.ts";

/** Matches the names of interfaces that a function or a constructor is given to work with. */
const GIVEN = /(?:Dependencies|Deps|Environment|Options|Owner|Connection)$/;
const MAX = 7;
const MAX_OF_ENVIRONMENT = 10;

/** A node of the syntax tree, whose members depend on its `type`. */
type AnyNode = any;

/** A source file. */
interface Source {
  readonly path: string;
  readonly text: string;
}

interface Declared extends Source {
  /** The interface, or the type behind an alias. */
  readonly node: AnyNode;
}

type Types = ReadonlyMap<string, readonly Declared[]>;

/** Returns the factories that have too many. @param sources The texts by path. */
export function checkFactories(sources: ReadonlyMap<string, string>): {
  readonly problems: string[];
  readonly count: number;
} {
  const types = new Map<string, Declared[]>();
  for (const [path, text] of sources)
    for (const [name, declared] of declaredIn(path, text))
      types.set(name, [...(types.get(name) ?? []), declared]);
  const problems: string[] = [];
  let count = 0;
  for (const [name, all] of types) {
    if (!GIVEN.test(name)) continue;
    for (const declared of all.filter(({ node }) => node.type === "TSInterfaceDeclaration")) {
      count++;
      const size = membersOf(name, declared.path, types)?.size ?? 0;
      const limit = name.endsWith("Environment") ? MAX_OF_ENVIRONMENT : MAX;
      if (size > limit)
        problems.push(`${declared.path} ${name} has ${size} members, more than ${limit}`);
    }
  }
  for (const [path, text] of sources)
    walk(parse(path, text).program, (node: AnyNode, ancestors: readonly AnyNode[]) => {
      const name = factoryName(node, ancestors);
      if (name === null) return;
      count++;
      const size = givenTo(node, { path, text }, name, types);
      if (size > MAX)
        problems.push(`${path} ${name} is given ${size} dependencies, more than ${MAX}`);
    });
  return { problems, count };
}

/** Returns the name of a function or of a constructor's class; null for any other node. */
function factoryName(node: AnyNode, ancestors: readonly AnyNode[]): string | null {
  if (node.type === "FunctionDeclaration") return node.id?.name ?? null;
  if (node.type !== "FunctionExpression" && node.type !== "ArrowFunctionExpression") return null;
  const parent = ancestors.at(-1);
  if (parent.type === "VariableDeclarator") return parent.id.name ?? null;
  if (parent.type !== "MethodDefinition" || parent.kind !== "constructor") return null;
  return ancestors.findLast(({ type }) => type === "ClassDeclaration")?.id.name ?? null;
}

/** Matches the names of factories: an object or function that they are given beside their dependencies is one more. */
const MAKES = /^(?:create|open|start|connect|[A-Z])/;

/** Matches the result of a function that makes nothing, such as `openPanel`. */
const NOTHING = /^(?:Promise<)?void>?$/;

const VALUE = /^TS(?:String|Number|Boolean|BigInt|Null|Undefined)Keyword$|^TSLiteralType$/;

/**
 * Counts the dependencies that a function is given: the members of each parameter that names some, and one for each
 * other parameter of a factory, or of a function that is given components of the client, except for values such as a
 * number. An environment is counted by itself.
 */
function givenTo(fn: AnyNode, at: Source, name: string, types: Types): number {
  const declared = fn.params.map(
    (one: AnyNode) => (one.typeAnnotation ?? one.left?.typeAnnotation)?.typeAnnotation,
  );
  const given: readonly Named[] = declared.map((type: AnyNode) =>
    type ? namedBy(type, at, types) : NONE,
  );
  if (given.every(({ size }) => size === null)) return 0;
  const result = fn.returnType?.typeAnnotation;
  const makes =
    MAKES.test(name) && !NOTHING.test(result ? at.text.slice(result.start, result.end) : "");
  const more = makes || given.some(({ isPart }) => isPart) ? 1 : 0;
  return given.reduce((sum, { size }, n) => sum + (size ?? (isValue(declared[n]) ? 0 : more)), 0);
}

const isValue = (type: AnyNode): boolean =>
  type?.type === "TSUnionType" ? type.types.every(isValue) : VALUE.test(type?.type ?? "");

/** The number of dependencies that a type names (null: none; an environment: 0), and whether it picks components of the client. */
interface Named {
  readonly size: number | null;
  readonly isPart: boolean;
}

const NONE: Named = { size: null, isPart: false };

function namedBy(type: AnyNode, at: Source, types: Types): Named {
  if (type.type === "TSIntersectionType") {
    const all: readonly Named[] = type.types.map((one: AnyNode) => namedBy(one, at, types));
    const named = all.filter(({ size }) => size !== null);
    const size = named.reduce((sum, one) => sum + (one.size ?? 0), 0);
    return named.length === 0 ? NONE : { size, isPart: named.some((one) => one.isPart) };
  }
  if (type.type !== "TSTypeReference") return NONE;
  const name = at.text.slice(type.typeName.start, type.typeName.end);
  const params: readonly AnyNode[] = type.typeArguments?.params ?? [];
  if (name === "Readonly" || name === "Partial") return namedBy(params[0], at, types);
  const alias = types.get(name)?.find(({ path }) => path === at.path);
  if (isPick(alias?.node)) return { size: keysOf(params[0], at, types).size, isPart: true };
  if (alias !== undefined && alias.node.type !== "TSInterfaceDeclaration")
    return namedBy(alias.node, alias, types);
  if (name === "Pick") {
    const of = at.text.slice(params[0].start, params[0].end);
    return GIVEN.test(of) ? { size: keysOf(params[1], at, types).size, isPart: false } : NONE;
  }
  if (name.endsWith("Environment")) return { size: 0, isPart: false };
  if (!GIVEN.test(name)) return NONE;
  return { size: membersOf(name, at.path, types)?.size ?? null, isPart: false };
}

/** Whether a type alias with a parameter picks from the wired components: `Pick<ReturnType<...>, Name>`. */
const isPick = (node: AnyNode): boolean =>
  node?.type === "TSTypeReference" &&
  node.typeName.name === "Pick" &&
  node.typeArguments.params[0].typeName?.name === "ReturnType";

/** Returns the names in a union of literals, and of the aliases in it. */
function keysOf(node: AnyNode, at: Source, types: Types): Set<string> {
  if (node.type === "TSUnionType")
    return new Set(node.types.flatMap((one: AnyNode) => [...keysOf(one, at, types)]));
  if (node.type === "TSLiteralType") return new Set([String(node.literal.value)]);
  const name = node.type === "TSTypeReference" ? at.text.slice(node.start, node.end) : "";
  const alias = types.get(name)?.find(({ path }) => path === at.path) ?? types.get(name)?.[0];
  return alias === undefined ? new Set() : keysOf(alias.node, alias, types);
}

/** Returns the interfaces and type aliases of a file. */
function declaredIn(path: string, text: string): [string, Declared][] {
  const found: [string, Declared][] = [];
  walk(parse(path, text).program, (node: Node) => {
    if (node.type === "TSInterfaceDeclaration") found.push([node.id.name, { path, text, node }]);
    if (node.type === "TSTypeAliasDeclaration")
      found.push([node.id.name, { path, text, node: node.typeAnnotation }]);
  });
  return found;
}

function nameOf(member: TSSignature): string[] {
  if (member.type !== "TSPropertySignature" && member.type !== "TSMethodSignature") return [];
  return member.key.type === "Identifier" ? [member.key.name] : [];
}

/** Returns all members of an interface, with inherited ones; of two types of one name that of its own file counts. Null for anything else. */
function membersOf(name: string, path: string, types: Types): Set<string> | null {
  const all = types.get(name) ?? [];
  const declared = all.find((one) => one.path === path) ?? all[0];
  if (declared?.node.type !== "TSInterfaceDeclaration") return null;
  const { node, text } = declared;
  const members = new Set<string>(node.body.body.flatMap(nameOf));
  for (const { expression, typeArguments } of node.extends) {
    const base = text.slice(expression.start, expression.end);
    const [from, keys] = typeArguments?.params ?? [];
    const isOmit = base === "Omit" && from && keys;
    const without = isOmit ? keysOf(keys, declared, types) : new Set();
    const inherited = isOmit ? text.slice(from.start, from.end) : base;
    for (const member of membersOf(inherited, declared.path, types) ?? [])
      if (!without.has(member)) members.add(member);
  }
  return members;
}
