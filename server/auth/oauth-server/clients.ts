/** The applications that may ask for access: how they are stored and written, and which fields are valid. */

import { randomUUID } from "node:crypto";
import type { Queryable, Row } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { isUuid, textField, textsField, type Fields } from "../http/request.ts";
import { randomSecret, sha256 } from "../secrets/secrets.ts";
import { withoutNulls } from "../store/json.ts";
import { insert, json, one, text, textOrNull, type Values } from "../store/rows.ts";

export const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  /** The hash of the secret; null for a public client, which has none. */
  readonly secretHash: string | null;
  readonly authMethod: string;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly clientUri: string | null;
  readonly logoUri: string | null;
}

export function readClient(row: Row): OAuthClient {
  return {
    id: text(row, "id"),
    name: text(row, "name"),
    secretHash: textOrNull(row, "secret_hash"),
    authMethod: text(row, "auth_method"),
    redirectUris: json(row, "redirect_uris"),
    grantTypes: json(row, "grant_types"),
    clientUri: textOrNull(row, "client_uri"),
    logoUri: textOrNull(row, "logo_uri"),
  };
}

/** Returns the client with an id; undefined for an unknown one. */
export async function clientById(db: Queryable, id: string): Promise<OAuthClient | undefined> {
  const row = isUuid(id)
    ? await one(db, "select * from auth_oauth_clients where id = $1", [id.toLowerCase()])
    : undefined;
  return row === undefined ? undefined : readClient(row);
}

/**
 * Returns a client as the registration and the admin API write it. Only the response that creates the client contains
 * `secret`.
 */
export function writeClient(row: Row, secret?: string): Fields {
  return withoutNulls({
    client_id: text(row, "id"),
    client_name: text(row, "name"),
    client_secret: secret,
    client_type: text(row, "client_type"),
    token_endpoint_auth_method: text(row, "auth_method"),
    registration_type: text(row, "registration_type"),
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

/** Returns a client as it is shown to people who are asked for consent. */
export function describeClient(client: OAuthClient): Fields {
  return {
    id: client.id,
    name: client.name,
    uri: client.clientUri ?? "",
    logo_uri: client.logoUri ?? "",
  };
}

/** Adds a client with the columns that `readClientValues` returned, and returns its row and its secret. */
export async function insertClient(
  auth: Auth,
  tx: Queryable,
  given: Values,
): Promise<{ readonly row: Row; readonly secret: string | undefined }> {
  const secret = given["client_type"] === "public" ? undefined : randomSecret();
  const row = await insert(tx, "auth_oauth_clients", {
    name: "",
    client_type: "confidential",
    auth_method: "client_secret_basic",
    grant_types: JSON.stringify(GRANT_TYPES),
    response_types: '["code"]',
    ...given,
    id: randomUUID(),
    secret_hash: secret === undefined ? null : sha256(secret),
    created_at: timestamp(auth),
    updated_at: timestamp(auth),
  });
  return { row, secret };
}

/** Returns the columns that a body sets. @throws AuthFault validation_failed */
export function readClientValues(body: Fields): Values {
  const values: Record<string, string> = {};
  const name = textField(body, "client_name");
  if (name !== undefined) values["name"] = atMost(name, 1024, "client_name");
  for (const field of ["client_uri", "logo_uri"]) {
    const address = textField(body, field);
    if (address === undefined) continue;
    if (!isWebAddress(atMost(address, 2048, field)))
      throw new AuthFault("validation_failed", `${field} must be a valid URL`);
    values[field] = address;
  }
  const redirects = textsField(body, "redirect_uris");
  if (redirects !== undefined) values["redirect_uris"] = JSON.stringify(checkRedirects(redirects));
  const grants = textsField(body, "grant_types");
  if (grants !== undefined) values["grant_types"] = JSON.stringify(checkGrants(grants));
  const responses = textsField(body, "response_types");
  if (responses !== undefined && !responses.every((one) => one === "code"))
    throw new AuthFault("validation_failed", "response_types must be code");
  const scope = textField(body, "scope");
  if (scope !== undefined) values["scope"] = atMost(scope, 1024, "scope");
  return { ...values, ...readAuthMethod(body) };
}

function atMost(value: string, length: number, field: string): string {
  if (value.length > length)
    throw new AuthFault("validation_failed", `${field} cannot exceed ${length} characters`);
  return value;
}

function checkGrants(grants: readonly string[]): readonly string[] {
  const known: readonly string[] = GRANT_TYPES;
  if (grants.length === 0 || !grants.every((grant) => known.includes(grant)))
    throw new AuthFault("validation_failed", `grant_types must be of ${GRANT_TYPES.join(", ")}`);
  return [...new Set(grants)];
}

function readAuthMethod(body: Fields): Values {
  const method = textField(body, "token_endpoint_auth_method");
  const type = textField(body, "client_type");
  if (type !== undefined && type !== "public" && type !== "confidential")
    throw new AuthFault("validation_failed", "client_type must be public or confidential");
  if (method === undefined)
    return type === "public" ? { auth_method: "none", client_type: "public" } : {};
  if (!AUTH_METHODS.some((known) => known === method))
    throw new AuthFault(
      "validation_failed",
      `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(", ")}`,
    );
  const fitting = method === "none" ? "public" : "confidential";
  if (type !== undefined && type !== fitting)
    throw new AuthFault(
      "validation_failed",
      `client_type ${type} does not fit token_endpoint_auth_method ${method}`,
    );
  return { auth_method: method, client_type: fitting };
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Schemes that run code, read files or open another program's dialog; no browser is ever redirected to them. */
const NO_REDIRECT = [
  "about:",
  "blob:",
  "chrome:",
  "chrome-extension:",
  "data:",
  "feed:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "jar:",
  "javascript:",
  "mailto:",
  "moz-extension:",
  "resource:",
  "search-ms:",
  "sms:",
  "tel:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
];

/**
 * Checks redirects by the rules of OAuth 2.1: absolute, without a fragment, https unless the address is on the
 * device; or an application's own scheme. @throws AuthFault validation_failed
 */
function checkRedirects(redirects: readonly string[]): readonly string[] {
  if (redirects.length === 0 || redirects.length > 10)
    throw new AuthFault("validation_failed", "redirect_uris must contain 1 to 10 addresses");
  if (!redirects.every(isRedirect))
    throw new AuthFault(
      "validation_failed",
      "redirect_uris must be https addresses without a fragment",
    );
  return redirects;
}

function isRedirect(redirect: string): boolean {
  // Browsers ignore control characters and spaces, and would read an address other than the registered one.
  if (redirect.length > 2048 || /[\s\p{Cc}#\\]/u.test(redirect) || !URL.canParse(redirect))
    return false;
  const url = new URL(redirect);
  if (url.username !== "" || url.password !== "" || NO_REDIRECT.includes(url.protocol))
    return false;
  if (url.protocol === "http:") return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  // A host with a `*` is a mistake, since addresses are compared as a whole.
  if (url.protocol === "https:") return /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname);
  // By RFC 8252 an application's scheme is a domain in reverse. Many have a short scheme, and then name a host.
  return url.protocol.includes(".") || /^[a-z][a-z0-9+-]*:\/\/[^/]/.test(redirect);
}
