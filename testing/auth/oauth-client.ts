/** An OAuth client, and the person who consents, for tests of the OAuth server. */

import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { AuthServer, Env } from "./server.ts";

export const BACK = "https://planner.example/back";
export const SITE = "http://localhost:3000";

/** Returns settings with which the OAuth server runs, and an asymmetric key, so that it issues id tokens. */
export function oauthServerEnv(): Env {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "one", alg: "ES256" };
  return {
    GOTRUE_OAUTH_SERVER_ENABLED: "true",
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: "/oauth/consent",
    GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: "true",
    GOTRUE_JWT_KEYS: JSON.stringify([{ ...jwk, key_ops: ["sign", "verify"] }]),
  };
}

export interface TestClient {
  readonly id: string;
  readonly secret: string | undefined;
}

/** Makes a client that the administrator has registered. */
export async function createTestClient(
  server: AuthServer,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestClient> {
  const made = await server.admin().auth.admin.oauth.createClient({
    client_name: "Planner",
    redirect_uris: [BACK],
    token_endpoint_auth_method: "none",
    ...more,
  });
  if (made.error !== null) throw made.error;
  return { id: made.data.client_id, secret: made.data.client_secret };
}

export interface Asked {
  readonly verifier: string;
  readonly response: Response;
  /** The address to which the browser is sent; null without a redirect. */
  readonly location: URL | null;
  /** The id that the consent page gets, or "". */
  readonly authorizationId: string;
}

/** Sends a browser to /oauth/authorize. A value of null leaves a parameter out. */
export async function ask(
  server: AuthServer,
  clientId: string,
  more: Readonly<Record<string, string | null>> = {},
): Promise<Asked> {
  const verifier = randomBytes(32).toString("base64url");
  const given: Readonly<Record<string, string | null>> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: BACK,
    scope: "email",
    state: "state of the client",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== null) query.set(name, value);
  const response = await server.call(`/oauth/authorize?${query.toString()}`);
  const header = response.headers.get("location");
  const location = header === null ? null : new URL(header);
  const authorizationId = location?.searchParams.get("authorization_id") ?? "";
  return { verifier, response, location, authorizationId };
}

/** Has the person look at a request and grant it. Returns the address to which the browser returns. @throws AuthError */
export async function consent(person: SupabaseClient, authorizationId: string): Promise<URL> {
  const { oauth } = person.auth;
  const details = await oauth.getAuthorizationDetails(authorizationId);
  if (details.error !== null) throw details.error;
  if ("redirect_url" in details.data) return new URL(details.data.redirect_url);
  const approved = await oauth.approveAuthorization(authorizationId);
  if (approved.error !== null) throw approved.error;
  return new URL(approved.data.redirect_url);
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Posts a form to /oauth/token. */
export async function postToken(
  server: AuthServer,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  const response = await server.call("/oauth/token", {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, headers: response.headers, body };
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly code: string;
  readonly verifier: string;
}

/** Runs the whole flow of a public client, up to its tokens. @throws Error when one step fails */
export async function tokensFor(
  server: AuthServer,
  person: SupabaseClient,
  clientId: string,
  more: Readonly<Record<string, string | null>> = {},
): Promise<Tokens> {
  const asked = await ask(server, clientId, more);
  const back = await consent(person, asked.authorizationId);
  const code = back.searchParams.get("code") ?? "";
  const { verifier } = asked;
  const answer = await postToken(server, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { access_token: access, refresh_token: refresh } = answer.body;
  return { access: String(access), refresh: String(refresh), code, verifier };
}
