/**
 * Checks the vocabulary, one word for each thing: finds the words of vocabulary.ts in names, comments, titles of
 * tests, documents and texts.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFiles } from "./files.ts";
import { isMain, report } from "../report.ts";
import { ROOT } from "../root.mjs";
import { lineAt, type Node, parse, walk } from "../syntax.ts";
import { ALLOWED_KEYS, ALLOWED_TEXTS, type Scope, WORDS } from "./vocabulary.ts";

/** A piece of a file that is checked. `isKey`: the text is the name of a property. */
interface Piece {
  readonly kind: Scope;
  readonly text: string;
  readonly offset: number;
  readonly isKey?: boolean;
}

/** The scopes that forbid a word in a kind of text. */
const FORBIDDING: Readonly<Record<Scope, readonly Scope[]>> = {
  names: ["names", "prose", "everywhere"],
  prose: ["prose", "everywhere"],
  everywhere: ["everywhere"],
};

/** The forms with their scopes. A form of several words is matched as a sequence of words. */
const FORMS = Object.entries(WORDS).flatMap(([scope, rows]) =>
  rows.flatMap(([forms, instead, except]) =>
    forms.split("|").map((form) => ({ scope: scope as Scope, form, instead, except })),
  ),
);

const CODE = /\.(?:ts|tsx|mjs)$/;
const TEXT = /\.(?:css|sql|html)$/;
/** Matches files that name the words for which they look. */
const OWN = /^scripts\/check\/(?:vocabulary|words|words\.test)\.ts$/;
const NOT_OURS = /^(?:bench\/peers|scripts\/check\/canary)\//;

/**
 * Checks the words of a file.
 * @param path Relative to the root.
 * @returns One line for each word that must go.
 */
export function checkWords(path: string, source: string): string[] {
  const name = path.replace(/\.\w+$/, "");
  const inPath = wordsIn({ kind: "names", text: name, offset: 0 }, path).map(
    (found) => `${path}: the file's name has ${found}`,
  );
  const inText = piecesOf(path, source).flatMap((piece) =>
    wordsIn(piece, path).map((found) => `${path}:${lineAt(source, piece.offset)}: ${found}`),
  );
  const inCode = CODE.test(path) ? [...headless(path, source), ...typesOfParts(path, source)] : [];
  return [...inPath, ...new Set(inText), ...inCode];
}

/** Finds types of dependencies that are called parts, which are pieces of one thing. */
function typesOfParts(path: string, source: string) {
  return [...source.matchAll(/\b(?:interface|type) (\w*Parts)\b/g)].map(
    ({ 1: name, index }) => `${path}:${lineAt(source, index)}: "parts": dependencies (in ${name})`,
  );
}

/**
 * Matches the first words of a doc comment that only continues something else, since an editor's hover shows it alone,
 * or that begins with a clause in place of its noun.
 */
const HEADLESS = /^\*[\s*]*(Of|Those|Both|These|Whose|For which|What|Who|How|Why|Which)\b/;

function headless(path: string, source: string): string[] {
  return parse(path, source).comments.flatMap(({ value, start }) => {
    const word = HEADLESS.exec(value)?.[1];
    return word === undefined
      ? []
      : [`${path}:${lineAt(source, start)}: a doc comment begins with "${word}": its noun or verb`];
  });
}

/**
 * Returns the forbidden words in a piece.
 * @param path Its file.
 */
function wordsIn({ kind, text, isKey = false }: Piece, path: string): string[] {
  if (isKey && Object.hasOwn(ALLOWED_KEYS, text)) return [];
  const rest = ALLOWED_TEXTS.reduce((left, [pattern]) => left.replaceAll(pattern, " "), text);
  const found = kind === "names" || !/\bAnswers\s/.test(rest) ? [] : ['"Answers": Returns'];
  const words = ` ${splitWords(rest).join(" ")} `;
  for (const { scope, form, instead, except } of FORMS)
    if (FORBIDDING[kind].includes(scope) && words.includes(` ${form} `) && !except?.test(path))
      found.push(`"${form}": ${instead}${kind === "names" ? ` (in ${text})` : ""}`);
  return found;
}

