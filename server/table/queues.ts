/** Decides which request of the table API asks the database next: a client whose requests are many or slow delays itself. */

import type { ServerEnvironment } from "../port.ts";
import { createFairQueue, type FairQueue } from "../limits/fair-queue.ts";
import type { Purpose } from "./query/cost.ts";
import { faults } from "./schema/faults.ts";

/** The queues by purpose: writes do not wait for reads, nor short reads for long ones. */
export type TableQueues = Readonly<Record<Purpose, FairQueue>>;

/** The share of a queue in the database's simultaneous work, in all and for one client. */
interface Share {
  readonly atOnce: number;
  readonly perClient: number;
}

/**
 * The shares of the embedded database, which has a thread for each queue: the second request is there when the first
 * is done. A long read is not worth such haste.
 */
const EMBEDDED: Readonly<Record<Purpose, Share>> = {
  read: { atOnce: 2, perClient: 1 },
  longRead: { atOnce: 1, perClient: 1 },
  write: { atOnce: 2, perClient: 1 },
};

/** Connections to PostgreSQL that the table API leaves to the rest of the server. */
const RESERVED = 2;

export function createTableQueues({
  database,
  settings,
}: Pick<ServerEnvironment, "database" | "settings">): TableQueues {
  const serial = database.dialect === "sqlite";
  const shares = serial ? EMBEDDED : sharesOf(settings.databasePool);
  const open = (purpose: Purpose): FairQueue =>
    createFairQueue({
      ...shares[purpose],
      serial,
      wait: settings.databaseWait,
      refuse: faults.crowded,
    });
  return { read: open("read"), longRead: open("longRead"), write: open("write") };
}

/**
 * Returns the shares of PostgreSQL's connections: reads and writes have half of them each, long reads a quarter of
 * those for reads, and one client has half.
 */
function sharesOf(connections: number): Readonly<Record<Purpose, Share>> {
  const half = Math.max(1, Math.floor((connections - RESERVED) / 2));
  const long = Math.max(1, Math.floor(half / 4));
  const share = (atOnce: number): Share => ({ atOnce, perClient: Math.ceil(atOnce / 2) });
  return { read: share(Math.max(1, half - long)), longRead: share(long), write: share(half) };
}
