/** Whose request asks the database next: one client's requests, however many and slow, delay another's by a few at most. */

import type { ServerDeps } from "../port.ts";
import { createTurns, type Turns } from "../limits/turns.ts";
import { faults } from "./schema/faults.ts";

/** Writes do not wait for reads. */
export interface TableTurns {
  readonly read: Turns;
  readonly write: Turns;
}

/** The embedded database has a thread for reads and one for writes: the second request is there when the first is done. */
const EMBEDDED = { atOnce: 2, perClient: 1 } as const;

/** Connections to PostgreSQL that the table API leaves to the rest of the server. */
const RESERVED = 2;

export function createTableTurns({
  database,
  settings,
}: Pick<ServerDeps, "database" | "settings">): TableTurns {
  const limits = database.dialect === "sqlite" ? EMBEDDED : shareOf(settings.databasePool);
  const options = { ...limits, wait: settings.databaseWait, refuse: faults.crowded };
  return { read: createTurns(options), write: createTurns(options) };
}

/** Reads and writes have half of the connections each, and one client half of that. */
function shareOf(connections: number): { readonly atOnce: number; readonly perClient: number } {
  const atOnce = Math.max(1, Math.floor((connections - RESERVED) / 2));
  return { atOnce, perClient: Math.ceil(atOnce / 2) };
}
