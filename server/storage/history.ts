/** The replaced drawings that the database has stored, as an operator and the server's start use them. */

import type { Database, Queryable, Row } from "./port.ts";
import { parseTimestamp } from "./timestamp.ts";

/** A replaced drawing, without its text. Its times are in the form of the table API. */
export interface StoredVersion {
  readonly id: number;
  readonly savedAt: string;
  readonly replacedAt: string;
  /** Bytes of the UTF-8 text, and the number of entries in its list of objects. */
  readonly bytes: number;
  readonly objects: number;
  /** Whether its successor had fewer than half of its objects or bytes. */
  readonly loss: boolean;
}

const COLUMNS = "id, saved_at, replaced_at, bytes, objects, loss";

/**
 * Sets how many bytes of replaced drawings the database stores. Those beyond it are removed immediately.
 * @param bytes 0 keeps none, and no drawing is copied any more
 */
export async function setHistoryBudget(database: Queryable, bytes: number): Promise<void> {
  await database.query("update canvas_history_settings set max_bytes = $1", [bytes]);
}

/** Returns all versions, the newest first. */
export async function listVersions(database: Queryable): Promise<readonly StoredVersion[]> {
  const { rows } = await database.query(`select ${COLUMNS} from canvas_history order by id desc`);
  return rows.map(toVersion);
}

/** Returns the JSON text of a version, byte for byte; null when there is no version with this id. */
export async function readVersion(database: Queryable, id: number): Promise<string | null> {
  const sql = "select cast(canvas_json as text) as drawing from canvas_history where id = $1";
  return textOf((await database.query(sql, [id])).rows[0]);
}

/**
 * Writes the row as any client does, so that the replaced drawing is stored. Without a row it makes one.
 * @param compose gets the text of the row, or null without one, and returns the text to write
 */
export async function replaceDrawing(
  database: Database,
  compose: (current: string | null) => string,
  now: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    const lock = database.dialect === "postgres" ? " for update" : "";
    const { rows } = await tx.query(
      `select cast(canvas_json as text) as drawing from canvas_state limit 1${lock}`,
    );
    const current = textOf(rows[0]);
    const values = [compose(current), parseTimestamp(new Date(now).toISOString())];
    await tx.query(
      current === null
        ? "insert into canvas_state (canvas_json, updated_at) values ($1, $2)"
        : "update canvas_state set canvas_json = $1, updated_at = $2",
      values,
    );
  });
}

function textOf(row: Row | undefined): string | null {
  return row === undefined ? null : String(row["drawing"]);
}

function toVersion(row: Row): StoredVersion {
  return {
    id: Number(row["id"]),
    savedAt: String(row["saved_at"]),
    replacedAt: String(row["replaced_at"]),
    bytes: Number(row["bytes"]),
    objects: Number(row["objects"]),
    loss: Boolean(row["loss"]),
  };
}
