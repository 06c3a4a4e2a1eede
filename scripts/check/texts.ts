/**
 * Checks the page's texts: each is in `t` or `plural`, and in every catalogue; no catalogue has one that nobody
 * shows. With `--write` it writes the English catalogue, and leaves texts that are missing in the others to their
 * translators.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COLORS, TAGLINE, TEXTS } from "../../board/constants.ts";
import { TEXT_SIZES } from "../../board/text-sizes.ts";
import { VISITOR_REFUSALS } from "../../board/refusals.ts";
import { STICKERS } from "../../board/stickers.ts";
import { COLOR_NAMES, SHAPES } from "../../board/object-name.ts";
import { MORE_TOOLS, PEN_WIDTHS, TOOLS } from "../../board/tools.ts";
import { repositoryFiles } from "./files.ts";
import { isMain, report } from "../report.ts";
import { ROOT } from "../root.mjs";
import { lineAt, parse, walk } from "../syntax.ts";

/** A node, which is read by its `type`. */
type AnyNode = any;

export type Forms = Readonly<Record<string, string>>;
export type Catalogue = Readonly<Record<string, string | Forms>>;

const FOLDER = "web/ui/language";

/** Matches components, the code whose texts they show, and the code that refuses a file; not tests. */
const SHOWS = /^web\/(?:ui|formats|canvas\/pictures)\/.*(?<!\.test)\.tsx?$/;

/** Matches a style sheet. */
const STYLES = /^web\/.*\.css$/;

