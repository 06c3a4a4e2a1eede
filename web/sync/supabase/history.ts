/** The table of the drawings that saves replaced, read over @supabase/postgrest-js. */

import { HISTORY_TABLE } from "../../../board/constants.ts";
import type { Backend, HistoryEntry } from "../environment/backend.ts";
import type { TableClient } from "./clients.ts";
import type { BodySubstitution } from "./request-body.ts";
import { NO_TABLE, firstRow, isColumns, type Call } from "./table.ts";

/** More versions than the policy of the history keeps. */
const MAX_HISTORY = 1_000;

export type HistoryReads = Pick<Backend, "listHistory" | "loadHistory" | "loadReplaced">;

export function createHistoryReads(
  client: TableClient,
  call: Call,
  bodies: BodySubstitution,
): HistoryReads {
  const table = () => client.from(HISTORY_TABLE);
  const drawingOf = (data: unknown): unknown => {
    const row = firstRow(data);
    return row ? bodies.drawingOf(row["canvas_json"]) : null;
  };
  return {
    async listHistory() {
      let isMissing = false;
      const listed = await call(
        async (signal) => {
          const outcome = await table()
            .select("id,saved_at,replaced_at,bytes,objects")
            .order("id", { ascending: false })
            .limit(MAX_HISTORY)
            .abortSignal(signal)
            .retry(false);
          isMissing = NO_TABLE.has(outcome.error?.code ?? "");
          return outcome;
        },
        (data) => (Array.isArray(data) ? data.flatMap(toEntry) : []),
      );
      return isMissing ? { ok: true, value: null } : listed;
    },
    loadHistory: (id) =>
      call(
        (signal) =>
          table().select("canvas_json").eq("id", id).limit(1).abortSignal(signal).retry(false),
        drawingOf,
      ),
    loadReplaced: (version) =>
      call(
        (signal) =>
          table()
            .select("canvas_json")
            .eq("version", version)
            .order("id", { ascending: false })
            .limit(1)
            .abortSignal(signal)
            .retry(false),
        drawingOf,
      ),
  };
}

function toEntry(row: unknown): HistoryEntry[] {
  if (!isColumns(row)) return [];
  const { id, saved_at: savedAt, replaced_at: replacedAt, bytes, objects } = row;
  if (typeof savedAt !== "string") return [];
  const replaced = typeof replacedAt === "string" ? { replacedAt } : {};
  return [{ id: String(id), savedAt, ...replaced, bytes: Number(bytes), objects: Number(objects) }];
}
