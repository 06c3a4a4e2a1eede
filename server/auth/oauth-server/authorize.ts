/** GET /oauth/authorize: an OAuth client sends a person's browser here, which continues to the consent page. */

import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { withQuery } from "../http/redirects.ts";
import { textField, type AuthRequest, type AuthResponse, type Fields } from "../http/request.ts";
import { openAuthorization, returnAddress } from "./authorizations.ts";
import { clientById } from "./clients.ts";
import { parseScope } from "../settings/scopes.ts";

/**
 * Requires that the OAuth server is on.
 * @throws AuthFault feature_disabled
 */
export function requireOAuthServer(auth: Auth): void {
  if (!auth.settings.GOTRUE_OAUTH_SERVER_ENABLED)
    throw new AuthFault("feature_disabled", "OAuth server is disabled");
}

/** An error that the client receives by a redirect (RFC 6749, section 4.1.2.1). */
class Refusal extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.name = "Refusal";
    this.code = code;
  }
}

/**
 * Redirects to the consent page, and only ever to an address that the client has registered: before that is known, an
 * error is a response.
 * @throws AuthFault feature_disabled, oauth_client_not_found, validation_failed
 */
export async function authorizeClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  const { query } = request;
  const clientId = textField(query, "client_id");
  if (clientId === undefined) throw new AuthFault("validation_failed", "client_id is required");
  const redirectUri = textField(query, "redirect_uri");
  if (redirectUri === undefined)
    throw new AuthFault("validation_failed", "redirect_uri is required");
  const client = await clientById(auth.database, clientId);
  if (client === undefined)
    throw new AuthFault("oauth_client_not_found", "invalid client_id", { status: 400 });
  if (!client.redirectUris.includes(redirectUri))
    throw new AuthFault("validation_failed", "invalid redirect_uri");
  try {
    const asked = { clientId: client.id, redirectUri, ...readAsked(auth, query) };
    if (!client.grantTypes.includes("authorization_code"))
      throw new Refusal("unauthorized_client", "the client may not use this grant");
    const id = await openAuthorization(auth, asked);
    return {
      status: 302,
      location: withQuery(consentPage(auth), { authorization_id: id }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const state = typeof query["state"] === "string" ? query["state"] : "";
    const values = { error: error.code, error_description: error.message };
    const back = { redirectUri, state: isText(state, STATE_LENGTH) ? state : null };
    return { status: 302, location: returnAddress(auth, back, values) };
  }
}

/** Returns the address of the operator's own page. Its path stays under the site's address, whatever it is. */
function consentPage(auth: Auth): string {
  const path = auth.settings.GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH ?? "";
  return `${auth.urls.site()}/${path.replace(/^\/+/, "")}`;
}

const STATE_LENGTH = 2048;

function isText(value: string, length: number): boolean {
  return value.length <= length && !value.includes("\0");
}

/** Reads a parameter; undefined without one. @throws Refusal for a long one */
function optional(query: Fields, name: string, length: number): string | undefined {
  const value = query[name];
  if (typeof value !== "string" || value === "") return undefined;
  if (!isText(value, length)) throw new Refusal("invalid_request", `${name} is not valid`);
  return value;
}

/**
 * Reads the request.
 * @throws Refusal
 */
function readAsked(
  auth: Auth,
  query: Fields,
): {
  scope: string;
  state: string | undefined;
  resource: string | undefined;
  nonce: string | undefined;
  codeChallenge: string;
} {
  const state = optional(query, "state", STATE_LENGTH);
  const type = optional(query, "response_type", 100) ?? "code";
  if (type !== "code")
    throw new Refusal("unsupported_response_type", "only response_type=code is supported");
  const mode = optional(query, "response_mode", 100) ?? "query";
  if (mode !== "query")
    throw new Refusal("invalid_request", "only response_mode=query is supported");
  if (Object.hasOwn(query, "request") || Object.hasOwn(query, "request_uri"))
    throw new Refusal("request_not_supported", "request objects are not supported");
  if (optional(query, "prompt", 100)?.split(" ").includes("none") === true)
    throw new Refusal("interaction_required", "only the person can consent");
  const codeChallenge = optional(query, "code_challenge", 128);
  if (codeChallenge === undefined || !/^[\w-]{43}$/.test(codeChallenge))
    throw new Refusal("invalid_request", "code_challenge must be the base64url of a SHA-256 hash");
  if (optional(query, "code_challenge_method", 100)?.toUpperCase() !== "S256")
    throw new Refusal("invalid_request", "code_challenge_method must be S256");
  return {
    scope: readScope(auth, query),
    state,
    resource: readResource(query),
    nonce: optional(query, "nonce", 512),
    codeChallenge,
  };
}

function readScope(auth: Auth, query: Fields): string {
  const text = optional(query, "scope", 1024) ?? auth.settings.GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE;
  const scopes = parseScope(text);
  if (scopes === undefined) throw new Refusal("invalid_scope", "unsupported scope");
  if (scopes.includes("openid") && auth.keys.idTokenAlgorithm === null)
    throw new Refusal("invalid_scope", "openid needs an asymmetric signing key");
  return scopes.join(" ");
}

/** Reads a resource (RFC 8707): an absolute address without a query and a fragment. */
function readResource(query: Fields): string | undefined {
  const resource = optional(query, "resource", 2048);
  if (resource === undefined) return undefined;
  if (!URL.canParse(resource) || /[?#]/.test(resource))
    throw new Refusal(
      "invalid_target",
      "resource must be an absolute URI without query and fragment",
    );
  return resource;
}
