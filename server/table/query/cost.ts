/** Limits the cost of one request to the database: a drawing has up to 10 MB, and each field or pattern may read all of it. */

import type { Role } from "../../keys/port.ts";
import { faults } from "../schema/faults.ts";
import type { Field } from "../schema/fields.ts";
import type { Filter } from "./filters.ts";

/**
 * Greatest number of fields inside JSON in a request's select, filters and order, and in its select alone; and of
 * characters in all its patterns: SQLite compares a pattern at each character of the value, so 50 cost it 1 s on 10
 * MB.
 */
const MAX = {
  read: { fields: 5, selected: 10, pattern: 50 },
  // During a write, every other write waits.
  write: { fields: 4, selected: 4, pattern: 10 },
} as const;

/** Greatest number of fields inside JSON in a read with the service key, whose owner the server trusts. */
const SERVICE_FIELDS = 20;

/** The kind of access to the rows that a request names. */
export type Access = keyof typeof MAX;

/** The queue of a request. A long read looks into a drawing, which takes up to a second for each field. */
export type Purpose = Access | "longRead";

/** The fields and filters that a request names. */
export interface Named {
  readonly select: readonly { readonly field: Field }[];
  readonly filters: readonly Filter[];
  readonly order: readonly { readonly field: Field }[];
}

/**
 * Returns the queue for the request.
 * @throws TableFault 54001 for a request that would cost too much
 */
export function checkCost({ select, filters, order }: Named, access: Access, role: Role): Purpose {
  const max = MAX[access];
  const isService = access === "read" && role === "service_role";
  const fields = isService ? SERVICE_FIELDS : max.fields;
  const selected = select.map(({ field }) => field).filter(isJson);
  const whole = selected.filter(({ path }) => path.length === 0);
  if (new Set(whole.map(({ column }) => column)).size < whole.length)
    throw faults.tooCostly("a JSON column may be selected once");
  if (selected.length > max.selected)
    throw faults.tooCostly(`at most ${max.selected} fields of JSON may be selected`);
  const compared = filters.flatMap(fieldsOf);
  const used = [...selected, ...compared, ...order.map(({ field }) => field)];
  const inside = used.filter(({ path }) => path.length > 0).length;
  if (inside > fields) throw faults.tooCostly(`a ${access} may name ${fields} fields of JSON`);
  if (filters.reduce((sum, filter) => sum + patternOf(filter), 0) > max.pattern)
    throw faults.tooCostly(
      `the patterns of a ${access} may have ${max.pattern} characters together`,
    );
  return access === "read" && inside > 0 ? "longRead" : access;
}

function isJson({ column }: Field): boolean {
  return column.type === "json";
}

function fieldsOf(filter: Filter): readonly Field[] {
  if (filter.kind === "not") return fieldsOf(filter.part);
  return "parts" in filter ? filter.parts.flatMap(fieldsOf) : [filter.field];
}

/** Returns the number of characters of a filter's patterns. */
function patternOf(filter: Filter): number {
  if (filter.kind === "not") return patternOf(filter.part);
  if ("parts" in filter) return filter.parts.reduce((sum, part) => sum + patternOf(part), 0);
  const isPattern = filter.kind === "compare" && (filter.by === "like" || filter.by === "ilike");
  return isPattern ? filter.value.length : 0;
}
