/** Follows the size of the saved drawing, for the metrics: every process of the installation may have saved it. */

import { setTimeout } from "node:timers/promises";
import type { Database } from "./storage/port.ts";

/** Milliseconds for which the metrics wait for the database. */
const WAIT_MS = 1000;

/** Selects the size where the row differs from the state that is known: it is found by reading the whole drawing. */
const SIZE: Readonly<Record<Database["dialect"], string>> = {
  sqlite: sizeSql("id", "canvas_json"),
  postgres: sizeSql("id::text", "canvas_json::text"),
};

function sizeSql(id: string, text: string): string {
  const state = `${id} || ' ' || version`;
  return `select ${state} as state, case when ${state} <> $1 then octet_length(${text}) end as bytes
    from canvas_state limit 1`;
}

/**
 * Returns a function that reads the bytes of the drawing, 0 without one. While the database does not respond it
 * returns those that were read last. Simultaneous calls share one read.
 */
export function createDrawingSize({
  dialect,
  reads,
}: Pick<Database, "dialect" | "reads">): () => Promise<number> {
  let known = { state: "", bytes: 0 };
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const [row] = (await reads.query(SIZE[dialect], [known.state])).rows;
    if (row === undefined) known = { state: "", bytes: 0 };
    else if (row["bytes"] !== null)
      known = { state: String(row["state"]), bytes: Number(row["bytes"]) };
  };
  return async () => {
    reading ??= read()
      .catch(() => {})
      .finally(() => (reading = null));
    await Promise.race([reading, setTimeout(WAIT_MS, undefined, { ref: false })]);
    return known.bytes;
  };
}
