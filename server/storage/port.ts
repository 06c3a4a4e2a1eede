/** The part of the storage that the folders above it may use. */

export { DatabaseUnavailable, RETRY_AFTER, StorageFault } from "./database.ts";
export type {
  Actor,
  ConnectionUse,
  Database,
  Queryable,
  QueryResult,
  Row,
  SqlValue,
} from "./database.ts";
export { DRAWING_BYTES, ROW_COLUMNS } from "./row-changes.ts";
export type { ChangedRow, RowChange } from "./row-changes.ts";
export { migrate } from "./migrate.ts";
export type { MigrationStep } from "./migrate.ts";
export { SQLITE_NOW, SQLITE_UUID } from "./defaults.ts";
export { parseTimestamp } from "./timestamp.ts";
