/** Whether the server can do its work, as /readyz says it. */

import { statfs } from "node:fs/promises";
import type { Readiness } from "./http/operations.ts";
import { errorFields } from "./process/error-fields.ts";
import type { LogFields, Logger } from "./process/log.ts";
import type { Database } from "./storage/port.ts";
import { probe } from "./storage/probe.ts";

export interface ReadinessSources {
  readonly database: Database;
  /** Where the embedded database lies. */
  readonly dataDir: string;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Bytes that the disk of the embedded database has free at least; `SPARE_BYTES` without it. */
  readonly spareBytes?: number;
}

/** A save of 10 MB writes the drawing, the one that it replaces, and both once more into the log. */
const SPARE_BYTES = 48 * 1024 * 1024;

/** What was found holds for this long, in milliseconds: whoever asks more often costs nothing. */
const VALID_FOR = 5000;

/** The database must respond within this many milliseconds to be called ready. */
const READY_WITHIN = 2000;

/** Returns a function that says it now. Those who ask at the same time share one check of the database. */
export function createReadiness(sources: ReadinessSources): () => Promise<Readiness> {
  const { log, clock } = sources;
  let found: { readonly readiness: Readiness; readonly at: number } | null = null;
  let running: Promise<Readiness> | null = null;

  const check = async (): Promise<Readiness> => {
    const before = found?.readiness ?? "ready";
    const [readiness, fields] = await examine(sources);
    if (readiness !== "ready" && before === "ready") log.error(`not ready: ${readiness}`, fields);
    if (readiness === "ready" && before !== "ready") log.info("ready again");
    found = { readiness, at: clock() };
    running = null;
    return readiness;
  };
  return () => {
    if (found !== null && clock() - found.at < VALID_FOR) return Promise.resolve(found.readiness);
    running ??= check();
    return within(running);
  };
}

async function examine(sources: ReadinessSources): Promise<readonly [Readiness, LogFields]> {
  const { database, dataDir, clock, spareBytes = SPARE_BYTES } = sources;
  try {
    if (database.dialect === "sqlite") {
      const { bavail, bsize } = await statfs(dataDir);
      // SQLite writes into space that its log has already, so that a small write says nothing of a full disk.
      if (bavail * bsize < spareBytes) return ["disk full", { freeBytes: bavail * bsize }];
    }
    await probe(database, new Date(clock()).toISOString());
    return ["ready", {}];
  } catch (error) {
    return ["database unavailable", errorFields(error)];
  }
}

/** "database unavailable" for a check that takes longer than `READY_WITHIN`. */
async function within(check: Promise<Readiness>): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve("database unavailable"), READY_WITHIN);
  });
  const readiness = await Promise.race([check, timeout]);
  clearTimeout(timer);
  return readiness;
}
