import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { StartFault, errorCode } from "./start-fault.ts";

/** @throws StartFault when the folder cannot be made or written */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartFault(
      `DATA_DIR ${JSON.stringify(dataDir)} is not writable (${errorCode(error)}); expected a folder that this process may write`,
    );
  }
}

/** A folder that is this process's own until it ends, however it ends. */
export interface DirLock {
  release(): void;
}

/**
 * Takes the folder for this process alone. The lock is the operating system's lock on an open file,
 * which SQLite takes for us on every platform: it ends with the process, so that there is nothing to
 * clean up after a crash and no process id to mistake.
 * @throws StartFault when another process has it
 */
export function lockDataDir(dataDir: string): DirLock {
  const path = join(dataDir, "inkpool.lock");
  let lock: Database.Database | undefined;
  try {
    lock = new Database(path, { timeout: 0 });
    lock.exec("begin exclusive");
  } catch (error) {
    lock?.close();
    if (errorCode(error).startsWith("SQLITE_BUSY"))
      throw new StartFault(
        `DATA_DIR ${JSON.stringify(dataDir)} is in use by another server process; expected a folder of its own for each`,
      );
    throw new StartFault(
      `DATA_DIR ${JSON.stringify(dataDir)} cannot be locked (${errorCode(error)}); expected a folder that this process may write`,
    );
  }
  const taken = lock;
  return {
    release: () => {
      taken.exec("rollback");
      taken.close();
    },
  };
}
