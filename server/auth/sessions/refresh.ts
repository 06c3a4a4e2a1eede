/**
 * Refresh tokens rotate: each is exchanged for its successor, once. One conditional update in the database
 * decides which of several requests is first, on several processes too. A token that a client sends again
 * within the reuse interval gets the same successor, which derives from the token and a key outside of the
 * database; after the interval too, while nobody has used that successor: the client then never received it, or
 * lost it. An older token ends its session, and so does an OAuth client's after the interval.
 */

import type { Queryable, Row } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { isBanned, isSessionOver } from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import type { AuthRequest } from "../http/request.ts";
import { sha256 } from "../secrets/secrets.ts";
import { one, text, textOrNull } from "../store/rows.ts";
import { endSession, sessionById, type StoredSession } from "../store/sessions.ts";
import { userById, type StoredUser } from "../store/users.ts";
import { addRefreshToken, writeSession, type Grant, type SessionJson } from "./grant.ts";

type Outcome =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly fault: AuthFault };

/**
 * Returns a session in exchange for a refresh token.
 * @throws AuthFault refresh_token_not_found, refresh_token_already_used, session_not_found, session_expired, user_banned
 */
export async function refreshSession(
  auth: Auth,
  refreshToken: string,
  request: AuthRequest,
): Promise<SessionJson> {
  return writeSession(auth, await rotateToken(auth, refreshToken, request, null));
}

/**
 * Exchanges a refresh token for a grant, for an OAuth client or for a person's own session (null): anybody else's
 * token is unknown.
 * @throws AuthFault as `refreshSession`
 */
export async function rotateToken(
  auth: Auth,
  refreshToken: string,
  request: AuthRequest,
  clientId: string | null,
): Promise<Grant> {
  const sent: Sent = { refreshToken, request, clientId };
  // The fault is a value until the transaction is committed, since it may have ended a session.
  const outcome = await auth.database.transaction((tx) => rotate(auth, tx, sent));
  if (!outcome.ok) throw outcome.fault;
  return outcome.grant;
}

interface Sent {
  readonly refreshToken: string;
  readonly request: AuthRequest;
  readonly clientId: string | null;
}

async function rotate(auth: Auth, tx: Queryable, sent: Sent): Promise<Outcome> {
  const { refreshToken, request } = sent;
  const won = await one(
    tx,
    `update auth_refresh_tokens set used_at = $2
     where token_hash = $1 and used_at is null and session_id in
       (select id from auth_sessions where coalesce(oauth_client_id, '') = $3)
     returning session_id`,
    [sha256(refreshToken), timestamp(auth), sent.clientId ?? ""],
  );
  if (won === undefined) return reuse(auth, tx, sent);
  const sessionId = text(won, "session_id");
  const found = await ownerOf(auth, tx, sessionId);
  if (!found.ok) return found;
  const next = auth.pepper.successor(refreshToken);
  await addRefreshToken(auth, tx, sessionId, next);
  await tx.query("update auth_sessions set refreshed_at = $2, updated_at = $2 where id = $1", [
    sessionId,
    timestamp(auth),
  ]);
  await audit(auth, tx, { action: "token_refreshed", ip: request.ip, actor: found.user });
  return { ok: true, grant: { user: found.user, session: found.session, refreshToken: next } };
}

/** Handles a token that was used before, or never existed. */
async function reuse(auth: Auth, tx: Queryable, sent: Sent): Promise<Outcome> {
  const { refreshToken, request } = sent;
  const row = await one(
    tx,
    `select t.* from auth_refresh_tokens t join auth_sessions s on s.id = t.session_id
     where t.token_hash = $1 and coalesce(s.oauth_client_id, '') = $2`,
    [sha256(refreshToken), sent.clientId ?? ""],
  );
  if (row === undefined)
    return {
      ok: false,
      fault: new AuthFault(
        "refresh_token_not_found",
        "Invalid Refresh Token: Refresh Token Not Found",
      ),
    };
  const sessionId = text(row, "session_id");
  const found = await ownerOf(auth, tx, sessionId);
  if (!found.ok) return found;
  const usedAt = Date.parse(textOrNull(row, "used_at") ?? timestamp(auth));
  const graceMs = auth.settings.GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL * 1000;
  const isRecent = auth.clock() - usedAt < graceMs;
  if (isRecent || (await isLastUsed(auth, tx, sent))) {
    const current = await currentToken(auth, tx, refreshToken);
    if (current === undefined) return { ok: false, fault: alreadyUsed() };
    return { ok: true, grant: { user: found.user, session: found.session, refreshToken: current } };
  }
  if (auth.settings.GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED) {
    await endSession(tx, sessionId);
    await audit(auth, tx, { action: "token_revoked", ip: request.ip, actor: found.user });
  }
  return { ok: false, fault: alreadyUsed() };
}

function alreadyUsed(): AuthFault {
  return new AuthFault("refresh_token_already_used", "Invalid Refresh Token: Already Used");
}

/**
 * Whether the token's own successor is the unused one, and the operator lets that count. It never does for an OAuth
 * client: OAuth 2.1 wants a second use noticed, and a thief in step with the client would not be.
 */
async function isLastUsed(auth: Auth, tx: Queryable, sent: Sent): Promise<boolean> {
  if (auth.settings.INKPOOL_STRICT_REFRESH_TOKEN_REUSE || sent.clientId !== null) return false;
  const next = await findToken(tx, auth.pepper.successor(sent.refreshToken));
  return next !== undefined && textOrNull(next, "used_at") === null;
}

/** Follows the successors to the first unused one. */
async function currentToken(
  auth: Auth,
  tx: Queryable,
  refreshToken: string,
): Promise<string | undefined> {
  let token = refreshToken;
  for (;;) {
    const next = auth.pepper.successor(token);
    const row = await findToken(tx, next);
    // After a second factor the session has a refresh token that is no successor of an earlier one.
    if (row === undefined) return undefined;
    if (textOrNull(row, "used_at") === null) return next;
    token = next;
  }
}

function findToken(tx: Queryable, refreshToken: string): Promise<Row | undefined> {
  return one(tx, "select * from auth_refresh_tokens where token_hash = $1", [sha256(refreshToken)]);
}

type Owner =
  | { readonly ok: true; readonly user: StoredUser; readonly session: StoredSession }
  | { readonly ok: false; readonly fault: AuthFault };

/** Returns the session and its user, when both are still valid. */
async function ownerOf(auth: Auth, tx: Queryable, sessionId: string): Promise<Owner> {
  const session = await sessionById(tx, sessionId);
  const user = session === undefined ? undefined : await userById(tx, session.userId);
  if (session === undefined || user === undefined)
    return {
      ok: false,
      fault: new AuthFault("session_not_found", "Invalid Refresh Token: No Valid Session Found"),
    };
  if (isBanned(auth, user))
    return {
      ok: false,
      fault: new AuthFault("user_banned", "Invalid Refresh Token: User Banned", { status: 400 }),
    };
  if (isSessionOver(auth, session)) {
    await endSession(tx, session.id);
    return {
      ok: false,
      fault: new AuthFault("session_expired", "Invalid Refresh Token: Session Expired"),
    };
  }
  return { ok: true, user, session };
}
