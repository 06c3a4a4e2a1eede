/** Counts the dependencies of factories: at most seven named ones, and ten in an environment. */

import type { TSSignature } from "oxc-parser";
import { parse, walk } from "../syntax.ts";

/** Matches the names of interfaces that a function or a constructor is given to work with. */
const GIVEN = /(?:Dependencies|Deps|Environment|Options|Owner|Connection)$/;
const MAX = 7;
const MAX_OF_ENVIRONMENT = 10;

interface Declared {
  readonly path: string;
  readonly own: readonly string[];
  readonly bases: readonly Base[];
}

/** A type that an interface extends, without the members that `Omit` names. */
interface Base {
  readonly name: string;
  readonly without: readonly string[];
}

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
    for (const declared of all) {
      count++;
      const { size } = membersOf(declared, types);
      const limit = name.endsWith("Environment") ? MAX_OF_ENVIRONMENT : MAX;
      if (size > limit)
        problems.push(`${declared.path} ${name} has ${size} members, more than ${limit}`);
    }
  }
  return { problems, count };
}

/** Returns the interfaces of a file. */
function declaredIn(path: string, text: string): [string, Declared][] {
  const found: [string, Declared][] = [];
  walk(parse(path, text).program, (node) => {
    if (node.type !== "TSInterfaceDeclaration") return;
    const own = node.body.body.flatMap(nameOf);
    const bases = node.extends.map(({ expression, typeArguments }): Base => {
      const name = text.slice(expression.start, expression.end);
      const [from, keys] = typeArguments?.params ?? [];
      if (name !== "Omit" || !from || !keys) return { name, without: [] };
      const without = [...text.slice(keys.start, keys.end).matchAll(/\w+/g)].map(([key]) => key);
      return { name: text.slice(from.start, from.end), without };
    });
    found.push([node.id.name, { path, own, bases }]);
  });
  return found;
}

function nameOf(member: TSSignature): string[] {
  if (member.type !== "TSPropertySignature" && member.type !== "TSMethodSignature") return [];
  return member.key.type === "Identifier" ? [member.key.name] : [];
}

/** Returns all members of an interface, with inherited ones; of two types of one name that of its own file counts. */
function membersOf(
  { path, own, bases }: Declared,
  types: ReadonlyMap<string, readonly Declared[]>,
): Set<string> {
  const members = new Set(own);
  for (const { name, without } of bases) {
    const all = types.get(name) ?? [];
    const base = all.find((one) => one.path === path) ?? all[0];
    if (base === undefined) continue;
    for (const member of membersOf(base, types)) if (!without.includes(member)) members.add(member);
  }
  return members;
}
