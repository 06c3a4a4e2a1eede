/** Tells which tables a database has. */

import type { Database } from "./port.ts";

/** True when the database has the table; false for one that only an older version, or no server, has opened. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const sql =
    database.dialect === "sqlite"
      ? "select 1 from sqlite_master where type = 'table' and name = $1"
      : "select 1 where to_regclass($1) is not null";
  return (await database.query(sql, [name])).rows.length > 0;
}
