import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openTestPostgres } from "../testing/servers/postgres.ts";
import { runServer, startServer } from "../testing/servers/server.ts";
import { callTable } from "../testing/servers/table-client.ts";
import { readAllSettings, type AllSettings } from "./all-settings.ts";
import { checkDatabaseFile } from "./data-dir.ts";
import { createLogger } from "./process/log.ts";
import { StartFault } from "./process/start-fault.ts";
import { openDatabase } from "./storage/setup/open.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-process-"));
const log = createLogger("error", () => {}, Date.now);
let folders = 0;
const freshDir = (): string => join(folder, `data-${folders++}`);

const found = await openTestPostgres();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

/** The settings of a server without a database, which is started sooner and listens like any. */
const PAGE_ALONE = {
  SUPABASE_URL: "https://abc.supabase.co",
  SUPABASE_ANON_KEY: "sb_publishable_x",
};

test("SRV-6 a port that is taken: one line and exit code 1", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const second = await runServer({ dataDir: freshDir(), port });
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(lastLine(second.stderr)).toBe(`inkpool: PORT ${port} is taken; expected a free port`);
  const env = { ...PAGE_ALONE, METRICS_PORT: String(port) };
  const third = await runServer({ dataDir: freshDir(), env });
  expect(third).toMatchObject({ code: 1, stdout: "" });
  expect(lastLine(third.stderr)).toBe(
    `inkpool: METRICS_PORT ${port} is taken; expected a free port`,
  );
  other.close();
});

test("SRV-6 a host that is not this machine's: one line and exit code 1", async () => {
  // The port of the metrics is opened first, and the host is at fault all the same.
  const env = { ...PAGE_ALONE, HOST: "192.0.2.1", METRICS_PORT: "9464" };
  const foreign = await runServer({ dataDir: freshDir(), env });
  expect(foreign).toMatchObject({ code: 1, stdout: "" });
  expect(lastLine(foreign.stderr)).toBe(
    'inkpool: HOST "192.0.2.1" is not an address of this machine; expected one that is',
  );
  const link = { ...PAGE_ALONE, HOST: "fe80::1" };
  const local = await runServer({ dataDir: freshDir(), env: link });
  expect(local).toMatchObject({ code: 1, stdout: "" });
  expect(lastLine(local.stderr)).toBe(
    'inkpool: HOST "fe80::1" belongs to one link alone, and browsers cannot open it; expected another address of this machine, or :: for all',
  );
});

/** The settings of the modes in which an API or all of them are off. */
const MODES = [{}, { AUTH: "off" }, PAGE_ALONE];

test("SRV-2 each wrong setting, also of an API and of the keys, has its line and ends the process with 1 before it listens or makes a file", async () => {
  const dataDir = freshDir();
  const env = {
    PORT: "many",
    LOG_LEVEL: "loud",
    REALTIME_FOO: "1",
    GOTRUE_FOO: "1",
    GOTRUE_JWT_SECRET: "short",
  };
  const lines = [
    'PORT "many" is not a whole number; expected a whole number from 0 to 65535',
    'LOG_LEVEL "loud" is unknown; expected debug, info, warn or error',
    expect.stringMatching(/^REALTIME_FOO is unknown; expected one of REALTIME_/),
    expect.stringMatching(/^GOTRUE_FOO is unknown; /),
    expect.stringMatching(/^GOTRUE_JWT_SECRET is too short; expected at least 32 characters/),
  ];
  for (const mode of MODES)
    expect(await readAllSettings({ ...env, ...mode, DATA_DIR: dataDir }, folder)).toEqual({
      ok: false,
      problems: lines,
    });
  const ended = await runServer({ dataDir, env });
  expect(ended).toMatchObject({ code: 1, signal: null, stdout: "" });
  const printed = ended.stderr.trimEnd().split("\n");
  expect(printed.map((line) => line.replace(/^inkpool: /, ""))).toEqual(lines);
  expect(ended.stderr).toMatch(/^(?:inkpool: .+\n){5}$/);
  expect(() => statSync(dataDir)).toThrow("ENOENT");
});

test("SRV-2 a wrong setting of an API alone writes nothing", async () => {
  const dataDir = freshDir();
  for (const env of [
    { REALTIME_FOO: "1" },
    { GOTRUE_FOO: "1" },
    { GOTRUE_MAILER_TEMPLATES_INVITE: "/no/such/file" },
    { INKPOOL_AUTH_KEY: "short" },
    { GOTRUE_JWT_SECRET: "short" },
    { GOTRUE_JWT_KEYS: "{" },
  ]) {
    const read = await readAllSettings({ ...env, DATA_DIR: dataDir }, folder);
    expect([env, read.ok]).toEqual([env, false]);
  }
  expect(() => statSync(dataDir)).toThrow("ENOENT");
});

