/** Makes the roles of a Supabase project on a plain PostgreSQL server. */

import { reasonOf, StartFault } from "../../process/start-fault.ts";
import { DatabaseUnavailable } from "../faults.ts";
import type { Queryable } from "../port.ts";

export const ROLES = ["anon", "authenticated", "service_role"] as const;

/**
 * The SQL that makes the roles. They belong to all databases of a server, so another process may make or grant one at
 * the same moment ("tuple concurrently updated" is an internal error). The user of DATABASE_URL must be able to
 * assume them.
 */
const CREATE_ROLES = `
do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit', wanted);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    begin
      execute format('grant %I to current_user', wanted);
    exception when insufficient_privilege or unique_violation or internal_error then null;
    end;
  end loop;
end
$$`;

/**
 * Makes the roles.
 * @throws StartFault with one line for the operator
 */
export async function ensureRoles(database: Queryable): Promise<void> {
  const expected =
    "expected a user that may create the roles anon, authenticated and service_role, or is a member of them (docs/operations.md has the statements)";
  try {
    await database.query(CREATE_ROLES);
    const { rows } = await database.query(
      "select rolname from pg_roles where rolname = any ($1::text[]) and pg_has_role(current_user, oid, 'member')",
      [`{${ROLES.join(",")}}`],
    );
    if (rows.length === ROLES.length) return;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    throw new StartFault(
      `DATABASE_URL: the roles cannot be made (${reasonOf(error)}); ${expected}`,
    );
  }
  throw new StartFault(`DATABASE_URL: the user may not take on the roles; ${expected}`);
}
