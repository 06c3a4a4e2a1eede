/** The providers of GOTRUE_EXTERNAL_*: any with OpenID Connect, and GitHub. */

import * as oidc from "openid-client";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import type { Fields } from "../http/request.ts";
import { GITHUB_API_URL, GITHUB_URL, type ProviderSettings } from "../settings/providers.ts";

/**
 * Returns a provider.
 * @throws AuthFault oauth_provider_not_supported for an unknown provider and for one that is off
 */
export function enabledProvider(auth: Auth, name: string): ProviderSettings {
  const provider = auth.settings.providers.get(name.toLowerCase());
  if (provider === undefined || !provider.enabled)
    throw new AuthFault(
      "oauth_provider_not_supported",
      "Unsupported provider: provider is not enabled",
    );
  return provider;
}

/** Returns the address to which the provider sends the browser back. */
export function redirectUri(auth: Auth, provider: ProviderSettings): string {
  return provider.redirectUri ?? `${auth.urls.api()}/callback`;
}

/** A provider's statements about a person. */
export interface ProviderProfile {
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** The values for `identity_data` and `user_metadata`. */
  readonly data: Fields;
}

const HOUR = 3_600_000;

interface Discovered {
  readonly at: number;
  readonly configuration: Promise<oidc.Configuration>;
}

const discovered = new WeakMap<ProviderSettings, Discovered>();

/**
 * Returns the provider's endpoints, which are discovered once an hour. @throws AuthFault oauth_provider_not_supported
 * when it cannot be reached
 */
export async function configurationOf(
  auth: Auth,
  provider: ProviderSettings,
): Promise<oidc.Configuration> {
  const cached = discovered.get(provider);
  const fresh = cached !== undefined && auth.clock() - cached.at < HOUR;
  const configuration = fresh ? cached.configuration : configure(provider);
  if (!fresh) discovered.set(provider, { at: auth.clock(), configuration });
  try {
    return await configuration;
  } catch (error) {
    discovered.delete(provider);
    throw unreachable(auth, provider, error);
  }
}

/**
 * Logs why a provider cannot be reached, and returns the fault. Its status is below 500, as GoTrue's: the client
 * library hides code and text of any other.
 */
export function unreachable(auth: Auth, provider: ProviderSettings, error: unknown): AuthFault {
  const reason = error instanceof Error ? error.message : "unknown";
  auth.log.error("a sign-in provider could not be reached", { provider: provider.name, reason });
  return new AuthFault(
    "oauth_provider_not_supported",
    `Unsupported provider: ${provider.name} cannot be reached`,
  );
}

/** Whether a provider is GitHub, the only one without OpenID Connect. */
export function isGithub(provider: ProviderSettings): boolean {
  return provider.name === "github";
}

function configure(provider: ProviderSettings): Promise<oidc.Configuration> {
  const clientId = provider.clientIds[0] ?? "";
  const metadata = provider.secret ?? undefined;
  const issuer = new URL(provider.url ?? "");
  // Plain http is allowed on this machine only, for development and tests.
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

/** Returns the scopes of a sign-in, separated by spaces: ours and those that the client asks for. */
export function scopesOf(provider: ProviderSettings, more: string | undefined): string {
  const own = isGithub(provider) ? ["user:email"] : ["openid", "email", "profile"];
  const requested = (more ?? "").split(/[ ,]+/).filter((scope) => scope !== "");
  return [...new Set([...own, ...requested])].join(" ");
}

/** Reads the profile in the claims of an id token or of the userinfo endpoint. */
export function profileOfClaims(issuer: string, claims: Fields): ProviderProfile {
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

/**
 * Reads the profile from GitHub, which has no id tokens: its API returns the user, and the primary, verified address.
 * @throws Error when the API cannot be reached
 */
export async function githubProfile(
  provider: ProviderSettings,
  accessToken: string,
): Promise<ProviderProfile> {
  const base = (provider.apiUrl ?? apiOf(provider.url ?? GITHUB_URL)).replace(/\/$/, "");
  const user = await githubGet(`${base}/user`, accessToken);
  const emails = await githubGet(`${base}/user/emails`, accessToken);
  const id = Reflect.get(user, "id");
  const list = Array.isArray(emails) ? (emails as readonly Fields[]) : [];
  const best =
    list.find((one) => one["primary"] === true) ?? list.find((one) => one["verified"] === true);
  return profileOfClaims(base, {
    sub: typeof id === "number" || typeof id === "string" ? String(id) : "",
    email: best?.["email"],
    email_verified: best?.["verified"] === true,
    name: Reflect.get(user, "name") ?? Reflect.get(user, "login"),
    preferred_username: Reflect.get(user, "login"),
    picture: Reflect.get(user, "avatar_url"),
  });
}

function apiOf(url: string): string {
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
    throw new Error(`GitHub's API returned status ${response.status}`);
  return body;
}
