/** POST /logout?scope=global|local|others. */

import { audit } from "../context/audit.ts";
import {
  lacksSecondFactor,
  managesAccount,
  requireCaller,
  type Caller,
} from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { noContent, textField, type AuthRequest, type AuthResponse } from "../http/request.ts";
import { endAllSessions, endOtherSessions, endSession } from "../store/sessions.ts";

/**
 * Ends sessions. A user with a second factor ends other sessions only after using it, and an OAuth client ends its
 * own only. Otherwise `others` ends nothing, and `global`, the client's default, ends this session before it fails,
 * since everybody can always leave their own.
 */
export async function logout(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(auth, request);
  const { user, session } = caller;
  const scope = textField(request.query, "scope") ?? "global";
  if (scope !== "global" && scope !== "local" && scope !== "others")
    throw new AuthFault(
      "validation_failed",
      `Unsupported logout scope ${JSON.stringify(scope.slice(0, 20))}`,
    );
  const fault = scope === "local" ? undefined : await refusal(auth, caller);
  if (fault !== undefined && scope === "others") throw fault;
  await auth.database.transaction(async (tx) => {
    if (scope === "others") await endOtherSessions(tx, user.id, session.id);
    else if (scope === "global" && fault === undefined) await endAllSessions(tx, user.id);
    else await endSession(tx, session.id);
    await audit(auth, tx, { action: "logout", ip: request.ip, actor: user, traits: { scope } });
  });
  if (fault !== undefined) throw fault;
  return noContent;
}

/** Returns the reason why the caller may end no session but this one; undefined when they may. */
async function refusal(auth: Auth, caller: Caller): Promise<AuthFault | undefined> {
  if (!managesAccount(auth, caller))
    return new AuthFault("oauth_client_forbidden", "An OAuth client may end its own session only");
  return (await lacksSecondFactor(auth, auth.database, caller))
    ? new AuthFault("insufficient_aal", "AAL2 required to end other sessions")
    : undefined;
}
