/** Reads selectors of a style sheet, as far as programs write them into SVG files, and compares them with elements. */

import type { XmlElement } from "./xml.ts";

/** An element with what selectors ask for. */
export interface Candidate {
  readonly element: XmlElement;
  /** Its name, classes and id, as selectors write them. */
  readonly names: ReadonlySet<string>;
  /** Its number among the children of its parent, from 1, and their count; for the root 1 and 0. */
  readonly at: number;
  readonly of: number;
}

type Test = (candidate: Candidate) => boolean;

/** The conditions for one element: it has all the names, and passes all the tests. */
export interface Compound {
  readonly names: readonly string[];
  readonly tests: readonly Test[];
}

/** Elements around each other, the innermost one first. A child counts as any element inside. */
export interface Selector {
  readonly compounds: readonly Compound[];
  readonly specificity: number;
}

/** Greatest number of characters of a selector that are read. */
const MAX_SELECTOR = 500;
const PART = /[.#]?[\w-]+|\*|\[[^[\]]+\]|:[\w-]+(?:\([^()]*\))?/y;
const ATTRIBUTE = /^\[\s*([\w:-]+)\s*(?:([~^$*]?)=\s*["']?([^"'\]]*)["']?\s*)?\]$/;
const POSITION = /^:(first|last|nth|nth-last)-child(?:\((.*)\))?$/;
const FORMULA = /^(?:([+-]?\d*)n)?(?:([+-]?\d+))?$/;

/** Reads a selector; null for one that asks for anything else, such as a state, which no element then has. */
export function selectorOf(written: string): Selector | null {
  const compounds: Compound[] = [];
  let specificity = 0;
  const text = written.slice(0, MAX_SELECTOR).trim();
  for (let at = 0; at < text.length;) {
    const names: string[] = [];
    const tests: Test[] = [];
    for (;;) {
      PART.lastIndex = at;
      const [part] = PART.exec(text) ?? [];
      if (part === undefined) break;
      at = PART.lastIndex;
      specificity += weightOf(part);
      const test = testOf(part);
      if (test === null) return null;
      if (test) tests.push(test);
      else names.push(part);
    }
    const [between = ""] = /^[\s>]*/.exec(text.slice(at)) ?? [];
    if (names.length + tests.length === 0 || (between === "" && at < text.length)) return null;
    compounds.unshift({ names: names.length > 0 ? names : ["*"], tests });
    at += between.length;
  }
  return compounds.length > 0 ? { compounds, specificity } : null;
}

function weightOf([first = ""]: string): number {
  return first === "#" ? 10_000 : first === "*" ? 0 : /[.:[]/.test(first) ? 100 : 1;
}

/** Returns the test that a part of a selector asks for; undefined for a name, null for one that is not known here. */
function testOf(part: string): Test | undefined | null {
  const attribute = ATTRIBUTE.exec(part);
  if (attribute) return attributeTest(attribute);
  if (part === ":root") return ({ of }) => of === 0;
  const [, other] = /^:not\((.*)\)$/.exec(part) ?? [];
  const without = other ? selectorOf(other) : null;
  if (without) return (candidate) => !matches(without, [candidate]);
  const [, side = "", formula = "1"] = POSITION.exec(part) ?? [];
  const isNth = side && nthTest(formula.replace(/\s/g, ""));
  if (isNth) return ({ at, of }) => isNth(side.endsWith("last") ? of + 1 - at : at);
  return /^[[:]/.test(part) ? null : undefined;
}

function attributeTest([, name = "", how, value]: RegExpExecArray): Test {
  return ({ element }) => {
    const own = element.attributes.get(name);
    if (own === undefined || value === undefined) return own !== undefined;
    if (how === "~") return own.split(" ").includes(value);
    const at = how === "$" ? own.lastIndexOf(value) : own.indexOf(value);
    const isAtEnd = at + value.length === own.length;
    return at >= 0 && (how === "*" || (how === "$" ? isAtEnd : at === 0 && (!!how || isAtEnd)));
  };
}

function nthTest(formula: string): ((at: number) => boolean) | undefined {
  const [all, step, start = "0"] =
    FORMULA.exec({ odd: "2n+1", even: "2n" }[formula] ?? formula) ?? [];
  if (!all) return undefined;
  const each = step === undefined ? 0 : Number(/\d/.test(step) ? step : `${step}1`);
  return (at) => {
    const after = at - Number(start);
    return each === 0 ? after === 0 : after % each === 0 && after / each >= 0;
  };
}

/** Returns whether a selector matches the first element; the others are around it, from the inside. */
export function matches(
  { compounds: [own, ...outer] }: Selector,
  around: readonly Candidate[],
): boolean {
  if (!own || !has(own, around[0]!)) return false;
  let at = 0;
  for (const compound of outer) {
    at += 1;
    while (at < around.length && !has(compound, around[at]!)) at += 1;
    if (at >= around.length) return false;
  }
  return true;
}

function has({ names, tests }: Compound, candidate: Candidate): boolean {
  return names.every((name) => candidate.names.has(name)) && tests.every((test) => test(candidate));
}
