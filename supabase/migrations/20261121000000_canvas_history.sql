-- The database itself keeps what a save replaces, whoever writes, and numbers the versions of the row.
-- What is kept and why: docs/decisions/history-by-trigger.md.

alter table public.canvas_state add column if not exists version bigint not null default 1;

comment on column public.canvas_state.version is
  'One more for each change of canvas_json. The database sets it, whatever a client sends.';

-- Sets the version and the time of a row that is written.
create or replace function public.canvas_state_stamp() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    return new;
  end if;
  if new.id <> old.id and not pg_has_role(current_user, 'service_role', 'member') then
    raise exception 'only the service role may change the id of a row of "canvas_state"'
      using errcode = '42501';
  end if;
  new.version := old.version;
  if new.canvas_json::text <> old.canvas_json::text then
    new.version := old.version + 1;
    if new.updated_at = old.updated_at then
      new.updated_at := clock_timestamp();
      -- Two writes at the same moment; a time beyond reach, which anybody may set, is left alone.
      if old.updated_at >= new.updated_at and old.updated_at < '9999-12-31' then
        new.updated_at := old.updated_at + interval '1 microsecond';
      end if;
    end if;
  end if;
  return new;
end
$$;

drop trigger if exists canvas_state_stamp on public.canvas_state;
create trigger canvas_state_stamp before insert or update on public.canvas_state
  for each row execute function public.canvas_state_stamp();

create table if not exists public.canvas_history (
  id bigint generated always as identity,
  -- The row's version that this was.
  version bigint not null,
  -- From when until when it was the drawing, by the database's clock.
  saved_at timestamptz not null,
  replaced_at timestamptz not null,
  -- The size of the drawing's UTF-8 text, and the length of its list of objects; then those of the drawing that followed.
  bytes bigint not null,
  objects bigint not null,
  next_bytes bigint not null,
  next_objects bigint not null,
  loss boolean not null
    generated always as (next_objects * 2 < objects or next_bytes * 2 < bytes) stored,
  -- The first of its day, or twice as many objects as all before it on that day.
  milestone boolean not null,
  canvas_json json not null,
  constraint canvas_history_pkey primary key (id)
);

comment on table public.canvas_history is 'Drawings that were replaced. Only the triggers of canvas_state write it.';

-- A server that was built without lz4 compresses with its own method.
do $$
begin
  alter table public.canvas_state alter column canvas_json set compression lz4;
  alter table public.canvas_history alter column canvas_json set compression lz4;
exception when feature_not_supported then null;
end
$$;

create table if not exists public.canvas_history_settings (
  only_row boolean not null default true,
  -- Of all drawings in canvas_history together; 0 keeps none.
  max_bytes bigint not null default 209715200,
  constraint canvas_history_settings_pkey primary key (only_row),
  constraint canvas_history_settings_only_row_check check (only_row),
  constraint canvas_history_settings_max_bytes_check check (max_bytes >= 0)
);

insert into public.canvas_history_settings default values on conflict do nothing;

-- The one clock of the history. A test puts its own in its place.
create or replace function public.canvas_history_now() returns timestamptz
language sql volatile set search_path = '' as 'select clock_timestamp()';

-- How many entries the drawing's list of objects has; 0 for a drawing without a list.
create or replace function public.canvas_history_count(drawing json) returns bigint
language plpgsql immutable set search_path = '' as $$
declare
  list json;
begin
  list := drawing -> 'objects';
  return case when json_typeof(list) = 'array' then json_array_length(list) else 0 end;
exception when others then
  return 0;
end
$$;

-- Removes what no rule keeps, and what is over the budget. canvas_history_kept of the embedded database is its twin.
create or replace function public.canvas_history_prune() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  budget bigint;
  ms bigint := floor(extract(epoch from public.canvas_history_now()) * 1000);
