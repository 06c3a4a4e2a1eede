-- What the history keeps goes by slots of time that grow, and by no age: neither a clock that leaps nor a writer with
-- large drawings pushes the versions of before out. Why: docs/decisions/history-by-trigger.md.

-- Removes what no rule keeps, and what is over the budget. canvas_history_kept of the embedded database is its twin.
create or replace function public.canvas_history_prune() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  budget bigint;
begin
  -- The lock lets one writer at a time count and remove.
  select max_bytes into budget from public.canvas_history_settings for update;
  with slot (length, boundaries) as (values
    (60000, 60), (300000, 24), (900000, 24), (3600000, 24), (14400000, 24),
    (86400000, 30), (345600000, 8), (1382400000, 2)
  ),
  version as (
    select id, loss or milestone as marked, greatest(bytes, budget / 512) as weight,
      floor(extract(epoch from saved_at) * 1000)::bigint as saved,
      floor(extract(epoch from replaced_at) * 1000)::bigint as replaced
    from public.canvas_history
    where bytes <= budget
  ),
  boundary as (
    select id, boundaries, sum(weight) over newest as share, row_number() over newest as place
    from version join slot on (replaced - 1) / length * length >= saved
    window newest as (partition by length order by id desc)
  ),
  mark as (
    select id, weight, max(id) over (partition by replaced / 86400000) as last_of_day, least(
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
    union all
    select id, share from boundary where place <= boundaries
    union all
    select id, sum(weight) over (order by depth, id desc) from edge where day <= 30
  ),
  ranked as (select id, min(share) as share from claim group by id),
  total as (
    select id, sum(weight) over (order by share, id desc) as bytes from ranked join version using (id)
  )
  delete from public.canvas_history
    where id not in (select id from total where bytes <= budget);
  return null;
end
$$;

-- Copies the row that is replaced or removed.
create or replace function public.canvas_history_keep() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment timestamptz := public.canvas_history_now();
  old_bytes bigint := octet_length(old.canvas_json::text);
  old_objects bigint;
  old_saved timestamptz;
  -- When the version that was kept last was replaced; later than now where the clock has been set back.
  last_end timestamptz;
  last_loss bigint;
begin
  if tg_op = 'UPDATE' and new.version = old.version then
    return null;
  end if;
  perform from public.canvas_history_settings where max_bytes > 0 for update;
  if not found then
    return null;
  end if;
  select replaced_at into last_end from public.canvas_history order by id desc limit 1;
  select coalesce(max(id), 0) into last_loss from public.canvas_history where loss;
  -- What followed the last version is this one: it was counted then.
  select next_objects, replaced_at into old_objects, old_saved from public.canvas_history
    where id = (select max(id) from public.canvas_history)
      and version = old.version - 1 and next_bytes = old_bytes;
  if not found then
    old_objects := public.canvas_history_count(old.canvas_json);
    old_saved := greatest(old.updated_at, last_end);
  end if;
  insert into public.canvas_history
    (version, saved_at, replaced_at, bytes, objects, next_bytes, next_objects, milestone, canvas_json)
  values (
    old.version, least(moment, old_saved), moment, old_bytes, old_objects,
    case when tg_op = 'UPDATE' then octet_length(new.canvas_json::text) else 0 end,
    case when tg_op = 'UPDATE' then public.canvas_history_count(new.canvas_json) else 0 end,
    -- The first of a day, or twice the objects of every loss and milestone of the day since the last loss; an empty
    -- drawing only where the day has none. Also the drawing during which the clock was set back.
    coalesce(last_end > moment, false) or not exists (
      select from public.canvas_history
      where (replaced_at at time zone 'UTC')::date = (moment at time zone 'UTC')::date
        and (loss or milestone)
        and (old_objects = 0 or (objects * 2 > old_objects and id > last_loss))),
    old.canvas_json
  );
  return null;
end
$$;