test("KEY-1 the first start makes the keys and later ones keep them, also after kill -9 and beside a second process, which ends; the folder and its files are for their owner alone, also those that were not", async () => {
  const first = await startServer({ dataDir: freshDir() });
  const { dataDir } = first;
  const path = join(dataDir, "keys.json");
  const text = readFileSync(path, "utf8");
  expect(Object.keys(JSON.parse(text) as object)).toEqual(["jwtSecret", "anonKey", "serviceKey"]);
  expect(first.anonKey).not.toBe(first.serviceKey);
  const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
  const modes = (): Record<string, string> =>
    Object.fromEntries(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name))]));
  const names = ["auth.key", "inkpool.db", "inkpool.db-shm", "inkpool.db-wal", "inkpool.lock"];
  const closed = Object.fromEntries(
    [...names, "inkpool.lock-journal", "keys.json"].map((name) => [name, "600"]),
  );
  expect(modeOf(dataDir)).toBe("700");
  expect(modes()).toEqual(closed);
  expect(await runServer({ dataDir })).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: `inkpool: DATA_DIR "${dataDir}" is in use by another process; expected a folder of its own for each, or the other one stopped\n`,
  });
  expect((await callTable(first, "canvas_state")).status).toBe(200);
  expect((await first.kill()).signal).toBe("SIGKILL");
  for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o664);
  chmodSync(dataDir, 0o755);
  const second = await startServer({ dataDir });
  expect(modes()).toEqual(closed);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(second.anonKey).toBe(first.anonKey);
  expect((await second.stop()).code).toBe(0);
});

test("SRV-8 damaged keys stop the start instead of being replaced", async () => {
  const dataDir = freshDir();
  mkdirSync(dataDir);
  const path = join(dataDir, "keys.json");
  writeFileSync(path, '{"jwtSecret":');
  const ended = await runServer({ dataDir });
  expect(ended.code).toBe(1);
  expect(lastLine(ended.stderr)).toBe(
    `inkpool: DATA_DIR: ${path} is damaged; expected JSON with jwtSecret, anonKey and serviceKey (remove it to make new keys)`,
  );
  expect(readFileSync(path, "utf8")).toBe('{"jwtSecret":');
});

test("SRV-8 a database file that was emptied stops the start, and one that never was a database does not", async () => {
  const dataDir = freshDir();
  mkdirSync(dataDir);
  const path = join(dataDir, "inkpool.db");
  writeFileSync(path, "");
  checkDatabaseFile(dataDir);
  const { settings } = await settingsOf({ DATA_DIR: dataDir });
  await (await openDatabase(settings, log)).close();
  const keys = join(dataDir, "keys.json");
  writeFileSync(keys, "{}");
  writeFileSync(path, "");
  const ended = await runServer({ dataDir });
  expect(ended).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: `inkpool: DATA_DIR: ${path} is empty, but ${keys} shows that it was a database; expected the database of this installation (put a backup in its place, or remove the empty file to begin with an empty drawing)\n`,
  });
  expect(statSync(path).size).toBe(0);
  rmSync(path);
  checkDatabaseFile(dataDir);
  await (await openDatabase(settings, log)).close();
});

const DAMAGED =
  /^DATA_DIR: \S+inkpool\.db is damaged \(SQLITE_(CORRUPT|NOTADB)\w*\); expected the database of this installation \(put a backup in its place, or move it away to begin with an empty drawing\)$/;

