/** Checks whether the server can do its work, for /readyz. */

import { statfs } from "node:fs/promises";
import type { Readiness } from "./http/operations.ts";
import { errorFields } from "./process/error-fields.ts";
import type { LogFields, Logger } from "./process/log.ts";
import type { Database } from "./storage/port.ts";
import { hasSpace, probe } from "./storage/probe.ts";

export interface ReadinessSources {
  readonly database: Database;
  /** The folder of the embedded database. */
  readonly dataDir: string;
  readonly log: Logger;
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
  /** The time in milliseconds from any beginning, which no setting of the clock changes. */
  readonly now: () => number;
  /** Least number of free bytes on the disk of the embedded database; `SPARE_BYTES` without it. */
  readonly spareBytes?: number;
}

/** Free bytes that a save needs: one of 10 MB writes the drawing, the one that it replaces, and both once more into the log. */
const SPARE_BYTES = 48 * 1024 * 1024;

/** Milliseconds for which a result is valid, so that frequent requests cost nothing. */
const VALID_FOR = 5000;

/** Milliseconds for which PostgreSQL is taken to have space after it had some: to find out, it writes 16 MB. */
const SPACE_VALID_FOR = 60_000;

/** Milliseconds within which the database must respond to count as ready. */
const READY_WITHIN = 2000;

/** The reason in the log while the database does not respond. */
const SILENT: LogFields = { error: `no response within ${READY_WITHIN / 1000} s` };

/** Returns a function that checks the readiness. Simultaneous calls share one check of the database. */
export function createReadiness(sources: ReadinessSources): () => Promise<Readiness> {
  const { log, now } = sources;
  const hasSpaceNow = createSpaceCheck(sources);
  let found: { readonly readiness: Readiness; readonly at: number } | null = null;
  let running: Promise<Readiness> | null = null;

  const check = async (): Promise<Readiness> => {
    let before = found?.readiness ?? "ready";
    const notReady = (readiness: Readiness, fields: LogFields): void => {
      if (before === "ready") log.error(`not ready: ${readiness}`, fields);
      before = readiness;
    };
    const timer = setTimeout(notReady, READY_WITHIN, "database unavailable", SILENT);
    const [readiness, fields] = await examine(sources, hasSpaceNow);
    clearTimeout(timer);
    if (readiness !== "ready") notReady(readiness, fields);
    if (readiness === "ready" && before !== "ready") log.info("ready again");
    found = { readiness, at: now() };
    running = null;
    return readiness;
  };
  return () => {
    if (found !== null && now() - found.at < VALID_FOR) return Promise.resolve(found.readiness);
    running ??= check();
    return within(running);
  };
}

/** Returns a function that checks whether PostgreSQL has space for a save. */
function createSpaceCheck({ database, now }: ReadinessSources): () => Promise<boolean> {
  let foundAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - foundAt < SPACE_VALID_FOR) return true;
    foundAt = Number.NEGATIVE_INFINITY;
    const isFound = await hasSpace(database);
    if (isFound) foundAt = now();
    return isFound;
  };
}

async function examine(
  sources: ReadinessSources,
  hasSpaceNow: () => Promise<boolean>,
): Promise<readonly [Readiness, LogFields]> {
  const { database, dataDir, clock, spareBytes = SPARE_BYTES } = sources;
  try {
    if (database.dialect === "sqlite") {
      const { bavail, bsize } = await statfs(dataDir);
      // SQLite writes into space that its log already has, so a small write cannot show that the disk is full.
      if (bavail * bsize < spareBytes) return ["disk full", { freeBytes: bavail * bsize }];
    } else if (!(await hasSpaceNow())) return ["disk full", {}];
    await probe(database, new Date(clock()).toISOString());
    return ["ready", {}];
  } catch (error) {
    return ["database unavailable", errorFields(error)];
  }
}

/** Returns the check's result, or "database unavailable" when it takes longer than `READY_WITHIN`. */
async function within(check: Promise<Readiness>): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve("database unavailable"), READY_WITHIN);
  });
  const readiness = await Promise.race([check, timeout]);
  clearTimeout(timer);
  return readiness;
}
