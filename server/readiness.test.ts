import {
  chownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "libsql";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { canMount, mountDisk, noMount } from "../testing/servers/disk.ts";
import { openTestPostgres } from "../testing/servers/postgres.ts";
import { createLogger } from "./process/log.ts";
import type { Readiness } from "./http/operations.ts";
import { createReadiness } from "./readiness.ts";
import { DATABASE_FILE, openDatabase } from "./storage/setup/open.ts";
import type { Database } from "./storage/port.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-readiness-"));
const found = await openTestPostgres();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

interface Bed {
  readonly database: Database;
  readonly dataDir: string;
  readonly log: readonly string[];
  /** Asks immediately, when the earlier result may still be valid. */
  ask(): Promise<Readiness>;
  /** Asks after so many milliseconds; without them when the earlier result is no longer valid. */
  askAgain(after?: number): Promise<Readiness>;
  /** Sets the clock, in milliseconds since 1970. */
  setClock(time: number): void;
}

async function setUp(
  databaseUrl: string | null,
  spareBytes?: number,
  dataDir = mkdtempSync(join(folder, "data-")),
): Promise<Bed> {
  const log: string[] = [];
  let time = Date.UTC(2026, 10, 22);
  let passed = 0;
  const settings = {
    databaseUrl,
    databasePool: 10,
    databaseWait: 10_000,
    dataDir,
    historyBytes: 1_000_000,
    statementTimeout: 30_000,
  };
  const logger = createLogger("info", (line) => log.push(line), Date.now);
  const database = await openDatabase(settings, logger);
  onTestFinished(() => database.close());
  log.length = 0;
  const ask = createReadiness({
    database,
    dataDir,
    log: logger,
    clock: () => time + passed,
    now: () => passed,
    ...(spareBytes === undefined ? {} : { spareBytes }),
  });
  const askAgain = (after = 5001): Promise<Readiness> => {
    passed += after;
    return ask();
  };
  return { database, dataDir, log, ask, askAgain, setClock: (to) => (time = to) };
}

async function probedAt({ database }: Bed): Promise<unknown> {
  return (await database.query("select checked_at from inkpool_probe")).rows[0]?.["checked_at"];
}

test("SRV-40 the database is written at most once in 5 s, however often it is asked for", async () => {
  const bed = await setUp(null);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const writes = vi.spyOn(bed.database, "transaction");
  expect(await Promise.all([bed.ask(), bed.ask(), bed.ask()])).toEqual(["ready", "ready", "ready"]);
  const first = await probedAt(bed);
  expect(await bed.askAgain(4999)).toBe("ready");
  expect(writes).toHaveBeenCalledTimes(1);
  expect(await bed.askAgain(2)).toBe("ready");
  expect(writes).toHaveBeenCalledTimes(2);
  expect(await probedAt(bed)).not.toBe(first);
  // A check that is done logs nothing later.
  expect(vi.getTimerCount()).toBe(0);
  expect(bed.log).toEqual([]);
});

test("SRV-40 a clock that is set back delays no check", async () => {
  const bed = await setUp(null);
  expect(await bed.ask()).toBe("ready");
  bed.setClock(Date.UTC(2020, 0, 1));
  expect(await bed.askAgain()).toBe("ready");
  expect(await probedAt(bed)).toBe("2020-01-01T00:00:05.001Z");
});

test("SRV-40 a database that another process keeps locked is not ready, and is again afterwards", async () => {
  const bed = await setUp(null);
  const other = new Driver(join(bed.dataDir, DATABASE_FILE));
  other.exec("begin immediate");
  expect(await bed.askAgain()).toBe("database unavailable");
  other.exec("rollback");
  other.close();
  await expect.poll(() => bed.askAgain(), { timeout: 10_000 }).toBe("ready");
  expect(bed.log.filter((line) => line.includes("ready"))).toEqual([
    expect.stringMatching(
      / error not ready: database unavailable error="no response within 2 s"\n$/,
    ),
    expect.stringMatching(/ info ready again\n$/),
  ]);
});

