import { join } from "node:path";
import type { Logger } from "../../process/log.ts";
import type { Settings } from "../../settings/settings.ts";
import { setHistoryBudget } from "../history.ts";
import { migrate } from "../migrate.ts";
import type { Database } from "../port.ts";
import { prepareProbe, probe } from "../probe.ts";
import { canvasSteps } from "./schema.ts";
import { fileFault } from "../sqlite/damage.ts";
import { openSqlite } from "../sqlite/open.ts";
import { withOutageLog } from "../sqlite/outages.ts";

/** The name of the embedded database's file in DATA_DIR. */
export const DATABASE_FILE = "inkpool.db";

/**
 * Opens the database that the settings name, brings the whiteboard's tables up to date and sets the budget of the
 * history. The database is read and written once, to notice one that cannot be.
 * @throws StartFault for a database that is damaged or cannot be used
 */
export async function openDatabase(
  settings: Pick<
    Settings,
    | "databaseUrl"
    | "databasePool"
    | "databaseWait"
    | "dataDir"
    | "historyBytes"
    | "statementTimeout"
  >,
  log: Logger,
): Promise<Database> {
  const { databaseUrl, dataDir, historyBytes, statementTimeout } = settings;
  if (databaseUrl !== null) {
    const { databasePool: connections, databaseWait: wait } = settings;
    const options = { statementTimeout, connections, wait };
    const { openPostgres } = await import("../postgres/open.ts");
    return prepared(await openPostgres(databaseUrl, log, options), historyBytes, log);
  }
  const path = join(dataDir, DATABASE_FILE);
  try {
    const database = await openSqlite(path, { statementTimeout });
    return withOutageLog(await prepared(database, historyBytes, log), log);
  } catch (error) {
    throw fileFault(path, error);
  }
}

async function prepared(database: Database, historyBytes: number, log: Logger): Promise<Database> {
  try {
    await migrate(database, "canvas", canvasSteps());
    await setHistoryBudget(database, historyBytes);
    await prepareProbe(database);
    await probe(database, new Date().toISOString());
  } catch (error) {
    await database.close();
    throw error;
  }
  log.info("database opened", { kind: database.dialect });
  return database;
}