test("SRV-8 a damaged database stops the start with a line that says so, and the file stays", async () => {
  const dataDir = freshDir();
  mkdirSync(dataDir);
  const { settings } = await settingsOf({ DATA_DIR: dataDir });
  const database = await openDatabase(settings, log);
  const drawing = JSON.stringify({ objects: ["x".repeat(200_000)] });
  await database.query("insert into canvas_state (canvas_json) values ($1)", [drawing]);
  await database.close();
  const path = join(dataDir, "inkpool.db");
  const good = readFileSync(path);
  const damages: readonly ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.fill(0xab),
    (bytes) => bytes.fill(0xab, 0, 100),
    (bytes) => bytes.fill(0xab, 100, 4096),
    (bytes) => bytes.fill(0xab, 4096),
    (bytes) => bytes.fill(0, 4096),
    (bytes) => bytes.subarray(0, 50),
    (bytes) => bytes.subarray(0, 3 * 4096),
    () => Buffer.from("this is no database ".repeat(1000)),
  ];
  const kinds = new Set<string>();
  for (const [index, damage] of damages.entries()) {
    const bytes = damage(Buffer.from(good));
    writeFileSync(path, bytes);
    const fault: unknown = await openDatabase(settings, log).catch((error: unknown) => error);
    expect([index, fault]).toEqual([index, expect.any(StartFault)]);
    const [, kind = ""] = DAMAGED.exec((fault as StartFault).message) ?? [];
    expect(["CORRUPT", "NOTADB"]).toContain(kind);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    kinds.add(kind);
  }
  expect(kinds.size).toBe(2);
  const last = readFileSync(path);
  const ended = await runServer({ dataDir });
  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toMatch(/^inkpool: .+\n$/);
  expect(ended.stderr.slice("inkpool: ".length, -1)).toMatch(DAMAGED);
  expect(readFileSync(path).equals(last)).toBe(true);
}, 60_000);

test("SRV-8 a database file that cannot be opened has a line that says so", async () => {
  const dataDir = freshDir();
  const path = join(dataDir, "inkpool.db");
  mkdirSync(path, { recursive: true });
  const { settings } = await settingsOf({ DATA_DIR: dataDir });
  const fault: unknown = await openDatabase(settings, log).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(StartFault);
  expect((fault as StartFault).message).toBe(
    `DATA_DIR: ${path} cannot be opened; expected a file that this process alone may read and write`,
  );
});

test("SRV-5 a signal while the server starts ends it with 0 before it listens, and the next start is as any", async () => {
  const dataDir = freshDir();
  const env = { DRAIN_SECONDS: "600" };
  const ended = await runServer({ dataDir, env }, (log) =>
    expect.poll(log, { interval: 5, timeout: 20_000 }).toContain("database opened"),
  );
  expect(ended).toMatchObject({ code: 0, signal: null, stdout: "" });
  expect(lastLine(ended.stderr)).toMatch(/ info stopping$/);
  expect((await (await startServer({ dataDir })).stop()).code).toBe(0);
});

test.skipIf(!found.ok)(
  `SRV-5 a signal while PostgreSQL is brought up to date ends the server with 0 immediately${found.ok ? "" : ` (${found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const url = await found.postgres.createDatabase();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    // The lock under which a process brings a schema up to date.
    await other.query("select pg_advisory_lock(7310455213)");
    const waits = `select count(*)::int as n from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
    const waiting = async (): Promise<unknown> => (await other.query(waits)).rows[0].n;
    const ended = await runServer({ dataDir: freshDir(), env: { DATABASE_URL: url } }, () =>
      expect.poll(waiting, { interval: 50, timeout: 20_000 }).toBe(1),
    );
    await other.end();
    expect(ended).toMatchObject({ code: 0, signal: null, stdout: "" });
    expect(lastLine(ended.stderr)).toMatch(/ info stopping$/);
  },
);

test("SRV-6 a DATABASE_URL that leads nowhere: one line without the password, and exit code 1; a warning of a library before it is one line of the log", async () => {
  const url = "postgres://ink:hunter2@127.0.0.1:1/ink?sslmode=require";
  const env = { DATABASE_URL: url, LOG_FORMAT: "json" };
  const ended = await runServer({ dataDir: freshDir(), env });
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  const [warning, ...rest] = ended.stderr.split("\n");
  expect(JSON.parse(warning ?? "")).toMatchObject({ level: "warn", message: "Node.js warns" });
  expect(rest).toEqual([
    "inkpool: DATABASE_URL cannot be used (ECONNREFUSED); expected a PostgreSQL server that lets this user in",
    "",
  ]);
});

test.skipIf(!found.ok)(
  `SRV-6 a PostgreSQL that may only be read at the start: one line that says so, and exit code 1${found.ok ? "" : ` (${found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const url = `${await found.postgres.createDatabase()}?options=-c%20default_transaction_read_only%3Don`;
    const ended = await runServer({ dataDir: freshDir(), env: { DATABASE_URL: url } });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(lastLine(ended.stderr)).toMatch(
      /^inkpool: DATABASE_URL cannot be written \(.+ read-only transaction\); expected a PostgreSQL server that may be written$/,
    );
  },
);

async function settingsOf(env: Record<string, string>): Promise<AllSettings> {
  const read = await readAllSettings(env, folder);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.all;
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
