/** Reads the environment's GOTRUE_* names once. Pure: names and texts go in, settings or complaints come out. */

import {
  givenVariables,
  nearest,
  readTable,
  unknownSetting,
  type Values,
  type Variables,
} from "../../settings/read.ts";
import { contradictions } from "./contradictions.ts";
import { ALIASES, decidesInstead, KEY_SETTINGS, PROVIDER_SETTINGS } from "./names.ts";
import { readProviders, type ProviderSettings } from "./providers.ts";
import { SETTINGS } from "./table.ts";

/** The settings: every row of the table with its value, and the providers by their lower-case name. */
export interface AuthSettings extends Values<typeof SETTINGS> {
  readonly providers: ReadonlyMap<string, ProviderSettings>;
}

/**
 * The result. Each complaint is one line with the variable, the fault and the expected value. Values of secrets are
 * not quoted.
 */
export type AuthSettingsResult =
  | {
      readonly ok: true;
      readonly settings: AuthSettings;
      /** One line for each setting that was given and has no effect. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses the settings. An empty or blank variable counts as absent. */
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

/** Returns the names that concern the auth API, with aliases resolved, and without those that have no effect here. */
function collect(variables: Variables): Map<string, string> {
  const given = new Map<string, string>();
  const keyNames: readonly string[] = KEY_SETTINGS;
  for (const [name, text] of givenVariables(variables)) {
    if (keyNames.includes(name) || decidesInstead(name) !== undefined) continue;
    if (!isOurs(name)) continue;
    given.set(ALIASES[name] ?? name, text);
  }
  return given;
}

/**
 * Whether a name is one of the table, or meant to be. Kubernetes gives the pods beside a service named inkpool
 * variables such as INKPOOL_SERVICE_HOST, so a name of INKPOOL_ has to be near one of the table.
 */
function isOurs(name: string): boolean {
  if (name.startsWith("GOTRUE_") || Object.hasOwn(SETTINGS, name)) return true;
  return name.startsWith("INKPOOL_") && nearest(name, Object.keys(SETTINGS)) !== undefined;
}

/** Returns one line for each given setting that this server accepts and does not use. */
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
