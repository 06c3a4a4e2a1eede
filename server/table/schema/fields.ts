/** A column, or a path into a JSON column: `canvas_json->objects->0->>type`. */

import { faults } from "./faults.ts";
import type { Column, ColumnType, Table } from "./tables.ts";

export interface Field {
  readonly column: Column;
  /** The path: keys of objects as texts, indexes of arrays as numbers (from the end when negative). */
  readonly path: readonly (string | number)[];
  /** Whether the path ends with `->>`: the value as text. */
  readonly asText: boolean;
}

/** The type of a field's value: the column's type, or text for a path that ends with `->>`. */
export type FieldType = ColumnType | "text";

const FIELD = /^([A-Za-z_][A-Za-z0-9_]*)((?:->>?(?:-?\d{1,9}|[A-Za-z_][A-Za-z0-9_ -]{0,63}))*)$/;
const STEP = /->(>?)(-?\d{1,9}(?![A-Za-z_])|[A-Za-z_][A-Za-z0-9_ -]*?(?=->|$))/g;
const MAX_PATH = 10;

export function fieldType(field: Field): FieldType {
  return field.asText ? "text" : field.column.type;
}

/**
 * Parses a field.
 * @param what The parameter's name in a complaint.
 * @throws TableFault PGRST100 for another grammar, 42703 for an unknown column, 0A000 for a path into a column that
 * is read as a whole
 */
export function parseField(table: Table, text: string, what: string): Field {
  const match = FIELD.exec(text);
  if (match === null) throw faults.badFilter(what, text);
  const [, name = "", arrows = ""] = match;
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) throw faults.column(table.name, name);
  const steps = [...arrows.matchAll(STEP)];
  if (steps.length === 0) return { column, path: [], asText: false };
  if (column.type !== "json")
    throw faults.operator(column.type, steps[0]?.[1] === ">" ? "->>" : "->");
  if (column.whole === true) throw faults.wholeColumn(table.name, name);
  const early = steps.slice(0, -1).some((step) => step[1] === ">");
  if (early || steps.length > MAX_PATH) throw faults.badFilter(what, text);
  const path = steps.map((step) => toStep(step[2] ?? ""));
  return { column, path, asText: steps.at(-1)?.[1] === ">" };
}

function toStep(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
