-- A host may lock the board: then whoever has no claim inkpool_role of host or editor looks, and does not write.

create table if not exists public.canvas_settings (
  id bigint not null default 1,
  locked boolean not null default false,
  constraint canvas_settings_pkey primary key (id),
  constraint canvas_settings_single_row check (id = 1)
);

comment on table public.canvas_settings is 'What a host has decided about the board: one row.';

insert into public.canvas_settings default values on conflict do nothing;

-- The claim of the token that a request shows, or null.
create or replace function public.canvas_role() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'inkpool_role'
$$;

-- Volatile, so that a write that waited for another one sees a lock that came meanwhile.
create or replace function public.canvas_may_write() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if coalesce(public.canvas_role(), '') not in ('host', 'editor')
    and exists (select from public.canvas_settings where locked) then
    raise exception using errcode = '42501', message = 'The host has locked the board';
  end if;
  return true;
end
$$;

revoke all on function public.canvas_role(), public.canvas_may_write() from public;
grant execute on function public.canvas_role(), public.canvas_may_write()
  to anon, authenticated, service_role;

drop policy if exists canvas_state_insert on public.canvas_state;
create policy canvas_state_insert on public.canvas_state
  for insert to anon, authenticated with check (public.canvas_may_write());

drop policy if exists canvas_state_update on public.canvas_state;
create policy canvas_state_update on public.canvas_state
  for update to anon, authenticated using (true) with check (public.canvas_may_write());

alter table public.canvas_settings enable row level security;

drop policy if exists canvas_settings_select on public.canvas_settings;
create policy canvas_settings_select on public.canvas_settings
  for select to anon, authenticated using (true);

-- Not in "using": whoever is no host is refused, and not told that no row matched.
drop policy if exists canvas_settings_update on public.canvas_settings;
create policy canvas_settings_update on public.canvas_settings
  for update to anon, authenticated using (true)
  with check (coalesce(public.canvas_role(), '') = 'host');

drop policy if exists canvas_settings_service on public.canvas_settings;
create policy canvas_settings_service on public.canvas_settings
  for all to service_role using (true) with check (true);

revoke all on public.canvas_settings from anon, authenticated;
grant select, insert, update, delete on public.canvas_settings to anon, authenticated;
grant all on public.canvas_settings to service_role;

-- On a Supabase project the pages are told of the lock by a message of the database, and its row events.
create or replace function public.canvas_settings_announce() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb,text,text,boolean)') is not null then
    execute 'select realtime.send($1, $2, $3, false)'
      using jsonb_build_object('locked', new.locked), 'canvas-settings', 'canvas-room';
  end if;
  return null;
end
$$;

revoke all on function public.canvas_settings_announce()
  from public, anon, authenticated, service_role;

drop trigger if exists canvas_settings_announce on public.canvas_settings;
create trigger canvas_settings_announce after update on public.canvas_settings
  for each row when (old.locked is distinct from new.locked)
  execute function public.canvas_settings_announce();

do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime' and not puballtables)
    and not exists (
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public'
        and tablename = 'canvas_settings'
    ) then
    alter publication supabase_realtime add table public.canvas_settings;
  end if;
end
$$;
