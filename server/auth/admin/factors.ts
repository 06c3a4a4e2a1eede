/** The admin API for second factors. */

import { audit } from "../audit.ts";
import { requireAdmin } from "../caller.ts";
import type { Auth } from "../context.ts";
import { stamp } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { ok, textField, uuidParam } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { factorOf, factorsOf } from "../store/factors.ts";
import type { StoredFactor } from "../store/factors.ts";
import { update } from "../store/rows.ts";
import { orExists } from "../users/accounts.ts";
import { writeFactor } from "../users/json.ts";
import { userOfPath } from "./users.ts";

export async function adminListFactors(auth: Auth, request: AuthRequest): Promise<Answer> {
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

export async function adminDeleteFactor(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const factor = await factorOfPath(auth, request);
  await auth.database.transaction(async (tx) => {
    await tx.query("delete from auth_challenges where factor_id = $1", [factor.id]);
    await tx.query("delete from auth_factors where id = $1", [factor.id]);
    const traits = { user_id: factor.userId, factor_id: factor.id };
    await audit(auth, tx, { action: "factor_deleted", ip: request.ip, actor: null, traits });
  });
  return ok(writeFactor(factor));
}

export async function adminUpdateFactor(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const factor = await factorOfPath(auth, request);
  const name = textField(request.body, "friendly_name") ?? factor.friendlyName;
  const work = auth.database.transaction(async (tx) => {
    const changes = { friendly_name: name, updated_at: stamp(auth) };
    await update(tx, "auth_factors", factor.id, changes);
    const traits = { user_id: factor.userId, factor_id: factor.id };
    await audit(auth, tx, { action: "factor_updated", ip: request.ip, actor: null, traits });
  });
  const taken = `A factor with the friendly name "${name}" for this user already exists`;
  await orExists(work, new AuthFault("mfa_factor_name_conflict", taken));
  return ok(writeFactor({ ...factor, friendlyName: name }));
}
