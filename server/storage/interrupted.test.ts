/** Tests a process that is killed while it brings a database up to date, and a disk that cannot be written. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "libsql";
import { afterAll, expect, test } from "vitest";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { createLogger } from "../process/log.ts";
import { DATABASE_FILE, openDatabase } from "./setup/open.ts";
import { openPostgres } from "./postgres/open.ts";
import { canvasSteps } from "./setup/schema.ts";

const SERVER = new URL("../../dist/server/server/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "inkpool-interrupted-"));
const found = await openTestPostgres();
const log = createLogger("error", () => {}, Date.now);
const fixture = (name: string): string =>
  readFileSync(new URL(`../../testing/fixtures/${name}`, import.meta.url), "utf8");

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

const settingsOf = (dataDir: string, databaseUrl: string | null) => ({
  databaseUrl,
  databasePool: 5,
  databaseWait: 5000,
  dataDir,
  historyBytes: 100_000_000,
  statementTimeout: 30_000,
});
type Settings = ReturnType<typeof settingsOf>;

/** The script of a start's work on the database, in a process of its own, which may end itself amid the steps. */
const CHILD = `
import { Worker } from "node:worker_threads";
import pg from "pg";
import { openDatabase } from "${SERVER.href}storage/setup/open.js";
import { migrate } from "${SERVER.href}storage/migrate.js";
import { AUTH_STEPS } from "${SERVER.href}auth/store/schema.js";
let [settings, left] = JSON.parse(process.argv[1]);
const endBefore = (on, name, textOf) => {
  const call = on[name];
  on[name] = function (...given) {
    const isLast = String(textOf(given[0])).startsWith("insert into inkpool_migrations") && --left === 0;
    if (isLast) process.kill(process.pid, "SIGKILL");
    return call.apply(this, given);
  };
};
endBefore(Worker.prototype, "postMessage", ({ sql }) => sql);
endBefore(pg.Client.prototype, "query", (query) => query.text ?? query);
process.stdout.write("begin");
const log = { info() {}, warn() {}, error() {}, debug() {} };
const database = await openDatabase(settings, log);
await migrate(database, "auth", AUTH_STEPS);
await database.close();
`;

/** When a process is killed: after so many milliseconds, or when it has run so many steps and recorded all but the last. */
interface Kill {
  readonly after: number;
  readonly steps: number | null;
}

