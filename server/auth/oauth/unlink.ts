/** DELETE /user/identities/:identity_id. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { lockCaller, type Caller } from "../context/caller.ts";
import { type Auth, timestamp } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { ok, uuidParam, type AuthResponse, type AuthRequest } from "../http/request.ts";
import { identitiesOf, updateUser, type StoredIdentity, type StoredUser } from "../store/users.ts";
import type { Values } from "../store/rows.ts";
import { orExists } from "../users/accounts.ts";
import { withProviders } from "./accounts.ts";
import { requireLinking } from "./authorize.ts";

/**
 * Removes an identity.
 * @throws AuthFault identity_not_found, single_identity_not_deletable, email_conflict_identity_not_deletable, insufficient_aal
 */
export async function unlinkIdentity(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireLinking(auth, request);
  const id = uuidParam(request, "identity_id");
  const work = auth.database.transaction((tx) => remove(auth, tx, { caller, id, ip: request.ip }));
  await orExists(
    work,
    new AuthFault(
      "email_conflict_identity_not_deletable",
      "Unable to unlink identity due to email conflict",
    ),
  );
  return ok({});
}

async function remove(
  auth: Auth,
  tx: Queryable,
  order: { readonly caller: Caller; readonly id: string; readonly ip: string },
): Promise<void> {
  const user = await lockCaller(tx, order.caller);
  const identities = await identitiesOf(tx, user.id);
  const gone = identities.find((identity) => identity.id === order.id);
  if (gone === undefined) throw new AuthFault("identity_not_found", "Identity doesn't exist");
  if (identities.length < 2)
    throw new AuthFault(
      "single_identity_not_deletable",
      "User must have at least 1 identity after unlinking",
    );
  await tx.query("delete from auth_identities where id = $1", [gone.id]);
  const rest = identities.filter((identity) => identity.id !== gone.id);
  await updateUser(tx, user.id, {
    ...contactAfter(user, gone, rest),
    app_metadata: JSON.stringify(
      withProviders(
        user.appMetadata,
        rest.map((one) => one.provider),
      ),
    ),
    updated_at: timestamp(auth),
  });
  const traits = { provider: gone.provider, identity_id: gone.id };
  await audit(auth, tx, { action: "identity_unlinked", ip: order.ip, actor: user, traits });
}

/**
 * Returns the user's contact afterwards: an address that no other identity has is removed, and with the email
 * identity the password.
 */
function contactAfter(
  user: StoredUser,
  gone: StoredIdentity,
  rest: readonly StoredIdentity[],
): Values {
  if (gone.provider === "phone") return { phone: null, phone_confirmed_at: null };
  if (user.email === null || rest.some((identity) => identity.email === user.email))
    return gone.provider === "email" ? { encrypted_password: null } : {};
  const next = rest.find(
    (identity) => identity.email !== null && identity.data["email_verified"] === true,
  );
  return {
    email: next?.email ?? null,
    email_confirmed_at: next === undefined ? null : user.emailConfirmedAt,
    ...(gone.provider === "email" ? { encrypted_password: null } : {}),
  };
}
