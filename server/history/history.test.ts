import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Driver from "libsql";
import { afterAll, describe, expect, test } from "vitest";
import { createBoard, countObjects, type Board } from "../../board/board.ts";
import { addObjects, removeObjects } from "../../board/edit.ts";
import { makeAuthor } from "../../board/author.ts";
import { toDrawing } from "../../board/encode.ts";
import { mergeInto } from "../../board/merge.ts";
import { parseDrawing } from "../../board/parse.ts";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { startServer, type ServerOptions, type TestServer } from "../../testing/servers/server.ts";
import { callTable } from "../../testing/servers/table-client.ts";
import { log, settingsOf } from "../backup/refused-bed.case.ts";
import { openDatabase } from "../storage/setup/open.ts";
import { CommandFault, parseArguments, runCommand } from "./command.ts";
import { restoredDrawing } from "./restore.ts";

const MAIN = fileURLToPath(new URL("../../dist/server/server/history/main.js", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../../scripts/run/history.mjs", import.meta.url));
const ENVIRONMENT = { now: Date.UTC(2026, 10, 21), random: "0a1b2c3d4e" };

const found = await openTestPostgres();
const empty = mkdtempSync(join(tmpdir(), "inkpool-empty-"));
afterAll(async () => {
  rmSync(empty, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function begin(args: readonly string[], env: Record<string, string>, main: string) {
  const { PATH = "" } = process.env;
  return spawn(process.execPath, [main, ...args], { env: { PATH, ...env }, cwd: empty });
}

/** Runs the command as an operator would; `env` contains the settings. */
function run(args: readonly string[], env: Record<string, string>, main = MAIN): Promise<Ended> {
  const child = begin(args, env, main);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

/** Runs the command before a program that reads nothing, as `| head` does in the end. */
function runUnread(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const child = begin(args, env, MAIN);
  child.stdout.destroy();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) =>
    child.once("close", (code) => resolve({ code, stdout: "", stderr })),
  );
}

describe("arguments", () => {
  test.each([
    [["list"], { command: { kind: "list" }, dataDir: null }],
    [["show", "12"], { command: { kind: "show", id: 12 }, dataDir: null }],
    [["restore", "3", "--data-dir", "x"], { command: { kind: "restore", id: 3 }, dataDir: "x" }],
    [["--data-dir=x", "list"], { command: { kind: "list" }, dataDir: "x" }],
    [[], null],
    [["list", "1"], null],
    [["show"], null],
    [["show", "-1"], null],
    [["show", "1e3"], null],
    [["show", "1", "2"], null],
    [["remove", "1"], null],
    [["list", "--all"], null],
    [["list", "--data-dir="], null],
  ])("%j", (args, expected) => {
    expect(parseArguments(args)).toEqual(expected);
  });
});

describe("restored drawing", () => {
  const author = makeAuthor(100, "abc");
  const text = (board: Board): string => JSON.stringify(toDrawing(board));
  const read = (drawing: string): Board => {
    const parsed = parseDrawing(drawing);
    if (!parsed.ok) throw new Error(parsed.reason);
    const board = createBoard();
    mergeInto(board, parsed.drawing);
    return board;
  };

  test("HIS-1 a page that has seen the objects go takes them for restored, and later objects go", () => {
    const page = createBoard();
    const { added } = addObjects(page, author, [
      { type: "Rect", width: 10 },
      { type: "Circle", radius: 5 },
    ]);
    const version = text(page);
    removeObjects(
      page,
      added.map(({ id }) => id),
    );
    addObjects(page, author, [{ type: "Rect", width: 99 }]);
    const current = text(page);
    // The unchanged version would be removed again by the first merge.
    const stale = read(current);
    mergeInto(stale, toDrawing(read(version)));
    expect(countObjects(stale)).toBe(1);

    const restored = restoredDrawing(version, current, ENVIRONMENT);
    mergeInto(page, toDrawing(read(restored)));
    expect([...page.objects.keys()].toSorted()).toEqual(added.map(({ id }) => id).toSorted());
    expect(page.objects.get(added[0]!.id)).toMatchObject({ type: "Rect", width: 10 });
    expect(text(read(restored))).toBe(text(page));
  });

  test("HIS-1 a foreign drawing, a faulty one and a text that is no drawing are saved as they are", () => {
    const page = createBoard();
    addObjects(page, author, [{ type: "Rect", width: 10 }]);
    const ours = toDrawing(page);
    const odd = [
      '{"version":"5.3.0","objects":[{"type":"rect","width":5}]}',
      JSON.stringify({ ...ours, objects: [...ours.objects, { type: "Image", src: "x" }] }),
      "[]",
    ];
    for (const version of odd)
      expect(restoredDrawing(version, JSON.stringify(ours), ENVIRONMENT)).toBe(version);
    for (const current of [null, "[]", '{"objects":[]}'])
      expect(countObjects(read(restoredDrawing(JSON.stringify(ours), current, ENVIRONMENT)))).toBe(
        1,
      );
  });
});

examineCommand("SQLite", async () => ({}));
if (found.ok) {
  const { postgres } = found;
  examineCommand("PostgreSQL", async () => ({ DATABASE_URL: await postgres.createDatabase() }));
} else {
  test.skip(`the history command on PostgreSQL (${found.reason})`, () => {});
}

function examineCommand(kind: string, makeEnv: () => Promise<Record<string, string>>): void {
  const drawing = { objects: [{ type: "rect", note: "é 🎨" }, { type: "rect" }] };

  /** Starts a server whose drawing was replaced by an empty one. */
  const start = async (options: ServerOptions): Promise<TestServer> => {
    const server = await startServer(options);
    const write = (method: string, path: string, body: unknown): Promise<unknown> =>
      callTable(server, path, { method, body: JSON.stringify(body) });
    await write("POST", "canvas_state", { canvas_json: drawing });
    await write("PATCH", "canvas_state?version=gt.0", { canvas_json: { objects: [] } });
    return server;
  };
  const row = async (server: TestServer): Promise<unknown> =>
    (await callTable(server, "canvas_state?select=canvas_json,version")).json;

  test(`HIS-1 list, show and restore beside a running server, without it, and without a row (${kind})`, async () => {
    const given = await makeEnv();
    const dataDir = mkdtempSync(join(tmpdir(), "inkpool-command-"));
    const env = { ...given, DATA_DIR: dataDir };
    const server = await start({ env: given, dataDir });

    const listed = await run(["list"], env);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(listed.stdout).toMatch(/^ID +SAVED +REPLACED +OBJECTS +BYTES\n/);
    const line = /^( *\d+)  (\S+ \S+)  (\S+ \S+) +2 +\d+  before a loss$/m.exec(listed.stdout);
    const id = line?.[1]?.trim() ?? "";
    expect(await run(["show", id], env)).toEqual({
      code: 0,
      stdout: JSON.stringify(drawing),
      stderr: "",
    });
    expect(await runUnread(["show", id], env)).toEqual({ code: 0, stdout: "", stderr: "" });
    const restored = await run(["restore", id], env);
    expect(restored).toEqual({ code: 0, stdout: `version ${id} is restored\n`, stderr: "" });
    expect(await row(server)).toEqual([{ canvas_json: drawing, version: 3 }]);
    const replaced = await callTable(
      server,
      "canvas_history?select=canvas_json&order=id.desc&limit=1",
    );
    expect(replaced.json).toEqual([{ canvas_json: { objects: [] } }]);
    await callTable(server, "canvas_state?version=eq.3", {
      method: "PATCH",
      body: '{"canvas_json":{}}',
    });
    expect((await server.stop()).code).toBe(0);

    const stopped = await run(["restore", id], env, SCRIPT);
    expect(stopped).toMatchObject({ code: 0, stdout: `version ${id} is restored\n` });
    const database = await openDatabase(settingsOf(dataDir, given["DATABASE_URL"] ?? null), log);
    const stored = async (): Promise<unknown> => {
      const sql = "select cast(canvas_json as text) as drawing, version from canvas_state";
      const { rows } = await database.query(sql);
      return rows.map((one) => [JSON.parse(String(one["drawing"])), Number(one["version"])]);
    };
    expect(await stored()).toEqual([[drawing, 5]]);

    // A version that is not there, and a database without a row.
    const carryOut = (command: "show" | "restore", number: number): Promise<string> =>
      runCommand(database, { kind: command, id: number }, ENVIRONMENT);
    const none = new CommandFault("there is no version 999; list shows those there are");
    for (const command of ["show", "restore"] as const)
      await expect(carryOut(command, 999)).rejects.toEqual(none);
    await database.query("delete from canvas_state");
    expect(await carryOut("restore", Number(id))).toBe(`version ${id} is restored\n`);
    expect(await stored()).toEqual([[drawing, 1]]);
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
    // Six processes run, one after the other.
  }, 120_000);
}

test("HIS-1 a wrong call, wrong settings and a missing database are distinguished by the exit code and one line", async () => {
  const wrong = await run(["nonsense"], {});
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toContain("history: usage: npm --silent run history");
  expect(wrong.stderr).toContain("history: in the package: inkpool history");
  const cases: readonly [Record<string, string>, readonly string[], string][] = [
    [{ DATA_DIR: empty }, [], `there is no database in ${JSON.stringify(empty)}`],
    [{}, ["--data-dir", join(empty, "no")], "there is no database in"],
    [{ DATABASE_URL: "nonsense" }, [], "DATABASE_URL is not a URL"],
    [{ DATABASE_URL: "postgres://a:b@127.0.0.1:9/c" }, [], "DATABASE_URL cannot be used"],
    [
      { DATABASE_URL: "postgres://a:b@127.0.0.1:9/c" },
      ["--data-dir", empty],
      "--data-dir contradicts DATABASE_URL",
    ],
    [
      { SUPABASE_URL: "https://abc.supabase.co", SUPABASE_ANON_KEY: "abcdefgh" },
      [],
      "SUPABASE_URL is set",
    ],
  ];
  for (const [env, args, message] of cases) {
    const { code, stdout, stderr } = await run(["list", ...args], env);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^history: [^\n]+\n$/);
    expect(stderr).toContain(message);
  }
  const old = new Driver(join(empty, "inkpool.db"));
  old.exec("create table canvas_state (id text)");
  old.close();
  expect((await run(["list"], { DATA_DIR: empty })).stderr).toBe(
    "history: the database has no history yet; start the server on it once\n",
  );
});
