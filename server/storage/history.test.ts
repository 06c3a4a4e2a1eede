import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { createLogger } from "../process/log.ts";
import { examineGuarantee } from "./guarantee.case.ts";
import { examineHistory } from "./history.case.ts";
import type { Database } from "./port.ts";
import { openPostgres } from "./postgres/open.ts";
import { openSqlite } from "./sqlite/open.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-history-"));
const found = await openTestPostgres();
const log = createLogger("error", () => {}, Date.now);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

examineHistory("SQLite", () => openSqlite(join(folder, "history.db")));
examineGuarantee("SQLite", () => openSqlite(join(folder, "guarantee.db")), {
  runs: 60,
  writes: 100,
});

if (found.ok) {
  const { postgres } = found;
  const open = async (): Promise<Database> => openPostgres(await postgres.createDatabase(), log);
  examineHistory("PostgreSQL", open);
  examineGuarantee("PostgreSQL", open, { runs: 10, writes: 40 });
} else {
  test.skip(`history on PostgreSQL (${found.reason})`, () => {});
}
