/** The admin API for OAuth clients: a registry of applications that may ask for sign-ins. */

import { randomUUID } from "node:crypto";
import type { Row } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import { requireAdmin } from "../caller.ts";
import { type Auth, timestamp } from "../context.ts";
import { AuthFault } from "../errors.ts";
import {
  noContent,
  ok,
  pathParam,
  requiredText,
  textField,
  textsField,
  type AuthResponse,
  type AuthRequest,
  type Fields,
} from "../request.ts";
import { randomSecret, sha256 } from "../secrets.ts";
import { insert, json, one, text, textOrNull, update, type Values } from "../store/rows.ts";
import { withoutNulls } from "../store/json.ts";
import { pageHeaders, readPage } from "./pages.ts";

const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"];
const GRANT_TYPES = ["authorization_code", "refresh_token"];

function writeClient(row: Row, secret?: string): Fields {
  return withoutNulls({
    client_id: text(row, "id"),
    client_name: text(row, "name"),
    client_secret: secret,
    client_type: text(row, "client_type"),
    token_endpoint_auth_method: text(row, "auth_method"),
    registration_type: "manual",
    client_uri: textOrNull(row, "client_uri"),
    logo_uri: textOrNull(row, "logo_uri"),
    redirect_uris: json(row, "redirect_uris"),
    grant_types: json(row, "grant_types"),
    response_types: json(row, "response_types"),
    scope: textOrNull(row, "scope"),
    created_at: text(row, "created_at"),
    updated_at: text(row, "updated_at"),
  });
}

/** The columns that a body sets. @throws AuthFault validation_failed */
function readValues(body: Fields): Values {
  const values: Record<string, string> = {};
  const name = textField(body, "client_name");
  if (name !== undefined) values["name"] = name.slice(0, 1024);
  for (const field of ["client_uri", "logo_uri"]) {
    const address = textField(body, field);
    if (address === undefined) continue;
    if (!isWebAddress(address))
      throw new AuthFault("validation_failed", `${field} must be a valid URL`);
    values[field] = address;
  }
  const redirects = textsField(body, "redirect_uris");
  if (redirects !== undefined) values["redirect_uris"] = JSON.stringify(checkRedirects(redirects));
  const grants = textsField(body, "grant_types");
  if (grants !== undefined) {
    if (grants.length === 0 || !grants.every((grant) => GRANT_TYPES.includes(grant)))
      throw new AuthFault("validation_failed", `grant_types must be of ${GRANT_TYPES.join(", ")}`);
    values["grant_types"] = JSON.stringify(grants);
  }
  const responses = textsField(body, "response_types");
  if (responses !== undefined && !responses.every((one) => one === "code"))
    throw new AuthFault("validation_failed", "response_types must be code");
  const scope = textField(body, "scope");
  if (scope !== undefined) values["scope"] = scope.slice(0, 1024);
  const method = textField(body, "token_endpoint_auth_method");
  if (method !== undefined) {
    if (!AUTH_METHODS.includes(method))
      throw new AuthFault(
        "validation_failed",
        `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(", ")}`,
      );
    values["auth_method"] = method;
    values["client_type"] = method === "none" ? "public" : "confidential";
  }
  return values;
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** The rules of OAuth 2.1: absolute, without a fragment, https unless the address is on the device. @throws AuthFault validation_failed */
function checkRedirects(redirects: readonly string[]): readonly string[] {
  if (redirects.length === 0 || redirects.length > 10)
    throw new AuthFault("validation_failed", "redirect_uris must contain 1 to 10 addresses");
  for (const redirect of redirects) {
    const url = URL.canParse(redirect) ? new URL(redirect) : null;
    const local = url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    const wrong = ["javascript:", "data:", "file:", "blob:", "vbscript:"];
    if (
      url === null ||
      redirect.includes("#") ||
      wrong.includes(url.protocol) ||
      (url.protocol === "http:" && !local)
    )
      throw new AuthFault(
        "validation_failed",
        "redirect_uris must be https addresses without a fragment",
      );
  }
  return redirects;
}

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

/** The response is the only one that contains the secret; its hash is stored. */
export async function createClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  requiredText(request.body, "client_name");
  if (textsField(request.body, "redirect_uris") === undefined)
    throw new AuthFault("validation_failed", "redirect_uris is required");
  const given = readValues(request.body);
  const id = randomUUID();
  const secret = given["client_type"] === "public" ? undefined : randomSecret();
  await auth.database.transaction(async (tx) => {
    await insert(tx, "auth_oauth_clients", {
      client_type: "confidential",
      auth_method: "client_secret_basic",
      grant_types: JSON.stringify(GRANT_TYPES),
      response_types: '["code"]',
      ...given,
      id,
      secret_hash: secret === undefined ? null : sha256(secret),
      created_at: timestamp(auth),
      updated_at: timestamp(auth),
    });
    await note(auth, tx, request, id);
  });
  const row = await one(auth.database, "select * from auth_oauth_clients where id = $1", [id]);
  if (row === undefined) throw new Error("the client is gone right after it was made");
  return { status: 201, json: writeClient(row, secret) };
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
  const given = readValues(request.body);
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

/** DELETE /admin/oauth/clients/:client_id. @throws AuthFault oauth_client_not_found */
export async function deleteClient(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const id = text(await clientOfPath(auth, request), "id");
  await auth.database.transaction(async (tx) => {
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

function note(
  auth: Auth,
  tx: Parameters<typeof insert>[0],
  request: AuthRequest,
  clientId: string,
): Promise<void> {
  const traits = { client_id: clientId, method: request.method };
  return audit(auth, tx, { action: "oauth_client_changed", ip: request.ip, actor: null, traits });
}
