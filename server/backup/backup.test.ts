/** Tests `npm run backup` beside a server that saves, and `npm run restore` into another place. */

import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { makeAuthor } from "../../board/author.ts";
import { createBoard } from "../../board/board.ts";
import { addObjects, removeObjects } from "../../board/edit.ts";
import { toDrawing } from "../../board/encode.ts";
import { mergeInto } from "../../board/merge.ts";
import { parseDrawing } from "../../board/parse.ts";
import { openTestPostgres, type TestPostgres } from "../../testing/servers/postgres.ts";
import { startServer, type TestServer } from "../../testing/servers/server.ts";
import { callTable } from "../../testing/servers/table-client.ts";
import { openDatabase } from "../storage/setup/open.ts";
import { backUp as copy } from "./backup.ts";
import { fill, log, settingsOf } from "./refused-bed.case.ts";
import { restore } from "./restore.ts";

const MAIN = fileURLToPath(new URL("../../dist/server/server/backup/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "inkpool-backup-"));
const found = await openTestPostgres();
const hasPrograms = spawnSync("pg_dump", ["--version"]).status === 0;
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

type Env = Readonly<Record<string, string>>;

/** Runs a command; returns its exit code, and the one line that was written. */
async function run(args: readonly string[], env: Env): Promise<[number | null, string]> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return [code, text];
}

const drawing = (n: number): string =>
  `{"canvas_json":{"objects":[${n},"${"x".repeat(300_000)}"]}}`;

/** Saves one drawing after the other until `isOver`. Returns the number of acknowledged saves. */
async function keepSaving(server: TestServer, isOver: () => boolean): Promise<number> {
  let n = 0;
  for (; !isOver(); n++) {
    const path = "canvas_state?id=not.is.null";
    expect((await callTable(server, path, { method: "PATCH", body: drawing(n + 1) })).status).toBe(
      204,
    );
  }
  return n;
}

async function numberOf(server: TestServer): Promise<number> {
  const { json } = await callTable(server, "canvas_state?select=n:canvas_json->objects->0");
  return (json as { n: number }[])[0]!.n;
}

async function signUp(server: TestServer): Promise<number> {
  const answer = await fetch(`${server.url}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: server.anonKey, "content-type": "application/json" },
    body: '{"email":"a@example.org","password":"a long password"}',
  });
  return answer.status;
}

/** Backs up `from` while it saves, and returns the backup's folder. */
async function backUp(from: TestServer, env: Env): Promise<string> {
  const created = await callTable(from, "canvas_state", { method: "POST", body: drawing(0) });
  expect(created.status).toBe(201);
  const target = join(folder, `backup-${from.port}`);
  let isOver = false;
  const saving = keepSaving(from, () => isOver);
  await expect.poll(() => numberOf(from)).toBeGreaterThan(2);
  const [code, text] = await run(["backup", target], env);
  expect([code, text]).toEqual([0, expect.stringMatching(/^\S+: \d+ bytes of the database\n$/)]);
  await expect.poll(() => numberOf(from)).toBeGreaterThan(5);
  isOver = true;
  expect(await saving).toBeGreaterThan(5);
  expect(statSync(target).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(target))
    expect([name, statSync(join(target, name)).mode & 0o777]).toEqual([name, 0o600]);
  return target;
}

const AUTOCONFIRM = { GOTRUE_MAILER_AUTOCONFIRM: "true" };

test("HIS-1 an embedded database is backed up while the server saves, and restored with its keys", async () => {
  const server = await startServer({ env: AUTOCONFIRM });
  const env = { DATA_DIR: server.dataDir };
  expect(await signUp(server)).toBe(200);
  const target = await backUp(server, env);
  expect(readdirSync(target).toSorted()).toEqual(["auth.key", "inkpool.db", "keys.json"]);
  await expect(copy(settingsOf(server.dataDir), target)).rejects.toThrow(
    new RegExp(`^${JSON.stringify(target)} is there already; expected a new folder$`),
  );
  const [code, text] = await run(["restore", "--replace", target], env);
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/^restore: DATA_DIR .+ is in use by another process; .+ stopped\n$/),
  ]);
  const last = await numberOf(server);
  await server.stop();

  const dataDir = join(folder, "restored");
  expect((await run(["restore", target], { DATA_DIR: dataDir }))[0]).toBe(0);
  const restored = await startServer({ dataDir, env: AUTOCONFIRM });
  expect(restored.anonKey).toBe(server.anonKey);
  const count = await numberOf(restored);
  expect([count > 0, count < last]).toEqual([true, true]);
  expect(await signUp(restored)).toBe(422);
  await restored.stop();
  const restoreOver = (replace: boolean): Promise<string> =>
    restore(settingsOf(dataDir), target, { replace, log });
  await expect(restoreOver(false)).rejects.toThrow("has a database already; expected --replace");
  await restoreOver(true);
  const files = readdirSync(dataDir);
  expect(files.filter((name) => name.includes(".before-")).length).toBeGreaterThan(0);
  truncateSync(join(target, "inkpool.db"), 8192);
  await expect(restoreOver(true)).rejects.toThrow(/is damaged .+; expected another backup/);
  expect(readdirSync(dataDir)).toEqual(files);
}, 60_000);

const author = makeAuthor(100, "abc");
const NOTE = 'tab\t, line\n, "quote", back\\slash \\n, \'é 🎨';

/**
 * Backs up a drawing, clears it as a page does, and replaces the cleared one by the backup. The page that cleared it
 * then reads the row, as it does once the server runs again.
 */
async function replaceCleared(dataDir: string, url: string | null): Promise<void> {
  const settings = settingsOf(dataDir, url);
  mkdirSync(dataDir);
  const target = join(folder, `backup-cleared-${url === null ? "file" : "postgres"}`);
  const page = createBoard();
  const text = (): string => JSON.stringify(toDrawing(page));
  const { added } = addObjects(page, author, [
    { type: "Rect", width: 10 },
    { type: "IText", text: NOTE },
  ]);
  let database = await openDatabase(settings, log);
  await database.query("insert into canvas_state (canvas_json) values ($1)", [text()]);
  await copy(settings, target);
  removeObjects(page, [...page.objects.keys()]);
  await database.query("update canvas_state set canvas_json = $1", [text()]);
  await database.close();

  const done = await restore(settings, target, { replace: true, log });
  expect(done).toContain("2 objects, 0 versions");
  database = await openDatabase(settings, log);
  const sql = "select cast(canvas_json as text) as drawing, version from canvas_state";
  const { rows } = await database.query(sql);
  const parsed = parseDrawing(rows[0]?.["drawing"]);
  if (parsed.ok) mergeInto(page, parsed.drawing);
  expect([...page.objects.keys()]).toEqual(added.map(({ id }) => id));
  expect(page.objects.get(added[1]!.id)).toMatchObject({ text: NOTE });
  // A page that had read the backup's version, or the one that was replaced, notices that this is another one.
  expect(Number(rows[0]?.["version"])).toBe(3);
  // The database keeps again what a save replaces.
  await database.query("update canvas_state set canvas_json = '{}'");
  expect((await database.query("select version from canvas_history")).rows).toHaveLength(1);
  await database.close();
}

test("HIS-33 pages that are open, and devices that return, keep what a restore over an embedded database brings back", async () => {
  await replaceCleared(join(folder, "cleared"), null);
});

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  `HIS-32 what root restores belongs to the owner of the folder, as does the lock of a restore that is refused${isRoot ? "" : " (skipped: not root)"}`,
  async () => {
    const [source, dataDir] = [join(folder, "of-root"), join(folder, "of-another-user")];
    const target = join(folder, "backup-by-root");
    await fill(source, null, 0);
    writeFileSync(join(source, "auth.key"), "");
    await copy(settingsOf(source), target);
    mkdirSync(dataDir);
    chownSync(dataDir, 1234, 5678);
    const owners = (): readonly string[] =>
      readdirSync(dataDir)
        .filter((name) => !name.includes(".before-"))
        .map((name) => `${name} ${statSync(join(dataDir, name)).uid}`)
        .toSorted();
    const bring = (replace: boolean): Promise<string> =>
      restore(settingsOf(dataDir), target, { replace, log });
    await bring(false);
    const all = ["auth.key 1234", "inkpool.db 1234", "inkpool.lock 1234", "keys.json 1234"];
    expect(owners()).toEqual(all);
    await bring(true);
    expect(owners()).toEqual(all);
    for (const name of ["inkpool.lock", "inkpool.db"]) rmSync(join(dataDir, name));
    truncateSync(join(target, "inkpool.db"), 8192);
    await expect(bring(false)).rejects.toThrow("is damaged");
    expect(owners()).toEqual(all.filter((line) => !line.startsWith("inkpool.db")));
  },
  60_000,
);

test("HIS-1 a wrong call and a folder without a backup are named, and nothing is made", async () => {
  expect(await run(["backup"], {})).toEqual([2, expect.stringContaining("inkpool backup FOLDER")]);
  expect((await run(["restore", "a", "--all"], {}))[0]).toBe(2);
  const dataDir = join(folder, "none");
  const refused = copy(settingsOf(dataDir), join(folder, "target"));
  await expect(refused).rejects.toThrow("there is no database in");
  expect(existsSync(join(folder, "target"))).toBe(false);
  const [code, text] = await run(["restore", folder], { DATA_DIR: dataDir });
  expect([code, text]).toEqual([1, expect.stringContaining("there is no ")]);
  expect(existsSync(dataDir)).toBe(false);
});

if (found.ok && hasPrograms) examine(found.postgres);
else
  test.skip(`backup of PostgreSQL (${found.ok ? "skipped: no pg_dump" : found.reason})`, () => {});

/** Returns a PATH whose pg_restore writes the setting that it has from version 17 on, which older servers refuse. */
function programsOf17(): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const added = "1,30s/^SET lock_timeout = 0;$/&\\nSET transaction_timeout = 0;/";
  const lines = [
    "#!/bin/sh",
    'PATH="${PATH#*:}" pg_restore "$@" || exit',
    `while [ $# -gt 1 ]; do [ "$1" = --file ] && sed -i '${added}' "$2"; shift; done`,
    "exit 0",
  ];
  writeFileSync(join(bin, "pg_restore"), lines.join("\n"), { mode: 0o755 });
  return `${bin}:${process.env["PATH"] ?? ""}`;
}

/** Makes a psql that also notes the search_path with which it leaves the session. Returns a PATH that begins with it. */
function psqlThatNotes(file: string): string {
  const bin = join(folder, "noting");
  mkdirSync(bin);
  const query = "select 'search_path: ' || current_setting('search_path')";
  const program = `#!/bin/sh\nPATH="\${PATH#*:}" exec psql --tuples-only "$@" --command "${query}" >"${file}"\n`;
  writeFileSync(join(bin, "psql"), program, { mode: 0o755 });
  return `${bin}:${process.env["PATH"] ?? ""}`;
}

function examine(postgres: TestPostgres): void {
  test("HIS-33 pages that are open, and devices that return, keep what a restore over PostgreSQL brings back", async () => {
    await replaceCleared(join(folder, "cleared-postgres"), await postgres.createDatabase());
  }, 60_000);

  test("HIS-31 a restore leaves its session with the settings that it had, as a pooler gives it to the server", async () => {
    const DATABASE_URL = await postgres.createDatabase();
    const env = { DATABASE_URL, DATA_DIR: join(folder, "pooled") };
    const target = join(folder, "backup-pooled");
    const settings = settingsOf(env.DATA_DIR, DATABASE_URL);
    await (await openDatabase(settings, log)).close();
    await copy(settings, target);
    const file = join(folder, "search-path");
    const restored = await run(["restore", target, "--replace"], {
      ...env,
      PATH: psqlThatNotes(file),
    });
    expect(restored[0]).toBe(0);
    expect(readFileSync(file, "utf8")).toContain('search_path: "$user", public\n');
  }, 60_000);

  test("HIS-1 a PostgreSQL database is backed up while the server saves, and restored into another one and in place", async () => {
    const env = { ...AUTOCONFIRM, DATABASE_URL: await postgres.createDatabase() };
    const server = await startServer({ env });
    expect(await signUp(server)).toBe(200);
    const target = await backUp(server, { ...env, DATA_DIR: server.dataDir });
    const last = await numberOf(server);
    expect(readFileSync(join(target, "inkpool.dump")).length).toBeGreaterThan(1000);

    const dataDir = join(folder, "other");
    const DATABASE_URL = await postgres.createDatabase();
    const other = { ...env, DATABASE_URL, PATH: programsOf17() };
    expect(await run(["restore", target], { ...other, DATA_DIR: dataDir })).toEqual([
      0,
      expect.stringContaining("is in the database"),
    ]);
    const restored = await startServer({ dataDir, env: other });
    expect(restored.anonKey).toBe(server.anonKey);
    const count = await numberOf(restored);
    expect([count > 0, count < last]).toEqual([true, true]);
    expect(await signUp(restored)).toBe(422);
    const body = drawing(1000);
    const path = "canvas_state?id=not.is.null";
    expect((await callTable(restored, path, { method: "PATCH", body })).status).toBe(204);

    vi.stubEnv("PATH", other.PATH);
    onTestFinished(() => void vi.unstubAllEnvs());
    const restoreOver = (replace: boolean): Promise<string> =>
      restore(settingsOf(dataDir, DATABASE_URL), target, { replace, log });
    await expect(restoreOver(false)).rejects.toThrow("--replace");
    await restoreOver(true);
    expect(await numberOf(restored)).toBe(count);
    await restored.stop();
    await server.stop();
  }, 60_000);
}
