/**
 * The choice of the history's versions, by slots of time that grow, in SQLite's SQL.
 * supabase/migrations/20261123000000_history_slots.sql is its twin for PostgreSQL;
 * docs/decisions/history-by-trigger.md says why. A released step never changes.
 */

import { copyTriggers, milliseconds, NOW, ofLast, OLD_OBJECTS } from "./history.ts";

/** The time when the last stored version was replaced; later than now where the clock has been set back. */
const LAST_END =
  "(select replaced_at from canvas_history where id = (select max(id) from canvas_history))";

const SAVED = `min(${NOW}, coalesce(${ofLast("replaced_at")}, max(OLD.updated_at, coalesce(${LAST_END}, ''))))`;

/**
 * The condition of a milestone: the first drawing of a day, or one with twice the objects of every loss and milestone
 * of the day since the last loss; an empty drawing only where the day has none. The drawing during which the clock
 * was set back counts too, since nobody knows at which boundaries it existed.
 */
const MILESTONE = `coalesce(${LAST_END} > ${NOW}, 0) or not exists (
      select 1 from canvas_history
      where substr(replaced_at, 1, 10) = substr(${NOW}, 1, 10) and (loss or milestone)
        and (${OLD_OBJECTS} = 0 or (objects * 2 > ${OLD_OBJECTS}
          and id > coalesce((select max(id) from canvas_history where loss), 0)))
    )`;

/**
 * The versions to retain. It contains no age: a clock that leaps, ahead or back, moves versions into other slots and
 * removes none.
 */
const RETAINED = `
create view canvas_history_kept (id) as
with slot (length, boundaries) as (values
  (60000, 60), (300000, 24), (900000, 24), (3600000, 24), (14400000, 24),
  (86400000, 30), (345600000, 8), (1382400000, 2)
),
version as (
  select id, loss or milestone as marked, max(bytes, max_bytes / 512) as weight,
    ${milliseconds("saved_at")} as saved, ${milliseconds("replaced_at")} as replaced
  from canvas_history, canvas_history_settings
  where bytes <= max_bytes
),
boundary as (
  select id, boundaries, sum(weight) over newest as share, row_number() over newest as place
  from version join slot on (replaced - 1) / length * length >= saved
  window newest as (partition by length order by id desc)
),
mark as (
  select id, weight, max(id) over (partition by replaced / 86400000) as last_of_day, min(
      sum(weight) over (partition by replaced / 86400000 order by id),
      sum(weight) over (partition by replaced / 86400000 order by id desc)
    ) as depth
  from version
  where marked
),
edge as (
  select id, weight, depth, dense_rank() over (order by last_of_day desc) as day from mark
),
claim (id, share) as (
  select max(id), 0 from version
  union all select id, share from boundary where place <= boundaries
  union all select id, sum(weight) over (order by depth, id desc) from edge where day <= 30
),
ranked as (select id, min(share) as share from claim group by id),
total as (
  select id, sum(weight) over (order by share, id desc) as bytes from ranked join version using (id)
)
select id from total, canvas_history_settings where bytes <= max_bytes;
`;

/** The step 20261123000000_history_slots. */
export const SQLITE_HISTORY_SLOTS = `
drop view canvas_history_kept;
${RETAINED}
drop trigger canvas_history_replaced;
drop trigger canvas_history_removed;
${copyTriggers({ before: "", saved: SAVED, milestone: MILESTONE })}`;