/** Returns the words of a text or a name in lower case; camelCase and snake_case are taken apart. */
function splitWords(text: string) {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

function piecesOf(path: string, source: string): Piece[] {
  if (CODE.test(path)) return codePieces(path, source);
  return linesOf(source, 0, path.endsWith(".md") ? "prose" : "everywhere");
}

/**
 * Splits a text into lines.
 * @param start Its offset in the file.
 */
function linesOf(text: string, start: number, kind: Scope): Piece[] {
  let offset = start;
  return text.split("\n").map((line) => {
    const piece = { kind, text: line, offset };
    offset += line.length + 1;
    return piece;
  });
}

function codePieces(path: string, source: string): Piece[] {
  const { program, comments } = parse(path, source);
  const pieces: Piece[] = comments.flatMap(({ value, start }) =>
    linesOf(value, start + 2, "prose"),
  );
  walk(program, (node, ancestors) => {
    const text = stringOf(node);
    if (text !== null) {
      const kind = isTitle(node, ancestors) ? "prose" : "everywhere";
      pieces.push({ kind, text, offset: node.start });
    } else if (node.type === "Identifier") {
      const role = roleOf(node, ancestors);
      // A name that begins with an underscore is thrown away.
      if (role !== null && !node.name.startsWith("_"))
        pieces.push({ kind: "names", text: node.name, offset: node.start, isKey: role === "key" });
    }
  });
  return pieces;
}

function stringOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type === "TemplateElement") return node.value.raw;
  return node.type === "JSXText" ? node.value : null;
}

/** Whether a text is the first argument of `test`, `test.each(...)`, `describe` and the like. */
function isTitle(node: Node, ancestors: readonly Node[]) {
  const call = ancestors.at(node.type === "TemplateElement" ? -2 : -1);
  if (call?.type !== "CallExpression") return false;
  const [first] = call.arguments;
  if (first !== node && first !== ancestors.at(-1)) return false;
  let callee = call.callee;
  while (callee.type !== "Identifier") {
    if (callee.type === "MemberExpression") callee = callee.object;
    else if (callee.type === "CallExpression") callee = callee.callee;
    else return false;
  }
  return ["test", "it", "describe"].includes(callee.name);
}

/**
 * Whether an identifier declares a name of ours: a binding, or a property's key. What is only used
 * was declared elsewhere, or is not ours.
 */
function roleOf(
  node: Node & { type: "Identifier" },
  ancestors: readonly Node[],
): "binding" | "key" | null {
  const parent = ancestors.at(-1);
  const owner = ancestors.at(-2);
  switch (parent?.type) {
    case "VariableDeclarator":
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
    case "TSEnumDeclaration":
    case "ClassDeclaration":
      return parent.id === node ? "binding" : null;
    case "FunctionDeclaration":
    case "FunctionExpression":
      return parent.id === node || isOneOf(parent.params, node) ? "binding" : null;
    case "ArrowFunctionExpression":
    case "TSFunctionType":
    case "TSMethodSignature":
    case "TSDeclareFunction":
      if (isOneOf(parent.params, node)) return "binding";
      return "key" in parent && parent.key === node && !parent.computed ? "key" : null;
    case "AssignmentPattern":
      if (parent.left !== node) return null;
      return owner?.type === "Property"
        ? roleInProperty(parent, owner, ancestors.at(-3))
        : "binding";
    case "RestElement":
    case "ArrayPattern":
    case "TSTypeParameter":
    case "CatchClause":
      return "binding";
    case "ImportSpecifier":
      return parent.local === node && parent.local.start !== parent.imported.start
        ? "binding"
        : null;
    case "ImportNamespaceSpecifier":
    case "ImportDefaultSpecifier":
      return "binding";
    case "Property":
      return roleInProperty(node, parent, owner);
    case "PropertyDefinition":
    case "MethodDefinition":
    case "TSPropertySignature":
      return parent.key === node && !parent.computed ? "key" : null;
    default:
      return null;
  }
}

/**
 * Returns the role of an identifier in a property. `{ a }` repeats a name that is declared elsewhere; so does the key
 * of a pattern, whose value is a binding.
 * @param owner The object or the pattern.
 */
function roleInProperty(
  node: Node,
  property: Node & { type: "Property" },
  owner: Node | undefined,
) {
  if (property.shorthand) return null;
  const isPattern = owner?.type === "ObjectPattern";
  if (property.key === node) return isPattern || property.computed ? null : "key";
  return isPattern ? "binding" : null;
}

function isOneOf(nodes: readonly Node[], node: Node) {
  return nodes.includes(node);
}

if (isMain(import.meta.url)) {
  const files = repositoryFiles().filter(
    (path) =>
      (CODE.test(path) || TEXT.test(path) || path.endsWith(".md")) &&
      !OWN.test(path) &&
      !NOT_OURS.test(path),
  );
  const problems = files.flatMap((path) =>
    checkWords(path, readFileSync(join(ROOT, path), "utf8")),
  );
  if (files.length < 100)
    problems.push(`only ${files.length} files found: the check does not see the repository`);
  report("words", problems, `${files.length} files`);
}
