/** GET and POST /callback: the browser returns from a provider. The response is always a redirect to an allowed address. */

import * as oidc from "openid-client";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { refuseBanned } from "../context/caller.ts";
import { isExpired, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { faultRedirect, sessionRedirect, withQuery } from "../http/redirects.ts";
import { textField, type AuthResponse, type AuthRequest, type Fields } from "../http/request.ts";
import { startSession, writeSession, type Grant } from "../sessions/grant.ts";
import type { ProviderSettings } from "../settings/providers.ts";
import { identityOf, lockUser, type StoredUser } from "../store/users.ts";
import { isOpen, issueCode, takeState, type Flow } from "../tokens/flows.ts";
import { orExists } from "../users/accounts.ts";
import type { PreparedMail } from "../users/send.ts";
import { findAccount, link, refuseUnverified } from "./accounts.ts";
import type { FlowSecrets } from "./authorize.ts";
import {
  configurationOf,
  enabledProvider,
  githubProfile,
  isGithub,
  profileOfClaims,
  redirectUri,
  type ProviderProfile,
} from "./providers.ts";

/** Handles the callback; a fault becomes a redirect that carries it. */
export async function callback(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const values = request.method === "POST" ? request.body : request.query;
  let target = auth.urls.site();
  let pkce = false;
  try {
    const state = textField(values, "state");
    if (state === undefined)
      throw new AuthFault("bad_oauth_callback", "OAuth state parameter missing");
    const flow = await takeState(auth.database, "oauth", state);
    if (flow === undefined)
      throw new AuthFault("bad_oauth_state", "OAuth state not found or expired");
    target = flow.redirectTo ?? target;
    pkce = flow.challenge !== null;
    return await finish(auth, request, { values, state, flow, target });
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { location: faultRedirect(target, error, pkce) };
  }
}

/** The provider's answer that the browser delivers, and the flow to which it belongs. */
interface ProviderAnswer {
  readonly values: Fields;
  readonly state: string;
  readonly flow: Flow;
  readonly target: string;
}

async function finish(
  auth: Auth,
  request: AuthRequest,
  answer: ProviderAnswer,
): Promise<AuthResponse> {
  const { flow, values } = answer;
  if (isExpired(auth, flow.expiresAt))
    throw new AuthFault("flow_state_expired", "OAuth state has expired");
  const refused = textField(values, "error");
  if (refused !== undefined) {
    const description = textField(values, "error_description") ?? refused;
    const status = refused === "access_denied" ? 403 : 400;
    throw new AuthFault("bad_oauth_callback", description.slice(0, 300), { status });
  }
  if (textField(values, "code") === undefined)
    throw new AuthFault(
      "bad_oauth_callback",
      "OAuth callback with missing authorization code missing",
    );
  const provider = enabledProvider(auth, flow.provider ?? "");
  const proved = await askProvider(auth, provider, answer);
  return signIn(auth, request, { answer, provider, ...proved });
}

interface ProvedIdentity {
  readonly profile: ProviderProfile;
  readonly tokens: Readonly<Record<string, string>>;
}

/** Exchanges the code for tokens and reads the person's profile. @throws AuthFault bad_oauth_callback */
async function askProvider(
  auth: Auth,
  provider: ProviderSettings,
  answer: ProviderAnswer,
): Promise<ProvedIdentity> {
  const configuration = await configurationOf(auth, provider);
  const secrets = JSON.parse(
    auth.pepper.open(answer.flow.sealed ?? "", `state ${answer.state}`),
  ) as FlowSecrets;
  const here = new URL(redirectUri(auth, provider));
  for (const name of Object.keys(answer.values))
    here.searchParams.set(name, textField(answer.values, name) ?? "");
  try {
    const github = isGithub(provider);
    const response = await oidc.authorizationCodeGrant(configuration, here, {
      expectedState: answer.state,
      pkceCodeVerifier: secrets.verifier,
      ...(github ? {} : { expectedNonce: secrets.nonce, idTokenExpected: true }),
    });
    const tokens: Record<string, string> = { provider_token: response.access_token };
    if (response.refresh_token !== undefined)
      tokens["provider_refresh_token"] = response.refresh_token;
    if (github) return { profile: await githubProfile(provider, response.access_token), tokens };
    const issuer = configuration.serverMetadata().issuer;
    const claims = response.claims() as Fields | undefined;
    const profile = profileOfClaims(issuer, claims ?? {});
    if (profile.email !== undefined) return { profile, tokens };
    const more = await oidc.fetchUserInfo(configuration, response.access_token, profile.subject);
    return { profile: profileOfClaims(issuer, { ...claims, ...more }), tokens };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    auth.log.warn("a provider's answer was refused", { provider: provider.name, reason });
    throw new AuthFault("bad_oauth_callback", "Unable to exchange external code");
  }
}

interface VerifiedAnswer extends ProvedIdentity {
  readonly answer: ProviderAnswer;
  readonly provider: ProviderSettings;
}

type Outcome =
  | { readonly kind: "grant"; readonly grant: Grant }
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "unverified"; readonly mail: PreparedMail | undefined };

