/** The admin API for second factors and passkeys. */

import { audit } from "../context/audit.ts";
import { requireAdmin } from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { passkeysOf, writePasskey, removePasskey } from "../passkeys/routes.ts";
import {
  ok,
  textField,
  uuidParam,
  noContent,
  type AuthResponse,
  type AuthRequest,
} from "../http/request.ts";
import { factorOf, factorsOf, deleteFactor, type StoredFactor } from "../store/factors.ts";
import { writeFactor } from "../store/json.ts";
import { update } from "../store/rows.ts";
import { lockUser } from "../store/users.ts";
import { orExists } from "../users/accounts.ts";
import { userOfPath } from "./users.ts";

/** GET /admin/users/:user_id/factors, without their secrets. @throws AuthFault user_not_found */
export async function adminListFactors(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const user = await userOfPath(auth, request);
  return ok((await factorsOf(auth.database, user.id)).map(writeFactor));
}

async function factorOfPath(auth: Auth, request: AuthRequest): Promise<StoredFactor> {
  const user = await userOfPath(auth, request);
  const factor = await factorOf(auth.database, user.id, uuidParam(request, "factor_id"));
  if (factor === undefined) throw new AuthFault("mfa_factor_not_found", "Factor not found");
  return factor;
}

/** DELETE /admin/users/:user_id/factors/:factor_id. @throws AuthFault user_not_found, mfa_factor_not_found */
export async function adminDeleteFactor(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const factor = await factorOfPath(auth, request);
  await auth.database.transaction(async (tx) => {
    await lockUser(tx, factor.userId);
    await deleteFactor(tx, factor);
    const traits = { user_id: factor.userId, factor_id: factor.id };
    await audit(auth, tx, { action: "factor_deleted", ip: request.ip, actor: null, traits });
  });
  return ok(writeFactor(factor));
}

/** PUT /admin/users/:user_id/factors/:factor_id: renames it. @throws AuthFault mfa_factor_not_found, mfa_factor_name_conflict */
export async function adminUpdateFactor(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const factor = await factorOfPath(auth, request);
  const name = textField(request.body, "friendly_name") ?? factor.friendlyName;
  const work = auth.database.transaction(async (tx) => {
    const changes = { friendly_name: name, updated_at: timestamp(auth) };
    await update(tx, "auth_factors", factor.id, changes);
    const traits = { user_id: factor.userId, factor_id: factor.id };
    await audit(auth, tx, { action: "factor_updated", ip: request.ip, actor: null, traits });
  });
  const taken = `A factor with the friendly name "${name}" for this user already exists`;
  await orExists(work, new AuthFault("mfa_factor_name_conflict", taken));
  return ok(writeFactor({ ...factor, friendlyName: name }));
}

/** GET /admin/users/:user_id/passkeys. @throws AuthFault user_not_found */
export async function adminListPasskeys(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const user = await userOfPath(auth, request);
  return ok((await passkeysOf(auth.database, user.id)).map(writePasskey));
}

/** DELETE /admin/users/:user_id/passkeys/:passkey_id. @throws AuthFault user_not_found, passkey_not_found */
export async function adminDeletePasskey(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const user = await userOfPath(auth, request);
  await removePasskey(auth, request, user, null);
  return noContent;
}
