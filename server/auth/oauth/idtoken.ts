/** POST /token?grant_type=id_token: signs in with an id token that the page received from the provider. */

import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { audit } from "../context/audit.ts";
import { lockCaller } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  flagField,
  ok,
  requiredText,
  textField,
  type AuthResponse,
  type AuthRequest,
  type Fields,
} from "../http/request.ts";
import { sameText } from "../secrets/secrets.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import type { ProviderSettings } from "../settings/providers.ts";
import { identityOf } from "../store/users.ts";
import { orExists } from "../users/accounts.ts";
import { findAccount, link, refuseUnverified, type ExternalIdentity } from "./accounts.ts";
import { requireLinking } from "./authorize.ts";
import {
  configurationOf,
  enabledProvider,
  isGithub,
  profileOfClaims,
  unreachable,
} from "./providers.ts";

/**
 * Signs in, or with `link_identity` adds the identity to the caller instead. @throws AuthFault bad_jwt,
 * unexpected_audience, validation_failed, oauth_provider_not_supported, insufficient_aal
 */
export async function signInWithIdToken(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const idToken = requiredText(request.body, "id_token");
  const name = requiredText(request.body, "provider").replace(/^custom:/, "");
  const provider = enabledProvider(auth, name);
  if (isGithub(provider))
    throw new AuthFault("oauth_provider_not_supported", `Provider ${name} gives no id tokens`);
  const claims = await checkIdToken(auth, provider, idToken);
  checkNonce(provider, claims, textField(request.body, "nonce"));
  checkAccessToken(claims, textField(request.body, "access_token"));
  const external: ExternalIdentity = {
    provider: provider.name,
    profile: profileOfClaims(String(claims.iss), claims as Fields),
    emailOptional: provider.emailOptional,
    redirectTo: auth.urls.site(),
  };
  return flagField(request.body, "link_identity") === true
    ? linkByIdToken(auth, request, external)
    : signIn(auth, request, external);
}

async function signIn(
  auth: Auth,
  request: AuthRequest,
  external: ExternalIdentity,
): Promise<AuthResponse> {
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
    new AuthFault("conflict", "Another request created the same account, try again"),
  );
  if (outcome.kind === "grant") return ok(await writeSession(auth, outcome.grant));
  return refuseUnverified(auth, request, external.provider, outcome.mail);
}

async function linkByIdToken(
  auth: Auth,
  request: AuthRequest,
  external: ExternalIdentity,
): Promise<AuthResponse> {
  const caller = await requireLinking(auth, request);
  const taken = new AuthFault(
    "identity_already_exists",
    "Identity is already linked to another user",
  );
  const work = auth.database.transaction(async (tx) => {
    const user = await lockCaller(tx, caller);
    if ((await identityOf(tx, external.provider, external.profile.subject)) !== undefined)
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

/** Returns the issuer's keys, which are cached for ten minutes, and fetched again when an unknown key signs. */
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

/**
 * Checks an id token.
 * @throws AuthFault bad_jwt, unexpected_audience, oauth_provider_not_supported when the issuer's keys cannot be fetched
 */
async function checkIdToken(
  auth: Auth,
  provider: ProviderSettings,
  idToken: string,
): Promise<JWTPayload> {
  const metadata = (await configurationOf(auth, provider)).serverMetadata();
  if (metadata.jwks_uri === undefined)
    throw new AuthFault("provider_disabled", "The provider publishes no keys");
  // Google names its issuer with and without the scheme.
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
    if (isFetchFault(error)) throw unreachable(auth, provider, error);
    throw new AuthFault("bad_jwt", "Bad ID token", { status: 400 });
  }
}

/** Whether the issuer's keys could not be fetched; jose reports faults of a token by other errors. */
function isFetchFault(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof TypeError) return true;
  return error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
}

/** Checks the nonce. The token contains the hash of a nonce that only the page knows, so a thief cannot use the token. */
function checkNonce(
  provider: ProviderSettings,
  claims: JWTPayload,
  nonce: string | undefined,
): void {
  if (provider.skipNonceCheck) return;
  const expected = typeof claims["nonce"] === "string" ? claims["nonce"] : undefined;
  if ((expected === undefined) !== (nonce === undefined))
    throw new AuthFault(
      "validation_failed",
      "Passed nonce and nonce in id_token should either both exist or not.",
    );
  if (expected === undefined || nonce === undefined) return;
  const hash = createHash("sha256").update(nonce).digest("hex");
  if (!sameText(hash, expected)) throw new AuthFault("validation_failed", "Nonces mismatch");
}

/** Checks that an access token belongs to the id token beside it. */
function checkAccessToken(claims: JWTPayload, accessToken: string | undefined): void {
  const expected = claims["at_hash"];
  if (accessToken === undefined || typeof expected !== "string") return;
  const digest = createHash("sha256").update(accessToken).digest();
  if (!sameText(digest.subarray(0, 16).toString("base64url"), expected))
    throw new AuthFault("validation_failed", "The access token does not belong to the id token");
}
