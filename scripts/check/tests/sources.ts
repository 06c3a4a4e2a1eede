/** The sources that the check of tests reads: their bindings, imports and calls. */

import { dirname, join } from "node:path";
import { parse, walk } from "../../syntax.ts";

/** A node, which is read by its `type`. */
export type AnyNode = any;

/** Returns the text of a file, or null where there is none. */
export type Read = (path: string) => string | null;

/** The range in which a name counts, and its meaning: a function, an initializer, or null for a parameter. */
interface Binding {
  readonly scope: AnyNode;
  readonly value: AnyNode;
}

export interface Module {
  readonly path: string;
  readonly source: string;
  readonly program: AnyNode;
  /** The bindings by name. */
  readonly bindings: Map<string, Binding[]>;
  /** The names of files of the repository, by their local name. */
  readonly imports: Map<string, { path: string; name: string }>;
}

/** Matches files whose functions may assert: those under test only return values. */
const HELPERS = /^(?:testing|e2e)\/|\.(?:test|case)\.tsx?$/;

/** Matches functions that call their argument once for each element. */
export const EACH = /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|reduce|toSorted)$/;

/** Matches functions whose callback is called when an event happens, or never. */
export const NOT_AWAITED =
  /^(?:on|once|off|route|addEventListener|addListener|subscribe|catch|setTimeout|setInterval|setImmediate|queueMicrotask)$/;

/** Matches methods that return as many elements as they are called on. */
const SAME_LENGTH = /^(?:entries|keys|values|map|toSorted|toReversed|concat|with)$/;

const BUILT_IN = /^(?:Object|Array|Promise|JSON|Math|Reflect)$/;

/** Matches arguments of `expect`, which are no assertions. */
const MATCHERS =
  /^(?:any|anything|objectContaining|arrayContaining|stringContaining|stringMatching|closeTo|extend|not)$/;

export const isFunction = (node: AnyNode): boolean =>
  node !== null &&
  /^(?:ArrowFunctionExpression|Function(?:Declaration|Expression))$/.test(node?.type);

/** Returns the expression inside `as const`, `satisfies`, `!`, `await` and parentheses. */
export function bare(node: AnyNode): AnyNode {
  return /^(?:TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|AwaitExpression|ParenthesizedExpression|ChainExpression)$/.test(
    node?.type,
  )
    ? bare(node.expression ?? node.argument)
    : node;
}

/** Returns the names of a chain of members and calls, such as `expect`, `poll` and `toBe`. */
export function chainOf(node: AnyNode): string[] {
  const inner = bare(node);
  if (inner?.type === "Identifier") return [inner.name];
  if (inner?.type === "MemberExpression")
    return [...chainOf(inner.object), inner.property.name ?? ""];
  const called = inner?.callee ?? inner?.tag;
  return called ? chainOf(called) : [];
}

/** Returns the names that a parameter binds. */
export function namesIn(pattern: AnyNode): string[] {
  if (pattern?.type === "Identifier") return [pattern.name];
  const parts = pattern?.properties ?? pattern?.elements;
  if (parts !== undefined) return parts.flatMap(namesIn);
  const inner = pattern?.value ?? pattern?.left ?? pattern?.argument;
  return inner ? namesIn(inner) : [];
}

/**
 * Returns the identifier with which a chain of members and calls begins.
 * @returns Null when it begins with something else.
 */
export function rootOf(node: AnyNode): AnyNode {
  const inner = bare(node);
  if (inner?.type === "Identifier") return inner;
  const next = inner?.object ?? inner?.callee ?? inner?.tag;
  return next === undefined ? null : rootOf(next);
}

/** Reads and remembers modules, and answers what their functions do. */
export class Sources {
  #read: Read;
  #modules: Map<string, Module | null> = new Map();
  #asserting: Map<AnyNode, boolean> = new Map();
  /** The methods of classes and objects; their owners are not looked up. */
  #methods: { name: string; module: Module; fn: AnyNode }[] = [];

  constructor(read: Read) {
    this.#read = read;
  }

  module(path: string): Module | null {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const source = path.endsWith(".json") ? null : this.#read(path);
    const module = source === null ? null : this.#load(path, source);
    this.#modules.set(path, module);
    if (module !== null) for (const { path: other } of module.imports.values()) this.module(other);
    return module;
  }

