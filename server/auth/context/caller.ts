/** Finds the caller of a route: a user with an open session, or an administrator with the service key. */

import type { Claims } from "../../keys/port.ts";
import type { Queryable } from "../../storage/port.ts";
import { isExpired, type Auth } from "./context.ts";
import { AuthFault } from "../http/errors.ts";
import { isUuid, type AuthRequest } from "../http/request.ts";
import { hasVerifiedFactor } from "../store/factors.ts";
import { sessionById, type StoredSession } from "../store/sessions.ts";
import { lockUser, userById, type StoredUser } from "../store/users.ts";

export interface Caller {
  readonly user: StoredUser;
  readonly session: StoredSession;
}

async function checkBearer(auth: Auth, request: AuthRequest): Promise<Claims> {
  if (request.bearer === undefined)
    throw new AuthFault("no_authorization", "This endpoint requires a valid Bearer token");
  const check = await auth.keys.check(request.bearer);
  if (check.ok) return check.claims;
  const reason =
    check.fault === "expired" ? "token is expired" : "unable to parse or verify signature";
  throw new AuthFault("bad_jwt", `invalid JWT: ${reason}`);
}

/**
 * Returns the user and the session of the access token, including an OAuth client's.
 * @throws AuthFault no_authorization, bad_jwt, session_not_found, user_not_found, user_banned
 */
export async function requireCaller(auth: Auth, request: AuthRequest): Promise<Caller> {
  const claims = await checkBearer(auth, request);
  if (claims.sub === undefined || !isUuid(claims.sub))
    throw new AuthFault("bad_jwt", "invalid claim: missing sub claim");
  const user = await userById(auth.database, claims.sub);
  if (user === undefined)
    throw new AuthFault("user_not_found", "User from sub claim in JWT does not exist", {
      status: 403,
    });
  const sessionId = claims.session_id ?? "";
  const session = sessionId === "" ? undefined : await sessionById(auth.database, sessionId);
  if (session === undefined || session.userId !== user.id || isSessionOver(auth, session))
    throw sessionNotFound();
  refuseBanned(auth, user);
  return { user, session };
}

/**
 * Returns the caller in one of their own sessions: an OAuth client manages no account, unless the operator allows it.
 * @throws AuthFault oauth_client_forbidden, and those of `requireCaller`
 */
export async function requireUser(auth: Auth, request: AuthRequest): Promise<Caller> {
  const caller = await requireCaller(auth, request);
  if (!managesAccount(auth, caller)) throw clientRefused();
  return caller;
}

/** Whether the session may change the account. */
export function managesAccount(auth: Auth, { session }: Caller): boolean {
  return session.clientId === null || auth.settings.INKPOOL_OAUTH_CLIENTS_MANAGE_ACCOUNTS;
}

/**
 * Returns the caller in one of their own sessions, whatever the settings are: no OAuth client decides about the
 * rights of OAuth clients.
 * @throws AuthFault oauth_client_forbidden, and those of `requireCaller`
 */
export async function requirePerson(auth: Auth, request: AuthRequest): Promise<Caller> {
  const caller = await requireCaller(auth, request);
  if (caller.session.clientId !== null) throw clientRefused();
  return caller;
}

/**
 * Locks the caller's user, and returns it as it is by then. A request that was checked before a new password or a ban
 * ended its session changes nothing any more.
 * @throws AuthFault session_not_found
 */
export async function lockCaller(tx: Queryable, caller: Caller): Promise<StoredUser> {
  const user = await lockUser(tx, caller.user.id);
  const session = await sessionById(tx, caller.session.id);
  if (user === undefined || session === undefined) throw sessionNotFound();
  return user;
}

const sessionNotFound = (): AuthFault =>
  new AuthFault("session_not_found", "Session from session_id claim in JWT does not exist");

const clientRefused = (): AuthFault =>
  new AuthFault("oauth_client_forbidden", "An OAuth client may not do this for its user");

/**
 * Requires the service key.
 * @throws AuthFault no_authorization, bad_jwt, not_admin
 */
export async function requireAdmin(auth: Auth, request: AuthRequest): Promise<void> {
  const claims = await checkBearer(auth, request);
  if (!auth.settings.GOTRUE_JWT_ADMIN_ROLES.includes(claims.role))
    throw new AuthFault("not_admin", "User not allowed");
}

/**
 * Demands a session with a second factor from a user who has one; other users pass. It is for actions for which
 * GoTrue demands it as well.
 * @throws AuthFault insufficient_aal
 */
export async function requireAal2(db: Queryable, caller: Caller, message: string): Promise<void> {
  if (await isWithoutFactor(db, caller)) throw new AuthFault("insufficient_aal", message);
}

/**
 * Demands a second factor as `requireAal2` does, for actions that GoTrue allows without one as well; a setting
 * restores that.
 * @throws AuthFault insufficient_aal
 */
export async function requireSecondFactor(
  auth: Auth,
  db: Queryable,
  caller: Caller,
  message: string,
): Promise<void> {
  if (await lacksSecondFactor(auth, db, caller)) throw new AuthFault("insufficient_aal", message);
}

/** Whether the user has a second factor that this session did not use; always false where INKPOOL_STRICT_AAL2 is off. */
export async function lacksSecondFactor(
  auth: Auth,
  db: Queryable,
  caller: Caller,
): Promise<boolean> {
  return auth.settings.INKPOOL_STRICT_AAL2 && (await isWithoutFactor(db, caller));
}

async function isWithoutFactor(db: Queryable, caller: Caller): Promise<boolean> {
  return caller.session.aal !== "aal2" && (await hasVerifiedFactor(db, caller.user.id));
}

/** Whether a session has ended by its time box, or because nobody refreshed it for too long. */
export function isSessionOver(auth: Auth, session: StoredSession): boolean {
  const idleMs = auth.settings.GOTRUE_SESSIONS_INACTIVITY_TIMEOUT;
  if (session.notAfter !== null && isExpired(auth, session.notAfter)) return true;
  return (
    idleMs !== null &&
    auth.clock() - Date.parse(session.refreshedAt) > idleMs + auth.settings.GOTRUE_JWT_EXP * 1000
  );
}

/** Whether an administrator has banned the user, and the ban is not over. */
export function isBanned(auth: Auth, user: StoredUser): boolean {
  return user.bannedUntil !== null && !isExpired(auth, user.bannedUntil);
}

/**
 * Refuses a banned user.
 * @throws AuthFault user_banned
 */
export function refuseBanned(auth: Auth, user: StoredUser): void {
  if (isBanned(auth, user)) throw new AuthFault("user_banned", "User is banned");
}
