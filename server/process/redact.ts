/**
 * Removes secrets from a text that is logged: tokens, keys, passwords and drawings. It removes too much rather than
 * too little.
 */

interface Secret {
  readonly pattern: RegExp;
  readonly shown: string;
}

/** The patterns in the order in which they apply: data first, since a drawing may contain anything. */
const SECRETS: readonly Secret[] = [
  // JSON.parse quotes the text that it cannot read.
  {
    pattern: /(?:\.\.\.)?"[^\n]*"(?:\.\.\.)? is not valid JSON/g,
    shown: "[data] is not valid JSON",
  },
  // This is JSON, to its last bracket, or to the end where it was cut off.
  { pattern: /[{[]\s*["{[\d-](?:[\s\S]*[}\]]|[\s\S]*$)/g, shown: "[data]" },
  // These are coordinates and paths: `M 10 20 l 3 4`.
  { pattern: /(?:-?\d+(?:\.\d+)?[\s,]+(?:[a-zA-Z]\s*)?){3,}-?[\d.]*/g, shown: "[data]" },
  // This is a JSON Web Token, whole or cut off.
  { pattern: /eyJ[\w-]*(?:\.[\w-]*){0,2}/g, shown: "[token]" },
  { pattern: /\bbearer\s+\S+/gi, shown: "Bearer [token]" },
  { pattern: /\bsb_\w+/g, shown: "[key]" },
  { pattern: /:\/\/[^\s/@]*@/g, shown: "://[credentials]@" },
  // This is a random text, such as a key: no name and no word is as long.
  { pattern: /[\w+=-]{32,}/g, shown: "[secret]" },
  // This is a quoted text that is no name: a text of a drawing, or something that a caller sent.
  { pattern: /"(?![\w.$/:-]{0,40}")[^"\n]*"/g, shown: '"[text]"' },
];

/** Characters that are read, and characters that remain. */
const MAX_READ = 4_000;
const MAX_SHOWN = 500;

/** Returns the text without secrets, shortened to 500 characters. */
export function redact(text: string): string {
  let shown = text.slice(0, MAX_READ);
  for (const { pattern, shown: instead } of SECRETS) shown = shown.replace(pattern, instead);
  return shown.slice(0, MAX_SHOWN);
}
