/** The messages between the two threads. */

import type { SqlValue } from "../port.ts";
import type { RowChange } from "../row-changes.ts";
import type { Fault } from "./faults.ts";

/** The code of an error after the thread was halted. */
export const CLOSED = "CLOSED";

/** The code of an error when a read had to end, since a checkpoint waited for it. */
export const GAVE_WAY = "GAVE_WAY";

export interface WorkerOptions {
  /** The path of the database file. */
  readonly path: string;
  /** Whether writes fail. */
  readonly readOnly: boolean;
  /** Milliseconds until the first row of a statement that returns rows; null for no limit. */
  readonly limit: number | null;
  /** Milliseconds that a statement waits for a lock of another process. */
  readonly busyTimeout: number;
  /** Bytes of the write-ahead log's file that stay on the disk when the log begins anew. */
  readonly logSize: number;
  /** One Int32; once it is 1, the thread begins no further statement. A message would wait behind the statements. */
  readonly halted: SharedArrayBuffer;
}

export type WorkerRequest =
  | {
      readonly kind: "query";
      readonly id: number;
      readonly sql: string;
      readonly values: readonly SqlValue[];
    }
  /** `halted` was set: the running read is interrupted. */
  | { readonly kind: "halt" }
  /** Asks the thread to settle: it answers after every request before; until then a read ends after `within` milliseconds. */
  | { readonly kind: "settle"; readonly id: number; readonly within: number }
  /** Asks the thread to report changes of the whiteboard's row from now on. It answers `settled`. */
  | { readonly kind: "watch"; readonly id: number }
  | { readonly kind: "close"; readonly id: number };

export type WorkerAnswer =
  | { readonly kind: "opened" }
  /** The size of the log, before the answer to the statement that changed it. */
  | { readonly kind: "log"; readonly bytes: number }
  /** A change of the row, before the answer to the statement that made it. */
  | { readonly kind: "change"; readonly change: RowChange }
  | {
      readonly kind: "result";
      readonly id: number;
      readonly rows: readonly Record<string, unknown>[];
      readonly rowCount: number;
    }
  | { readonly kind: "fault"; readonly id: number; readonly fault: Fault }
  | {
      readonly kind: "error";
      readonly id: number;
      readonly message: string;
      /** SQLite's code, such as SQLITE_CORRUPT, or `CLOSED`; empty for an error that is not SQLite's. */
      readonly code: string;
      /** The stack of the worker thread. */
      readonly stack: string;
    }
  | { readonly kind: "settled"; readonly id: number }
  | { readonly kind: "closed"; readonly id: number };
