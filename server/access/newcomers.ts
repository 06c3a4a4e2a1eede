/** Limits what clients without a link add to the board: NEWCOMER_OBJECTS and NEWCOMER_BYTES. */

import type { Claims } from "../keys/port.ts";
import type { Database } from "../storage/port.ts";
import { NOTHING, createAllowance, lesser, minus, plus } from "./allowance.ts";
import { createKnownBoard, createPeriods } from "./known-board.ts";
import type { Amount, BoardAccess, Charge, MeasuredDrawing, Newcomers } from "./port.ts";
import { measure, readRow } from "./row-size.ts";

/** Milliseconds for which a broadcast may wait for the save that contains it. */
const UNSAVED_MS = 10 * 60_000;

interface NewcomerSources {
  /** The amount that a client key may add in a minute; 0 is no limit. */
  readonly limits: Amount;
  readonly database: Pick<Database, "dialect" | "longReads" | "rowChanges">;
  readonly access: Pick<BoardAccess, "roleOf">;
  /** The time in milliseconds. */
  readonly clock: () => number;
}

export interface OpenNewcomers extends Newcomers {
  stop(): void;
}

/** Reads the row, and again after each change of it until `stop`. Returns null where nothing is limited. */
export async function openNewcomers(sources: NewcomerSources): Promise<OpenNewcomers | null> {
  const { limits, database, access, clock } = sources;
  if (limits.objects === 0 && limits.bytes === 0) return null;
  const board = createKnownBoard(clock);
  const allowance = createAllowance(limits, clock);
  /** Amounts that were added on the channel and are not in the row yet: saving them costs nothing. */
  const unsaved = createPeriods<Amount>(clock, UNSAVED_MS, () => NOTHING);
  const all = (): Amount => unsaved.all().reduce(plus);
  const settle = (amount: Amount): void => {
    const [current, previous] = unsaved.all();
    unsaved.setAll(minus(current, minus(amount, previous)), minus(previous, amount));
  };
  const isFree = (claims: Claims): boolean =>
    claims.role === "service_role" || access.roleOf(claims) !== null;
  const observe = (drawing: MeasuredDrawing, added: Amount): void => {
    unsaved.set(plus(unsaved.now(), added));
    board.noteAnnounced(drawing);
  };
  const following = await follow(database, board);
  return {
    announce: ({ client, claims }, drawing) => {
      if (drawing === null) return isFree(claims);
      const added = board.addedBy(drawing, all());
      if (!isFree(claims) && !allowance.take(client, added)) return false;
      observe(drawing, added);
      return true;
    },
    observe: (drawing) => {
      if (drawing !== null) observe(drawing, board.addedBy(drawing, all()));
    },
    charge: async ({ client, claims }, given) => {
      const { before, after } = await measure(database, given);
      board.noteRow(before);
      const growth = board.growth(after);
      const announced = lesser(all(), growth);
      const cost = isFree(claims) ? NOTHING : minus(growth, announced);
      if (!allowance.take(client, cost)) return null;
      settle(announced);
      return {
        written: () => board.noteRow(after),
        undo: () => {
          allowance.giveBack(client, cost);
          unsaved.set(plus(unsaved.now(), announced));
        },
      } satisfies Charge;
    },
    stop: following.stop,
  };
}

/** Keeps the known content of the row up to date: one read at a time, and none while the row does not change. */
async function follow(
  database: NewcomerSources["database"],
  board: Pick<ReturnType<typeof createKnownBoard>, "noteRow" | "noteObjects">,
): Promise<{ readonly stop: () => void }> {
  let reading: Promise<void> | null = null;
  let isStale = false;
  const readAgain = async (): Promise<void> => {
    while (isStale) {
      isStale = false;
      // While the database is unavailable, the known content stays.
      const row = await readRow(database).catch(() => null);
      if (row === null) continue;
      board.noteRow(row.size);
      board.noteObjects(row.objects);
    }
    reading = null;
  };
  const read = (): Promise<void> => {
    isStale = true;
    return (reading ??= readAgain());
  };
  // A change during the first read makes it read again.
  const watching = await database.rowChanges.watch(() => void read());
  await read();
  return watching;
}
