/** GET /authorize and GET /user/identities/authorize: redirects the browser to a provider. */

import * as oidc from "openid-client";
import { lockCaller, requireSecondFactor, requireUser, type Caller } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { ok, textField, type AuthResponse, type AuthRequest } from "../http/request.ts";
import { newState, openFlow, readChallenge, type NewFlow } from "../tokens/flows.ts";
import { configurationOf, enabledProvider, isGithub, redirectUri, scopesOf } from "./providers.ts";

/** The secrets by which the callback checks the provider's answer; they are sealed in the flow. */
export interface FlowSecrets {
  readonly nonce: string;
  readonly verifier: string;
}

/** Starts a sign-in. @throws AuthFault oauth_provider_not_supported, validation_failed */
export async function authorize(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  return redirectTo(request, await providerAddress(auth, request, undefined));
}

/** Starts the addition of an identity to the caller. @throws AuthFault manual_linking_disabled, insufficient_aal, oauth_provider_not_supported */
export async function authorizeLinking(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireLinking(auth, request);
  return redirectTo(request, await providerAddress(auth, request, caller));
}

function redirectTo(request: AuthRequest, address: string): AuthResponse {
  const stay = textField(request.query, "skip_http_redirect") === "true";
  return stay ? ok({ url: address }) : { status: 302, location: address };
}

/**
 * Returns the caller, who may add and remove identities. A new one is another way into the account. @throws AuthFault
 * manual_linking_disabled, insufficient_aal
 */
export async function requireLinking(auth: Auth, request: AuthRequest): Promise<Caller> {
  const caller = await requireUser(auth, request);
  if (!auth.settings.GOTRUE_SECURITY_MANUAL_LINKING_ENABLED)
    throw new AuthFault("manual_linking_disabled", "Manual linking is disabled");
  await requireSecondFactor(
    auth,
    auth.database,
    caller,
    "AAL2 required to link or unlink identities",
  );
  return caller;
}

/** Parameters of this API; the others are passed to the provider. */
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

/** Parameters that only this server sets. */
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
  linking: Caller | undefined,
): Promise<string> {
  const name = textField(request.query, "provider");
  if (name === undefined)
    throw new AuthFault("validation_failed", "Unsupported provider: provider could not be found");
  const provider = enabledProvider(auth, name);
  const challenge = readChallenge(request.query);
  const configuration = await configurationOf(auth, provider);
  const state = newState();
  const secrets: FlowSecrets = {
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const flow: NewFlow = {
    kind: "oauth",
    validMs: auth.settings.GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION,
    challenge,
    state,
    provider: provider.name,
    redirectTo: auth.redirects.choose(textField(request.query, "redirect_to")),
    sealed: auth.pepper.seal(JSON.stringify(secrets), `state ${state}`),
    linkingUserId: linking?.user.id,
  };
  await auth.database.transaction(async (tx) => {
    // The provider's endpoints may have been fetched since the caller was checked.
    if (linking !== undefined) await lockCaller(tx, linking);
    await openFlow(auth, tx, flow);
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
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: "S256",
    ...(isGithub(provider) ? {} : { nonce: secrets.nonce }),
  }).href;
}
