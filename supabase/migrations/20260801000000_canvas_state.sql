-- The whiteboard's one table. Runs on a Supabase project and, after the roles exist, on plain PostgreSQL 15.

create table if not exists public.canvas_state (
  id uuid not null default gen_random_uuid(),
  -- json, not jsonb: the text is kept as it was sent, so that its size is the same number everywhere.
  canvas_json json not null,
  updated_at timestamptz not null default now(),
  constraint canvas_state_pkey primary key (id),
  -- 10 MB of serialized UTF-8.
  constraint canvas_json_size_check check (octet_length(canvas_json::text) <= 10485760)
);

comment on table public.canvas_state is 'The shared drawing: at most one row.';

-- One row only: two first saves at once leave one row.
create unique index if not exists canvas_state_single_row on public.canvas_state ((true));

alter table public.canvas_state enable row level security;

drop policy if exists canvas_state_select on public.canvas_state;
create policy canvas_state_select on public.canvas_state
  for select to anon, authenticated using (true);

drop policy if exists canvas_state_insert on public.canvas_state;
create policy canvas_state_insert on public.canvas_state
  for insert to anon, authenticated with check (true);

drop policy if exists canvas_state_update on public.canvas_state;
create policy canvas_state_update on public.canvas_state
  for update to anon, authenticated using (true) with check (true);

-- Where the service role bypasses policies, as on Supabase, this one changes nothing.
drop policy if exists canvas_state_service on public.canvas_state;
create policy canvas_state_service on public.canvas_state
  for all to service_role using (true) with check (true);

-- Nobody but the service role may delete: there is no policy for it, so that a delete touches no row.
grant usage on schema public to anon, authenticated, service_role;
revoke all on public.canvas_state from anon, authenticated;
grant select, insert, update, delete on public.canvas_state to anon, authenticated;
grant all on public.canvas_state to service_role;
