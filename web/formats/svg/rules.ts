/** Applies the style sheets of an SVG file to its elements. */

import { declarationsOf, type Style } from "./style.ts";
import type { XmlElement } from "./xml.ts";

/** A rule with one selector: names of an element, and of those around it. */
interface Rule {
  /** The names that each element must have, the innermost one's first. */
  readonly selector: readonly (readonly string[])[];
  readonly specificity: number;
  readonly style: Style;
}

const MAX_RULES = 2_000;
/** Greatest number of characters of a selector that are read. */
const MAX_SELECTOR = 500;
/** Greatest number of times that a rule is compared with an element. */
const MAX_COMPARISONS = 2_000_000;
/** At-rules, which set nothing or only on some screens and printers. */
const AT_RULE = /@[^{};@]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})/g;
const NAMES = /[.#]?[\w-]+|\*/g;
/** Matches an element's names in a selector; without attributes and states, whose rules are ignored. */
const COMPOUND = /^(?:\*|[.#]?[\w-]+)(?:[.#][\w-]+)*$/;

/** Gives the elements of a document what its style sheets declare for them. A child counts as any element inside. */
export function applySheets(root: XmlElement, sheets: readonly string[]): void {
  const rules: Rule[] = [];
  for (const css of sheets) addRules(rules, css);
  rules.sort((one, other) => one.specificity - other.specificity);
  /** The indexes of the rules for an element with a name. */
  const byName = new Map<string, number[]>();
  for (const [at, { selector }] of rules.entries()) {
    const [[name = ""] = []] = selector;
    byName.set(name, [...(byName.get(name) ?? []), at]);
  }
  const around: ReadonlySet<string>[] = [];
  let comparisons = 0;
  const apply = (element: XmlElement): void => {
    if (comparisons > MAX_COMPARISONS) return;
    const names = namesOf(element);
    const found = [...names].flatMap((name) => byName.get(name) ?? []);
    comparisons += found.length;
    around.unshift(names);
    for (const at of found.sort((one, other) => one - other)) {
      const { selector, style } = rules[at]!;
      if (matches(selector, around)) Object.assign((element.declared ??= {}), style);
    }
    for (const child of element.children) if (typeof child !== "string") apply(child);
    around.shift();
  };
  if (rules.length > 0) apply(root);
}

function addRules(rules: Rule[], css: string): void {
  const plain = css.replace(/\/\*[\s\S]*?(\*\/|$)/g, "").replace(AT_RULE, "");
  for (const block of plain.split("}")) {
    const [selectors = "", declarations, ...more] = block.split("{");
    if (declarations === undefined || more.length > 0 || rules.length >= MAX_RULES) continue;
    const style = declarationsOf(declarations);
    // The rest of an at-rule may come before.
    const list = selectors.slice(selectors.lastIndexOf(";") + 1).split(",");
    for (const selector of new Set(list)) {
      const compounds = selector
        .slice(0, MAX_SELECTOR)
        .trim()
        .split(/[\s>]+/);
      if (!compounds.every((one) => COMPOUND.test(one))) continue;
      const parts = compounds.map((one) => one.match(NAMES) ?? []).toReversed();
      rules.push({ selector: parts, specificity: specificityOf(parts.flat()), style });
    }
  }
}

function specificityOf(names: readonly string[]): number {
  let sum = 0;
  for (const [first] of names)
    sum += first === "#" ? 10_000 : first === "." ? 100 : first === "*" ? 0 : 1;
  return sum;
}

function namesOf({ name, attributes }: XmlElement): ReadonlySet<string> {
  const classes = (attributes.get("class") ?? "").split(/\s+/).map((one) => `.${one}`);
  return new Set(["*", name, `#${attributes.get("id") ?? ""}`, ...classes]);
}

/** Returns whether a selector matches the first element; the others are around it, from the inside. */
function matches(
  [own = [], ...outer]: Rule["selector"],
  around: readonly ReadonlySet<string>[],
): boolean {
  const has = (names: readonly string[], at: number): boolean =>
    names.every((name) => around[at]!.has(name));
  if (!has(own, 0)) return false;
  let at = 0;
  for (const names of outer) {
    at += 1;
    while (at < around.length && !has(names, at)) at += 1;
    if (at >= around.length) return false;
  }
  return true;
}
