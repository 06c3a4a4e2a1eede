/** The environment's GOTRUE_* names, read once. Pure: names and texts in, settings or complaints out. */

import {
  givenVariables,
  readTable,
  unknownSetting,
  type Values,
  type Variables,
} from "../../settings/read.ts";
import { contradictions } from "./contradictions.ts";
import { ALIASES, decidesInstead, KEY_SETTINGS, PROVIDER_SETTINGS } from "./names.ts";
import { readProviders, type ProviderSettings } from "./providers.ts";
import { SETTINGS } from "./table.ts";

/** Every row of the settings table with its value, and the providers by their lower-case name. */
export interface AuthSettings extends Values<typeof SETTINGS> {
  readonly providers: ReadonlyMap<string, ProviderSettings>;
}

/** One line each, naming the variable, what is wrong and what is expected. Values of secrets are not quoted. */
export type AuthSettingsResult =
  | {
      readonly ok: true;
      readonly settings: AuthSettings;
      /** One line for each setting that was given and has no effect. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** An empty or blank variable counts as not given. */
export function parseAuthSettings(variables: Variables): AuthSettingsResult {
  const problems: string[] = [];
  const given = collect(variables);
  const values = readTable(SETTINGS, given, problems);
  for (const name of Object.keys(SETTINGS)) given.delete(name);
  const providers = readProviders(given, problems);
  for (const name of given.keys())
    problems.push(
      unknownSetting(name, Object.keys(SETTINGS), "a name of the table in docs/auth.md"),
    );
  if (problems.length === 0) problems.push(...contradictions(values));
  return problems.length === 0
    ? { ok: true, settings: { ...values, providers }, warnings: withoutEffect(variables) }
    : { ok: false, problems };
}

/** The names that concern the auth API, aliases resolved, what has no effect here left out. */
function collect(variables: Variables): Map<string, string> {
  const given = new Map<string, string>();
  const keyNames: readonly string[] = KEY_SETTINGS;
  for (const [name, text] of givenVariables(variables)) {
    if (keyNames.includes(name) || decidesInstead(name) !== undefined) continue;
    if (!name.startsWith("GOTRUE_") && !(name in SETTINGS)) continue;
    given.set(ALIASES[name] ?? name, text);
  }
  return given;
}

/** One line for each given setting that this server takes and does not use. */
function withoutEffect(variables: Variables): readonly string[] {
  const lines: string[] = [];
  for (const [name, text] of givenVariables(variables)) {
    const instead =
      name === "GOTRUE_SMS_PROVIDER" && text !== "webhook" && text !== "twilio"
        ? "GOTRUE_HOOK_SEND_SMS_URI"
        : decidesInstead(name);
    if (instead !== undefined) lines.push(`${name} has no effect; here it is: ${instead}`);
  }
  return lines;
}

/** The names of a provider's settings, for the table in docs/auth.md. */
export const PROVIDER_SUFFIXES = Object.keys(
  PROVIDER_SETTINGS,
) as readonly (keyof typeof PROVIDER_SETTINGS)[];
