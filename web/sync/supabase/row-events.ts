/** The changes of the row, which the backend reports on the board's channel beside its broadcasts. */

import type { RealtimeChannel } from "@supabase/realtime-js";
import { TABLE } from "../../../board/constants.ts";
import { isRecord } from "../../../board/json.ts";
import type { RowEvent, RowVersion } from "../environment/backend.ts";
import { firstVersion } from "./table.ts";

/** Without the drawing, a change is a small message, however large the board is. */
const COLUMNS = ["id", "updated_at", "version"];

/** Subscribes to the row, before the channel joins. A backend that reports nothing, or says that it cannot, is "silent". */
export function listenToRow(
  channel: RealtimeChannel,
  emit: (event: RowEvent) => void,
): RealtimeChannel {
  return channel
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: TABLE, select: COLUMNS },
      (change) => emit({ kind: "changed", version: versionIn(change.new) }),
    )
    .on("system", {}, (message) => {
      const { extension, status } = message as Readonly<Record<string, unknown>>;
      if (extension === "postgres_changes") emit({ kind: status === "ok" ? "live" : "silent" });
    });
}

/** Null for a removed row, and for one whose columns this visitor may not read. */
function versionIn(row: unknown): RowVersion | null {
  if (!isRecord(row)) return null;
  const { id, updated_at: updatedAt } = row;
  return typeof id === "string" && typeof updatedAt === "string" ? firstVersion([row]) : null;
}
