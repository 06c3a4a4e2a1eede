import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { KEYS_FILE } from "./keys/stored.ts";
import { StartFault, errorCode } from "./process/start-fault.ts";
import { DATABASE_FILE } from "./storage/setup/open.ts";

const LOCK_FILE = "inkpool.lock";

/** Matches the server's own files: the databases with SQLite's files beside them, and the secrets. */
const OWN_FILE = /^(?:inkpool\.(?:db|lock)(?:-\w+)?|keys\.json|auth\.key)$/;

/**
 * Makes the folder, for this user alone. From here on all files that the process makes are for this user alone.
 * @throws StartFault when the folder cannot be made or written
 */
export function prepareDataDir(dataDir: string): void {
  process.umask(0o077);
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartFault(
      `DATA_DIR ${JSON.stringify(dataDir)} is not writable (${errorCode(error)}); expected a folder that this process may write`,
    );
  }
}

/** Makes a folder and those above it, also when another process does so. The recursion of Node.js 20 never ends below /proc. */
export function makeFolder(path: string): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isThere()) throw error;
  }
}

/**
 * Removes the rights of other users from the server's files in the folder. Returns the paths of those where this
 * failed, since another user owns them or the file system has no rights.
 */
export function restrictToOwner(dataDir: string): readonly string[] {
  const own = readdirSync(dataDir).filter((name) => OWN_FILE.test(name));
  return own
    .map((name) => join(dataDir, name))
    .filter((path) => {
      try {
        const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
        if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
        return false;
      } catch {
        return true;
      }
    });
}

/**
 * Gives the server's files that root owns to the owner of the folder, who could not open them: a command that root has
 * run made them. No link is followed, since that owner may have made it.
 */
export function giveToOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  if (uid === 0) return;
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (!OWN_FILE.test(entry.name) || !entry.isFile()) continue;
    const opened = openSync(join(dataDir, entry.name), constants.O_RDONLY | constants.O_NOFOLLOW);
    const file = fstatSync(opened);
    if (file.uid === 0 && file.nlink === 1) {
      fchownSync(opened, uid, gid);
      fsyncSync(opened);
    }
    closeSync(opened);
  }
}

/**
 * Checks the database's file.
 * @throws StartFault when it is empty although it once was a database: keys.json is written after the tables were
 * made, and SQLite writes to the log beside it only then
 */
export function checkDatabaseFile(dataDir: string): void {
  const path = join(dataDir, DATABASE_FILE);
  if (sizeOf(path) !== 0) return;
  const trace = [join(dataDir, KEYS_FILE), `${path}-wal`].find((one) => (sizeOf(one) ?? 0) > 0);
  if (trace === undefined) return;
  throw new StartFault(
    `DATA_DIR: ${path} is empty, but ${trace} shows that it was a database; expected the database of this installation (put a backup in its place, or remove the empty file to begin with an empty drawing)`,
  );
}

/** Returns the size in bytes; null when there is no such file. */
function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/** A folder that belongs to this process alone until it ends, however it ends. */
export interface DirLock {
  release(): void;
}

/**
 * Locks the folder for this process alone. The lock is the operating system's lock on an open file, which SQLite
 * takes for us on every platform: it ends with the process, so that there is nothing to clean up after a crash and no
 * process id to mistake.
 * @throws StartFault when another process has locked it.
 */
export function lockDataDir(dataDir: string): DirLock {
  const path = join(dataDir, LOCK_FILE);
  let lock: Database.Database | undefined;
  try {
    lock = new Database(path, { timeout: 0 });
    lock.exec("begin exclusive");
  } catch (error) {
    lock?.close();
    if (errorCode(error).startsWith("SQLITE_BUSY"))
      throw new StartFault(
        `DATA_DIR ${JSON.stringify(dataDir)} is in use by another process; expected a folder of its own for each, or the other one stopped`,
      );
    // A file that this user may not open has no code.
    throw new StartFault(
      `DATA_DIR: ${path} cannot be locked (${errorCode(error) || "SQLITE_CANTOPEN"}); expected a file that this process may write`,
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
