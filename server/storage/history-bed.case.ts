/** A history under test: a database with a clock that is moved by hand, and drawings of a wanted size. */

import { migrate } from "./migrate.ts";
import type { Database } from "./port.ts";
import { parseTimestamp } from "./timestamp.ts";
import { canvasSteps } from "./setup/schema.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A midnight. */
export const START = Date.UTC(2026, 8, 1);

/**
 * The slots of the history, with the number of boundaries, the newest ones, whose drawings it stores
 * (docs/decisions/history-by-trigger.md).
 */
export const SLOTS = [
  { length: MINUTE, max: 60 },
  { length: 5 * MINUTE, max: 24 },
  { length: 15 * MINUTE, max: 24 },
  { length: HOUR, max: 24 },
  { length: 4 * HOUR, max: 24 },
  { length: DAY, max: 30 },
  { length: 4 * DAY, max: 8 },
  { length: 16 * DAY, max: 2 },
] as const;

/** A row of canvas_history without its drawing; times in milliseconds since 1970. */
export interface StoredVersion {
  readonly id: number;
  readonly version: number;
  readonly saved: number;
  readonly replaced: number;
  readonly bytes: number;
  readonly objects: number;
  readonly loss: boolean;
  readonly milestone: boolean;
}

export interface HistoryBed {
  readonly database: Database;
  /** Sets the clock of the history, in milliseconds since 1970. */
  readonly setClock: (time: number) => Promise<void>;
  /** Writes the row, as an insert when there is none. */
  readonly write: (drawing: string) => Promise<void>;
  /** Returns the row's version. */
  readonly version: () => Promise<number>;
  /** Writes the row and returns its version. */
  readonly save: (drawing: string) => Promise<number>;
  /** Returns all stored versions, the oldest first. */
  readonly versions: () => Promise<readonly StoredVersion[]>;
  /** Returns the text of a stored drawing. */
  readonly drawing: (id: number) => Promise<string>;
  readonly setBudget: (bytes: number) => Promise<void>;
  /** Removes the row and everything that is stored. */
  readonly empty: () => Promise<void>;
}

/** Brings the schema up to date and takes over the history's clock. */
export async function createHistoryBed(database: Database): Promise<HistoryBed> {
  await migrate(database, "canvas", canvasSteps());
  await database.query(CLOCK[database.dialect]);
  // The examined properties do not depend on the disk.
  if (database.dialect === "sqlite") await database.query("pragma synchronous = off");
  const setBudget = async (bytes: number): Promise<void> => {
    await database.query("update canvas_history_settings set max_bytes = $1", [bytes]);
  };
  const write = async (drawing: string): Promise<void> => {
    const update = "update canvas_state set canvas_json = $1";
    const { rowCount } = await database.query(update, [drawing]);
    if (rowCount === 0)
      await database.query("insert into canvas_state (canvas_json) values ($1)", [drawing]);
  };
  const version = async (): Promise<number> => {
    const { rows } = await database.query("select version from canvas_state");
    return Number(rows[0]?.["version"]);
  };
  return {
    database,
    write,
    setClock: async (time) => {
      const now = parseTimestamp(new Date(time).toISOString());
      await database.query("update clock_of_the_test set now = $1", [now]);
    },
    version,
    save: async (drawing) => {
      await write(drawing);
      return version();
    },
    versions: async () => {
      const { rows } = await database.query(
        "select id, version, saved_at, replaced_at, bytes, objects, loss, milestone from canvas_history order by id",
      );
      return rows.map((row) => ({
        id: Number(row["id"]),
        version: Number(row["version"]),
        saved: Date.parse(String(row["saved_at"])),
        replaced: Date.parse(String(row["replaced_at"])),
        bytes: Number(row["bytes"]),
        objects: Number(row["objects"]),
        loss: Boolean(row["loss"]),
        milestone: Boolean(row["milestone"]),
      }));
    },
    drawing: async (id) => {
      const sql = "select cast(canvas_json as text) as drawing from canvas_history where id = $1";
      return String((await database.query(sql, [id])).rows[0]?.["drawing"]);
    },
    setBudget,
    empty: async () => {
      const { rows } = await database.query("select max_bytes from canvas_history_settings");
      await setBudget(0);
      await database.query("delete from canvas_state");
      await setBudget(Number(rows[0]?.["max_bytes"]));
    },
  };
}

/** The SQL that makes the history's clock a table with one row, which is cheap to change. */
const CLOCK: Readonly<Record<Database["dialect"], string>> = {
  sqlite: `
    create table clock_of_the_test (now text not null);
    insert into clock_of_the_test values ('2026-01-01T00:00:00+00:00');
    drop view canvas_history_clock;
    create view canvas_history_clock (now) as select now from clock_of_the_test`,
  postgres: `
    create table clock_of_the_test (now timestamptz not null);
    insert into clock_of_the_test values ('2026-01-01T00:00:00+00:00');
    create or replace function canvas_history_now() returns timestamptz
    language sql volatile set search_path = '' as 'select now from public.clock_of_the_test'`,
};

/**
 * Returns a drawing of so many objects and bytes; `bytes` is at least 15 + 2 * `objects`. Different marks give
 * different texts.
 */
export function drawingOf(objects: number, bytes: number, mark: string): string {
  const list = Array.from({ length: objects }, () => "0").join(",");
  const head = `{"objects":[${list}],"note":"${mark}`;
  return `${head}${"x".repeat(Math.max(0, bytes - head.length - 2))}"}`;
}
