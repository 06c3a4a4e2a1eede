/** The payload of a `postgres_changes` message. */

import { SETTINGS_TABLE, TABLE } from "../../../board/constants.ts";
import type { ChangedRow, RowChange } from "../../storage/port.ts";
import { DRAWING_BYTES, ROW_COLUMNS } from "../../storage/row-changes.ts";
import { isJson } from "../payloads/json-scan.ts";

type ColumnName = (typeof ROW_COLUMNS)[number]["name"];

const TOO_LARGE = "Error 413: Payload Too Large";
const UNAUTHORIZED = "Error 401: Unauthorized";

/**
 * Returns the JSON text of the payload. A drawing over the limit is left out, and `errors` names its column.
 * @param ids of the bindings that the change is for
 * @param columns that the receiver may and wants to read; without `id` it learns only that something has changed
 */
export function changePayload(
  change: RowChange,
  ids: readonly number[],
  columns: readonly string[],
): string {
  const shown = ROW_COLUMNS.filter(({ name }) => columns.includes(name));
  const errors: string[] = [];
  if (shown.length === 0) errors.push(UNAUTHORIZED);
  const fields: string[] = [];
  for (const { name } of change.row === null ? [] : shown) {
    const json = cell(change.row!, name);
    if (json === null) errors.push(`${TOO_LARGE}: ${name} has more than ${DRAWING_BYTES} bytes`);
    else fields.push(`${JSON.stringify(name)}:${json}`);
  }
  const record = change.row === null ? "" : `"record":{${fields.join(",")}},`;
  const { oldId, type, committedAt } = change;
  const known = columns.includes("id") ? { id: oldId } : {};
  const old = type === "INSERT" ? "" : `"old_record":${JSON.stringify(known)},`;
  const head = JSON.stringify(shown);
  const problems = JSON.stringify(errors.length === 0 ? null : errors);
  return `{"ids":${JSON.stringify(ids)},"data":{"columns":${head},"commit_timestamp":"${committedAt}","errors":${problems},${old}${record}"schema":"public","table":"${TABLE}","type":"${type}"}}`;
}

/** The columns of the settings' row, with the names of their types in PostgreSQL. */
export const SETTINGS_COLUMNS = [
  { name: "id", type: "int8" },
  { name: "locked", type: "bool" },
] as const;

/** Returns the JSON text of the payload of a changed lock. @param columns that the receiver wants to read; null for all */
export function settingsPayload(
  locked: boolean,
  ids: readonly number[],
  columns: readonly string[] | null,
): string {
  const shown = SETTINGS_COLUMNS.filter(({ name }) => columns === null || columns.includes(name));
  const row: Readonly<Record<string, unknown>> = { id: 1, locked };
  const data = {
    columns: shown,
    commit_timestamp: new Date().toISOString(),
    errors: null,
    old_record: { id: 1 },
    record: Object.fromEntries(shown.map(({ name }) => [name, row[name]])),
    schema: "public",
    table: SETTINGS_TABLE,
    type: "UPDATE",
  };
  return JSON.stringify({ ids, data });
}

/** Returns the JSON of a column; null for one that is too large. */
function cell(row: ChangedRow, name: ColumnName): string | null {
  switch (name) {
    case "id":
      return JSON.stringify(row.id);
    case "version":
      return String(row.version);
    case "updated_at":
      return JSON.stringify(row.updatedAt);
    case "canvas_json":
      // A row that somebody wrote into the file by hand may contain anything.
      return row.drawing === null || isJson(Buffer.from(row.drawing)) ? row.drawing : "null";
  }
}
