import { join } from "node:path";
import type { Logger } from "../log.ts";
import type { Settings } from "../settings.ts";
import { setHistoryBudget } from "./history.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./port.ts";
import { openPostgres } from "./postgres/open.ts";
import { prepareProbe, probe } from "./probe.ts";
import { canvasSteps } from "./schema.ts";
import { openSqlite } from "./sqlite/open.ts";

/** The name of the embedded database's file in DATA_DIR. */
export const DATABASE_FILE = "inkpool.db";

/** Opens the database that the settings name, brings the whiteboard's tables up to date and tells the history its budget. */
export async function openDatabase(
  settings: Pick<Settings, "databaseUrl" | "dataDir" | "historyBytes">,
  log: Logger,
): Promise<Database> {
  const database =
    settings.databaseUrl === null
      ? await openSqlite(join(settings.dataDir, DATABASE_FILE))
      : await openPostgres(settings.databaseUrl, log);
  try {
    await migrate(database, "canvas", canvasSteps());
    await setHistoryBudget(database, settings.historyBytes);
    await prepareProbe(database);
    await probe(database, new Date().toISOString());
  } catch (error) {
    await database.close();
    throw error;
  }
  log.info("database opened", { kind: database.dialect });
  return database;
}
