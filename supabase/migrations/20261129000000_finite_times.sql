-- Anybody may set the row's time, to -infinity too, from which the history could not reckon: every save failed then. Such
-- a time counts as none.

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
    old_saved := greatest(
      case when isfinite(old.updated_at) then old.updated_at end, last_end);
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
