/** The environment's GOTRUE_* names, read once. Pure: names and texts in, settings or complaints out. */

import { readProviders } from "./providers.ts";
import type { ProviderSettings } from "./providers.ts";
import { contradictions } from "./contradictions.ts";
import { ALIASES, IGNORED, KEY_SETTINGS, PROVIDER_SETTINGS } from "./names.ts";
import { SETTINGS } from "./table.ts";
import { readSetting } from "./kinds.ts";
import type { Setting } from "./kinds.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type Values = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer T>
    ? T
    : never;
};

/** Every row of the settings table with its value, and the providers by their lower-case name. */
export interface AuthSettings extends Values {
  readonly providers: ReadonlyMap<string, ProviderSettings>;
}

/** One line each, naming the variable, what is wrong and what is expected. Values of secrets are not quoted. */
export type AuthSettingsResult =
  | { readonly ok: true; readonly settings: AuthSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** An empty or blank variable counts as not given. */
export function parseAuthSettings(env: Environment): AuthSettingsResult {
  const problems: string[] = [];
  const given = collect(env);
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries<Setting<unknown>>(SETTINGS)) {
    values[name] = readSetting(name, row, given, problems);
    given.delete(name);
  }
  const providers = readProviders(given, problems);
  for (const name of given.keys()) problems.push(unknownName(name));
  const settings = { ...values, providers } as unknown as AuthSettings;
  if (problems.length === 0) problems.push(...contradictions(settings));
  return problems.length === 0 ? { ok: true, settings } : { ok: false, problems };
}

/** The names that concern the auth API, aliases resolved, what has no effect here left out. */
function collect(env: Environment): Map<string, string> {
  const given = new Map<string, string>();
  const keyNames: readonly string[] = KEY_SETTINGS;
  for (const [name, raw] of Object.entries(env)) {
    const text = raw?.trim() ?? "";
    if (text === "" || keyNames.includes(name) || name in IGNORED) continue;
    if (!name.startsWith("GOTRUE_") && !(name in SETTINGS)) continue;
    given.set(ALIASES[name] ?? name, text);
  }
  return given;
}

function unknownName(name: string): string {
  const near = nearest(name);
  const hint = near === undefined ? "a name of the table in docs/auth.md" : near;
  return `${name} is unknown; expected ${hint}`;
}

/** The known name that differs in the fewest letters, when that is few. */
function nearest(name: string): string | undefined {
  let best: string | undefined;
  let least = 4;
  for (const known of Object.keys(SETTINGS)) {
    const distance = editDistance(name, known, least);
    if (distance < least) [best, least] = [known, distance];
  }
  return best;
}

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
  return row[b.length] ?? limit;
}

/** The names of a provider's settings, for the table in docs/auth.md. */
export const PROVIDER_SUFFIXES = Object.keys(
  PROVIDER_SETTINGS,
) as readonly (keyof typeof PROVIDER_SETTINGS)[];
