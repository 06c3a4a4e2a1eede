/** Parses a channel's request for `postgres_changes`: returns bindings that can be served, or the reason why they cannot. */

import { SETTINGS_TABLE, TABLE } from "../../../board/constants.ts";
import type { RowChange } from "../../storage/port.ts";
import { ROW_COLUMNS } from "../../storage/row-changes.ts";
import type { PostgresBinding } from "../payloads/join.ts";
import {
  MAX_VALUES,
  SETTINGS,
  meets,
  parseFilter,
  settingsMeet,
  type Condition,
} from "./filter.ts";
import { SETTINGS_COLUMNS } from "./message.ts";

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;

export interface Binding {
  /** The id in the reply to the join. */
  readonly id: number;
  readonly event: "*" | (typeof EVENTS)[number];
  readonly conditions: readonly Condition[];
  /** The columns to read; null for all of them. */
  readonly columns: readonly string[] | null;
  /** The tables whose changes it is about. */
  readonly tables: readonly string[];
}

export type SubscriptionResult =
  | { readonly ok: true; readonly bindings: readonly Binding[] }
  | { readonly ok: false; readonly message: string };

const UNABLE = "Unable to subscribe to changes with given parameters.";

class Unserved {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Parses the bindings of a channel. One that cannot be served leaves the whole channel unserved, as with the hosted service. */
export function parseSubscription(requested: readonly PostgresBinding[]): SubscriptionResult {
  try {
    const bindings = requested.map((one, index) => parseBinding(one, index + 1));
    const conditions = bindings.flatMap((one) => one.conditions);
    if (conditions.flatMap(({ values }) => values).length > MAX_VALUES)
      throw new Unserved(
        `Error parsing \`filter\` params: too many values in the filters of a channel. Maximum ${MAX_VALUES}`,
      );
    return { ok: true, bindings };
  } catch (error) {
    if (error instanceof Unserved) return { ok: false, message: error.message };
    throw error;
  }
}

function parseBinding(requested: PostgresBinding, id: number): Binding {
  const { filter, select } = requested;
  const event = EVENTS.find((one) => one === requested.event.toUpperCase()) ?? "*";
  if (requested.schema === undefined && requested.table === undefined)
    throw new Unserved(
      "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to.",
    );
  if (filter !== undefined && requested.table === undefined)
    throw new Unserved("Error parsing `filter` params: a filter needs a table");
  const { schema = "public", table = "*" } = requested;
  const ofSettings = table === SETTINGS_TABLE;
  const parsed = parseFilter(filter ?? "", ofSettings ? SETTINGS : undefined);
  if (!parsed.ok && parsed.kind === "parse")
    throw new Unserved(`Error parsing \`filter\` params: ${parsed.reason}`);
  const tables = [TABLE, SETTINGS_TABLE].filter((name) => matches(table, name));
  if (!matches(schema, "public") || tables.length === 0)
    throw new Unserved(unableToSubscribe(requested));
  if (!parsed.ok) throw new Unserved(exceptionMessage(requested, parsed.reason));
  const columns = select === undefined || select.length === 0 ? null : select;
  const known: readonly { readonly name: string }[] = ofSettings ? SETTINGS_COLUMNS : ROW_COLUMNS;
  const unknown = columns?.find((name) => !known.some((column) => column.name === name));
  if (unknown !== undefined)
    throw new Unserved(
      exceptionMessage(
        requested,
        `ERROR P0001 (raise_exception) invalid column for select ${unknown}`,
      ),
    );
  return { id, event, conditions: parsed.conditions, columns, tables };
}

const matches = (pattern: string, name: string): boolean => pattern === "*" || pattern === name;

function parameters({ event, schema, table, filter }: PostgresBinding): string {
  return `[event: ${event}, schema: ${schema ?? "public"}, table: ${table ?? "*"}, filters: [${filter ?? ""}]]`;
}

/** Returns the message for an unknown table or schema, and for a role that may not select. */
export function unableToSubscribe(requested: PostgresBinding): string {
  return `${UNABLE} Please check Realtime is enabled for the given connect parameters: ${parameters(requested)}`;
}

const exceptionMessage = (requested: PostgresBinding, exception: string): string =>
  `${UNABLE} An exception happened so please check your connect parameters: ${parameters(requested)}. Exception: ${exception}`;

/** Returns the bindings to which a change is relevant. */
export function matching(bindings: readonly Binding[], change: RowChange): readonly Binding[] {
  const row = change.row ?? { id: change.oldId };
  return bindings.filter(
    ({ event, conditions, tables }) =>
      tables.includes(TABLE) && (event === "*" || event === change.type) && meets(row, conditions),
  );
}

/** Returns the bindings to which a change of the settings is relevant. */
export function matchingSettings(
  bindings: readonly Binding[],
  locked: boolean,
): readonly Binding[] {
  return bindings.filter(
    ({ event, conditions, tables }) =>
      tables.includes(SETTINGS_TABLE) &&
      (event === "*" || event === "UPDATE") &&
      settingsMeet(locked, conditions),
  );
}
