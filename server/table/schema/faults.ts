/** The faults that a caller of the table API can cause, with PostgREST's texts and codes. */

import { VISITOR_REFUSALS } from "../../../board/refusals.ts";
import { TEXTS } from "../../../board/constants.ts";
import type { Role } from "../../keys/port.ts";
import type { StorageFault } from "../../storage/faults.ts";

export interface FaultBody {
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly message: string;
}

/** A fault that is thrown where it is found, and sent by the only handler, in register.ts. */
export class TableFault extends Error {
  readonly status: number;
  readonly body: FaultBody;
  constructor(status: number, code: string, message: string, more: Partial<FaultBody> = {}) {
    super(message);
    this.name = "TableFault";
    this.status = status;
    this.body = { code, details: more.details ?? null, hint: more.hint ?? null, message };
  }
}

export const faults = {
  badFilter: (what: string, text: string) =>
    new TableFault(400, "PGRST100", `"failed to parse ${what} (${clip(text)})"`),
  badJson: (reason = "Empty or invalid json") => new TableFault(400, "PGRST102", reason),
  range: (details: string) =>
    new TableFault(416, "PGRST103", "Requested range not satisfiable", { details }),
  schema: (name: string) =>
    new TableFault(406, "PGRST106", `Invalid schema: ${clip(name)}`, {
      hint: "Only the following schemas are exposed: public",
    }),
  mediaType: (accept: string) =>
    new TableFault(406, "PGRST107", `None of these media types are available: ${clip(accept)}`),
  notSingle: (count: number) =>
    new TableFault(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
      details: `The result contains ${count} rows`,
    }),
  method: (method: string) =>
    new TableFault(405, "PGRST117", `Unsupported HTTP method: ${clip(method)}`),
  preference: (names: readonly string[]) =>
    new TableFault(400, "PGRST122", "Invalid preferences given with handling=strict", {
      details: `Invalid preferences: ${clip(names.join(", "))}`,
    }),
  maxAffected: (count: number) =>
    new TableFault(400, "PGRST124", "Query result exceeds max-affected preference constraint", {
      details: `The query affects ${count} rows`,
    }),
  path: () => new TableFault(404, "PGRST125", "Invalid path specified in request URL"),
  relationship: (table: string, name: string, hint: string | undefined) =>
    new TableFault(
      400,
      "PGRST200",
      `Could not find a relationship between '${table}' and '${clip(name)}' in the schema cache`,
      {
        details: `Searched for a foreign key relationship between '${table}' and '${clip(name)}' ${
          hint === undefined ? "" : `using the hint '${clip(hint)}' `
        }in the schema 'public', but no matches were found.`,
      },
    ),
  embedded: (name: string) =>
    new TableFault(400, "PGRST108", `'${clip(name)}' is not an embedded resource in this request`, {
      hint: `Verify that '${clip(name)}' is included in the 'select' query parameter.`,
    }),
  aggregate: () => new TableFault(400, "PGRST123", "Use of aggregate functions is not allowed"),
  /** @param names of the arguments */
  rpc: (name: string, names: readonly string[], hasBody: boolean) => {
    const list = clip(names.join(", "));
    const call = names.length === 0 ? " without parameters" : `(${list})`;
    const plural = names.length > 1 ? "s" : "";
    const searched = names.length === 0 ? call : ` with parameter${plural} ${list}`;
    const unnamed = hasBody ? " or with a single unnamed json/jsonb parameter" : "";
    return new TableFault(
      404,
      "PGRST202",
      `Could not find the function public.${clip(name)}${call} in the schema cache`,
      {
        details: `Searched for the function public.${clip(name)}${searched}${unnamed}, but no matches were found in the schema cache.`,
      },
    );
  },
  bodyColumn: (table: string, name: string) =>
    new TableFault(
      400,
      "PGRST204",
      `Could not find the '${clip(name)}' column of '${table}' in the schema cache`,
    ),
  table: (name: string) =>
    new TableFault(
      404,
      "PGRST205",
      `Could not find the table 'public.${clip(name)}' in the schema cache`,
    ),
  column: (table: string, name: string) =>
    new TableFault(400, "42703", `column ${table}.${clip(name)} does not exist`),
  operator: (type: string, symbol: string) =>
    new TableFault(404, "42883", `operator does not exist: ${type} ${symbol} unknown`, {
      hint: "No operator matches the given name and argument types. You might need to add explicit type casts.",
    }),
  ordering: (type: string) =>
    new TableFault(404, "42883", `could not identify an ordering operator for type ${type}`),
  conflictTarget: () =>
    new TableFault(
      400,
      "42P10",
      "there is no unique or exclusion constraint matching the ON CONFLICT specification",
    ),
  value: (type: string, text: string) =>
    new TableFault(
      400,
      type === "timestamp with time zone" ? "22007" : "22P02",
      `invalid input syntax for type ${type}: "${clip(text)}"`,
    ),
  escape: () =>
    new TableFault(400, "22P05", "unsupported Unicode escape sequence", {
      details: "A NUL or half of a surrogate pair cannot be stored as text.",
    }),
  isOperand: (text: string, type: string) =>
    new TableFault(
      400,
      "42804",
      `argument of IS ${clip(text).toUpperCase()} must be type boolean, not type ${type}`,
    ),
  whereless: (verb: "UPDATE" | "DELETE") =>
    new TableFault(400, "21000", `${verb} requires a WHERE clause`),
  denied: (role: Role, table: string) =>
    new TableFault(
      deniedStatus(role),
      "42501",
      `new row violates row-level security policy for table "${table}"`,
    ),
  locked: (role: Role) => new TableFault(deniedStatus(role), "42501", TEXTS.locked),
  readOnly: (role: Role, table: string) =>
    new TableFault(deniedStatus(role), "42501", `permission denied for table ${table}`),
  fixedColumn: (role: Role, table: string, column: string) =>
    new TableFault(
      deniedStatus(role),
      "42501",
      `only the service role may change the ${column} of a row of "${table}"`,
    ),
  wholeColumn: (table: string, column: string) =>
    new TableFault(400, "0A000", `${table}.${column} can only be read whole`),
  tooLarge: (limit: number) =>
    new TableFault(413, "PGRST413", `Request body is too large, at most ${limit} bytes are taken`),
  /** The database's own words for a row that its check refuses. */
  tooLargeRow: (table: string, check: string) =>
    new TableFault(
      400,
      "23514",
      `new row for relation "${table}" violates check constraint "${check}"`,
      { details: "Failing row contains (...)." },
    ),
  tooCostly: (reason: string) =>
    new TableFault(400, "54001", "statement is too complex", { details: reason }),
  tooMany: (seconds: number) =>
    new TableFault(429, "over_request_rate_limit", `Too many requests, try again in ${seconds} s`),
  paused: () => new TableFault(403, "visitor_paused", VISITOR_REFUSALS.paused),
  limited: () => new TableFault(429, "visitor_limit", VISITOR_REFUSALS.limit),
  unavailable: () =>
    new TableFault(503, "PGRST000", "The database is unavailable, try again later"),
  busy: () => new TableFault(503, "PGRST003", "Too many bytes at once, try again later"),
  crowded: () =>
    new TableFault(503, "PGRST003", "Too many requests wait for the database, try again later"),
} as const;

/** The HTTP status by SQLSTATE, as PostgREST maps them; a missing one is 400. */
const STATUS: Readonly<Record<string, number>> = {
  "23503": 409,
  "23505": 409,
  "42883": 404,
  "57014": 500,
};

/** Converts the database's complaint about the caller's data. */
export function ofStorage(fault: StorageFault, role: Role): TableFault {
  const status = fault.code === "42501" ? deniedStatus(role) : (STATUS[fault.code] ?? 400);
  return new TableFault(status, fault.code, fault.message, { details: fault.detail ?? null });
}

/** Returns the status of a denial: 401 for a caller without a token, 403 for one with a token. */
function deniedStatus(role: Role): number {
  return role === "anon" ? 401 : 403;
}

/** Shortens a text of the caller before it is sent back. */
function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
