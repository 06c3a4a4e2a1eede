/** GET /authorize and GET /user/identities/authorize: off to the provider. */

import * as oidc from "openid-client";
import { requireUser } from "../caller.ts";
import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { ok, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { newState, openFlow, readChallenge } from "../tokens/flows.ts";
import { configurationOf, enabledProvider, isGithub, redirectUri, scopesOf } from "./providers.ts";

/** What the callback needs; sealed in the flow. */
export interface Trip {
  readonly nonce: string;
  readonly verifier: string;
}

export async function authorize(auth: Auth, request: AuthRequest): Promise<Answer> {
  const address = await providerAddress(auth, request, undefined);
  const stay = textField(request.query, "skip_http_redirect") === "true";
  return stay ? ok({ url: address }) : { status: 302, location: address };
}

export async function authorizeLinking(auth: Auth, request: AuthRequest): Promise<Answer> {
  const { user } = await requireUser(auth, request);
  requireLinking(auth);
  const address = await providerAddress(auth, request, user.id);
  const stay = textField(request.query, "skip_http_redirect") === "true";
  return stay ? ok({ url: address }) : { status: 302, location: address };
}

/** @throws AuthFault manual_linking_disabled */
export function requireLinking(auth: Auth): void {
  if (!auth.settings.GOTRUE_SECURITY_MANUAL_LINKING_ENABLED)
    throw new AuthFault("manual_linking_disabled", "Manual linking is disabled");
}

/** Names of the query that are this API's own; the rest goes on to the provider. */
const OWN = [
  "provider",
  "redirect_to",
  "scopes",
  "code_challenge",
  "code_challenge_method",
  "skip_http_redirect",
  "invite_token",
  "apikey",
];

/** What nobody but this server may say to the provider. */
const RESERVED = [
  "client_id",
  "client_secret",
  "redirect_uri",
  "response_type",
  "state",
  "nonce",
  "scope",
  "request",
  "request_uri",
];

async function providerAddress(
  auth: Auth,
  request: AuthRequest,
  linkingUserId: string | undefined,
): Promise<string> {
  const name = textField(request.query, "provider");
  if (name === undefined)
    throw new AuthFault("validation_failed", "Unsupported provider: provider could not be found");
  const provider = enabledProvider(auth, name);
  const challenge = readChallenge(request.query);
  const configuration = await configurationOf(auth, provider);
  const state = newState();
  const trip: Trip = { nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
  await openFlow(auth, auth.database, {
    kind: "oauth",
    lifeMs: auth.settings.GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION,
    challenge,
    state,
    provider: provider.name,
    redirectTo: auth.redirects.choose(textField(request.query, "redirect_to")),
    sealed: auth.pepper.seal(JSON.stringify(trip), `state ${state}`),
    linkingUserId,
  });
  const more: Record<string, string> = {};
  for (const key of Object.keys(request.query))
    if (!OWN.includes(key) && !RESERVED.includes(key))
      more[key] = textField(request.query, key) ?? "";
  return oidc.buildAuthorizationUrl(configuration, {
    ...more,
    redirect_uri: redirectUri(auth, provider),
    scope: scopesOf(provider, textField(request.query, "scopes")),
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: "S256",
    ...(isGithub(provider) ? {} : { nonce: trip.nonce }),
  }).href;
}
