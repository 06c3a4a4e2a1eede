/** The grants of people to OAuth clients, and GET and DELETE /user/oauth/grants. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireSecondFactor, requirePerson } from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  isUuid,
  noContent,
  ok,
  textField,
  type AuthRequest,
  type AuthResponse,
} from "../http/request.ts";
import { one, text } from "../store/rows.ts";
import { endClientSessions } from "../store/sessions.ts";
import { requireOAuthServer } from "./authorize.ts";
import { describeClient, readClient } from "./clients.ts";

/** Returns the scopes that a user has granted a client; undefined for none. */
export async function grantedScope(
  db: Queryable,
  userId: string,
  clientId: string,
): Promise<string | undefined> {
  const row = await one(
    db,
    "select scope from auth_oauth_consents where user_id = $1 and client_id = $2",
    [userId, clientId],
  );
  return row === undefined ? undefined : text(row, "scope");
}

/** Stores a user's grant to a client in place of an earlier one. */
export async function storeConsent(
  auth: Auth,
  tx: Queryable,
  consent: { readonly userId: string; readonly clientId: string; readonly scope: string },
): Promise<void> {
  await tx.query(
    `insert into auth_oauth_consents (user_id, client_id, scope, granted_at) values ($1, $2, $3, $4)
     on conflict (user_id, client_id)
     do update set scope = excluded.scope, granted_at = excluded.granted_at`,
    [consent.userId, consent.clientId, consent.scope, timestamp(auth)],
  );
}

/** Lists the caller's grants by client. @throws AuthFault feature_disabled, oauth_client_forbidden */
export async function listGrants(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  const { user } = await requirePerson(auth, request);
  const found = await auth.database.query(
    `select k.*, c.scope as granted_scope, c.granted_at
     from auth_oauth_consents c join auth_oauth_clients k on k.id = c.client_id
     where c.user_id = $1 order by c.granted_at desc, k.id`,
    [user.id],
  );
  return ok(
    found.rows.map((row) => ({
      client: describeClient(readClient(row)),
      scopes: text(row, "granted_scope").split(" "),
      granted_at: text(row, "granted_at"),
    })),
  );
}

/**
 * Revokes the caller's grant to a client, and ends the client's sessions with the caller's account.
 * @throws AuthFault feature_disabled, oauth_consent_not_found, oauth_client_forbidden, insufficient_aal, validation_failed
 */
export async function revokeGrant(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  const caller = await requirePerson(auth, request);
  const clientId = textField(request.query, "client_id")?.toLowerCase();
  if (clientId === undefined || !isUuid(clientId))
    throw new AuthFault("validation_failed", "client_id must be an UUID");
  const ids = [caller.user.id, clientId];
  await auth.database.transaction(async (tx) => {
    await requireSecondFactor(auth, tx, caller, "AAL2 required to end other sessions");
    const gone = await one(
      tx,
      "delete from auth_oauth_consents where user_id = $1 and client_id = $2 returning client_id",
      ids,
    );
    if (gone === undefined)
      throw new AuthFault("oauth_consent_not_found", "No active grant found for this client");
    await tx.query(
      "delete from auth_oauth_authorizations where user_id = $1 and client_id = $2",
      ids,
    );
    await endClientSessions(tx, caller.user.id, clientId);
    await audit(auth, tx, {
      action: "oauth_consent_revoked",
      ip: request.ip,
      actor: caller.user,
      traits: { client_id: clientId },
    });
  });
  return noContent;
}
