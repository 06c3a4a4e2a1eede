/** Who did what, when and from where. No token, code or password is ever written here. */

import { randomUUID } from "node:crypto";
import type { Queryable } from "../storage/port.ts";
import type { Auth } from "./context.ts";
import { stamp } from "./context.ts";
import { insert, json, text, textOrNull } from "./store/rows.ts";

/** GoTrue's names. */
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
  | "oauth_client_changed";

export interface AuditEntry {
  readonly action: AuditAction;
  readonly ip: string;
  /** Whom it concerns, or who did it; null for the service key. */
  readonly actor: {
    readonly id: string;
    readonly email: string | null;
    readonly phone: string | null;
  } | null;
  readonly traits?: Readonly<Record<string, string | number | boolean | null>>;
}

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
    created_at: stamp(auth),
  });
}

function logType(action: AuditAction): string {
  if (action.startsWith("token")) return "token";
  if (action.startsWith("user"))
    return action === "user_signedup" || action === "user_invited" ? "team" : "user";
  if (action.startsWith("login") || action === "logout") return "account";
  return "factor";
}

/** The newest first, as GoTrue's admin API writes them. */
export async function readAudit(
  db: Queryable,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly entries: readonly unknown[]; readonly total: number }> {
  const found = await db.query(
    "select * from auth_audit_log order by created_at desc, id limit $1 offset $2",
    [page.limit, page.offset],
  );
  const total = await db.query("select count(*) as total from auth_audit_log");
  return {
    entries: found.rows.map((row) => ({
      id: text(row, "id"),
      payload: json(row, "payload"),
      created_at: text(row, "created_at"),
      ip_address: textOrNull(row, "ip") ?? "",
    })),
    total: Number(total.rows[0]?.["total"] ?? 0),
  };
}
