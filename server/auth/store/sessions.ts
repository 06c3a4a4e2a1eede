/** Sessions as they are stored. */

import type { Queryable, Row } from "../../storage/port.ts";
import { json, one, text, textOrNull } from "./rows.ts";

export type Aal = "aal1" | "aal2";

/** A proof by which the person showed who they are; `timestamp` is in seconds. */
export interface AmrEntry {
  readonly method: string;
  readonly timestamp: number;
  readonly provider?: string;
}

export interface StoredSession {
  readonly id: string;
  readonly userId: string;
  readonly aal: Aal;
  /** The proofs, the newest first. */
  readonly amr: readonly AmrEntry[];
  readonly notAfter: string | null;
  readonly refreshedAt: string;
  readonly createdAt: string;
  /** The OAuth client that the session was issued to; null for the person's own sessions. */
  readonly clientId: string | null;
  /** The second factor that raised the session to aal2. */
  readonly factorId: string | null;
  /** The scope that the person granted that client. */
  readonly scope: string | null;
}

function readSession(row: Row): StoredSession {
  return {
    id: text(row, "id"),
    userId: text(row, "user_id"),
    aal: text(row, "aal") === "aal2" ? "aal2" : "aal1",
    amr: json(row, "amr"),
    notAfter: textOrNull(row, "not_after"),
    refreshedAt: text(row, "refreshed_at"),
    createdAt: text(row, "created_at"),
    clientId: textOrNull(row, "oauth_client_id"),
    factorId: textOrNull(row, "factor_id"),
    scope: textOrNull(row, "scope"),
  };
}

/** Returns a session; undefined when it has ended. */
export async function sessionById(db: Queryable, id: string): Promise<StoredSession | undefined> {
  const row = await one(db, "select * from auth_sessions where id = $1", [id]);
  return row === undefined ? undefined : readSession(row);
}

/** Ends one session of a user. */
export async function endSession(tx: Queryable, id: string): Promise<void> {
  await tx.query("delete from auth_refresh_tokens where session_id = $1", [id]);
  await tx.query("delete from auth_sessions where id = $1", [id]);
}

/** Ends every session of a user. */
export function endAllSessions(tx: Queryable, userId: string): Promise<void> {
  return endWhere(tx, "user_id = $1", [userId]);
}

/** Ends every session of a user but one. */
export function endOtherSessions(tx: Queryable, userId: string, exceptId: string): Promise<void> {
  return endWhere(tx, "user_id = $1 and id <> $2", [userId, exceptId]);
}

/** Ends the sessions of a user that have no second factor, but one. */
export function endOtherAal1Sessions(
  tx: Queryable,
  userId: string,
  exceptId: string,
): Promise<void> {
  return endWhere(tx, "user_id = $1 and id <> $2 and aal = 'aal1'", [userId, exceptId]);
}

/** Ends a user's sessions with one OAuth client. */
export function endClientSessions(tx: Queryable, userId: string, clientId: string): Promise<void> {
  return endWhere(tx, "user_id = $1 and oauth_client_id = $2", [userId, clientId]);
}

/** Ends everybody's sessions with one OAuth client. */
export function endSessionsOfClient(tx: Queryable, clientId: string): Promise<void> {
  return endWhere(tx, "oauth_client_id = $1", [clientId]);
}

async function endWhere(tx: Queryable, where: string, values: readonly string[]): Promise<void> {
  await tx.query(
    `delete from auth_refresh_tokens where session_id in (select id from auth_sessions where ${where})`,
    values,
  );
  await tx.query(`delete from auth_sessions where ${where}`, values);
}
