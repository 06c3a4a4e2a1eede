/** The clock of the server, which dates the versions of the drawing: a device's own may be wrong by a year. */

import { BASE_PATH } from "../page/base-path.ts";

/** Milliseconds after which the device's clock must do. */
const LIMIT = 3_000;

/** Returns by how many milliseconds the device's clock is ahead of the server's; 0 where the server does not say its time. */
export async function clockAhead(
  ask: (address: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<number> {
  try {
    const signal = AbortSignal.timeout(LIMIT);
    const init = { method: "HEAD", cache: "no-store", signal } as const;
    const { headers } = await ask(`${BASE_PATH}config.json`, init);
    return Date.now() - Date.parse(headers.get("date") ?? "") || 0;
  } catch {
    return 0;
  }
}