  #load(path: string, source: string): Module {
    const { program } = parse(path, source);
    const module: Module = { path, source, program, bindings: new Map(), imports: new Map() };
    const bind = (name: string, binding: Binding) =>
      module.bindings.set(name, [...(module.bindings.get(name) ?? []), binding]);
    walk(program, (node: AnyNode, ancestors) => {
      const scope = ancestors.findLast(isFunction) ?? program;
      if (node.type === "ImportDeclaration" && node.source.value.startsWith("."))
        for (const one of node.specifiers)
          module.imports.set(one.local.name, {
            path: join(dirname(path), node.source.value),
            name: one.imported?.name ?? "default",
          });
      else if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init)
        bind(node.id.name, { scope, value: node.init });
      else if (node.type === "FunctionDeclaration") bind(node.id.name, { scope, value: node });
      else if (/^(?:MethodDefinition|Property)$/.test(node.type) && isFunction(node.value))
        this.#methods.push({ name: node.key.name, module, fn: node.value });
      if (isFunction(node))
        for (const name of node.params.flatMap(namesIn)) bind(name, { scope: node, value: null });
    });
    return module;
  }

  /** Returns the meaning of a name at a position, and the module that contains it. */
  resolve(module: Module, { name, start }: AnyNode): [Module, AnyNode] | null {
    const binding = this.#bindingOf(module, { name, start });
    if (binding !== undefined) return [module, binding.value];
    const from = module.imports.get(name);
    const other = from && this.module(from.path);
    return other ? this.resolve(other, { name: from.name, start: other.program.start }) : null;
  }

  /** The binding of the nearest scope. */
  #bindingOf(module: Module, { name, start }: AnyNode): Binding | undefined {
    return (module.bindings.get(name) ?? [])
      .filter(({ scope }) => scope.start <= start && start < scope.end)
      .toSorted((a, b) => b.scope.start - a.scope.start)[0];
  }

  /** Whether a call makes a test: of `test`, or of what `test.skipIf` and the like returned. */
  makesTest(module: Module, call: AnyNode): boolean {
    const root = rootOf(call.callee);
    if (root === null) return false;
    if (/^(?:test|it)$/.test(root.name)) return true;
    const value = bare(this.resolve(module, root)?.[1] ?? null);
    return value?.type === "CallExpression" && /^(?:test|it)$/.test(rootOf(value)?.name ?? "");
  }

  /** Whether each run of a function reaches an assertion. */
  asserts(module: Module, fn: AnyNode): boolean {
    const known = this.#asserting.get(fn);
    if (known !== undefined) return known;
    if (!HELPERS.test(module.path)) return false;
    // A function that calls itself asserts if something else in it does.
    this.#asserting.set(fn, false);
    const result = this.#eachRunAsserts(module, fn.body);
    this.#asserting.set(fn, result);
    return result;
  }

  /** Whether a function's body comes by an assertion before it may return. */
  #eachRunAsserts(module: Module, body: AnyNode): boolean {
    for (const statement of body.type === "BlockStatement" ? body.body : [body]) {
      if (this.surely(module, statement)) return true;
      if (statement.type !== "ReturnStatement" && returns(statement)) return false;
    }
    return false;
  }

  /** Whether a run of a node comes by an assertion, whatever the data. */
  surely(module: Module, node: AnyNode): boolean {
    if (node === null || typeof node !== "object") return false;
    if (Array.isArray(node)) return node.some((one) => this.surely(module, one));
    if (isFunction(node)) return false;
    const inside = (...parts: AnyNode[]) => parts.some((one) => this.surely(module, one));
    switch (node.type) {
      case "IfStatement":
      case "ConditionalExpression":
        return (
          inside(node.test) ||
          (node.alternate !== null && inside(node.consequent) && inside(node.alternate))
        );
      case "LogicalExpression":
      case "ForInStatement":
        return inside(node.left);
      case "SwitchStatement":
      case "WhileStatement":
        return inside(node.test ?? node.discriminant);
      case "ForStatement":
        return inside(node.init) || (counts(node) && inside(node.body));
      case "ForOfStatement":
        return inside(node.right) || (this.hasElements(module, node.right) && inside(node.body));
      case "TryStatement":
        return inside(node.block, node.finalizer);
      case "CallExpression":
        return this.#callAsserts(module, node);
      default:
        return Object.keys(node).some(
          (key) => key !== "type" && key !== "parent" && this.surely(module, node[key]),
        );
    }
  }

  #callAsserts(module: Module, call: AnyNode): boolean {
    const chain = chainOf(call.callee);
    const [root = "", second = ""] = chain;
    const last = chain.at(-1) ?? "";
    if (/^(?:expect|expectTypeOf|assert)$/.test(root) && !MATCHERS.test(second)) return true;
    if (root === "fc" && last === "assert") return true;
    const callee = bare(call.callee);
    if (this.#functionAsserts(module, callee) || this.surely(module, callee.object ?? null))
      return true;
    const known = this.#methods.filter(({ name }) => name === last && callee.type !== "Identifier");
    if (!BUILT_IN.test(root) && known.some((one) => this.asserts(one.module, one.fn))) return true;
    const runs =
      !NOT_AWAITED.test(last) &&
      (!EACH.test(last) || this.hasElements(module, callee.object ?? null));
    return call.arguments.some(
      (given: AnyNode) =>
        this.surely(module, given) || (runs && this.#functionAsserts(module, given)),
    );
  }

  /** Whether an expression is a function that asserts, or the name of one. */
  #functionAsserts(module: Module, node: AnyNode) {
    if (isFunction(node)) return this.asserts(module, node);
    const found = node.type === "Identifier" ? this.resolve(module, node) : null;
    return found !== null && isFunction(found[1]) && this.asserts(...found);
  }

  /** Whether a list certainly has an element. A function's argument is its caller's business. */
  hasElements(module: Module, node: AnyNode, depth = 0): boolean {
    const inner = bare(node);
    if (inner === null || depth > 6) return false;
    const again = (one: AnyNode) => this.hasElements(module, one, depth + 1);
    if (inner.type === "ArrayExpression")
      return inner.elements.some((one: AnyNode) =>
        one?.type === "SpreadElement" ? again(one.argument) : one !== null,
      );
    if (inner.type === "ObjectExpression") return inner.properties.length > 0;
    if (inner.type === "Literal") return typeof inner.value === "string" && inner.value !== "";
    if (inner.type === "TemplateLiteral")
      return inner.quasis.some((one: AnyNode) => one.value.raw !== "");
    if (inner.type === "Identifier") {
      const [home, value] = this.resolve(module, inner) ?? [module, undefined];
      return value === null || (value && this.hasElements(home, value, depth + 1));
    }
    if (inner.type === "NewExpression") return inner.arguments.some(again);
    if (inner.type === "MemberExpression") return again(inner.object);
    if (inner.type !== "CallExpression") return false;
    const chain = chainOf(inner.callee);
    if (chain.join(".") === "Array.from") return true;
    if (BUILT_IN.test(chain[0] ?? "")) return inner.arguments.some(again);
    const [first, second] = inner.arguments;
    const isBeginning = chain.at(-1) === "slice" && first?.value === 0 && second?.value > 0;
    return (
      (isBeginning || SAME_LENGTH.test(chain.at(-1) ?? "")) && again(bare(inner.callee).object)
    );
  }
  /** Whether a list comes from what a named function was given: whether it has elements is its caller's business. */
  isGiven(module: Module, node: AnyNode, depth = 0): boolean {
    const root = rootOf(node);
    const binding = root && this.#bindingOf(module, root);
    if (!binding || depth > 6) return false;
    if (binding.value !== null) return this.isGiven(module, binding.value, depth + 1);
    return binding.scope.type === "FunctionDeclaration";
  }
}

/** Whether a node has a `return` of the function that it belongs to. */
export function returns(node: AnyNode): boolean {
  let found = false;
  walk(node, (one: AnyNode) => {
    if (isFunction(one)) return false;
    if (one.type === "ReturnStatement") found = true;
  });
  return found;
}

/** Whether a counting loop certainly begins. */
function counts(loop: AnyNode) {
  const from = loop.init?.declarations?.[0]?.init;
  const to = bare(loop.test?.right);
  return (
    from?.type === "Literal" &&
    (to?.type === "Literal" || (to?.type === "Identifier" && /^[A-Z]/.test(to.name) === true))
  );
}
