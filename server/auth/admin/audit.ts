/** GET /admin/audit: the audit log, in pages. */

import type { Queryable } from "../../storage/port.ts";
import { requireAdmin } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import type { AuthResponse, AuthRequest } from "../http/request.ts";
import { text, json, textOrNull } from "../store/rows.ts";
import { pageHeaders, readPage } from "./pages.ts";

/** GET /admin/audit. @throws AuthFault not_admin, validation_failed */
export async function adminAudit(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const page = readPage(request);
  const { entries, total } = await readAudit(auth.database, page);
  return { json: entries, headers: pageHeaders(`${auth.urls.api()}/admin/audit`, page, total) };
}

/** Reads a page of entries, the newest first, as GoTrue's admin API writes them. */
async function readAudit(
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
