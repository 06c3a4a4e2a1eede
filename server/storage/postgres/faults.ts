import { DatabaseError } from "pg";
import { StorageFault } from "../port.ts";

/** SQLSTATE classes and codes that the caller's data can cause; everything else is ours. */
const CALLERS = /^(?:21|22|23|44|54)|^(?:42501|57014)$/;

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
  if (!(error instanceof DatabaseError))
    return error instanceof Error ? error : new Error(String(error));
  const code = error.code ?? "";
  if (!CALLERS.test(code)) return new Error(`${error.message} (${code})`);
  const detail = DETAILS[code]?.(error.detail);
  return new StorageFault(code, error.message, {
    ...(error.constraint === undefined ? {} : { constraint: error.constraint }),
    ...(detail === undefined ? {} : { detail }),
  });
}
