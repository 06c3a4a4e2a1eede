/** Reads the row that a restore replaces and the one of the backup, and writes what `restoredRow` makes of them. */

import { appendFileSync, existsSync, unlinkSync } from "node:fs";
import { randomBytes } from "node:crypto";
import Driver from "libsql";
import { makeAuthor } from "../../board/author.ts";
import type { Author } from "../../board/drawing.ts";
import type { Database } from "../storage/port.ts";
import { parseTimestamp } from "../storage/timestamp.ts";
import { runProgram } from "./postgres-programs.ts";
import { restoredRow, type StoredRow } from "./restored-row.ts";

/**
 * Writes the row that prevails over `target` into an embedded database that nobody else uses. The triggers are not
 * there meanwhile: they number versions one by one, and would keep the row of the backup as one that was replaced.
 */
export function prevailInFile(file: string, target: string): void {
  const database = new Driver(file);
  try {
    const backup = rowIn(database);
    const row = backup && restoredRow(backup, rowOfFile(target), newAuthor());
    if (row === null) return;
    const triggers = database
      .prepare(
        "select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'canvas_state'",
      )
      .all([]) as { name: string; sql: string }[];
    database.exec("begin");
    for (const { name } of triggers) database.exec(`drop trigger "${name}"`);
    const now = parseTimestamp(new Date().toISOString());
    database
      .prepare("update canvas_state set canvas_json = ?, version = ?, updated_at = ?")
      .run([row.drawing, row.version, now]);
    for (const { sql } of triggers) database.exec(sql);
    database.exec("commit");
  } finally {
    database.close();
  }
}

/**
 * The row of a file that may not be there, or be damaged: the reason why it is replaced. Reading changes nothing; the
 * files that SQLite leaves beside it are removed.
 */
function rowOfFile(file: string): StoredRow | null {
  if (!existsSync(file)) return null;
  const made = [`${file}-wal`, `${file}-shm`].filter((name) => !existsSync(name));
  try {
    const database = new Driver(file, { readonly: true });
    try {
      return rowIn(database);
    } finally {
      database.close();
      for (const name of made) if (existsSync(name)) unlinkSync(name);
    }
  } catch {
    return null;
  }
}

/** Returns the row; null without one, and in a database from before rows had versions. */
function rowIn(database: Driver.Database): StoredRow | null {
  const [row] = database.prepare("select * from canvas_state").all([]) as {
    canvas_json: string;
    version?: number;
  }[];
  return row?.version === undefined ? null : { drawing: row.canvas_json, version: row.version };
}

/** Returns the row of a database of PostgreSQL; null where it cannot be read, as from before rows had versions. */
export async function rowOfDatabase(database: Database): Promise<StoredRow | null> {
  const sql = "select cast(canvas_json as text) as drawing, version from canvas_state";
  const [row] = await database.query(sql).then(
    ({ rows }) => rows,
    () => [],
  );
  return row === undefined
    ? null
    : { drawing: String(row["drawing"]), version: Number(row["version"]) };
}

/** Appends to the script of a dump the SQL that writes the row that prevails over `replaced`, as `prevailInFile` does. */
export async function prevailInScript(
  script: string,
  dump: string,
  replaced: StoredRow | null,
): Promise<void> {
  const backup = await rowOfDump(dump);
  const row = backup && restoredRow(backup, replaced, newAuthor());
  if (row === null) return;
  const lines = [
    "alter table public.canvas_state disable trigger user;",
    `update public.canvas_state set canvas_json = '${row.drawing.replaceAll("'", "''")}',`,
    `version = ${row.version}, updated_at = clock_timestamp();`,
    "alter table public.canvas_state enable trigger user;",
  ];
  appendFileSync(script, `${lines.join("\n")}\n`);
}

/** Matches the row of the table where a dump is written as SQL: the names of the columns, and the values. */
const COPY = /^COPY public\.canvas_state \((.*)\) FROM stdin;\n(?!\\\.)(.*)$/m;

/** The characters that letters behind a backslash stand for there. */
const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

async function rowOfDump(dump: string): Promise<StoredRow | null> {
  const choice = ["--data-only", "--schema=public", "--table=canvas_state"];
  const sql = await runProgram("pg_restore", null, [...choice, "--file=-", dump]);
  const [, names = "", values = ""] = COPY.exec(sql) ?? [];
  const cells = values.split("\t");
  const cell = (name: string): string | undefined => cells[names.split(", ").indexOf(name)];
  const [drawing, version] = [cell("canvas_json"), cell("version")];
  if (drawing === undefined || version === undefined) return null;
  const text = drawing.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char);
  return { drawing: text, version: Number(version) };
}

const FIRST_DAY = Date.UTC(2020, 0, 1);

function newAuthor(): Author {
  const day = Math.floor((Date.now() - FIRST_DAY) / 86_400_000);
  return makeAuthor(day, randomBytes(5).toString("hex"));
}
