/** The languages of the page. Their catalogues are loaded one at a time. */

import { type Catalogue, setCatalogue, t, translate } from "./text.ts";

interface Language {
  /** The BCP 47 tag, as in `<html lang>`. */
  readonly tag: string;
  /** The language's name in the language itself. */
  readonly name: string;
  readonly load: () => Promise<{ readonly default: Catalogue }>;
}

/** The languages with a catalogue; English, the source, needs none. */
const LANGUAGES: readonly Language[] = [
  { tag: "ar", name: "العربية", load: () => import("./ar.json") },
  { tag: "de", name: "Deutsch", load: () => import("./de.json") },
  { tag: "es", name: "Español", load: () => import("./es.json") },
  { tag: "fr", name: "Français", load: () => import("./fr.json") },
  { tag: "ja", name: "日本語", load: () => import("./ja.json") },
  { tag: "pl", name: "Polski", load: () => import("./pl.json") },
  { tag: "pt-BR", name: "Português", load: () => import("./pt-BR.json") },
  { tag: "zh-Hans", name: "简体中文", load: () => import("./zh-Hans.json") },
];

/** The choices of the menu, each in its own language. */
export const CHOICES: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: "en", name: "English" },
  ...LANGUAGES,
];

/**
 * Returns the tag of the language that is meant: "pt" and "pt-PT" mean "pt-BR". Undefined for a language that the
 * page does not have.
 */
export function languageFor(wanted: string): string | undefined {
  const [name, ...parts] = wanted.toLowerCase().split(/[-_]/);
  // Traditional characters are another script; these regions write them where no script is named.
  if (name === "zh" && !parts.includes("hans") && /\b(?:hant|tw|hk|mo)\b/.test(parts.join("-")))
    return undefined;
  return CHOICES.find(({ tag }) => tag.split("-")[0] === name)?.tag;
}

/** Returns the first of the reader's languages that the page has. Undefined when English precedes it, or when there is none. */
export function preferredLanguage(wanted: readonly string[]): string | undefined {
  const tag = wanted.map(languageFor).find((found) => found !== undefined);
  return tag === "en" ? undefined : tag;
}

/** Fetches the texts of a language; rejects when they do not arrive or the page has no such language. */
export async function fetchCatalogue(tag: string): Promise<Catalogue> {
  const language = LANGUAGES.find((one) => one.tag === tag);
  if (!language) throw new Error(`there is no language ${tag}`);
  return (await language.load()).default;
}

/**
 * Switches the page to the language that is meant, from its first render on; to English for one that the page does
 * not have. Rejects when the texts do not arrive: the page stays English.
 */
export async function speak(wanted: string): Promise<void> {
  const tag = languageFor(wanted);
  if (tag === undefined || tag === "en") return;
  const isRightToLeft = tag === "ar";
  setCatalogue({ tag, catalogue: await fetchCatalogue(tag), isRightToLeft, translateFilled });
  document.documentElement.lang = tag;
  if (isRightToLeft) document.documentElement.dir = "rtl";
}

/** Translates a text with values in it: errors reach the page as the sync client wrote them. */
function translateFilled(text: string): string {
  const reason = /^Cannot save: (.+)$/s.exec(text)?.[1];
  if (reason !== undefined) return t("Cannot save: {reason}", { reason: translate(reason) });
  const megabytes = /^Canvas data too large \((.+)MB\)\. Maximum is 10MB\.$/.exec(text)?.[1];
  return megabytes === undefined
    ? text
    : t("Canvas data too large ({megabytes}MB). Maximum is 10MB.", { megabytes });
}
