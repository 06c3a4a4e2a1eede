/**
 * The table of a drawing that says who its authors are: from it every page reads the name that a person chose, and
 * which page loads belong to one person. It is a claim, like every name. Each entry is a last-writer-wins register,
 * and the table keeps the entries of the greatest authors, so a merge in any order gives the same table.
 */

import { isAuthor } from "./author.ts";
import type { Author, WrittenName } from "./drawing.ts";
import { isRecord } from "./json.ts";
import { MAX_COUNT, MAX_NAMES } from "./limits.ts";
import { cleanName } from "./presence.ts";

/** The entries by base name (see `baseAuthor`). */
export type AuthorNames = Map<Author, WrittenName>;

const PERSON = /^[a-z0-9]{8,16}$/;

export function isPerson(value: unknown): value is string {
  return typeof value === "string" && PERSON.test(value);
}

/** Joins two tables: commutative, associative and idempotent. Returns whether `names` changed. */
export function mergeNames(names: AuthorNames, table: Iterable<[Author, WrittenName]>): boolean {
  let changed = false;
  for (const [author, theirs] of table) {
    const mine = names.get(author);
    if (mine !== undefined && compareNames(mine, theirs) >= 0) continue;
    names.set(author, theirs);
    changed = true;
  }
  if (names.size <= MAX_NAMES) return changed;
  const oldest = [...names.keys()].sort().slice(0, names.size - MAX_NAMES);
  for (const author of oldest) names.delete(author);
  return true;
}

/** Returns the entries of these authors as a drawing contains them; undefined when there are none. */
export function namesOf(
  names: AuthorNames,
  authors: Iterable<Author>,
): Record<string, WrittenName> | undefined {
  const found: Record<string, WrittenName> = {};
  for (const author of authors) {
    const entry = names.get(author);
    if (entry !== undefined) found[author] = entry;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Reads the table of a drawing. Malformed entries are left out, and a table that is too long is ignored. Never throws. */
export function parseNames(input: unknown): Record<string, WrittenName> | undefined {
  if (!isRecord(input)) return undefined;
  const authors = Object.keys(input);
  if (authors.length > MAX_NAMES) return undefined;
  const names: AuthorNames = new Map();
  for (const author of authors) {
    const entry = isAuthor(author) ? parseEntry(input[author]) : undefined;
    if (entry !== undefined) names.set(author as Author, entry);
  }
  return namesOf(names, names.keys());
}

/** Reads one entry. At the greatest version there is no name, so that no peer can give another one a name for ever. */
function parseEntry(input: unknown): WrittenName | undefined {
  if (!Array.isArray(input)) return undefined;
  const [version, person, text] = input as unknown[];
  if (!Number.isInteger(version) || !isPerson(person)) return undefined;
  const count = version as number;
  if (count < 1 || count > MAX_COUNT) return undefined;
  const name = count === MAX_COUNT ? undefined : cleanName(text);
  return name === undefined ? [count, person] : [count, person, name];
}

/** Compares two entries by version, then by person, then by name. */
export function compareNames(a: WrittenName, b: WrittenName): number {
  return a[0] - b[0] || compareTexts(a[1], b[1]) || compareTexts(a[2] ?? "", b[2] ?? "");
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