/** Begins to bring the database up to date and kills the process then. Returns how long it took, or null. */
async function interrupt(settings: Settings, { after, steps }: Kill): Promise<number | null> {
  const args = ["--input-type=module", "-e", CHILD, JSON.stringify([settings, steps])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await Promise.race([new Promise((resolve) => child.stdout.once("data", resolve)), ended]);
  const begun = performance.now();
  const timer = new AbortController();
  // Clock: the kill may happen at any moment of the steps.
  const timed = wait(after, null, { signal: timer.signal }).then(
    () => child.kill("SIGKILL"),
    () => {},
  );
  const code = await ended;
  timer.abort();
  await timed;
  return code === 0 ? performance.now() - begun : null;
}

/** A row that takes a while to be copied. */
const DRAWING = `{"objects":[${"1234567,".repeat(300_000)}0]}`;
const READ = "select cast(canvas_json as text) as value from canvas_state";
/** A time that no process takes. */
const NEVER = 60_000;
/** Moments between two steps, which a time would meet by chance alone. */
const BETWEEN: readonly Kill[] = [2, 5].map((steps) => ({ after: NEVER, steps }));
/** The parts of the whole time after which a process is killed. */
const PARTS = [1 / 4, 2 / 4, 3 / 4];

/**
 * Expects all of the steps or none, and an unchanged row, whenever the process is killed; the next start completes
 * them.
 * @param prepare makes a database of version 0.1 with the drawing
 * @param readAsIs returns the values of queries, without bringing the database up to date
 */
async function examine(
  prepare: () => Promise<Settings>,
  readAsIs: (settings: Settings, queries: readonly string[]) => Promise<readonly unknown[]>,
): Promise<void> {
  const whole = await interrupt(await prepare(), { after: NEVER, steps: null });
  expect(whole).not.toBeNull();
  const amid = PARTS.map((part) => ({ after: (whole ?? 0) * part, steps: null }));
  let interrupted = 0;
  for (const kill of [...BETWEEN, ...amid]) {
    const settings = await prepare();
    await interrupt(settings, kill);
    const [done, drawing] = await readAsIs(settings, [
      "select count(*) as value from inkpool_migrations where schema_name = 'canvas'",
      READ,
    ]);
    expect([1, canvasSteps().length]).toContain(Number(done));
    if (Number(done) === 1) interrupted++;
    expect(drawing === DRAWING).toBe(true);
    const opened = await openDatabase(settings, log);
    expect((await opened.query(READ)).rows[0]?.["value"] === DRAWING).toBe(true);
    await opened.query("update canvas_state set canvas_json = '{}'");
    const { rows } = await opened.query("select version, objects from canvas_history");
    expect(rows.map((row) => [row["version"], row["objects"]].map(Number))).toEqual([[1, 300_001]]);
    await opened.close();
  }
  expect(interrupted).toBeGreaterThan(1);
}

test("STO-19 a process that is killed while it brings an embedded database up to date leaves all of it or nothing", async () => {
  const old = join(folder, "old.db");
  const made = new Driver(old);
  made.exec("pragma journal_mode = wal");
  made.exec(fixture("sqlite-0.1.sql"));
  made.prepare("update canvas_state set canvas_json = ?").run([DRAWING]);
  // Everything is in the one file that is copied.
  made.exec("pragma wal_checkpoint(truncate)");
  made.close();
  let folders = 0;
  await examine(
    () => {
      const dataDir = join(folder, `${folders++}`);
      mkdirSync(dataDir);
      copyFileSync(old, join(dataDir, DATABASE_FILE));
      return Promise.resolve(settingsOf(dataDir, null));
    },
    async ({ dataDir }, queries) => {
      // The threads of an opened database would take longer than the reads.
      const file = new Driver(join(dataDir, DATABASE_FILE));
      expect(file.prepare("pragma integrity_check").all([])).toEqual([{ integrity_check: "ok" }]);
      const values = queries.map(
        (query) => (file.prepare(query).get([]) as { value: unknown } | undefined)?.value,
      );
      file.close();
      return values;
    },
  );
}, 180_000);

if (found.ok) {
  const { postgres } = found;
  test("STO-19 a process that is killed while it brings a PostgreSQL database up to date leaves all of it or nothing", async () => {
    await examine(
      async () => {
        const url = await postgres.createDatabase();
        const database = await openPostgres(url, log);
        await database.query(fixture("postgres-0.1.sql"));
        await database.query("update canvas_state set canvas_json = $1", [DRAWING]);
        await database.close();
        return settingsOf(folder, url);
      },
      async ({ databaseUrl }, queries) => {
        const database = await openPostgres(databaseUrl ?? "", log);
        const results = await Promise.all(queries.map((query) => database.query(query)));
        await database.close();
        return results.map(({ rows }) => rows[0]?.["value"]);
      },
    );
  }, 180_000);
} else {
  test.skip(`an interrupted migration on PostgreSQL (${found.reason})`, () => {});
}

/** Runs a program of the server; returns its exit code and its output. */
function run(
  program: string,
  args: readonly string[],
  dataDir: string,
): readonly [number | null, string] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [new URL(program, SERVER).pathname, ...args],
    { env: { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: "0" }, encoding: "utf8" },
  );
  return [status, stdout + stderr];
}

const disk = join(folder, "disk");
mkdirSync(disk);
const canMount = spawnSync("mount", ["-t", "tmpfs", "none", disk]).status === 0;
if (canMount) afterAll(() => spawnSync("umount", [disk]));

test.skipIf(!canMount)(
  "STO-19 on a disk that cannot be written each command that writes says so in a line and changes nothing; it is backed up, and a backup on one is restored",
  async () => {
    const dataDir = join(disk, "data");
    mkdirSync(dataDir);
    const database = await openDatabase(settingsOf(dataDir, null), log);
    await database.query("insert into canvas_state (canvas_json) values ('{\"objects\":[1,2,3]}')");
    await database.close();
    const backup = join(disk, "backup");
    expect(run("backup/main.js", ["backup", backup], dataDir)[0]).toBe(0);
    execFileSync("mount", ["-o", "remount,ro", disk]);
    const notWritable =
      /^\w+: DATA_DIR .* is not writable \(EROFS\); expected a folder that this process may write\n$/;
    for (const [program, args, said] of [
      ["main.js", [], notWritable],
      ["backup/main.js", ["restore", backup, "--replace"], notWritable],
      [
        "backup/main.js",
        ["backup", join(disk, "another")],
        /^backup: EROFS: read-only file system.*\n$/,
      ],
      [
        "history/main.js",
        ["list"],
        /^history: DATA_DIR: .* cannot be opened \(SQLITE_CANTOPEN\).*\n$/,
      ],
    ] as const)
      expect(run(program, args, dataDir)).toEqual([1, expect.stringMatching(said)]);
    // Only its own log would have to be written for a backup, and nobody can change the database meanwhile.
    const another = join(folder, "of-read-only");
    expect(run("backup/main.js", ["backup", another], dataDir)[0]).toBe(0);
    for (const from of [backup, another])
      expect(
        run("backup/main.js", ["restore", from], join(folder, `restored-${from === backup}`)),
      ).toEqual([0, expect.stringContaining("3 objects, 0 versions")]);
  },
  60_000,
);
