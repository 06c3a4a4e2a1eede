/** Applies the style sheets of an SVG file to its elements. */

import { matches, type Candidate, type Selector, selectorOf } from "./selectors.ts";
import { declarationsOf, type Style } from "./style.ts";
import type { XmlElement } from "./xml.ts";

/** A rule with one selector. */
interface Rule {
  readonly selector: Selector;
  readonly style: Style;
}

const MAX_RULES = 2_000;
/** Greatest number of times that a rule is compared with an element. */
const MAX_COMPARISONS = 2_000_000;
/** At-rules, which set nothing or only on some screens and printers. */
const AT_RULE = /@[^{};@]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})/g;

/** Gives the elements of a document what its style sheets declare for them. */
export function applySheets(root: XmlElement, sheets: readonly string[]): void {
  const rules: Rule[] = [];
  for (const css of sheets) addRules(rules, css);
  rules.sort((one, other) => one.selector.specificity - other.selector.specificity);
  /** The indexes of the rules for an element with a name. */
  const byName = new Map<string, number[]>();
  for (const [at, { selector }] of rules.entries()) {
    const [name = ""] = selector.compounds[0]?.names ?? [];
    byName.set(name, [...(byName.get(name) ?? []), at]);
  }
  const around: Candidate[] = [];
  let comparisons = 0;
  const apply = (candidate: Candidate): void => {
    if (comparisons > MAX_COMPARISONS) return;
    const { element, names } = candidate;
    const found = [...names].flatMap((name) => byName.get(name) ?? []);
    comparisons += found.length;
    around.unshift(candidate);
    for (const at of found.sort((one, other) => one - other)) {
      const { selector, style } = rules[at]!;
      if (matches(selector, around)) Object.assign((element.declared ??= {}), style);
    }
    const children = element.children.filter((child) => typeof child !== "string");
    for (const [at, child] of children.entries())
      apply(candidateOf(child, at + 1, children.length));
    around.shift();
  };
  if (rules.length > 0) apply(candidateOf(root, 1, 0));
}

function addRules(rules: Rule[], css: string): void {
  const plain = css.replace(/\/\*[\s\S]*?(\*\/|$)/g, "").replace(AT_RULE, "");
  for (const block of plain.split("}")) {
    const [selectors = "", declarations, ...more] = block.split("{");
    if (declarations === undefined || more.length > 0 || rules.length >= MAX_RULES) continue;
    const style = declarationsOf(declarations);
    // The rest of an at-rule may come before.
    for (const written of new Set(selectors.slice(selectors.lastIndexOf(";") + 1).split(","))) {
      const selector = selectorOf(written);
      if (selector) rules.push({ selector, style });
    }
  }
}

function candidateOf(element: XmlElement, at: number, of: number): Candidate {
  const { name, attributes } = element;
  const classes = (attributes.get("class") ?? "").split(/\s+/).map((one) => `.${one}`);
  const names = new Set(["*", name, `#${attributes.get("id") ?? ""}`, ...classes]);
  return { element, names, at, of };
}
