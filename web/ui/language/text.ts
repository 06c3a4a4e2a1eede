/**
 * The page's texts in the chosen language. The English text is the key of its translation, so that English needs no
 * catalogue.
 */

import type en from "./en.json";

type Catalogues = typeof en;

/** A text with one form. Names in braces stand for values: "{name} joined." */
export type Text = {
  [Key in keyof Catalogues]: Catalogues[Key] extends string ? Key : never;
}[keyof Catalogues];

/** A text that depends on a number, by its English plural. */
export type Counted = Exclude<keyof Catalogues, Text>;

/** The names in the braces of a text. */
type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Values<Name extends string> = Readonly<Record<Name, string | number>>;

/** Translations by their English text; a text that depends on a number has forms by `Intl.PluralRules`. */
export type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

let catalogue: Catalogue = {};
let tag = "en-GB";
let isRightToLeft = false;
/** Translates a text that has its values already. */
let translateFilled = (text: string): string => text;

/** Sets the catalogue from which `t` and its kin return texts. Called before the page is rendered. */
export function setCatalogue(chosen: {
  /** The BCP 47 tag. */
  readonly tag: string;
  readonly catalogue: Catalogue;
  readonly isRightToLeft: boolean;
  readonly translateFilled: (text: string) => string;
}): void {
  ({ tag, catalogue, isRightToLeft, translateFilled } = chosen);
}

/** Returns the BCP 47 tag by which numbers and times are written. */
export function languageTag(): string {
  return tag;
}

/** Returns a text in the chosen language, with its values filled in. Numbers are written in the manner of the language. */
export function t<T extends Text>(
  text: T,
  ...[values]: [Names<T>] extends [never] ? [] : [Values<Names<T>>]
): string {
  return fill(translate(text), values);
}

/**
 * Returns the form of a text that goes with a number; both forms are the English ones. `{count}` is the number, or
 * the text that the values give for it.
 */
export function plural<T extends Counted>(
  count: number,
  one: string,
  other: T,
  ...[values]: [Exclude<Names<T>, "count">] extends [never]
    ? [{ readonly count: string }?]
    : [Values<Exclude<Names<T>, "count">>]
): string {
  const forms = catalogue[other];
  const form =
    typeof forms === "object" ? forms[new Intl.PluralRules(tag).select(count)] : undefined;
  return fill(form ?? (count === 1 ? one : other), { count, ...values });
}

/**
 * Returns a text of a table in the chosen language: unchanged where it has no translation, such as a visitor's own
 * words. `context` follows the text in the catalogues, where English has one word for two things: "Delete key".
 */
export function translate(text: string, context = ""): string {
  const translation = catalogue[text + context];
  return typeof translation === "string" ? translation : translateFilled(text);
}

/** Writes a number in the manner of the language: 10,500. */
export function formatNumber(value: number): string {
  // Every language but Arabic writes them unchanged, and the browser's code for the others takes a weak phone 60 ms
  // to load.
  const isSmall = value >>> 0 === value && value < 1000;
  return isSmall && !isRightToLeft ? `${value}` : value.toLocaleString(tag);
}

function fill(text: string, values: Values<string> | undefined): string {
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    if (typeof value === "number") return formatNumber(value);
    // A name in Latin letters keeps its direction in an Arabic sentence.
    return isRightToLeft ? `\u2068${value}\u2069` : value;
  });
}
