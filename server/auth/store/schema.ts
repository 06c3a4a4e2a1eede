/**
 * The tables, in SQL that both databases understand. Timestamps are ISO texts in UTC, so that they sort as texts;
 * flags are 0 and 1; JSON is text.
 */

import type { MigrationStep } from "../../storage/port.ts";

const USER_ID = "user_id text not null references auth_users (id) on delete cascade";
const CLIENT_ID = "client_id text not null references auth_oauth_clients (id) on delete cascade";

const TABLES = [
  `create table auth_users (
      id text primary key, aud text not null, role text not null,
      email text, email_confirmed_at text, phone text, phone_confirmed_at text, encrypted_password text,
      invited_at text, confirmation_sent_at text, recovery_sent_at text, reauthentication_sent_at text,
      email_change text, email_change_sent_at text, email_change_status integer not null default 0,
      phone_change text, phone_change_sent_at text, last_sign_in_at text,
      app_metadata text not null, user_metadata text not null,
      is_sso_user integer not null default 0, is_anonymous integer not null default 0,
      banned_until text, deleted_at text, created_at text not null, updated_at text not null)`,
  "create unique index auth_users_email_key on auth_users (email) where is_sso_user = 0",
  "create unique index auth_users_phone_key on auth_users (phone)",
  "create index auth_users_created_at on auth_users (created_at)",
  `create table auth_identities (
      id text primary key, ${USER_ID}, provider text not null, provider_id text not null,
      identity_data text not null, email text,
      last_sign_in_at text, created_at text not null, updated_at text not null)`,
  "create unique index auth_identities_provider_key on auth_identities (provider, provider_id)",
  "create index auth_identities_user on auth_identities (user_id)",
  `create table auth_sessions (
      id text primary key, ${USER_ID}, aal text not null, amr text not null, factor_id text,
      user_agent text, ip text, not_after text,
      refreshed_at text not null, created_at text not null, updated_at text not null)`,
  "create index auth_sessions_user on auth_sessions (user_id)",
  `create table auth_refresh_tokens (
      token_hash text primary key,
      session_id text not null references auth_sessions (id) on delete cascade,
      used_at text, created_at text not null)`,
  "create index auth_refresh_tokens_session on auth_refresh_tokens (session_id)",
  `create table auth_one_time_tokens (
      id text primary key, ${USER_ID}, kind text not null, sent_to text not null,
      link_hash text, code_hash text, guesses integer not null default 0,
      flow_id text, expires_at text not null, created_at text not null)`,
  "create unique index auth_one_time_tokens_kind_key on auth_one_time_tokens (user_id, kind)",
  "create unique index auth_one_time_tokens_link_key on auth_one_time_tokens (link_hash)",
  `create table auth_flow_states (
      id text primary key, user_id text, kind text not null, state_hash text, code_hash text,
      code_challenge text, code_challenge_method text, provider text, redirect_to text,
      sealed text, method text, linking_user_id text, expires_at text not null, created_at text not null)`,
  "create unique index auth_flow_states_state_key on auth_flow_states (state_hash)",
  "create unique index auth_flow_states_code_key on auth_flow_states (code_hash)",
  `create table auth_factors (
      id text primary key, ${USER_ID}, friendly_name text not null, factor_type text not null,
      status text not null, secret text, phone text, last_used_step integer,
      credential_id text, public_key text, sign_count bigint, transports text,
      last_challenged_at text, created_at text not null, updated_at text not null)`,
  "create unique index auth_factors_name_key on auth_factors (user_id, friendly_name) where friendly_name <> ''",
  `create table auth_challenges (
      id text primary key, factor_id text not null references auth_factors (id) on delete cascade,
      ip text not null, code_hash text, ceremony text, guesses integer not null default 0,
      expires_at text not null, created_at text not null)`,
  "create index auth_challenges_factor on auth_challenges (factor_id)",
  `create table auth_passkeys (
      id text primary key, ${USER_ID}, friendly_name text not null, credential_id text not null,
      public_key text not null, sign_count bigint not null, transports text not null,
      last_used_at text, created_at text not null, updated_at text not null)`,
  "create unique index auth_passkeys_credential_key on auth_passkeys (credential_id)",
  "create index auth_passkeys_user on auth_passkeys (user_id)",
  `create table auth_ceremonies (
      id text primary key, user_id text, kind text not null, challenge text not null,
      expires_at text not null, created_at text not null)`,
  `create table auth_sso_providers (
      id text primary key, entity_id text not null, metadata_xml text not null, metadata_url text,
      name_id_format text, attribute_mapping text not null, disabled integer not null default 0,
      created_at text not null, updated_at text not null)`,
  "create unique index auth_sso_providers_entity_key on auth_sso_providers (entity_id)",
  `create table auth_sso_domains (
      domain text primary key, id text not null, created_at text not null,
      provider_id text not null references auth_sso_providers (id) on delete cascade)`,
  `create table auth_oauth_clients (
      id text primary key, name text not null, secret_hash text, client_type text not null,
      auth_method text not null, client_uri text, logo_uri text, redirect_uris text not null,
      grant_types text not null, response_types text not null, scope text,
      created_at text not null, updated_at text not null)`,
  `create table auth_counters (
      key text primary key, count integer not null, until_at text not null)`,
  "create table auth_secrets (name text primary key, value text not null)",
  `create table auth_audit_log (
      id text primary key, ip text not null, action text not null, actor_id text, payload text not null,
      created_at text not null)`,
  "create index auth_audit_log_created_at on auth_audit_log (created_at)",
];

/** The tables of the OAuth server: requests of clients, consents of people, and the resulting sessions. */
const OAUTH_SERVER = [
  "alter table auth_sessions add column oauth_client_id text",
  "alter table auth_sessions add column scope text",
  "create index auth_sessions_oauth_client on auth_sessions (oauth_client_id)",
  "alter table auth_oauth_clients add column registration_type text not null default 'manual'",
  "alter table auth_oauth_clients add column approved_at text",
  `create table auth_oauth_authorizations (
      id_hash text primary key, ${CLIENT_ID},
      user_id text references auth_users (id) on delete cascade,
      redirect_uri text not null, scope text not null, state text, resource text, nonce text,
      code_challenge text not null, status text not null, code_hash text,
      consent_session_id text, issued_session_id text,
      expires_at text not null, created_at text not null)`,
  "create unique index auth_oauth_authorizations_code_key on auth_oauth_authorizations (code_hash)",
  `create table auth_oauth_consents (
      ${USER_ID}, ${CLIENT_ID}, scope text not null, granted_at text not null,
      primary key (user_id, client_id))`,
];

export const AUTH_STEPS: readonly MigrationStep[] = [
  step("0001_auth", TABLES),
  step("0002_oauth_server", OAUTH_SERVER),
];

/** Makes a step of the schema. On PostgreSQL no role of the table API may use the tables. */
function step(name: string, statements: readonly string[]): MigrationStep {
  const tables = statements.flatMap((sql) => /^create table (\w+)/.exec(sql)?.[1] ?? []);
  return {
    name,
    sqlite: statements.join(";\n"),
    postgres: [
      ...statements,
      ...tables.map((table) => `alter table ${table} enable row level security`),
      ...tables.map(
        (table) => `revoke all on ${table} from public, anon, authenticated, service_role`,
      ),
    ].join(";\n"),
  };
}