test("SRV-40 a file that is damaged or emptied while the server runs is not ready", async () => {
  const emptied = (path: string): void => truncateSync(path, 0);
  const overwritten = (path: string): void =>
    writeFileSync(path, readFileSync(path).fill(0xab, 4096), { flag: "r+" });
  for (const damage of [overwritten, emptied]) {
    const bed = await setUp(null);
    const drawing = JSON.stringify({ objects: ["x".repeat(100_000)] });
    await bed.database.query("insert into canvas_state (canvas_json) values ($1)", [drawing]);
    await bed.database.query("pragma wal_checkpoint(truncate)");
    expect(await bed.ask()).toBe("ready");
    await bed.database.query("pragma wal_checkpoint(truncate)");
    damage(join(bed.dataDir, DATABASE_FILE));
    expect([damage.name, await bed.askAgain()]).toEqual([damage.name, "database unavailable"]);
    expect(await bed.askAgain()).toBe("database unavailable");
    const lines = bed.log.filter((line) => line.includes("not ready"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(" error not ready: database unavailable error=");
  }
});

test("SRV-40 a disk without space for a save is not ready", async () => {
  const bed = await setUp(null, Number.MAX_SAFE_INTEGER);
  expect(await bed.ask()).toBe("disk full");
  expect(bed.log[0]).toMatch(/ error not ready: disk full freeBytes=\d+\n$/);
});

test.skipIf(!canMount)(`SRV-40 a disk with less than 48 MB is not ready${noMount}`, async () => {
  for (const [megabytes, readiness] of [
    [47, "disk full"],
    [50, "ready"],
  ] as const) {
    const bed = await setUp(null, undefined, mountDisk(megabytes * 1024 * 1024));
    expect(await bed.ask()).toBe(readiness);
  }
});

const canFill = found.ok && canMount;

test.skipIf(!canFill)(
  `SRV-40 a PostgreSQL database whose disk is full is not ready, and is when it has space${canFill ? "" : ` (${found.ok ? noMount : found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const url = await found.postgres.createDatabase();
    const bed = await setUp(url);
    expect(await bed.ask()).toBe("ready");
    const name = new URL(url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const { rows } = await admin.query("show data_directory");
    const { uid, gid } = statSync(rows[0].data_directory);
    const disk = mountDisk(4_000_000);
    chownSync(disk, uid, gid);
    await admin.query(`create tablespace small location '${disk}'`);
    await admin.query(`alter database ${name} set temp_tablespaces = small`);
    // A connection that exists keeps the settings that it began with.
    const disconnect =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    await admin.query(disconnect);
    await expect.poll(() => bed.askAgain(), { timeout: 10_000 }).toBe("disk full");
    await admin.query(`alter database ${name} reset temp_tablespaces`);
    await admin.query(disconnect);
    await expect.poll(() => bed.askAgain(), { timeout: 10_000 }).toBe("ready");
    await admin.query("drop tablespace small");
    await admin.end();
  },
);

test.skipIf(!found.ok)(
  `SRV-40 a PostgreSQL database that can only be read is not ready, and is when it can be written${found.ok ? "" : ` (${found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const url = await found.postgres.createDatabase();
    const bed = await setUp(url);
    expect(await bed.ask()).toBe("ready");
    const name = new URL(url).pathname.slice(1);
    const setReadOnly = async (value: "on" | "off"): Promise<void> => {
      const admin = new pg.Client({ connectionString: url });
      await admin.connect();
      await admin.query("set default_transaction_read_only = off");
      await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`);
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await admin.end();
      // On a busy machine the next question would find that its connection was ended, and nothing else.
      const read = (): Promise<boolean> =>
        bed.database.query("select 1").then(Boolean, () => false);
      await expect.poll(read).toBe(true);
    };
    await setReadOnly("on");
    await expect.poll(() => bed.askAgain(), { timeout: 10_000 }).toBe("database unavailable");
    expect(bed.log.join("")).toContain("read-only transaction");
    await setReadOnly("off");
    await expect.poll(() => bed.askAgain(), { timeout: 10_000 }).toBe("ready");
    expect(bed.log.at(-1)).toContain(" info ready again");
  },
);
