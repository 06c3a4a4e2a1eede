/** Tests whether a database works, by reading and writing it like a load and a save. */

import { DatabaseUnavailable } from "./faults.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./port.ts";

const TABLE = `create table if not exists inkpool_probe (
  only_row integer primary key default 1 check (only_row = 1),
  checked_at text not null
);
insert into inkpool_probe (checked_at) values ('') on conflict do nothing;`;

/** The table for PostgreSQL. No role of the table API may use it, even where a database grants new tables to them by default. */
const TABLE_POSTGRES = `${TABLE}
alter table inkpool_probe enable row level security;
revoke all on inkpool_probe from public, anon, authenticated, service_role;`;

/** Makes the table to which a probe writes. */
export function prepareProbe(database: Database): Promise<void> {
  return migrate(database, "probe", [
    { name: "0001_probe", sqlite: TABLE, postgres: TABLE_POSTGRES },
  ]);
}

/**
 * The statement with which PostgreSQL writes 16 MB into a temporary file, about what a save of a large drawing needs: a
 * small write goes into space that its files have already. One with a limit for temporary files writes none.
 */
const SPILL = `with spill as materialized (
  select repeat('x', 1000000) as text
    from generate_series(1, case when current_setting('temp_file_limit') = '-1' then 16 else 0 end)
) select count(text) from spill`;

/** The code for a disk without space. */
const FULL = "53100";

/** Whether the disk of a PostgreSQL database has space for a save. It costs about 30 ms of the database's time. */
export async function hasSpace(database: Database): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      await tx.query("set local work_mem = '64kB'");
      await tx.query(SPILL);
    });
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.code === FULL) return false;
    throw error;
  }
}

/**
 * Reads the whole drawing and commits a write: a change that is rolled back would reach no disk. Rejects when the
 * database is damaged, cannot be written or has no space. It costs up to 20 ms of the database's time and one sync.
 * @param now any text that differs from that of the last probe, such as the time
 */
export async function probe(database: Database, now: string): Promise<void> {
  // SQLite would answer from its cached pages, whatever became of the file.
  if (database.dialect === "sqlite") await database.query("pragma shrink_memory");
  await database.transaction(async (tx) => {
    await tx.query("select length(cast(canvas_json as text)) as characters from canvas_state");
    await tx.query("update inkpool_probe set checked_at = $1", [now]);
  });
}
