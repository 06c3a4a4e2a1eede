/** Explains faults of the database's file that an operator can correct, in one line. */

import { StartFault } from "../../process/start-fault.ts";

/** SQLite's codes, and the beginning of libsql's message for a file that cannot be opened at all. */
const FAULTS: readonly (readonly [pattern: RegExp, wrong: string, expected: string])[] = [
  [
    /^SQLITE_(?:CORRUPT|NOTADB)/,
    "is damaged",
    "the database of this installation (put a backup in its place, or move it away to begin with an empty drawing)",
  ],
  [/^SQLITE_FULL/, "cannot be written: the disk is full", "free space on that disk"],
  [/^SQLITE_IOERR/, "cannot be read or written", "a disk that works and has space"],
  [
    /^(?:SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH|BUSY|LOCKED)|ConnectionFailed)/,
    "cannot be opened",
    "a file that this process alone may read and write",
  ],
];

/** Returns a StartFault for a file that is damaged or cannot be used, otherwise the error itself. */
export function fileFault(path: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const name = code === "" ? error.message : code;
  const found = FAULTS.find(([pattern]) => pattern.test(name));
  if (found === undefined) return error;
  const [, wrong, expected] = found;
  const reason = code === "" ? "" : ` (${code})`;
  return new StartFault(`DATA_DIR: ${path} ${wrong}${reason}; expected ${expected}`);
}
