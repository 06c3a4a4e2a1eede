import { DatabaseError } from "pg";
import { StorageFault } from "../port.ts";

/** SQLSTATE classes and codes that the caller's data can cause; everything else is ours. */
const CALLERS = /^(?:21|22|23|44|54)|^42501$/;

/** PostgreSQL quotes rows and keys in its details: a drawing or an address has no place in a message or a log. */
const DETAILS: Readonly<Record<string, (detail: string) => string>> = {
  "23502": () => "Failing row contains (...).",
  "23505": (detail) => detail.replace(/=\(.*\) already exists/s, "=(...) already exists"),
  "23514": () => "Failing row contains (...).",
};

export function translateError(error: unknown): Error {
  if (!(error instanceof DatabaseError))
    return error instanceof Error ? error : new Error(String(error));
  const code = error.code ?? "";
  if (!CALLERS.test(code)) return new Error(`${error.message} (${code})`);
  const mask = DETAILS[code];
  return new StorageFault(code, error.message, {
    ...(error.constraint === undefined ? {} : { constraint: error.constraint }),
    ...(mask === undefined || error.detail === undefined ? {} : { detail: mask(error.detail) }),
  });
}
