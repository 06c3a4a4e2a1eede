/** Who is asking: a user with a session, or the holder of the service key. */

import type { Claims } from "../keys/port.ts";
import type { Auth } from "./context.ts";
import { isPast } from "./context.ts";
import { AuthFault } from "./errors.ts";
import type { AuthRequest } from "./request.ts";
import { isUuid } from "./request.ts";
import { isOver } from "./sessions/refresh.ts";
import { sessionById } from "./sessions/store.ts";
import type { StoredSession } from "./sessions/store.ts";
import { userById } from "./store/users.ts";
import type { StoredUser } from "./store/users.ts";

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

/** @throws AuthFault no_authorization, bad_jwt, session_not_found, user_not_found, user_banned */
export async function requireUser(auth: Auth, request: AuthRequest): Promise<Caller> {
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
  if (session === undefined || session.userId !== user.id || isOver(auth, session))
    throw new AuthFault("session_not_found", "Session from session_id claim in JWT does not exist");
  if (user.bannedUntil !== null && !isPast(auth, user.bannedUntil))
    throw new AuthFault("user_banned", "User is banned");
  return { user, session };
}

/** @throws AuthFault no_authorization, bad_jwt, not_admin */
export async function requireAdmin(auth: Auth, request: AuthRequest): Promise<void> {
  const claims = await checkBearer(auth, request);
  if (!auth.settings.GOTRUE_JWT_ADMIN_ROLES.includes(claims.role))
    throw new AuthFault("not_admin", "User not allowed");
}

/** What a user with a second factor may only do after it was asked for. @throws AuthFault insufficient_aal */
export function requireAal2(caller: Caller, hasVerifiedFactor: boolean, message: string): void {
  if (hasVerifiedFactor && caller.session.aal !== "aal2")
    throw new AuthFault("insufficient_aal", message);
}
