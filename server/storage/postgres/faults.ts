import { DatabaseError } from "pg";
import { DatabaseUnavailable, StorageFault } from "../faults.ts";

/** SQLSTATE classes and codes that the caller's data can cause; everything else is ours. */
const CALLERS = /^(?:21|22|23|44|54)|^(?:42501|57014)$/;

/**
 * What passes without a change of ours: no connection, no resources, no disk, a server that starts, stops or may only be
 * read, a password or a database that is being changed.
 */
const AWAY = /^(?:08|28|53|57P|58)|^(?:25006|3D000)$/;

/** Connections that are all in use, of the server, the database or the role: another try in a moment may have one. */
const FULL = "53300";

/** Whether PostgreSQL has refused a connection for want of free ones. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === FULL;
}

/**
 * PostgreSQL quotes rows and keys in its details, or leaves them out under row-level security. A drawing
 * or an address has no place in a message or a log: these are the details as everybody gets them.
 */
const DETAILS: Readonly<Record<string, (given: string | undefined) => string | undefined>> = {
  "23502": () => "Failing row contains (...).",
  "23505": (given) =>
    given?.replace(/=\(.*\) already exists/s, "=(...) already exists") ??
    "Key (...) already exists.",
  "23514": () => "Failing row contains (...).",
};

export function translateError(error: unknown): Error {
  // What the driver finds itself is a connection that cannot be made, breaks or stays silent.
  if (!(error instanceof DatabaseError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return new DatabaseUnavailable(reason || codeOf(error), { code: codeOf(error) });
  }
  const code = error.code ?? "";
  if (AWAY.test(code)) return new DatabaseUnavailable(error.message, { code });
  if (!CALLERS.test(code)) return new Error(`${error.message} (${code})`);
  const detail = DETAILS[code]?.(error.detail);
  return new StorageFault(code, error.message, {
    ...(error.constraint === undefined ? {} : { constraint: error.constraint }),
    ...(detail === undefined ? {} : { detail }),
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
