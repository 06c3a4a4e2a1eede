/** GET and POST /callback: back from the provider. It always ends in a redirect to an allowed address. */

import * as oidc from "openid-client";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { isPast } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { withFragment, withQuery } from "../redirects.ts";
import { textField } from "../request.ts";
import type { Answer, AuthRequest, Fields } from "../request.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import type { Grant } from "../sessions/grant.ts";
import type { ProviderSettings } from "../settings/providers.ts";
import { identityOf, userById } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { issueCode, takeState } from "../tokens/flows.ts";
import type { Flow } from "../tokens/flows.ts";
import { orExists } from "../users/accounts.ts";
import { sendPrepared } from "../users/messages.ts";
import type { Prepared } from "../users/messages.ts";
import { faultRedirect } from "../users/verify.ts";
import { findAccount, link } from "./accounts.ts";
import type { Trip } from "./authorize.ts";
import {
  configurationOf,
  enabledProvider,
  githubPerson,
  isGithub,
  personOfClaims,
  redirectUri,
} from "./providers.ts";
import type { Person } from "./providers.ts";

export async function callback(auth: Auth, request: AuthRequest): Promise<Answer> {
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

interface Arrival {
  readonly values: Fields;
  readonly state: string;
  readonly flow: Flow;
  readonly target: string;
}

async function finish(auth: Auth, request: AuthRequest, arrival: Arrival): Promise<Answer> {
  const { flow, values } = arrival;
  if (isPast(auth, flow.expiresAt))
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
  const arrived = await askProvider(auth, provider, arrival);
  return signIn(auth, request, { arrival, provider, ...arrived });
}

interface Arrived {
  readonly person: Person;
  readonly tokens: Readonly<Record<string, string>>;
}

/** @throws AuthFault bad_oauth_callback when the provider's answer does not hold */
async function askProvider(
  auth: Auth,
  provider: ProviderSettings,
  arrival: Arrival,
): Promise<Arrived> {
  const configuration = await configurationOf(auth, provider);
  const trip = JSON.parse(
    auth.pepper.open(arrival.flow.sealed ?? "", `state ${arrival.state}`),
  ) as Trip;
  const here = new URL(redirectUri(auth, provider));
  for (const name of Object.keys(arrival.values))
    here.searchParams.set(name, textField(arrival.values, name) ?? "");
  try {
    const github = isGithub(provider);
    const answer = await oidc.authorizationCodeGrant(configuration, here, {
      expectedState: arrival.state,
      pkceCodeVerifier: trip.verifier,
      ...(github ? {} : { expectedNonce: trip.nonce, idTokenExpected: true }),
    });
    const tokens: Record<string, string> = { provider_token: answer.access_token };
    if (answer.refresh_token !== undefined) tokens["provider_refresh_token"] = answer.refresh_token;
    if (github) return { person: await githubPerson(provider, answer.access_token), tokens };
    const issuer = configuration.serverMetadata().issuer;
    const claims = answer.claims() as Fields | undefined;
    const person = personOfClaims(issuer, claims ?? {});
    if (person.email !== undefined) return { person, tokens };
    const more = await oidc.fetchUserInfo(configuration, answer.access_token, person.subject);
    return { person: personOfClaims(issuer, { ...claims, ...more }), tokens };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    auth.log.warn("a provider's answer was refused", { provider: provider.name, reason });
    throw new AuthFault("bad_oauth_callback", "Unable to exchange external code");
  }
}

interface Visit extends Arrived {
  readonly arrival: Arrival;
  readonly provider: ProviderSettings;
}

type Outcome =
  | { readonly kind: "grant"; readonly grant: Grant }
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "unverified"; readonly mail: Prepared | undefined };

async function signIn(auth: Auth, request: AuthRequest, visit: Visit): Promise<Answer> {
  const { target } = visit.arrival;
  if (visit.person.subject === "")
    throw new AuthFault("bad_oauth_callback", "The provider gave no user id");
  const outcome = await orExists(
    auth.database.transaction((tx) => decideVisit(auth, tx, request, visit)),
    new AuthFault("identity_already_exists", "Identity is already linked to another user"),
  );
  if (outcome.kind === "code") return { location: withQuery(target, { code: outcome.code }) };
  if (outcome.kind === "unverified") {
    if (outcome.mail !== undefined) sendPrepared(auth, outcome.mail);
    throw unverified(visit.provider.name);
  }
  const session = await writeSession(auth, outcome.grant);
  const values: Record<string, string> = { ...visit.tokens };
  for (const name of ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"])
    values[name] = String(session[name]);
  return { location: withFragment(target, values) };
}

/** The same answer whether the address is somebody's or not. */
export function unverified(provider: string): AuthFault {
  return new AuthFault(
    "provider_email_needs_verification",
    `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`,
  );
}

async function decideVisit(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  visit: Visit,
): Promise<Outcome> {
  const { flow } = visit.arrival;
  const found =
    flow.linkingUserId === null
      ? await findAccount(auth, tx, request, {
          provider: visit.provider.name,
          person: visit.person,
          emailOptional: visit.provider.emailOptional,
          redirectTo: visit.arrival.target,
        })
      : ({
          kind: "user",
          user: await linkTo(auth, tx, flow.linkingUserId, visit, request),
        } as const);
  if (found.kind === "unverified") return found;
  if (flow.challenge !== null) {
    const done = {
      flowId: flow.id,
      userId: found.user.id,
      method: "oauth",
      providerTokens: visit.tokens,
    };
    return { kind: "code", code: await issueCode(auth, tx, done) };
  }
  const traits = { provider: visit.provider.name };
  await audit(auth, tx, { action: "login", ip: request.ip, actor: found.user, traits });
  const start = { user: found.user, method: "oauth", provider: visit.provider.name, request };
  return { kind: "grant", grant: await startSession(auth, tx, start) };
}

async function linkTo(
  auth: Auth,
  tx: Queryable,
  userId: string,
  visit: Visit,
  request: AuthRequest,
): Promise<StoredUser> {
  const user = await userById(tx, userId);
  if (user === undefined) throw new AuthFault("user_not_found", "User not found");
  const name = visit.provider.name;
  const owner = await identityOf(tx, name, visit.person.subject);
  if (owner !== undefined)
    throw new AuthFault(
      "identity_already_exists",
      owner.userId === userId
        ? "Identity is already linked"
        : "Identity is already linked to another user",
    );
  const linked = await link(auth, tx, user, { provider: name, person: visit.person });
  const traits = { provider: name };
  await audit(auth, tx, { action: "identity_linked", ip: request.ip, actor: linked, traits });
  return linked;
}
