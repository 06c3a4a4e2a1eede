-- Changes of the row reach those who subscribe to them: on a Supabase project by its publication, on plain PostgreSQL by
-- a notification, which the server listens to.

do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime' and not puballtables)
    and not exists (
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'canvas_state'
    ) then
    alter publication supabase_realtime add table public.canvas_state;
  end if;
end
$$;

-- A notification has fewer than 8,000 bytes: a larger drawing is read by whoever listens.
create or replace function public.canvas_state_notify() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  head jsonb := jsonb_build_object(
    'type', tg_op,
    'at', to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  whole text;
begin
  if tg_op <> 'INSERT' then
    head := head || jsonb_build_object('old_id', old.id);
  end if;
  if tg_op <> 'DELETE' then
    head := head || jsonb_build_object(
      'id', new.id, 'version', new.version, 'updated_at', new.updated_at);
    if octet_length(new.canvas_json::text) < 7000 then
      whole := (head || jsonb_build_object('drawing', new.canvas_json::text))::text;
    end if;
  end if;
  if whole is null or octet_length(whole) > 7900 then
    whole := head::text;
  end if;
  perform pg_notify('inkpool_row', whole);
  return null;
end
$$;

drop trigger if exists canvas_state_notify on public.canvas_state;
create trigger canvas_state_notify after insert or delete on public.canvas_state
  for each row execute function public.canvas_state_notify();

-- An update that changes neither the drawing nor the time is no change.
drop trigger if exists canvas_state_notify_update on public.canvas_state;
create trigger canvas_state_notify_update after update on public.canvas_state
  for each row
  when ((old.id, old.version, old.updated_at) is distinct from (new.id, new.version, new.updated_at))
  execute function public.canvas_state_notify();

revoke all on function public.canvas_state_notify()
  from public, anon, authenticated, service_role;
