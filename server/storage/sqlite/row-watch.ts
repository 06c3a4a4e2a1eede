/** Finds out after each write whether it changed the whiteboard's row. It runs in the thread that writes. */

import { DRAWING_BYTES, changesBetween, type ChangedRow, type RowChange } from "../row-changes.ts";

/** Runs a statement that returns rows. */
type ReadRows = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/** Selects the small columns, which precede the drawing, so that checking an unchanged row reads one page. */
const HEAD = `select id, version, updated_at from canvas_state limit 1`;
const DRAWING = `select case when octet_length(canvas_json) <= ${DRAWING_BYTES} then canvas_json end as drawing from canvas_state limit 1`;

/**
 * Compares the row with what it was at the call before.
 * @returns The changes since then; none at the first call.
 */
export type LookAtRow = () => Promise<readonly RowChange[]>;

export function createLook(read: ReadRows, now: () => string): LookAtRow {
  let known: ChangedRow | null | undefined;
  return async () => {
    const before = known;
    const [found] = await read(HEAD);
    const head = found === undefined ? null : rowOf(found, null);
    if (before === undefined || changesBetween(before, head, "").length === 0) {
      known = head;
      return [];
    }
    // No write happens between the two reads: both run in the thread that writes.
    const [content] = head === null ? [] : await read(DRAWING);
    const drawing = content?.["drawing"];
    known = head;
    const after = head === null ? null : { ...head, drawing: textOf(drawing) };
    return changesBetween(before, after, now());
  };
}

function rowOf(row: Readonly<Record<string, unknown>>, drawing: string | null): ChangedRow {
  const { id, version, updated_at: updatedAt } = row;
  return { id: String(id), version: Number(version), updatedAt: String(updatedAt), drawing };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
