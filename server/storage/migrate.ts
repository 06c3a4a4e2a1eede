import type { Database, Queryable } from "./database.ts";

/** One step of a schema's history. A step that was released never changes; a new one is added behind it. */
export interface MigrationStep {
  /** Unique within its schema, such as `0001_users`. */
  readonly name: string;
  /** SQL for each dialect; several statements may stand in one text. */
  readonly sqlite: string;
  readonly postgres: string;
}

/** What PostgreSQL locks while a schema is brought up to date; any number that nobody else uses. */
const ADVISORY_LOCK = 7_310_455_213;

const CREATE_TABLE = `create table if not exists inkpool_migrations (
  schema_name text not null,
  step text not null,
  applied_at text not null,
  primary key (schema_name, step)
)`;

/**
 * Brings a schema up to date: runs the steps that were not run yet, in order, all in one transaction.
 * Safe when several processes start at once: one works, the others wait and find nothing to do.
 */
export async function migrate(
  database: Database,
  name: string,
  steps: readonly MigrationStep[],
): Promise<void> {
  await database.transaction(async (tx) => {
    if (database.dialect === "postgres") {
      await tx.query("select pg_advisory_xact_lock($1::bigint)", [ADVISORY_LOCK]);
      await tx.query("set local client_min_messages = warning");
    }
    await tx.query(CREATE_TABLE);
    const done = await appliedSteps(tx, name);
    for (const step of steps) {
      if (done.has(step.name)) continue;
      await tx.query(step[database.dialect]);
      await tx.query(
        "insert into inkpool_migrations (schema_name, step, applied_at) values ($1, $2, $3)",
        [name, step.name, new Date().toISOString()],
      );
    }
  });
}

async function appliedSteps(tx: Queryable, name: string): Promise<Set<string>> {
  const { rows } = await tx.query("select step from inkpool_migrations where schema_name = $1", [
    name,
  ]);
  return new Set(rows.map((row) => String(row["step"])));
}
