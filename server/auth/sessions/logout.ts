/** POST /logout?scope=global|local|others. */

import { audit } from "../audit.ts";
import { requireUser } from "../caller.ts";
import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { nothing, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { endSessions } from "../store/users.ts";
import { endSession } from "./store.ts";

export async function logout(auth: Auth, request: AuthRequest): Promise<Answer> {
  const { user, session } = await requireUser(auth, request);
  const scope = textField(request.query, "scope") ?? "global";
  if (scope !== "global" && scope !== "local" && scope !== "others")
    throw new AuthFault(
      "validation_failed",
      `Unsupported logout scope ${JSON.stringify(scope.slice(0, 20))}`,
    );
  await auth.database.transaction(async (tx) => {
    if (scope === "local") await endSession(tx, session.id);
    else await endSessions(tx, user.id, scope === "others" ? session.id : "");
    await audit(auth, tx, { action: "logout", ip: request.ip, actor: user, traits: { scope } });
  });
  return nothing;
}
