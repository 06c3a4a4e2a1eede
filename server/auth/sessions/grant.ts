/** Starts sessions: the row, its refresh token, and the response with the access token. */

import { randomUUID } from "node:crypto";
import type { Claims, Role } from "../../keys/port.ts";
import type { Queryable } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { addressKey } from "../../limits/client-key.ts";
import type { AuthRequest } from "../http/request.ts";
import { randomSecret, sha256 } from "../secrets/secrets.ts";
import { userJson } from "../store/json.ts";
import { insert } from "../store/rows.ts";
import { endOtherAal1Sessions, type AmrEntry, type StoredSession } from "../store/sessions.ts";
import { updateUser, type StoredUser } from "../store/users.ts";

export type SessionJson = Readonly<Record<string, unknown>>;

/** A session that is in the database. Its access token is signed after the transaction. */
export interface Grant {
  readonly user: StoredUser;
  readonly session: StoredSession;
  readonly refreshToken: string;
  /** More values for the response, such as a provider's tokens. */
  readonly more?: SessionJson | undefined;
}

/** The OAuth client to which a session is issued, its scope, and the person's proofs in the session that consents. */
export interface SessionClient {
  readonly id: string;
  readonly scope: string;
  readonly consented: Pick<StoredSession, "aal" | "amr" | "factorId">;
}

/**
 * Starts a session of a user who has proved by `method` who they are.
 * @throws StorageFault 23503 when the user no longer exists
 */
export async function startSession(
  auth: Auth,
  tx: Queryable,
  start: {
    readonly user: StoredUser;
    readonly method: string;
    readonly provider?: string | undefined;
    readonly request: AuthRequest;
    readonly more?: SessionJson | undefined;
    readonly client?: SessionClient | undefined;
  },
): Promise<Grant> {
  const now = timestamp(auth);
  const user =
    start.client === undefined
      ? await updateUser(tx, start.user.id, { last_sign_in_at: now, updated_at: now })
      : start.user;
  const entry: AmrEntry = {
    method: start.method,
    timestamp: Math.floor(auth.clock() / 1000),
    ...(start.provider === undefined ? {} : { provider: start.provider }),
  };
  const timeboxMs = auth.settings.GOTRUE_SESSIONS_TIMEBOX;
  const session: StoredSession = {
    id: randomUUID(),
    userId: start.user.id,
    aal: start.client?.consented.aal ?? "aal1",
    amr: [entry, ...(start.client?.consented.amr ?? [])],
    notAfter: timeboxMs === null ? null : timestamp(auth, timeboxMs),
    refreshedAt: now,
    createdAt: now,
    clientId: start.client?.id ?? null,
    factorId: start.client?.consented.factorId ?? null,
    scope: start.client?.scope ?? null,
  };
  await insert(tx, "auth_sessions", {
    id: session.id,
    user_id: session.userId,
    aal: session.aal,
    amr: JSON.stringify(session.amr),
    factor_id: session.factorId,
    oauth_client_id: session.clientId,
    scope: session.scope,
    user_agent: start.request.userAgent.slice(0, 400),
    ip: addressKey(start.request.ip),
    not_after: session.notAfter,
    refreshed_at: now,
    created_at: now,
    updated_at: now,
  });
  // A password alone does not end a session that has a second factor, nor does a client end the person's own.
  if (start.client === undefined && auth.settings.GOTRUE_SESSIONS_SINGLE_PER_USER)
    await endOtherAal1Sessions(tx, start.user.id, session.id);
  const refreshToken = randomSecret();
  await addRefreshToken(auth, tx, session.id, refreshToken);
  return { user, session, refreshToken, more: start.more };
}

/** Stores the hash of a session's next refresh token. */
export async function addRefreshToken(
  auth: Auth,
  tx: Queryable,
  sessionId: string,
  refreshToken: string,
): Promise<void> {
  await tx.query(
    `insert into auth_refresh_tokens (token_hash, session_id, used_at, created_at)
     values ($1, $2, null, $3)`,
    [sha256(refreshToken), sessionId, timestamp(auth)],
  );
}

interface AccessJson {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly expires_at: number;
}

/** Returns the access token of a session. Call it outside of a transaction, since signing takes time. */
export async function signAccess(auth: Auth, grant: Grant): Promise<AccessJson> {
  const issuedAt = Math.floor(auth.clock() / 1000);
  const expiresIn = auth.settings.GOTRUE_JWT_EXP;
  const claims = accessClaims(auth, grant.user, grant.session);
  return {
    access_token: await auth.keys.sign({ ...claims, iat: issuedAt, exp: issuedAt + expiresIn }),
    token_type: "bearer",
    expires_in: expiresIn,
    expires_at: issuedAt + expiresIn,
  };
}

/** Returns the response that carries a session. */
export async function writeSession(auth: Auth, grant: Grant): Promise<SessionJson> {
  return {
    ...(await signAccess(auth, grant)),
    refresh_token: grant.refreshToken,
    user: await userJson(auth.database, grant.user),
    ...grant.more,
  };
}

function accessClaims(auth: Auth, user: StoredUser, session: StoredSession): Claims {
  return {
    iss: auth.settings.GOTRUE_JWT_ISSUER ?? auth.urls.api(),
    sub: user.id,
    aud: user.aud,
    role: user.role as Role,
    email: user.email ?? "",
    phone: user.phone ?? "",
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    session_id: session.id,
    is_anonymous: user.isAnonymous,
    aal: session.aal,
    amr: session.amr,
    ...(session.clientId === null
      ? {}
      : { client_id: session.clientId, scope: session.scope ?? "" }),
  };
}
