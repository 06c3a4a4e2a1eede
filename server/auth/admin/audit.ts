/** GET /admin/audit. */

import { readAudit } from "../audit.ts";
import { requireAdmin } from "../caller.ts";
import type { Auth } from "../context.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { pageHeaders, readPage } from "./pages.ts";

export async function adminAudit(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const page = readPage(request);
  const { entries, total } = await readAudit(auth.database, page);
  return { json: entries, headers: pageHeaders(`${auth.urls.api()}/admin/audit`, page, total) };
}