async function signIn(
  auth: Auth,
  request: AuthRequest,
  verified: VerifiedAnswer,
): Promise<AuthResponse> {
  const { target } = verified.answer;
  if (verified.profile.subject === "")
    throw new AuthFault("bad_oauth_callback", "The provider gave no user id");
  const outcome = await orExists(
    auth.database.transaction((tx) => applySignIn(auth, tx, request, verified)),
    new AuthFault("identity_already_exists", "Identity is already linked to another user"),
  );
  if (outcome.kind === "code") return { location: withQuery(target, { code: outcome.code }) };
  if (outcome.kind === "unverified")
    return refuseUnverified(auth, request, verified.provider.name, outcome.mail);
  const session = await writeSession(auth, outcome.grant);
  return { location: sessionRedirect(target, session, verified.tokens) };
}

async function applySignIn(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  verified: VerifiedAnswer,
): Promise<Outcome> {
  const { flow } = verified.answer;
  const found =
    flow.linkingUserId === null
      ? await findAccount(auth, tx, request, {
          provider: verified.provider.name,
          profile: verified.profile,
          emailOptional: verified.provider.emailOptional,
          redirectTo: verified.answer.target,
        })
      : ({
          kind: "user",
          user: await linkTo(auth, tx, flow.linkingUserId, verified, request),
        } as const);
  if (found.kind === "unverified") return found;
  if (flow.challenge !== null) {
    const done = {
      flowId: flow.id,
      userId: found.user.id,
      method: "oauth",
      providerTokens: verified.tokens,
    };
    return { kind: "code", code: await issueCode(auth, tx, done) };
  }
  const traits = { provider: verified.provider.name };
  await audit(auth, tx, { action: "login", ip: request.ip, actor: found.user, traits });
  const start = { user: found.user, method: "oauth", provider: verified.provider.name, request };
  return { kind: "grant", grant: await startSession(auth, tx, start) };
}

async function linkTo(
  auth: Auth,
  tx: Queryable,
  userId: string,
  verified: VerifiedAnswer,
  request: AuthRequest,
): Promise<StoredUser> {
  const user = await lockUser(tx, userId);
  // A new password or a ban, while the provider was asked, has cancelled what was begun before it.
  if (!(await isOpen(tx, verified.answer.flow.id)))
    throw new AuthFault("bad_oauth_state", "OAuth state not found or expired");
  if (user === undefined) throw new AuthFault("user_not_found", "User not found");
  refuseBanned(auth, user);
  const name = verified.provider.name;
  const owner = await identityOf(tx, name, verified.profile.subject);
  if (owner !== undefined)
    throw new AuthFault(
      "identity_already_exists",
      owner.userId === userId
        ? "Identity is already linked"
        : "Identity is already linked to another user",
    );
  const linked = await link(auth, tx, user, { provider: name, profile: verified.profile });
  const traits = { provider: name };
  await audit(auth, tx, { action: "identity_linked", ip: request.ip, actor: linked, traits });
  return linked;
}
