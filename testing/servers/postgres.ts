/** A PostgreSQL server for tests: the one of TEST_DATABASE_URL, or a temporary one from the programs of this machine. */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../../scripts/free-port.ts";

export interface TestPostgres {
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Removes everything that was made; a temporary server ends. */
  stop(): Promise<void>;
}

export type PostgresResult =
  | { readonly ok: true; readonly postgres: TestPostgres }
  /** The reason why there is none, for the reports of skipped tests. */
  | { readonly ok: false; readonly reason: string };

const PROGRAMS = "/usr/lib/postgresql";

export async function openTestPostgres(): Promise<PostgresResult> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return { ok: true, postgres: within(given, () => {}) };
  const own = await startTestPostgres();
  return own.ok ? { ok: true, postgres: within(own.url, own.stop) } : own;
}

export type OwnPostgres =
  | {
      readonly ok: true;
      /** The URL of the server's first database, for its superuser. */
      readonly url: string;
      readonly stop: () => void;
    }
  | { readonly ok: false; readonly reason: string };

/** Starts a temporary server from the programs of this machine. */
export async function startTestPostgres(): Promise<OwnPostgres> {
  const bin = findPrograms();
  if (bin === null)
    return {
      ok: false,
      reason: "no PostgreSQL server: TEST_DATABASE_URL is not set, and there is no initdb",
    };
  return startTemporary(bin);
}

function findPrograms(): string | null {
  if (!existsSync(PROGRAMS)) return null;
  const versions = readdirSync(PROGRAMS).toSorted((a, b) => Number(b) - Number(a));
  return (
    versions
      .map((version) => join(PROGRAMS, version, "bin"))
      .find((folder) => existsSync(join(folder, "initdb"))) ?? null
  );
}

async function startTemporary(bin: string): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-postgres-"));
  const port = await freePort();
  const run = (program: string, args: readonly string[]): string | null => {
    // PostgreSQL's programs refuse to run as root.
    const root = process.getuid?.() === 0;
    const [command, rest] = root
      ? ["runuser", ["-u", "postgres", "--", join(bin, program), ...args]]
      : [join(bin, program), [...args]];
    const { status, stderr, error } = spawnSync(command, rest, { encoding: "utf8", cwd: "/" });
    return status === 0 ? null : `${program} failed: ${error?.message ?? stderr.slice(-300)}`;
  };
  if (process.getuid?.() === 0) {
    chmodSync(folder, 0o755);
    spawnSync("chown", ["postgres", folder]);
  }
  const data = join(folder, "data");
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=300`;
  const failure =
    run("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]) ??
    run("pg_ctl", [
      "-D",
      data,
      "-w",
      "-t",
      "20",
      "-l",
      join(folder, "log"),
      "-o",
      options,
      "start",
    ]);
  const remove = (): void => {
    process.off("exit", remove);
    run("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"]);
    rmSync(folder, { recursive: true, force: true });
  };
  if (failure !== null) {
    remove();
    return { ok: false, reason: failure };
  }
  // The server is a process of its own: a test run that a signal stops must not leave it behind.
  process.once("exit", remove);
  return { ok: true, url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: remove };
}

function within(adminUrl: string, stopServer: () => void): TestPostgres {
  const made: string[] = [];
  const admin = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  return {
    createDatabase: async () => {
      const name = `inkpool_test_${randomBytes(6).toString("hex")}`;
      await admin(`create database ${name}`);
      made.push(name);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop: async () => {
      try {
        for (const name of made.splice(0))
          await admin(`drop database if exists ${name} with (force)`);
      } finally {
        stopServer();
      }
    },
  };
}
