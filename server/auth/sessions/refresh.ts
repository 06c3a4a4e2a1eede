/**
 * Refresh tokens rotate. The database decides who is first: one conditional update wins, on several
 * processes too. A token that comes again soon gets the same successor, which derives from the token
 * and a key outside of the database; later it ends its session.
 */

import type { Queryable, Row } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { isPast, stamp } from "../context.ts";
import { AuthFault } from "../errors.ts";
import type { AuthRequest } from "../request.ts";
import { sha256 } from "../secrets.ts";
import { one, text, textOrNull } from "../store/rows.ts";
import { userById } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { addRefreshToken, writeSession } from "./grant.ts";
import type { Grant, SessionJson } from "./grant.ts";
import { endSession, sessionById } from "./store.ts";
import type { StoredSession } from "./store.ts";

type Outcome =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly fault: AuthFault };

/** @throws AuthFault refresh_token_not_found, refresh_token_already_used, session_expired, user_banned */
export async function refreshSession(
  auth: Auth,
  refreshToken: string,
  request: AuthRequest,
): Promise<SessionJson> {
  // The fault comes out as a value, so that ending the session is committed.
  const outcome = await auth.database.transaction((tx) => rotate(auth, tx, refreshToken, request));
  if (!outcome.ok) throw outcome.fault;
  return writeSession(auth, outcome.grant);
}

async function rotate(
  auth: Auth,
  tx: Queryable,
  refreshToken: string,
  request: AuthRequest,
): Promise<Outcome> {
  const won = await one(
    tx,
    "update auth_refresh_tokens set used_at = $2 where token_hash = $1 and used_at is null returning session_id",
    [sha256(refreshToken), stamp(auth)],
  );
  if (won === undefined) return again(auth, tx, refreshToken, request);
  const sessionId = text(won, "session_id");
  const found = await holder(auth, tx, sessionId);
  if (!found.ok) return found;
  const next = auth.pepper.successor(refreshToken);
  await addRefreshToken(auth, tx, sessionId, next);
  await tx.query("update auth_sessions set refreshed_at = $2, updated_at = $2 where id = $1", [
    sessionId,
    stamp(auth),
  ]);
  await audit(auth, tx, { action: "token_refreshed", ip: request.ip, actor: found.user });
  return { ok: true, grant: { user: found.user, session: found.session, refreshToken: next } };
}

/** The token was used before, or never existed. */
async function again(
  auth: Auth,
  tx: Queryable,
  refreshToken: string,
  request: AuthRequest,
): Promise<Outcome> {
  const row = await findToken(tx, refreshToken);
  if (row === undefined)
    return {
      ok: false,
      fault: new AuthFault(
        "refresh_token_not_found",
        "Invalid Refresh Token: Refresh Token Not Found",
      ),
    };
  const sessionId = text(row, "session_id");
  const found = await holder(auth, tx, sessionId);
  if (!found.ok) return found;
  const usedAt = Date.parse(textOrNull(row, "used_at") ?? stamp(auth));
  const graceMs = auth.settings.GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL * 1000;
  if (auth.clock() - usedAt < graceMs) {
    const current = await newest(auth, tx, refreshToken);
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

/** Follows the successors to the one that nobody has used yet. */
async function newest(
  auth: Auth,
  tx: Queryable,
  refreshToken: string,
): Promise<string | undefined> {
  let token = refreshToken;
  for (;;) {
    const next = auth.pepper.successor(token);
    const row = await findToken(tx, next);
    // A second factor gives the session a refresh token that descends from none.
    if (row === undefined) return undefined;
    if (textOrNull(row, "used_at") === null) return next;
    token = next;
  }
}

function findToken(tx: Queryable, refreshToken: string): Promise<Row | undefined> {
  return one(tx, "select * from auth_refresh_tokens where token_hash = $1", [sha256(refreshToken)]);
}

type Holder =
  | { readonly ok: true; readonly user: StoredUser; readonly session: StoredSession }
  | { readonly ok: false; readonly fault: AuthFault };

async function holder(auth: Auth, tx: Queryable, sessionId: string): Promise<Holder> {
  const session = await sessionById(tx, sessionId);
  const user = session === undefined ? undefined : await userById(tx, session.userId);
  if (session === undefined || user === undefined)
    return {
      ok: false,
      fault: new AuthFault("session_not_found", "Invalid Refresh Token: No Valid Session Found"),
    };
  if (user.bannedUntil !== null && !isPast(auth, user.bannedUntil))
    return {
      ok: false,
      fault: new AuthFault("user_banned", "Invalid Refresh Token: User Banned", { status: 400 }),
    };
  if (isOver(auth, session)) {
    await endSession(tx, session.id);
    return {
      ok: false,
      fault: new AuthFault("session_expired", "Invalid Refresh Token: Session Expired"),
    };
  }
  return { ok: true, user, session };
}

/** By its time box, or because nobody refreshed it for too long. */
export function isOver(auth: Auth, session: StoredSession): boolean {
  const idle = auth.settings.GOTRUE_SESSIONS_INACTIVITY_TIMEOUT;
  if (session.notAfter !== null && isPast(auth, session.notAfter)) return true;
  return (
    idle !== null &&
    auth.clock() - Date.parse(session.refreshedAt) > idle + auth.settings.GOTRUE_JWT_EXP * 1000
  );
}
