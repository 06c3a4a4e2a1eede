/** Sessions as they are stored. */

import type { Queryable, Row } from "../../storage/port.ts";
import { json, one, text, textOrNull } from "../store/rows.ts";

export type Aal = "aal1" | "aal2";

/** One way that the person proved who they are; `timestamp` in seconds. */
export interface AmrEntry {
  readonly method: string;
  readonly timestamp: number;
  readonly provider?: string;
}

export interface StoredSession {
  readonly id: string;
  readonly userId: string;
  readonly aal: Aal;
  /** The newest first. */
  readonly amr: readonly AmrEntry[];
  readonly notAfter: string | null;
  readonly refreshedAt: string;
  readonly createdAt: string;
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
  };
}

export async function sessionById(db: Queryable, id: string): Promise<StoredSession | undefined> {
  const row = await one(db, "select * from auth_sessions where id = $1", [id]);
  return row === undefined ? undefined : readSession(row);
}

/** Ends one session of a user. */
export async function endSession(tx: Queryable, id: string): Promise<void> {
  await tx.query("delete from auth_refresh_tokens where session_id = $1", [id]);
  await tx.query("delete from auth_sessions where id = $1", [id]);
}
