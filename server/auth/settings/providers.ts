/** Reads GOTRUE_EXTERNAL_*: the providers that may say who somebody is. */

import { readSetting } from "../../settings/read.ts";
import { PROVIDER_SETTINGS } from "./names.ts";

export interface ProviderSettings {
  /** The name in lower case, as the client uses it. */
  readonly name: string;
  readonly enabled: boolean;
  /** The ids of this server as a client. The first one asks; all of them are accepted as audiences of id tokens. */
  readonly clientIds: readonly string[];
  readonly secret: string | null;
  readonly redirectUri: string | null;
  /** The OpenID Connect issuer; for GitHub its web address. */
  readonly url: string | null;
  readonly apiUrl: string | null;
  readonly skipNonceCheck: boolean;
  readonly emailOptional: boolean;
}

/** Issuers that need no URL. */
export const KNOWN_ISSUERS: Readonly<Record<string, string>> = {
  google: "https://accounts.google.com",
  apple: "https://appleid.apple.com",
  gitlab: "https://gitlab.com",
  linkedin_oidc: "https://www.linkedin.com/oauth",
  slack_oidc: "https://slack.com",
  twitch: "https://id.twitch.tv/oauth2",
};

export const GITHUB_URL = "https://github.com";
export const GITHUB_API_URL = "https://api.github.com";

const NAME =
  /^GOTRUE_EXTERNAL_([A-Z][A-Z0-9_]*?)_(ENABLED|CLIENT_ID|SECRET|REDIRECT_URI|URL|API_URL|SKIP_NONCE_CHECK|EMAIL_OPTIONAL)$/;

/** Reads the providers, whose names it removes from `given`. */
export function readProviders(
  given: Map<string, string>,
  problems: string[],
): ReadonlyMap<string, ProviderSettings> {
  const prefixes = new Set<string>();
  for (const name of given.keys()) {
    const match = NAME.exec(name);
    if (match?.[1] !== undefined) prefixes.add(match[1]);
  }
  const providers = new Map<string, ProviderSettings>();
  for (const prefix of prefixes) {
    const provider = readProvider(prefix, given, problems);
    providers.set(provider.name, provider);
  }
  return providers;
}

function readProvider(
  prefix: string,
  given: Map<string, string>,
  problems: string[],
): ProviderSettings {
  const read = <K extends keyof typeof PROVIDER_SETTINGS>(
    suffix: K,
  ): (typeof PROVIDER_SETTINGS)[K]["fallback"] => {
    const name = `GOTRUE_EXTERNAL_${prefix}_${suffix}`;
    const value = readSetting<unknown>(name, PROVIDER_SETTINGS[suffix], given, problems);
    given.delete(name);
    return value as (typeof PROVIDER_SETTINGS)[K]["fallback"];
  };
  const name = prefix.toLowerCase();
  const provider: ProviderSettings = {
    name,
    enabled: read("ENABLED"),
    clientIds: read("CLIENT_ID"),
    secret: read("SECRET"),
    redirectUri: read("REDIRECT_URI"),
    url: read("URL") ?? KNOWN_ISSUERS[name] ?? (name === "github" ? GITHUB_URL : null),
    apiUrl: read("API_URL"),
    skipNonceCheck: read("SKIP_NONCE_CHECK"),
    emailOptional: read("EMAIL_OPTIONAL"),
  };
  if (provider.enabled) problems.push(...missing(prefix, provider));
  return provider;
}

function missing(prefix: string, provider: ProviderSettings): string[] {
  const problems: string[] = [];
  const name = (suffix: string): string => `GOTRUE_EXTERNAL_${prefix}_${suffix}`;
  const because = `since ${name("ENABLED")} is true`;
  if (provider.clientIds.length === 0)
    problems.push(`${name("CLIENT_ID")} is missing; expected the provider's client id, ${because}`);
  if (provider.url === null)
    problems.push(
      `${name("URL")} is missing; expected the issuer of an OpenID Connect provider, ${because}`,
    );
  return problems;
}
