/**
 * The history in SQLite's SQL. supabase/migrations/20261121000000_canvas_history.sql is its twin for PostgreSQL;
 * docs/decisions/history-by-trigger.md says what is kept and why. A released step never changes: history-slots.ts
 * replaces the choice of versions made here.
 */

import { SQLITE_NOW, SQLITE_UUID } from "../defaults.ts";

/** The row with its number. Small columns precede the drawing, since SQLite reads a row from its beginning, page by page. */
const NUMBERED_ROW = `
create table canvas_state_numbered (
  id text not null primary key default ${SQLITE_UUID},
  version integer not null default 1,
  updated_at text not null default ${SQLITE_NOW},
  canvas_json text not null,
  constraint canvas_json_size_check check (octet_length(canvas_json) <= 10485760)
) strict;
insert into canvas_state_numbered (id, updated_at, canvas_json)
  select id, updated_at, canvas_json from canvas_state;
drop table canvas_state;
alter table canvas_state_numbered rename to canvas_state;
create unique index canvas_state_single_row on canvas_state ((true));
`;

const HISTORY_TABLES = `
create table canvas_history (
  id integer primary key autoincrement,
  version integer not null,
  saved_at text not null,
  replaced_at text not null,
  bytes integer not null,
  objects integer not null,
  next_bytes integer not null,
  next_objects integer not null,
  loss integer not null
    generated always as (next_objects * 2 < objects or next_bytes * 2 < bytes) stored,
  milestone integer not null,
  canvas_json text not null
) strict;
create table canvas_history_settings (
  only_row integer primary key default 1 check (only_row = 1),
  max_bytes integer not null default 209715200 check (max_bytes >= 0)
) strict;
insert into canvas_history_settings default values;
create view canvas_history_clock (now) as select ${SQLITE_NOW};
`;

/** Returns a time of the history as an integer. */
export const milliseconds = (time: string): string =>
  `cast(round(unixepoch(${time}, 'subsec') * 1000) as integer)`;

/** Returns the class of versions that were the drawing at the end of one of the last slots of `slot` milliseconds. */
const boundary = (slot: number, within: number): string => `
  select id, sum(weight) over (order by id desc) from version, clock
    where (replaced - 1) / ${slot} * ${slot} >= max(saved, ms - ${within} + 1)`;

const RETAINED = `
create view canvas_history_kept (id) as
with clock (ms) as (select ${milliseconds("now")} from canvas_history_clock),
version as (
  select id, loss or milestone as marked, max(bytes, max_bytes / 512) as weight,
    ${milliseconds("saved_at")} as saved, ${milliseconds("replaced_at")} as replaced
  from canvas_history, canvas_history_settings
  where bytes <= max_bytes
),
edge as (
  select id, weight, min(
      sum(weight) over (partition by replaced / 86400000 order by id),
      sum(weight) over (partition by replaced / 86400000 order by id desc)
    ) as depth
  from version, clock
  where marked and replaced > ms - 2592000000
),
claim (id, share) as (
  select max(id), 0 from version
  union all ${boundary(60_000, 3_600_000)}
  union all ${boundary(3_600_000, 86_400_000)}
  union all ${boundary(86_400_000, 2_592_000_000)}
  union all select id, sum(weight) over (order by depth, id desc) from edge
),
ranked as (select id, min(share) as share from claim group by id),
total as (
  select id, sum(weight) over (order by share, id desc) as bytes from ranked join version using (id)
)
select id from total, canvas_history_settings where bytes <= max_bytes;
`;

const prune = (name: string, event: string): string => `
create trigger ${name} after ${event} begin
  delete from canvas_history where id not in (select id from canvas_history_kept);
end;
`;

/** Returns the number of entries in the list of objects; 0 for a drawing that has none or is no JSON. */
const countObjects = (drawing: string): string => `(case when json_valid(${drawing})
      then coalesce(json_array_length(${drawing}, '$.objects'), 0) else 0 end)`;

/** Returns a value of the last version's successor, which is OLD: it was counted then. */
export const ofLast = (column: string): string => `(
      select ${column} from canvas_history
      where id = (select max(id) from canvas_history)
        and version = OLD.version - 1 and next_bytes = octet_length(OLD.canvas_json)
    )`;

