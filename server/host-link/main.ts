/** The process of `npm run host-link`: prints the host link, and with `--renew` makes new links first. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hostLink } from "../access/host-link.ts";
import { linkKey, linksOf, readLinks, renewLinks } from "../access/links.ts";
import { checkDatabaseFile } from "../data-dir.ts";
import { createLogger } from "../process/log.ts";
import { writeOut } from "../process/output.ts";
import { reasonOf } from "../process/start-fault.ts";
import { parseSettings, type Settings } from "../settings/settings.ts";
import { DATABASE_FILE } from "../storage/setup/open.ts";
import type { Database } from "../storage/port.ts";
import { hasTable } from "../storage/tables.ts";
import { fileFault } from "../storage/sqlite/damage.ts";
import { openSqlite } from "../storage/sqlite/open.ts";

const USAGE = `usage: npm run host-link [-- --renew] [--origin https://board.example]
in the package: inkpool host-link [--renew] [--origin https://board.example]
  prints the link that makes a host of whoever opens it; --renew makes the old links void first`;

const NOTHING = "there are no links yet; start the server on this database once";
const OTHER_KEY =
  "the link was made with another key than GOTRUE_JWT_SECRET, GOTRUE_JWT_KEYS or keys.json has now; --renew makes a new one";

async function main(): Promise<number> {
  let values: { renew?: boolean | undefined; origin?: string | undefined };
  try {
    const options = { renew: { type: "boolean" }, origin: { type: "string" } } as const;
    ({ values } = parseArgs({ args: process.argv.slice(2), options }));
  } catch {
    return complain(USAGE.split("\n"), 2);
  }
  const { renew = false, origin } = values;
  if (origin !== undefined && !/^https?:\/\/[^\s#?]+$/.test(origin))
    return complain(USAGE.split("\n"), 2);
  const parsed = parseSettings(process.env, process.cwd());
  if (!parsed.ok) return complain(parsed.problems, 1);
  const { settings } = parsed;
  if (settings.supabase !== null)
    return complain(["SUPABASE_URL is set: the server has no links there (docs/operations.md)"], 1);
  try {
    const database = await open(settings);
    try {
      const { env, dataDir } = settings;
      const row = (await hasTable(database, "inkpool_keys")) ? await readLinks(database) : null;
      if (row === null) return complain([NOTHING], 1);
      const key = await linkKey({ env, dataDir, database });
      const links = renew ? await renewLinks(database, key) : linksOf(row, key);
      if (links === null) return complain([OTHER_KEY], 1);
      await writeOut(`${hostLink(originOf(settings, origin), links)}\n`);
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    return complain([reasonOf(error)], 1);
  }
}

/**
 * Returns the origin that the operator names, or else the address that the auth API uses in its links, or else the
 * address to listen on.
 */
function originOf({ env, host, port, basePath }: Settings, given: string | undefined): string {
  const known = given ?? env["GOTRUE_SITE_URL"]?.trim() ?? "";
  if (known !== "") return known.replace(/\/+$/, "");
  const shown = host.includes(":") ? `[${host}]` : host;
  const isAny = host === "0.0.0.0" || host === "::";
  return `http://${isAny ? "localhost" : shown}:${port}${basePath}`;
}

/** Opens the existing database, beside a server that runs on it. */
async function open({ databaseUrl, dataDir }: Settings): Promise<Database> {
  if (databaseUrl !== null) {
    const log = createLogger("warn", (line) => process.stderr.write(line), Date.now);
    const { openPostgres } = await import("../storage/postgres/open.ts");
    return openPostgres(databaseUrl, log);
  }
  const path = join(dataDir, DATABASE_FILE);
  if (!existsSync(path))
    throw new Error(
      `there is no database in ${JSON.stringify(dataDir)}; expected DATA_DIR to name the server's folder`,
    );
  checkDatabaseFile(dataDir);
  return openSqlite(path).catch((error: unknown) => {
    throw fileFault(path, error);
  });
}

function complain(lines: readonly string[], code: number): number {
  process.stderr.write(lines.map((line) => `host-link: ${line}\n`).join(""));
  return code;
}

process.exitCode = await main();
