/** The admin API for OAuth clients. */

import type { Queryable, Row } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireAdmin } from "../context/caller.ts";
import { type Auth, timestamp } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  noContent,
  ok,
  pathParam,
  requiredText,
  textsField,
  type AuthResponse,
  type AuthRequest,
} from "../http/request.ts";
import { randomSecret, sha256 } from "../secrets/secrets.ts";
import { insertClient, readClientValues, writeClient } from "../oauth-server/clients.ts";
import { one, text, update } from "../store/rows.ts";
import { endSessionsOfClient } from "../store/sessions.ts";
import { pageHeaders, readPage } from "./pages.ts";

async function clientOfPath(auth: Auth, request: AuthRequest): Promise<Row> {
  const id = pathParam(request, "client_id");
  const row = await one(auth.database, "select * from auth_oauth_clients where id = $1", [id]);
  if (row === undefined) throw new AuthFault("oauth_client_not_found", "OAuth client not found");
  return row;
}

/** GET /admin/oauth/clients, in pages, the newest first. */
export async function listClients(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const page = readPage(request);
  const found = await auth.database.query(
    "select * from auth_oauth_clients order by created_at desc, id limit $1 offset $2",
    [page.limit, page.offset],
  );
  const total = await one(auth.database, "select count(*) as total from auth_oauth_clients", []);
  return {
    json: { clients: found.rows.map((row) => writeClient(row)), aud: auth.settings.GOTRUE_JWT_AUD },
    headers: pageHeaders(`${auth.urls.api()}/admin/oauth/clients`, page, Number(total?.["total"])),
  };
}

/** POST /admin/oauth/clients. The response is the only one that contains the secret, whose hash is stored. */
export async function createClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  requiredText(request.body, "client_name");
  if (textsField(request.body, "redirect_uris") === undefined)
    throw new AuthFault("validation_failed", "redirect_uris is required");
  const given = readClientValues(request.body);
  return auth.database.transaction(async (tx) => {
    const { row, secret } = await insertClient(auth, tx, given);
    await note(auth, tx, request, text(row, "id"));
    return { status: 201, json: writeClient(row, secret) };
  });
}

/** GET /admin/oauth/clients/:client_id. @throws AuthFault oauth_client_not_found */
export async function getClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  return ok(writeClient(await clientOfPath(auth, request)));
}

/** PUT /admin/oauth/clients/:client_id. @throws AuthFault oauth_client_not_found, validation_failed */
export async function updateClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const row = await clientOfPath(auth, request);
  const given = readClientValues(request.body);
  if (given["client_type"] !== undefined && given["client_type"] !== text(row, "client_type"))
    throw new AuthFault(
      "validation_failed",
      "token_endpoint_auth_method cannot make a public client confidential, or the reverse",
    );
  return auth.database.transaction(async (tx) => {
    const values = { ...given, updated_at: timestamp(auth) };
    const changed = await update(tx, "auth_oauth_clients", text(row, "id"), values);
    if (changed === undefined)
      throw new AuthFault("oauth_client_not_found", "OAuth client not found");
    await note(auth, tx, request, text(row, "id"));
    return ok(writeClient(changed));
  });
}

/**
 * DELETE /admin/oauth/clients/:client_id. Its sessions and the grants of people end with it. @throws AuthFault
 * oauth_client_not_found
 */
export async function deleteClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const id = text(await clientOfPath(auth, request), "id");
  await auth.database.transaction(async (tx) => {
    await endSessionsOfClient(tx, id);
    for (const table of ["auth_oauth_authorizations", "auth_oauth_consents"])
      await tx.query(`delete from ${table} where client_id = $1`, [id]);
    await tx.query("delete from auth_oauth_clients where id = $1", [id]);
    await note(auth, tx, request, id);
  });
  return noContent;
}

/** POST /admin/oauth/clients/:client_id/regenerate_secret: the old secret is void. @throws AuthFault oauth_client_not_found, validation_failed */
export async function newClientSecret(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const row = await clientOfPath(auth, request);
  if (text(row, "client_type") === "public")
    throw new AuthFault("validation_failed", "Cannot regenerate secret for public client");
  const secret = randomSecret();
  return auth.database.transaction(async (tx) => {
    const values = { secret_hash: sha256(secret), updated_at: timestamp(auth) };
    const changed = await update(tx, "auth_oauth_clients", text(row, "id"), values);
    if (changed === undefined)
      throw new AuthFault("oauth_client_not_found", "OAuth client not found");
    await note(auth, tx, request, text(row, "id"));
    return ok(writeClient(changed, secret));
  });
}

function note(auth: Auth, tx: Queryable, request: AuthRequest, clientId: string): Promise<void> {
  const traits = { client_id: clientId, method: request.method };
  return audit(auth, tx, { action: "oauth_client_changed", ip: request.ip, actor: null, traits });
}
