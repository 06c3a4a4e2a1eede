/** POST /token?grant_type=id_token: an id token that the page got from the provider itself. */

import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { audit } from "../audit.ts";
import { requireUser } from "../caller.ts";
import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { flagField, ok, requiredText, textField } from "../request.ts";
import type { Answer, AuthRequest, Fields } from "../request.ts";
import { sameText } from "../secrets.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import type { ProviderSettings } from "../settings/providers.ts";
import { identityOf } from "../store/users.ts";
import { orExists } from "../users/accounts.ts";
import { sendPrepared } from "../users/messages.ts";
import { findAccount, link } from "./accounts.ts";
import type { External } from "./accounts.ts";
import { requireLinking } from "./authorize.ts";
import { unverified } from "./callback.ts";
import { configurationOf, enabledProvider, isGithub, personOfClaims } from "./providers.ts";

export async function signInWithIdToken(auth: Auth, request: AuthRequest): Promise<Answer> {
  const idToken = requiredText(request.body, "id_token");
  const name = requiredText(request.body, "provider").replace(/^custom:/, "");
  const provider = enabledProvider(auth, name);
  if (isGithub(provider))
    throw new AuthFault("oauth_provider_not_supported", `Provider ${name} gives no id tokens`);
  const claims = await checkIdToken(auth, provider, idToken);
  checkNonce(provider, claims, textField(request.body, "nonce"));
  checkAccessToken(claims, textField(request.body, "access_token"));
  const external: External = {
    provider: provider.name,
    person: personOfClaims(String(claims.iss), claims as Fields),
    emailOptional: provider.emailOptional,
    redirectTo: auth.urls.site(),
  };
  return flagField(request.body, "link_identity") === true
    ? linkByIdToken(auth, request, external)
    : signIn(auth, request, external);
}

async function signIn(auth: Auth, request: AuthRequest, external: External): Promise<Answer> {
  const work = auth.database.transaction(async (tx) => {
    const found = await findAccount(auth, tx, request, external);
    if (found.kind === "unverified") return found;
    const traits = { provider: external.provider };
    await audit(auth, tx, { action: "login", ip: request.ip, actor: found.user, traits });
    const start = { user: found.user, method: "oauth", provider: external.provider, request };
    return { kind: "grant", grant: await startSession(auth, tx, start) } as const;
  });
  const outcome = await orExists(
    work,
    new AuthFault("conflict", "Somebody else signed in at the same moment, try again"),
  );
  if (outcome.kind === "grant") return ok(await writeSession(auth, outcome.grant));
  if (outcome.mail !== undefined) sendPrepared(auth, outcome.mail);
  throw unverified(external.provider);
}

async function linkByIdToken(
  auth: Auth,
  request: AuthRequest,
  external: External,
): Promise<Answer> {
  const { user } = await requireUser(auth, request);
  requireLinking(auth);
  const taken = new AuthFault(
    "identity_already_exists",
    "Identity is already linked to another user",
  );
  const work = auth.database.transaction(async (tx) => {
    if ((await identityOf(tx, external.provider, external.person.subject)) !== undefined)
      throw taken;
    const linked = await link(auth, tx, user, external);
    const traits = { provider: external.provider };
    await audit(auth, tx, { action: "identity_linked", ip: request.ip, actor: linked, traits });
    const start = { user: linked, method: "oauth", provider: external.provider, request };
    return startSession(auth, tx, start);
  });
  return ok(await writeSession(auth, await orExists(work, taken)));
}

const keySets = new Map<string, JWTVerifyGetKey>();

/** The issuer's keys: fetched when needed, kept for ten minutes, asked for again when a new key signs. */
function keysOf(address: string): JWTVerifyGetKey {
  const known = keySets.get(address);
  if (known !== undefined) return known;
  const keys = createRemoteJWKSet(new URL(address), {
    timeoutDuration: 5_000,
    cacheMaxAge: 600_000,
    cooldownDuration: 10_000,
  });
  keySets.set(address, keys);
  return keys;
}

/** @throws AuthFault bad_jwt, unexpected_audience */
async function checkIdToken(
  auth: Auth,
  provider: ProviderSettings,
  idToken: string,
): Promise<JWTPayload> {
  const metadata = (await configurationOf(auth, provider)).serverMetadata();
  if (metadata.jwks_uri === undefined)
    throw new AuthFault("provider_disabled", "The provider publishes no keys");
  // Google writes its issuer with and without the scheme.
  const issuers = [
    metadata.issuer,
    metadata.issuer.replace("https://accounts.google.com", "accounts.google.com"),
  ];
  try {
    const { payload } = await jwtVerify(idToken, keysOf(metadata.jwks_uri), {
      issuer: issuers,
      audience: [...provider.clientIds],
      algorithms: ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"],
      requiredClaims: ["sub", "exp", "iat"],
      currentDate: new Date(auth.clock()),
      clockTolerance: 30,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
      throw new AuthFault("unexpected_audience", "Unacceptable audience in id_token");
    throw new AuthFault("bad_jwt", "Bad ID token", { status: 400 });
  }
}

/** The token holds the hash of a nonce that only the page knows: a stolen token is no use elsewhere. */
function checkNonce(
  provider: ProviderSettings,
  claims: JWTPayload,
  nonce: string | undefined,
): void {
  if (provider.skipNonceCheck) return;
  const held = typeof claims["nonce"] === "string" ? claims["nonce"] : undefined;
  if ((held === undefined) !== (nonce === undefined))
    throw new AuthFault(
      "validation_failed",
      "Passed nonce and nonce in id_token should either both exist or not.",
    );
  if (held === undefined || nonce === undefined) return;
  const hash = createHash("sha256").update(nonce).digest("hex");
  if (!sameText(hash, held)) throw new AuthFault("validation_failed", "Nonces mismatch");
}

/** When both come, they have to belong together. */
function checkAccessToken(claims: JWTPayload, accessToken: string | undefined): void {
  const held = claims["at_hash"];
  if (accessToken === undefined || typeof held !== "string") return;
  const digest = createHash("sha256").update(accessToken).digest();
  if (!sameText(digest.subarray(0, 16).toString("base64url"), held))
    throw new AuthFault("validation_failed", "The access token does not belong to the id token");
}
