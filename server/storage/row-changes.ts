/** The changes of the whiteboard's row as a driver reports them. */

/** Bytes of a drawing's text up to which a change contains it. */
export const DRAWING_BYTES = 65_536;

/** The columns of the row, in the order of the table, with the names of their types in PostgreSQL. */
export const ROW_COLUMNS = [
  { name: "id", type: "uuid" },
  { name: "canvas_json", type: "json" },
  { name: "updated_at", type: "timestamptz" },
  { name: "version", type: "int8" },
] as const;

/** The row without a drawing that is larger than `DRAWING_BYTES`. */
export interface ChangedRow {
  readonly id: string;
  readonly version: number;
  /** The time in the form of the table API. */
  readonly updatedAt: string;
  /** The JSON text; null for a drawing over the limit. */
  readonly drawing: string | null;
}

interface Committed {
  /** The time of the commit: ISO 8601 in UTC with milliseconds, by the clock of the database's machine. */
  readonly committedAt: string;
}

/** One committed change. An update that leaves id, version and time unchanged is none. */
export type RowChange = Committed &
  (
    | { readonly type: "INSERT" | "UPDATE"; readonly oldId: string; readonly row: ChangedRow }
    | { readonly type: "DELETE"; readonly oldId: string; readonly row: null }
  );

/** Returns the change between two states of the row; null stands for no row. */
export function changesBetween(
  before: ChangedRow | null,
  after: ChangedRow | null,
  committedAt: string,
): readonly RowChange[] {
  const removed = (oldId: string): RowChange => ({ type: "DELETE", oldId, row: null, committedAt });
  if (after === null) return before === null ? [] : [removed(before.id)];
  const { id: oldId } = after;
  const inserted: RowChange = { type: "INSERT", oldId, row: after, committedAt };
  if (before === null) return [inserted];
  if (before.id !== after.id) return [removed(before.id), inserted];
  const isSame = before.version === after.version && before.updatedAt === after.updatedAt;
  return isSame ? [] : [{ type: "UPDATE", oldId, row: after, committedAt }];
}