/** Matches generated content with a letter. */
const CONTENT = /\bcontent:[^;}]*(["'])[^;}]*?\p{L}[^;}]*?\1/gu;

/** Matches attributes and properties that a reader sees. */
const READ =
  /^(?:aria-(?:label|description|valuetext|roledescription)|title|placeholder|alt|label|description)$/;

/** Matches a word of a language. */
const WORD = /\p{L}{2}/u;

/** Matches words that are the same in all languages, and marks of a program. */
const SAME = /^(?:PNG|SVG|JSON|Inkpool|QR)$/;

/** The keys that `shortcutLabel` of web/ui/kit/labels.ts looks up. Alt is Alt in every language. */
const KEYS = [
  ...["Arrows", "Backspace", "Ctrl", "Delete", "Enter", "Escape", "PageDown", "PageUp"],
  ...["Shift", "Space"],
].map((key) => `${key} key`);

/** Returns the texts of the tables that the page shows by `translate`. */
function tableTexts(): string[] {
  const names = [...TOOLS, ...MORE_TOOLS, ...COLORS, ...STICKERS, ...TEXT_SIZES, ...PEN_WIDTHS];
  const texts = Object.values(TEXTS).filter((text) => typeof text === "string");
  const filled = [TEXTS.cannotSave("{reason}"), TEXTS.dataTooLarge("{megabytes}")];
  const objects = [...Object.values(SHAPES), ...COLOR_NAMES];
  const refusals = Object.values(VISITOR_REFUSALS);
  const tables = [...names.map(({ name }) => name), ...texts, ...filled, ...refusals];
  return [...tables, ...objects, ...KEYS, TAGLINE];
}

export interface Found {
  readonly problems: string[];
  readonly texts: Set<string>;
  /** English plurals by their singulars. */
  readonly counted: Map<string, string>;
  /** All strings of a source. */
  readonly strings: Set<string>;
}

const textOf = (node: AnyNode): string | undefined => {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0].value.cooked;
  return undefined;
};

/** Returns the text that a reader would see untranslated: that of a literal, or a template's words. */
function shownText(node: AnyNode): string | undefined {
  if (node?.type === "JSXExpressionContainer") return shownText(node.expression);
  if (node?.type === "ConditionalExpression")
    return shownText(node.consequent) ?? shownText(node.alternate);
  if (node?.type === "LogicalExpression") return shownText(node.right);
  if (node?.type === "TemplateLiteral")
    return node.quasis.map(({ value }: AnyNode) => value.cooked).join("{}");
  return textOf(node);
}

const isShown = (text: string | undefined): text is string =>
  text !== undefined && WORD.test(text) && !SAME.test(text.trim());

/** Returns the texts of one source. */
export function findTexts(path: string, source: string, found: Found): void {
  const { program } = parse(path, source);
  const complain = (node: AnyNode, text: string): void =>
    void found.problems.push(
      `${path}:${lineAt(source, node.start)}: "${text.trim().slice(0, 40)}" is no text of a catalogue`,
    );
  const constants = new Map<string, string>();
  walk(program, (node: AnyNode) => {
    const constant = node.type === "VariableDeclarator" ? textOf(node.init) : undefined;
    if (constant !== undefined) constants.set(node.id.name, constant);
  });
  walk(program, (node: AnyNode, ancestors: readonly AnyNode[]) => {
    const string = textOf(node);
    if (string !== undefined) found.strings.add(string);
    if (node.type === "JSXText" && isShown(node.value)) complain(node, node.value);
    // Attributes are checked by their names.
    if (node.type === "JSXExpressionContainer" && isShown(shownText(node.expression)))
      if (path.endsWith(".tsx") && ancestors.at(-1)?.type !== "JSXAttribute")
        complain(node, shownText(node) ?? "");
    if (node.type === "JSXAttribute" && READ.test(String(node.name.name)))
      if (isShown(shownText(node.value))) complain(node, shownText(node.value) ?? "");
    if (node.type === "Property" && READ.test(String(node.key.value ?? node.key.name)))
      if (isShown(shownText(node.value))) complain(node, shownText(node.value) ?? "");
    if (node.type !== "CallExpression") return;
    const name = node.callee.name;
    const [first, second, third] = node.arguments;
    if (name === "toast" || node.callee.object?.name === "toast")
      if (isShown(shownText(first)) && node.callee.property?.name !== "dismiss")
        complain(node, shownText(first) ?? "");
    if (name === "t") {
      const text = textOf(first) ?? constants.get(first?.name);
      if (text !== undefined) found.texts.add(text);
    }
    if (name === "plural") {
      const [one, other] = [textOf(second), textOf(third)];
      if (one === undefined || other === undefined) complain(node, "plural() without its forms");
      else found.counted.set(other, one);
    }
  });
}

/** Returns the problems of a style sheet: letters in generated content are of one language. */
export function findStyledTexts(path: string, source: string): string[] {
  return [...source.matchAll(CONTENT)].map(
    ({ 0: text, index }) => `${path}:${lineAt(source, index)}: "${text}" is no text of a catalogue`,
  );
}

const placeholders = (text: string): string =>
  [...new Set([...text.matchAll(/\{\w+\}/g)].map(([all]) => all))].toSorted().join(" ");

/** Compares the catalogue of a language with the English one. */
export function compareCatalogues(name: string, english: Catalogue, other: Catalogue): string[] {
  const problems: string[] = [];
  const categories = new Intl.PluralRules(name).resolvedOptions().pluralCategories.toSorted();
  for (const [key, source] of Object.entries(english)) {
    const text = other[key];
    if (text === undefined) problems.push(`${name}: "${key}" is missing`);
    else if (typeof source === "string") {
      if (typeof text !== "string" || text.trim() === "")
        problems.push(`${name}: "${key}" is no text`);
      else if (placeholders(text) !== placeholders(key))
        problems.push(`${name}: "${key}" has other values than its translation`);
    } else if (
      typeof text === "string" ||
      Object.keys(text).toSorted().join() !== categories.join()
    )
      problems.push(`${name}: "${key}" needs the forms ${categories.join(", ")}`);
    else
      for (const [form, words] of Object.entries(text)) {
        const [expected, had] = [placeholders(key), placeholders(words)];
        const without = expected.replace(/\{count\} ?/, "").trim();
        if (had !== expected && had !== without)
          problems.push(`${name}: "${key}" has other values in the form ${form}`);
      }
  }
  for (const key of Object.keys(other))
    if (!Object.hasOwn(english, key)) problems.push(`${name}: "${key}" is no text of the page`);
  return problems;
}

if (isMain(import.meta.url)) {
  const paths = repositoryFiles().filter((path) => SHOWS.test(path));
  const found: Found = {
    ...{ problems: [], texts: new Set(tableTexts()), counted: new Map(), strings: new Set() },
  };
  for (const path of paths) findTexts(path, readFileSync(join(ROOT, path), "utf8"), found);
  const stylePaths = repositoryFiles().filter((path) => STYLES.test(path));
  for (const path of stylePaths)
    found.problems.push(...findStyledTexts(path, readFileSync(join(ROOT, path), "utf8")));
  const read = (name: string): Catalogue =>
    JSON.parse(readFileSync(join(ROOT, FOLDER, name), "utf8")) as Catalogue;
  const before = read("en.json");
  const isUsed = (text: string): boolean => found.texts.has(text) || found.strings.has(text);
  const expected: Record<string, string | Forms> = {};
  for (const text of [...Object.keys(before).filter(isUsed), ...found.texts]) expected[text] = text;
  for (const [other, one] of found.counted) expected[other] = { one, other };
  const sorted = Object.fromEntries(
    Object.entries(expected).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  if (process.argv.includes("--write"))
    writeFileSync(join(ROOT, FOLDER, "en.json"), `${JSON.stringify(sorted, null, 2)}\n`);
  else if (JSON.stringify(sorted) !== JSON.stringify(before))
    found.problems.push("en.json is not as the sources: run `npm run texts`");
  const translated = readdirSync(join(ROOT, FOLDER)).filter((name) =>
    /^(?!en\.).*\.json$/.test(name),
  );
  for (const name of translated)
    found.problems.push(...compareCatalogues(name.replace(".json", ""), sorted, read(name)));
  if (paths.length < 80) found.problems.push(`${paths.length} files; expected 80 or more`);
  if (stylePaths.length < 30)
    found.problems.push(`${stylePaths.length} style sheets; expected 30 or more`);
  const count = Object.keys(sorted).length;
  report("texts", found.problems, `${count} texts in ${translated.length + 1} languages`);
}
