/** The audit log: who did what, when and from where. It never contains a token, a code or a password. */

import { randomUUID } from "node:crypto";
import type { Queryable } from "../../storage/port.ts";
import { timestamp, type Auth } from "./context.ts";
import { insert } from "../store/rows.ts";

/** The actions, by GoTrue's names. */
export type AuditAction =
  | "login"
  | "logout"
  | "user_signedup"
  | "user_repeated_signup"
  | "user_invited"
  | "user_deleted"
  | "user_modified"
  | "user_recovery_requested"
  | "user_reauthenticate_requested"
  | "user_confirmation_requested"
  | "user_updated_password"
  | "token_refreshed"
  | "token_revoked"
  | "generate_link"
  | "factor_in_progress"
  | "challenge_created"
  | "verification_attempted"
  | "factor_deleted"
  | "factor_updated"
  | "passkey_created"
  | "passkey_updated"
  | "passkey_deleted"
  | "identity_linked"
  | "identity_unlinked"
  | "login_failed"
  | "sso_provider_changed"
  | "oauth_client_changed"
  | "oauth_consent_granted"
  | "oauth_consent_revoked";

export interface Actor {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The actor of a request about an address without an account. */
export const NO_ACTOR: Actor = { id: "", email: null, phone: null };

export interface AuditEntry {
  readonly action: AuditAction;
  readonly ip: string;
  /** The user who acted; null for the service key. */
  readonly actor: Actor | null;
  readonly traits?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Adds an entry; with a transaction, the entry exists only if the action does. */
export async function audit(auth: Auth, db: Queryable, entry: AuditEntry): Promise<void> {
  const { actor } = entry;
  await insert(db, "auth_audit_log", {
    id: randomUUID(),
    ip: entry.ip,
    action: entry.action,
    actor_id: actor?.id ?? null,
    payload: JSON.stringify({
      action: entry.action,
      actor_id: actor?.id ?? null,
      actor_username: actor === null ? "service_role" : (actor.email ?? actor.phone ?? ""),
      actor_via_sso: false,
      log_type: logType(entry.action),
      ...(entry.traits === undefined ? {} : { traits: entry.traits }),
    }),
    created_at: timestamp(auth),
  });
}

function logType(action: AuditAction): string {
  if (action.startsWith("token")) return "token";
  if (action.startsWith("user"))
    return action === "user_signedup" || action === "user_invited" ? "team" : "user";
  if (action.startsWith("login") || action === "logout") return "account";
  return "factor";
}
