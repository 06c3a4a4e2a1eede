import { StartFault } from "../process/start-fault.ts";
import { StorageFault } from "./faults.ts";
import type { Database, MigrationStep, Queryable } from "./port.ts";

/** The number that PostgreSQL locks while a schema is brought up to date; nobody else uses it. */
const ADVISORY_LOCK = 7_310_455_213;

const CREATE_TABLE = `create table if not exists inkpool_migrations (
  schema_name text not null,
  step text not null,
  applied_at text not null,
  primary key (schema_name, step)
)`;

/**
 * Brings a schema up to date: runs the steps that were not run yet, in order, all in one transaction. It is safe when
 * several processes start at the same time: one works, the others wait and find nothing to do.
 * @throws StartFault for a schema that a newer version has brought up to date, and where the database refuses a step
 */
export async function migrate(
  database: Database,
  name: string,
  steps: readonly MigrationStep[],
): Promise<void> {
  const setting = database.dialect === "postgres" ? "DATABASE_URL" : "DATA_DIR";
  const work = async (tx: Queryable): Promise<void> => {
    if (database.dialect === "postgres") {
      await tx.query("select pg_advisory_xact_lock($1::bigint)", [ADVISORY_LOCK]);
      await tx.query("set local client_min_messages = warning");
    }
    await tx.query(CREATE_TABLE);
    const done = await appliedSteps(tx, name);
    const known = new Set(steps.map((step) => step.name));
    const unknown = [...done].filter((step) => !known.has(step));
    if (unknown.length > 0)
      throw new StartFault(
        `${setting}: the database is newer than this server (it has ${name} ${unknown.join(", ")}); expected the version that made it or a newer one, or a backup from before`,
      );
    for (const step of steps) {
      if (done.has(step.name)) continue;
      await tx.query(step[database.dialect]);
      await tx.query(
        "insert into inkpool_migrations (schema_name, step, applied_at) values ($1, $2, $3)",
        [name, step.name, new Date().toISOString()],
      );
    }
  };
  try {
    await database.migration(work);
  } catch (error) {
    // The privilege is insufficient for a user who owns neither the database nor its schema.
    if (!(error instanceof StorageFault && error.code === "42501")) throw error;
    throw new StartFault(
      `DATABASE_URL: the tables cannot be made or changed (${error.message}); expected a user that owns them and may create in the schema public (docs/operations.md has the statements)`,
    );
  }
}

async function appliedSteps(tx: Queryable, name: string): Promise<Set<string>> {
  const { rows } = await tx.query("select step from inkpool_migrations where schema_name = $1", [
    name,
  ]);
  return new Set(rows.map((row) => String(row["step"])));
}
