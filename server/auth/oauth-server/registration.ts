/** POST /oauth/clients/register: a client registers itself (RFC 7591), where the operator allows it. */

import type { Queryable } from "../../storage/port.ts";
import { audit, NO_ACTOR } from "../context/audit.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { textsField, type AuthRequest, type AuthResponse } from "../http/request.ts";
import { text } from "../store/rows.ts";
import { requireOAuthServer } from "./authorize.ts";
import { insertClient, readClientValues, writeClient } from "./clients.ts";

/** The limits of registration by anybody: the bytes of one client, and the number of clients that wait for a first approval. */
const MAX_BYTES = 8192;
const MAX_WAITING = 1000;

/** Removes the oldest client that nobody approved when a new one would exceed the limit. */
async function dropOldest(tx: Queryable): Promise<void> {
  await tx.query(
    `delete from auth_oauth_clients where id in (
       select id from auth_oauth_clients
       where registration_type = 'dynamic' and approved_at is null
       order by created_at desc, id limit 1000000 offset ${MAX_WAITING})`,
  );
}

/**
 * Registers a client. The response is the only one that contains the secret. @throws AuthFault feature_disabled,
 * oauth_dynamic_client_registration_disabled, validation_failed
 */
export async function registerClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  if (!auth.settings.GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION)
    throw new AuthFault(
      "oauth_dynamic_client_registration_disabled",
      "Dynamic client registration is not enabled",
    );
  if (textsField(request.body, "redirect_uris") === undefined)
    throw new AuthFault("validation_failed", "redirect_uris is required");
  const given = { ...readClientValues(request.body), registration_type: "dynamic" };
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES)
    throw new AuthFault("validation_failed", "The client's metadata is too large: 8 KB fit");
  return auth.database.transaction(async (tx) => {
    const { row, secret } = await insertClient(auth, tx, given);
    await dropOldest(tx);
    const traits = { client_id: text(row, "id"), method: "register" };
    await audit(auth, tx, {
      action: "oauth_client_changed",
      ip: request.ip,
      actor: NO_ACTOR,
      traits,
    });
    // RFC 7591 demands the time after which a secret is void; here it is never.
    const expiry = secret === undefined ? {} : { client_secret_expires_at: 0 };
    return { status: 201, json: { ...writeClient(row, secret), ...expiry } };
  });
}
