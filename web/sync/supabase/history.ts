/** The table of the drawings that saves replaced, read over @supabase/postgrest-js. */

import { HISTORY_TABLE } from "../../../board/constants.ts";
import { isRecord } from "../../../board/json.ts";
import type { HistoryEntry, HistoryReads } from "../environment/backend.ts";
import type { TableClient } from "./clients.ts";
import type { BodySubstitution } from "./request-body.ts";
import { firstDrawing, orMissing, type Call } from "./table.ts";

/** More versions than the policy of the history keeps. */
const MAX_HISTORY = 1_000;

export function createHistoryReads(
  client: TableClient,
  call: Call,
  bodies: BodySubstitution,
): HistoryReads {
  const table = () => client.from(HISTORY_TABLE);
  return {
    async list() {
      const select = table()
        .select("id,saved_at,replaced_at,bytes,objects")
        .order("id", { ascending: false })
        .limit(MAX_HISTORY);
      return orMissing(await call(select, (data) => (data as readonly unknown[]).flatMap(toEntry)));
    },
    load: (id) =>
      call(table().select("canvas_json").eq("id", id).limit(1), (data) =>
        firstDrawing(data, bodies),
      ),
  };
}

function toEntry(row: unknown): HistoryEntry[] {
  if (!isRecord(row)) return [];
  const { id, saved_at: savedAt, replaced_at: replacedAt, bytes, objects } = row;
  if (typeof savedAt !== "string") return [];
  const replaced = typeof replacedAt === "string" ? { replacedAt } : {};
  return [{ id: String(id), savedAt, ...replaced, bytes: Number(bytes), objects: Number(objects) }];
}
