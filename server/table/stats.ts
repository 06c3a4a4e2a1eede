/** Counts the outcomes of writes of the drawing, for the metrics. */

import { TABLE } from "../../board/constants.ts";

/** The statistics. The counts grow from the start of the process. */
export interface TableStats {
  /** The writes by outcome. One that touched no row is a conflict: its guard names an outdated version. */
  readonly saves: { saved: number; conflict: number; refused: number; failed: number };
  savedBytes: number;
  /** Returns the number of requests that are queued for the database. */
  waiting(): number;
}

declare module "fastify" {
  interface FastifyInstance {
    tableStats(): TableStats;
  }
}

export function createTableStats(waiting: () => number): TableStats {
  return {
    saves: { saved: 0, conflict: 0, refused: 0, failed: 0 },
    savedBytes: 0,
    waiting,
  };
}

/** Whether a request writes the drawing. */
export function isSave(method: string, table: unknown): boolean {
  return table === TABLE && (method === "PATCH" || method === "POST");
}

/**
 * Counts a save.
 * @param bytes The bytes of the request's body, which has hardly more than the drawing.
 */
export function countSave(stats: TableStats, touched: number, bytes: number): void {
  if (touched === 0) {
    stats.saves.conflict++;
    return;
  }
  stats.saves.saved++;
  stats.savedBytes += bytes;
}