begin
  -- The lock lets one writer at a time count and remove.
  select max_bytes into budget from public.canvas_history_settings for update;
  with version as (
    select id, loss or milestone as marked, greatest(bytes, budget / 512) as weight,
      floor(extract(epoch from saved_at) * 1000)::bigint as saved,
      floor(extract(epoch from replaced_at) * 1000)::bigint as replaced
    from public.canvas_history
    where bytes <= budget
  ),
  edge as (
    select id, weight, least(
        sum(weight) over (partition by replaced / 86400000 order by id),
        sum(weight) over (partition by replaced / 86400000 order by id desc)
      ) as depth
    from version
    where marked and replaced > ms - 2592000000
  ),
  claim (id, share) as (
    select max(id), 0 from version
    union all
    select id, sum(weight) over (order by id desc) from version
      where (replaced - 1) / 60000 * 60000 >= greatest(saved, ms - 3600000 + 1)
    union all
    select id, sum(weight) over (order by id desc) from version
      where (replaced - 1) / 3600000 * 3600000 >= greatest(saved, ms - 86400000 + 1)
    union all
    select id, sum(weight) over (order by id desc) from version
      where (replaced - 1) / 86400000 * 86400000 >= greatest(saved, ms - 2592000000 + 1)
    union all
    select id, sum(weight) over (order by depth, id desc) from edge
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

drop trigger if exists canvas_history_prune on public.canvas_history;
create trigger canvas_history_prune after insert on public.canvas_history
  for each statement execute function public.canvas_history_prune();

drop trigger if exists canvas_history_prune on public.canvas_history_settings;
create trigger canvas_history_prune after update on public.canvas_history_settings
  for each statement execute function public.canvas_history_prune();

-- Copies the row that is replaced or removed.
create or replace function public.canvas_history_keep() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment timestamptz := public.canvas_history_now();
  old_bytes bigint := octet_length(old.canvas_json::text);
  old_objects bigint;
  old_saved timestamptz;
begin
  if tg_op = 'UPDATE' and new.version = old.version then
    return null;
  end if;
  perform from public.canvas_history_settings where max_bytes > 0 for update;
  if not found then
    return null;
  end if;
  -- A clock that was set back: what lies in the future happened now.
  update public.canvas_history
    set saved_at = least(saved_at, moment), replaced_at = moment where replaced_at > moment;
  -- What followed the last version is this one: it was counted then.
  select next_objects, replaced_at into old_objects, old_saved from public.canvas_history
    where id = (select max(id) from public.canvas_history)
      and version = old.version - 1 and next_bytes = old_bytes;
  if not found then
    old_objects := public.canvas_history_count(old.canvas_json);
    old_saved := least(moment, greatest(
      old.updated_at, (select max(replaced_at) from public.canvas_history)));
  end if;
  insert into public.canvas_history
    (version, saved_at, replaced_at, bytes, objects, next_bytes, next_objects, milestone, canvas_json)
  values (
    old.version, old_saved, moment, old_bytes, old_objects,
    case when tg_op = 'UPDATE' then octet_length(new.canvas_json::text) else 0 end,
    case when tg_op = 'UPDATE' then public.canvas_history_count(new.canvas_json) else 0 end,
    not exists (
      select from public.canvas_history
      where (replaced_at at time zone 'UTC')::date = (moment at time zone 'UTC')::date
        and (loss or milestone) and (objects * 2 > old_objects or old_objects = 0)),
    old.canvas_json
  );
  return null;
end
$$;

drop trigger if exists canvas_history_keep on public.canvas_state;
create trigger canvas_history_keep after update or delete on public.canvas_state
  for each row execute function public.canvas_history_keep();

-- A truncate fires no trigger for its rows: they are deleted first.
create or replace function public.canvas_state_truncate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.canvas_state;
  return null;
end
$$;

drop trigger if exists canvas_state_truncate on public.canvas_state;
create trigger canvas_state_truncate before truncate on public.canvas_state
  for each statement execute function public.canvas_state_truncate();

alter table public.canvas_history enable row level security;
alter table public.canvas_history_settings enable row level security;

drop policy if exists canvas_history_select on public.canvas_history;
create policy canvas_history_select on public.canvas_history
  for select to anon, authenticated, service_role using (true);

-- A hosted project gives every role all rights to new tables and functions.
revoke all on public.canvas_history, public.canvas_history_settings
  from public, anon, authenticated, service_role;
revoke all on sequence public.canvas_history_id_seq from public, anon, authenticated, service_role;
grant select on public.canvas_history to anon, authenticated, service_role;
revoke all on function
  public.canvas_state_stamp(), public.canvas_state_truncate(), public.canvas_history_now(),
  public.canvas_history_count(json), public.canvas_history_prune(), public.canvas_history_keep()
  from public, anon, authenticated, service_role;