export const NOW = "(select now from canvas_history_clock)";
export const OLD_OBJECTS = `coalesce(${ofLast("next_objects")}, ${countObjects("OLD.canvas_json")})`;

/** The SQL of a copy in which the steps of the history differ. */
export interface CopyRules {
  /** Statements that precede the copy. */
  readonly before: string;
  /** The time since when OLD was the drawing. */
  readonly saved: string;
  /** The condition that OLD is a milestone. */
  readonly milestone: string;
}

const FIRST_RULES: CopyRules = {
  before: `
  update canvas_history set saved_at = min(saved_at, ${NOW}), replaced_at = ${NOW}
    where replaced_at > ${NOW};`,
  saved: `coalesce(${ofLast("replaced_at")}, min(${NOW}, max(
      OLD.updated_at, coalesce((select max(replaced_at) from canvas_history), ''))))`,
  milestone: `not exists (
      select 1 from canvas_history
      where substr(replaced_at, 1, 10) = substr(${NOW}, 1, 10) and (loss or milestone)
        and (objects * 2 > ${OLD_OBJECTS} or ${OLD_OBJECTS} = 0)
    )`,
};

/**
 * Copies OLD. It uses VALUES, and no SELECT: one that reads the table into which it writes would carry the drawing
 * through a temporary table.
 * @param next The bytes and objects of the successor.
 */
const copyOld = ({ before, saved, milestone }: CopyRules, next: string): string => `${before}
  insert into canvas_history (version, saved_at, replaced_at, bytes, objects, next_bytes, next_objects, milestone, canvas_json)
  values (
    OLD.version,
    ${saved},
    ${NOW}, octet_length(OLD.canvas_json), ${OLD_OBJECTS}, ${next},
    ${milestone}, OLD.canvas_json
  );
`;

const IS_ON = "(select max_bytes from canvas_history_settings) > 0";

/** The SQL of a time after OLD.updated_at, by at least a millisecond where that is not long past. */
const UPDATED_AT = `max(${SQLITE_NOW}, coalesce(
      rtrim(rtrim(strftime('%Y-%m-%dT%H:%M:%f', OLD.updated_at, '+0.001 seconds'), '0'), '.') || '+00:00', ''))`;

/**
 * The trigger that sets the columns of the row, which only an AFTER trigger can do here. It does so where the writer
 * has not set it as it must be. The pragma recursive_triggers is off, so that it does not meet its own update.
 */
const STAMP = `
create trigger canvas_state_stamp after update on canvas_state
when NEW.version <> OLD.version + (NEW.canvas_json <> OLD.canvas_json)
  or (NEW.canvas_json <> OLD.canvas_json and NEW.updated_at = OLD.updated_at)
begin
  update canvas_state set
    version = OLD.version + (NEW.canvas_json <> OLD.canvas_json),
    updated_at = case
      when NEW.canvas_json <> OLD.canvas_json and NEW.updated_at = OLD.updated_at then ${UPDATED_AT}
      else NEW.updated_at
    end
  where rowid = NEW.rowid;
end;
create trigger canvas_state_first after insert on canvas_state when NEW.version <> 1 begin
  insert or replace into canvas_state (id, version, updated_at, canvas_json)
  values (NEW.id, 1, NEW.updated_at, NEW.canvas_json);
end;
`;

/** Returns the triggers that copy replaced or removed drawings. */
export const copyTriggers = (rules: CopyRules): string => `
create trigger canvas_history_replaced after update of canvas_json on canvas_state
when NEW.canvas_json <> OLD.canvas_json and ${IS_ON}
begin ${copyOld(rules, `octet_length(NEW.canvas_json), ${countObjects("NEW.canvas_json")}`)} end;
create trigger canvas_history_removed after delete on canvas_state when ${IS_ON}
begin ${copyOld(rules, "0, 0")} end;
`;

/** The step 20261121000000_canvas_history: the version of the row, its history, and the triggers for both. */
export const SQLITE_HISTORY = [
  NUMBERED_ROW,
  HISTORY_TABLES,
  RETAINED,
  prune("canvas_history_prune", "insert on canvas_history"),
  prune("canvas_history_prune_settings", "update on canvas_history_settings"),
  STAMP,
  copyTriggers(FIRST_RULES),
].join("");
