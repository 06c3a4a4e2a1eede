/** The faults of a database: a refusal, and that it cannot be reached. */

/** A fault that a caller's data caused, with PostgreSQL's SQLSTATE (23505, 23514, 23502, 22P02 ...). */
export class StorageFault extends Error {
  readonly code: string;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
  constructor(code: string, message: string, more: { constraint?: string; detail?: string } = {}) {
    super(message);
    this.name = "StorageFault";
    this.code = code;
    this.constraint = more.constraint;
    this.detail = more.detail;
  }
}

/**
 * The database cannot be reached, has no connection to give, or can neither read nor write now: nobody is to blame,
 * and the same call may work in a few seconds. `code` is the driver's, for the log and for the fault of a start.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string;
  constructor(reason: string, more: { code?: string; cause?: unknown } = {}) {
    super(reason, more.cause === undefined ? {} : { cause: more.cause });
    this.name = "DatabaseUnavailable";
    this.code = more.code ?? "";
  }
}

/** Seconds after which a caller that met a `DatabaseUnavailable` may try again: `Retry-After`. */
export const RETRY_AFTER = "5";
