/** POST /oauth/token: a client exchanges a code, or a refresh token, for a session with a person's account. */

import { createHash } from "node:crypto";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { isBanned, isSessionOver } from "../context/caller.ts";
import { isExpired, type Auth } from "../context/context.ts";
import { textField, type AuthRequest, type AuthResponse } from "../http/request.ts";
import { sameText } from "../secrets/secrets.ts";
import { signAccess, startSession, type Grant } from "../sessions/grant.ts";
import { rotateToken } from "../sessions/refresh.ts";
import { endSession, sessionById } from "../store/sessions.ts";
import { userById } from "../store/users.ts";
import { authorizationOfCode, noteIssued, useCode, type Authorization } from "./authorizations.ts";
import { requireOAuthServer } from "./authorize.ts";
import { idTokenOf } from "./claims.ts";
import { authenticateClient } from "./client-auth.ts";
import type { OAuthClient } from "./clients.ts";
import { OAuthFault } from "./faults.ts";

/**
 * Issues tokens to a client.
 * @throws AuthFault feature_disabled, those of the refresh; OAuthFault
 */
export async function issueTokens(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  const type = textField(request.body, "grant_type");
  if (type === undefined) throw new OAuthFault("invalid_request", "grant_type is required");
  const client = await authenticateClient(auth, request);
  if (type !== "authorization_code" && type !== "refresh_token")
    throw new OAuthFault("unsupported_grant_type", "The grant type is unknown");
  if (!client.grantTypes.includes(type))
    throw new OAuthFault("unauthorized_client", "The client may not use this grant type");
  return type === "refresh_token"
    ? refresh(auth, request, client)
    : exchange(auth, request, client);
}

async function write(
  auth: Auth,
  client: OAuthClient,
  grant: Grant,
  idToken?: string,
): Promise<AuthResponse> {
  const access = await signAccess(auth, grant);
  return {
    json: {
      access_token: access.access_token,
      token_type: access.token_type,
      expires_in: access.expires_in,
      ...(client.grantTypes.includes("refresh_token") ? { refresh_token: grant.refreshToken } : {}),
      scope: grant.session.scope ?? "",
      ...(idToken === undefined ? {} : { id_token: idToken }),
    },
  };
}

async function refresh(
  auth: Auth,
  request: AuthRequest,
  client: OAuthClient,
): Promise<AuthResponse> {
  const token = textField(request.body, "refresh_token");
  if (token === undefined) throw new OAuthFault("invalid_request", "refresh_token is required");
  return write(auth, client, await rotateToken(auth, token, request, client.id));
}

type Outcome =
  | { readonly ok: true; readonly grant: Grant; readonly signedInAt: string }
  | { readonly ok: false; readonly fault: OAuthFault };

async function exchange(
  auth: Auth,
  request: AuthRequest,
  client: OAuthClient,
): Promise<AuthResponse> {
  const code = textField(request.body, "code");
  if (code === undefined) throw new OAuthFault("invalid_request", "code is required");
  const asked = await authorizationOfCode(auth.database, code);
  if (asked === undefined || asked.clientId !== client.id) throw invalidGrant();
  if (asked.status !== "used") checkExchange(auth, request, asked);
  // The fault is a value until the transaction is committed, since it may have ended a session.
  const outcome = await auth.database.transaction((tx) => redeem(auth, tx, request, asked));
  if (!outcome.ok) throw outcome.fault;
  const { grant, signedInAt } = outcome;
  const issued = { user: grant.user, session: grant.session, nonce: asked.nonce, signedInAt };
  return write(auth, client, grant, await idTokenOf(auth, issued));
}

const invalidGrant = (): OAuthFault =>
  new OAuthFault("invalid_grant", "Invalid authorization code");

/**
 * Checks what the client repeats of its request, and the proof that it began it. A wrong attempt does not use up the
 * code. @throws OAuthFault
 */
function checkExchange(auth: Auth, request: AuthRequest, asked: Authorization): void {
  if (isExpired(auth, asked.expiresAt)) throw invalidGrant();
  const redirectUri = textField(request.body, "redirect_uri");
  if (redirectUri !== undefined && redirectUri !== asked.redirectUri)
    throw new OAuthFault("invalid_grant", "Invalid redirect_uri");
  const resource = textField(request.body, "resource");
  if (resource !== undefined && resource !== asked.resource)
    throw new OAuthFault("invalid_grant", "resource is not the one that was asked for");
  const verifier = textField(request.body, "code_verifier");
  if (verifier === undefined) throw new OAuthFault("invalid_request", "code_verifier is required");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  if (!/^[\w.~-]{43,128}$/.test(verifier) || !sameText(challenge, asked.codeChallenge))
    throw new OAuthFault("invalid_grant", "code_verifier does not fit the code challenge");
}

async function redeem(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  asked: Authorization,
): Promise<Outcome> {
  if (!(await useCode(auth, tx, asked.idHash))) {
    await endIssued(auth, tx, request, asked);
    return { ok: false, fault: invalidGrant() };
  }
  const consented =
    asked.consentSessionId === null ? undefined : await sessionById(tx, asked.consentSessionId);
  const user = asked.userId === null ? undefined : await userById(tx, asked.userId);
  if (consented === undefined || user === undefined || isSessionOver(auth, consented))
    return { ok: false, fault: invalidGrant() };
  if (isBanned(auth, user))
    return { ok: false, fault: new OAuthFault("invalid_grant", "User is banned") };
  await audit(auth, tx, {
    action: "login",
    ip: request.ip,
    actor: user,
    traits: { provider_type: METHOD, client_id: asked.clientId },
  });
  const client = { id: asked.clientId, scope: asked.scope, consented };
  const grant = await startSession(auth, tx, { user, method: METHOD, request, client });
  await noteIssued(tx, asked.idHash, grant.session.id);
  return { ok: true, grant, signedInAt: consented.createdAt };
}

const METHOD = "oauth_provider/authorization_code";

/** Ends the session for which a code was exchanged: a code that is used a second time was stolen, before or now. */
async function endIssued(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  asked: Authorization,
): Promise<void> {
  const rows = await tx.query(
    "select issued_session_id from auth_oauth_authorizations where id_hash = $1",
    [asked.idHash],
  );
  const sessionId = rows.rows[0]?.["issued_session_id"];
  if (typeof sessionId !== "string") return;
  await endSession(tx, sessionId);
  const actor = asked.userId === null ? undefined : await userById(tx, asked.userId);
  await audit(auth, tx, {
    action: "token_revoked",
    ip: request.ip,
    actor: actor ?? null,
    traits: { client_id: asked.clientId, reason: "the code was used twice" },
  });
}
