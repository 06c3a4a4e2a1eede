import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { createLogger } from "../process/log.ts";
import { examineGuarantee } from "./guarantee.case.ts";
import { createHistoryBed } from "./history-bed.case.ts";
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
  runs: 30,
  writes: 60,
});

if (found.ok) {
  const { postgres } = found;
  const open = async (): Promise<Database> => openPostgres(await postgres.createDatabase(), log);
  examineHistory("PostgreSQL", open);
  examineGuarantee("PostgreSQL", open, { runs: 10, writes: 40 });
  test("STO-14 a drawing whose time is infinite, as SQL and PostgREST take it, is replaced and copied like any", async () => {
    for (const time of ["-infinity", "infinity"]) {
      const { database, save, versions } = await createHistoryBed(await open());
      const first = "insert into canvas_state (canvas_json, updated_at) values ('{}', $1)";
      await database.query(first, [time]);
      await save('{"objects":[1]}');
      const stored = await versions();
      expect(stored).toMatchObject([{ version: 1, bytes: 2 }]);
      expect(stored[0]?.saved).toBe(stored[0]?.replaced);
      await database.close();
    }
  });
} else {
  test.skip(`history on PostgreSQL (${found.reason})`, () => {});
}
