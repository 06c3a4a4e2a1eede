/** The providers behind GOTRUE_EXTERNAL_*: any that speaks OpenID Connect, and GitHub. */

import * as oidc from "openid-client";
import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import type { Fields } from "../request.ts";
import { GITHUB_API_URL, GITHUB_URL } from "../settings/providers.ts";
import type { ProviderSettings } from "../settings/providers.ts";

/** @throws AuthFault oauth_provider_not_supported, by the text that GoTrue gives */
export function enabledProvider(auth: Auth, name: string): ProviderSettings {
  const provider = auth.settings.providers.get(name.toLowerCase());
  if (provider === undefined || !provider.enabled)
    throw new AuthFault(
      "oauth_provider_not_supported",
      "Unsupported provider: provider is not enabled",
    );
  return provider;
}

export function redirectUri(auth: Auth, provider: ProviderSettings): string {
  return provider.redirectUri ?? `${auth.urls.api()}/callback`;
}

/** What a provider says about somebody. */
export interface Person {
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** For the identity and the user's own data. */
  readonly data: Fields;
}

const HOUR = 3_600_000;

interface Known {
  readonly at: number;
  readonly configuration: Promise<oidc.Configuration>;
}

const known = new WeakMap<ProviderSettings, Known>();

/** Discovered once in an hour. @throws AuthFault provider_disabled when the provider cannot be reached */
export async function configurationOf(
  auth: Auth,
  provider: ProviderSettings,
): Promise<oidc.Configuration> {
  const cached = known.get(provider);
  const fresh = cached !== undefined && auth.clock() - cached.at < HOUR;
  const configuration = fresh ? cached.configuration : configure(provider);
  if (!fresh) known.set(provider, { at: auth.clock(), configuration });
  try {
    return await configuration;
  } catch (error) {
    known.delete(provider);
    const reason = error instanceof Error ? error.message : "unknown";
    auth.log.error("a sign-in provider could not be reached", { provider: provider.name, reason });
    throw new AuthFault("provider_disabled", "The provider cannot be reached", { status: 502 });
  }
}

export function isGithub(provider: ProviderSettings): boolean {
  return provider.name === "github";
}

function configure(provider: ProviderSettings): Promise<oidc.Configuration> {
  const clientId = provider.clientIds[0] ?? "";
  const metadata = provider.secret ?? undefined;
  const issuer = new URL(provider.url ?? "");
  // Without TLS only on this machine, for development and tests.
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(issuer.hostname);
  const execute = issuer.protocol === "http:" && local ? [oidc.allowInsecureRequests] : [];
  const auth = provider.secret === null ? oidc.None() : oidc.ClientSecretPost(provider.secret);
  if (!isGithub(provider))
    return oidc.discovery(issuer, clientId, metadata, auth, { execute, timeout: 10 });
  const base = issuer.href.replace(/\/$/, "");
  const configuration = new oidc.Configuration(
    {
      issuer: base,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
    },
    clientId,
    metadata,
    auth,
  );
  for (const one of execute) one(configuration);
  return Promise.resolve(configuration);
}

/** Space separated. */
export function scopesOf(provider: ProviderSettings, more: string | undefined): string {
  const own = isGithub(provider) ? ["user:email"] : ["openid", "email", "profile"];
  const asked = (more ?? "").split(/[ ,]+/).filter((scope) => scope !== "");
  return [...new Set([...own, ...asked])].join(" ");
}

/** From the claims of an id token or of the userinfo endpoint. */
export function personOfClaims(issuer: string, claims: Fields): Person {
  const text = (name: string): string | undefined => {
    const value = claims[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const subject = text("sub") ?? "";
  const email = text("email")?.toLowerCase();
  const verified = claims["email_verified"] === true || claims["email_verified"] === "true";
  const name = text("name") ?? [text("given_name"), text("family_name")].filter(Boolean).join(" ");
  const data: Record<string, unknown> = {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    email_verified: verified,
    phone_verified: false,
  };
  const more = {
    email,
    name,
    full_name: name,
    avatar_url: text("picture"),
    picture: text("picture"),
    preferred_username: text("preferred_username"),
    user_name: text("preferred_username"),
  };
  for (const [key, value] of Object.entries(more))
    if (value !== undefined && value !== "") data[key] = value.slice(0, 500);
  return { subject, email, emailVerified: verified, data };
}

/** GitHub's own API: a user, and which of the addresses is the primary and verified one. */
export async function githubPerson(
  provider: ProviderSettings,
  accessToken: string,
): Promise<Person> {
  const base = (provider.apiUrl ?? apiBeside(provider.url ?? GITHUB_URL)).replace(/\/$/, "");
  const user = await githubGet(`${base}/user`, accessToken);
  const emails = await githubGet(`${base}/user/emails`, accessToken);
  const id = Reflect.get(user, "id");
  const list = Array.isArray(emails) ? (emails as readonly Fields[]) : [];
  const best =
    list.find((one) => one["primary"] === true) ?? list.find((one) => one["verified"] === true);
  return personOfClaims(base, {
    sub: typeof id === "number" || typeof id === "string" ? String(id) : "",
    email: best?.["email"],
    email_verified: best?.["verified"] === true,
    name: Reflect.get(user, "name") ?? Reflect.get(user, "login"),
    preferred_username: Reflect.get(user, "login"),
    picture: Reflect.get(user, "avatar_url"),
  });
}

function apiBeside(url: string): string {
  return url.replace(/\/$/, "") === GITHUB_URL
    ? GITHUB_API_URL
    : `${url.replace(/\/$/, "")}/api/v3`;
}

async function githubGet(address: string, accessToken: string): Promise<object> {
  const response = await fetch(address, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${accessToken}`,
      "user-agent": "inkpool",
    },
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  });
  const body: unknown = await response.json();
  if (!response.ok || typeof body !== "object" || body === null)
    throw new Error(`GitHub's API answered ${response.status}`);
  return body;
}
