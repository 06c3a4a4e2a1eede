/**
 * The process of `npm run history`: reads the settings, and prints its result on stdout and complaints on stderr.
 * Exits with 0, 1 or, for a wrong call, 2.
 */

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkDatabaseFile } from "../data-dir.ts";
import { createLogger } from "../process/log.ts";
import { writeOut } from "../process/output.ts";
import { reasonOf } from "../process/start-fault.ts";
import { parseSettings } from "../settings/settings.ts";
import { DATABASE_FILE } from "../storage/setup/open.ts";
import type { Database } from "../storage/port.ts";
import { fileFault } from "../storage/sqlite/damage.ts";
import { openSqlite } from "../storage/sqlite/open.ts";
import { CommandFault, USAGE, parseArguments, runCommand } from "./command.ts";

async function main(): Promise<number> {
  const given = parseArguments(process.argv.slice(2));
  if (given === null) return complain(USAGE.split("\n"), 2);
  const { dataDir, command } = given;
  if (command.kind === "show" && npmWritesToo(process.env)) complain([NPM_LINES], 0);
  const env = dataDir === null ? process.env : { ...process.env, DATA_DIR: dataDir };
  const parsed = parseSettings(env, process.cwd());
  if (!parsed.ok) return complain(parsed.problems, 1);
  try {
    const database = await open(parsed.settings, dataDir !== null);
    try {
      const environment = { now: Date.now(), random: randomBytes(5).toString("hex") };
      await writeOut(await runCommand(database, command, environment));
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    return complain([reasonOf(error)], 1);
  }
}

const NPM_LINES =
  "npm has written lines of its own before the drawing; use npm --silent run history -- show ID > FILE";

/** Whether npm writes to stdout too: it announces a script there unless it is silent, and a file with that is no JSON. */
function npmWritesToo(env: NodeJS.ProcessEnv): boolean {
  return (
    env["npm_lifecycle_event"] === "history" &&
    env["npm_config_loglevel"] !== "silent" &&
    !process.stdout.isTTY
  );
}

/** Opens the existing database, beside a server that runs on it. Makes and changes nothing. */
async function open(
  settings: {
    readonly dataDir: string;
    readonly databaseUrl: string | null;
    readonly supabase: unknown;
  },
  dataDirGiven: boolean,
): Promise<Database> {
  if (settings.supabase !== null)
    throw new CommandFault(
      "SUPABASE_URL is set: the history of a Supabase project is read and restored there, in the SQL editor",
    );
  if (settings.databaseUrl !== null) {
    if (dataDirGiven)
      throw new CommandFault("--data-dir contradicts DATABASE_URL; expected one of the two");
    const log = createLogger("warn", (line) => process.stderr.write(line), Date.now);
    const { openPostgres } = await import("../storage/postgres/open.ts");
    return openPostgres(settings.databaseUrl, log);
  }
  const path = join(settings.dataDir, DATABASE_FILE);
  if (!existsSync(path))
    throw new CommandFault(
      `there is no database in ${JSON.stringify(settings.dataDir)}; expected DATA_DIR or --data-dir to name the server's folder`,
    );
  checkDatabaseFile(settings.dataDir);
  return openSqlite(path).catch((error: unknown) => {
    throw fileFault(path, error);
  });
}

function complain(lines: readonly string[], code: number): number {
  process.stderr.write(lines.map((line) => `history: ${line}\n`).join(""));
  return code;
}

process.exitCode = await main();
