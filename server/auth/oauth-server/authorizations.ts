/** The authorization that an OAuth client asks a person for, from its request to the exchange of its code. */

import type { Queryable, Row } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { withQuery } from "../http/redirects.ts";
import { randomSecret, sha256 } from "../secrets/secrets.ts";
import { insert, one, text, textOrNull } from "../store/rows.ts";

/** The status. `used` is stored for a day, so that a code which is used again ends the session for which it was exchanged. */
export type AuthorizationStatus = "pending" | "approved" | "used";

export interface Authorization {
  readonly idHash: string;
  readonly clientId: string;
  readonly userId: string | null;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string | null;
  readonly resource: string | null;
  readonly nonce: string | null;
  readonly codeChallenge: string;
  readonly status: AuthorizationStatus;
  /** The session in which the person consented. */
  readonly consentSessionId: string | null;
  /** The session for which the code was exchanged. */
  readonly issuedSessionId: string | null;
  readonly expiresAt: string;
}

function readAuthorization(row: Row): Authorization {
  return {
    idHash: text(row, "id_hash"),
    clientId: text(row, "client_id"),
    userId: textOrNull(row, "user_id"),
    redirectUri: text(row, "redirect_uri"),
    scope: text(row, "scope"),
    state: textOrNull(row, "state"),
    resource: textOrNull(row, "resource"),
    nonce: textOrNull(row, "nonce"),
    codeChallenge: text(row, "code_challenge"),
    status: text(row, "status") as AuthorizationStatus,
    consentSessionId: textOrNull(row, "consent_session_id"),
    issuedSessionId: textOrNull(row, "issued_session_id"),
    expiresAt: text(row, "expires_at"),
  };
}

export interface NewAuthorization {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string | undefined;
  readonly resource: string | undefined;
  readonly nonce: string | undefined;
  /** The code challenge by the method S256. */
  readonly codeChallenge: string;
}

/** Stores a client's request, and returns the id for the consent page. */
export async function openAuthorization(auth: Auth, asked: NewAuthorization): Promise<string> {
  const id = randomSecret();
  await insert(auth.database, "auth_oauth_authorizations", {
    id_hash: sha256(id),
    client_id: asked.clientId,
    redirect_uri: asked.redirectUri,
    scope: asked.scope,
    state: asked.state ?? null,
    resource: asked.resource ?? null,
    nonce: asked.nonce ?? null,
    code_challenge: asked.codeChallenge,
    status: "pending",
    expires_at: timestamp(auth, auth.settings.GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL),
    created_at: timestamp(auth),
  });
  return id;
}

/**
 * Claims an authorization: the first person who looks at it is the one who decides. Undefined when another one did,
 * or there is none.
 */
export async function claimAuthorization(
  tx: Queryable,
  id: string,
  userId: string,
): Promise<Authorization | undefined> {
  const row = await one(
    tx,
    `update auth_oauth_authorizations set user_id = $2
     where id_hash = $1 and (user_id is null or user_id = $2) returning *`,
    [sha256(id), userId],
  );
  return row === undefined ? undefined : readAuthorization(row);
}

/** Returns the authorization of a person who has looked at it, locked, so that it is decided once. */
export async function lockAuthorization(
  tx: Queryable,
  id: string,
  userId: string,
): Promise<Authorization | undefined> {
  const row = await one(
    tx,
    `update auth_oauth_authorizations set user_id = user_id
     where id_hash = $1 and user_id = $2 returning *`,
    [sha256(id), userId],
  );
  return row === undefined ? undefined : readAuthorization(row);
}

/** Milliseconds for which a code may wait for its exchange. */
const CODE_MS = 300_000;

/** Makes the code of a pending authorization, and returns the address to which it leads. */
export async function approve(
  auth: Auth,
  tx: Queryable,
  asked: Authorization,
  sessionId: string,
): Promise<string> {
  const code = randomSecret();
  const validMs = Math.min(CODE_MS, auth.settings.GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL);
  await tx.query(
    `update auth_oauth_authorizations
     set status = 'approved', code_hash = $2, consent_session_id = $3, expires_at = $4
     where id_hash = $1 and status = 'pending'`,
    [asked.idHash, sha256(code), sessionId, timestamp(auth, validMs)],
  );
  await tx.query("update auth_oauth_clients set approved_at = $2 where id = $1", [
    asked.clientId,
    timestamp(auth),
  ]);
  return returnAddress(auth, asked, { code });
}

/** Returns the address at which the browser returns to the client, with the client's state and this server's name (RFC 9207). */
export function returnAddress(
  auth: Auth,
  asked: { readonly redirectUri: string; readonly state?: string | null | undefined },
  values: Readonly<Record<string, string>>,
): string {
  const state = asked.state ?? "";
  return withQuery(asked.redirectUri, {
    ...values,
    ...(state === "" ? {} : { state }),
    iss: issuerOf(auth),
  });
}

/** Returns this server's name in tokens and metadata. */
export function issuerOf(auth: Auth): string {
  return auth.settings.GOTRUE_JWT_ISSUER ?? auth.urls.api();
}

export async function authorizationOfCode(
  db: Queryable,
  code: string,
): Promise<Authorization | undefined> {
  const row = await one(db, "select * from auth_oauth_authorizations where code_hash = $1", [
    sha256(code),
  ]);
  return row === undefined ? undefined : readAuthorization(row);
}

const USED_MS = 86_400_000;

/** Marks a code as used. Only one of several callers gets true; the others wait for its transaction. */
export async function useCode(auth: Auth, tx: Queryable, idHash: string): Promise<boolean> {
  const row = await one(
    tx,
    `update auth_oauth_authorizations set status = 'used', expires_at = $2
     where id_hash = $1 and status = 'approved' returning id_hash`,
    [idHash, timestamp(auth, USED_MS)],
  );
  return row !== undefined;
}

/** Notes the session for which a code was exchanged. */
export async function noteIssued(tx: Queryable, idHash: string, sessionId: string): Promise<void> {
  await tx.query("update auth_oauth_authorizations set issued_session_id = $2 where id_hash = $1", [
    idHash,
    sessionId,
  ]);
}
