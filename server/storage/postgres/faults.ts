import { DatabaseError } from "pg";
import { reasonOf } from "../../process/start-fault.ts";
import { DatabaseUnavailable, StorageFault } from "../faults.ts";

/** Matches SQLSTATE classes and codes that the caller's data can cause; all others are our fault. */
const CALLERS = /^(?:21|22|23|44|54)|^(?:42501|57014)$/;

/**
 * Matches faults that pass without a change of ours: no connection, no resources, no disk, a server that starts,
 * stops or may only be read, a password or a database that is being changed, and an aborted transaction that a
 * connection was left in, which is as useless as a broken one.
 */
const AWAY = /^(?:08|28|53|57P|58)|^(?:25006|25P02|3D000)$/;

/** Matches those of them that hinder writes alone: no space or other resources, a server that may only be read. */
const WRITES_AWAY = /^(?:53(?!300)|25006$)/;

/** Whether reads may work while writes are refused. */
export function hindersWrites({ code }: DatabaseUnavailable): boolean {
  return WRITES_AWAY.test(code);
}

/**
 * The code for connections that are all in use, of the server, the database or the role: another attempt in a moment
 * may get one.
 */
const FULL = "53300";

/** Whether PostgreSQL has refused a connection for lack of free ones. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === FULL;
}

/**
 * The details of faults, in the form for everybody. PostgreSQL quotes rows and keys in its details, or omits them
 * under row-level security, and a drawing or an address must not be in a message or a log.
 */
const DETAILS: Readonly<Record<string, (given: string | undefined) => string | undefined>> = {
  "23502": () => "Failing row contains (...).",
  "23505": (given) =>
    given?.replace(/=\(.*\) already exists/s, "=(...) already exists") ??
    "Key (...) already exists.",
  "23514": () => "Failing row contains (...).",
};

/** The code with which PostgreSQL ends one of several transactions that wait for each other. */
const DEADLOCK = "40P01";

/** Whether PostgreSQL has ended a transaction to break a deadlock: another attempt may succeed. */
export function isDeadlock(error: unknown): boolean {
  return (
    error instanceof Error && error.cause instanceof DatabaseError && error.cause.code === DEADLOCK
  );
}

export function translateError(error: unknown): Error {
  // Faults that the driver itself finds are connections that cannot be made, break or stay silent.
  if (!(error instanceof DatabaseError)) {
    const code = codeOf(error);
    return new DatabaseUnavailable(reasonOf(error) || code, { code });
  }
  const code = error.code ?? "";
  if (AWAY.test(code)) return new DatabaseUnavailable(error.message, { code });
  if (!CALLERS.test(code)) return new Error(`${error.message} (${code})`, { cause: error });
  const detail = DETAILS[code]?.(error.detail);
  return new StorageFault(code, error.message, {
    ...(error.constraint === undefined ? {} : { constraint: error.constraint }),
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Returns the code of an error; empty for one without. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
