/** Reads environment variables by a table of settings, as values or complaints. Pure. */

import type { Setting } from "./kinds.ts";

/** The raw environment of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table's rows, by name. */
export type Values<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never;
};

/** Returns the given variables, trimmed: an empty or blank one counts as absent. */
export function givenVariables(variables: Variables): Map<string, string> {
  const given = new Map<string, string>();
  for (const [name, raw] of Object.entries(variables)) {
    const text = raw?.trim() ?? "";
    if (text !== "") given.set(name, text);
  }
  return given;
}

/**
 * Reads every row of a table. Each wrong value adds one line to `problems`, with the variable, the fault and the
 * expected value; a secret is not quoted. The default stands in for a wrong value.
 */
export function readTable<Table extends SettingsTable>(
  table: Table,
  given: ReadonlyMap<string, string>,
  problems: string[],
): Values<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table))
    values[name] = readSetting(name, row, given, problems);
  return values as Values<Table>;
}

/** Reads one row, as `readTable` does. */
export function readSetting<T>(
  name: string,
  row: Setting<T>,
  given: ReadonlyMap<string, string>,
  problems: string[],
): T {
  const text = given.get(name);
  if (text === undefined) return row.fallback;
  const parsed = row.parse(text);
  if (parsed.ok) return parsed.value;
  const shown = row.secret ? "" : ` ${JSON.stringify(text)}`;
  problems.push(`${name}${shown} ${parsed.wrong}; expected ${row.expects}`);
  return row.fallback;
}

/** Returns the complaint about a name that is in no table. `otherwise` says where the names are found when none is near. */
export function unknownSetting(name: string, known: Iterable<string>, otherwise: string): string {
  return `${name} is unknown; expected ${nearest(name, known) ?? otherwise}`;
}

/** The number of differing letters from which names are not near. */
const FAR = 4;

/** Returns the known name that differs in the fewest letters, when these are few. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = FAR;
  for (const one of known) {
    const distance = editDistance(name, one, fewest);
    if (distance < fewest) [best, fewest] = [one, distance];
  }
  return best;
}

/**
 * Returns the number of letters to change, add or leave out between two texts (Levenshtein); `limit` when it is at
 * least that.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(limit, row[b.length] ?? limit);
}
