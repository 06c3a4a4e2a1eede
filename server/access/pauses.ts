/** The visitors whose drawing a host has paused: in the database, for all processes, and as this process last read them. */

import { createHash } from "node:crypto";
import { isRecord } from "../../board/json.ts";
import type { Database, Queryable } from "../storage/port.ts";
import type { Drawer, PauseActions, PausedVisitor, Pauses, VisitorKeys } from "./port.ts";

/** The name of the row in `inkpool_keys`. */
export const PAUSES_ROW = "pauses";

const PAUSE_MS = 60 * 60_000;
/** Greatest number of pauses at a time, and of devices or addresses in one. */
const MAX_PAUSES = 100;
const MAX_KEYS = 50;

/** A pause as it is stored in the row. */
interface StoredPause extends PausedVisitor {
  /** Whether the whole address is paused. */
  readonly byAddress: boolean;
  readonly devices: readonly string[];
  readonly addresses: readonly string[];
}

export interface FollowedPauses extends Pauses, PauseActions {
  /** The number of changes that this process has made. */
  readonly changes: number;
  /**
   * Takes over the row's value. Looks up the visitors' devices here, and notes new ones.
   * @param since `changes` when the read began: a read from before a change is ignored.
   */
  see(value: unknown, since: number): void;
}

interface PauseSources {
  readonly database: Pick<Database, "transaction">;
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Whether a drawer has a host's token or the service key. */
  readonly isExempt: (who: Drawer) => boolean;
}

export function createPauses({ database, clock, isExempt }: PauseSources): FollowedPauses {
  let pauses: readonly StoredPause[] = [];
  let stored: unknown;
  let changes = 0;
  let find: (page: string) => readonly VisitorKeys[] = () => [];
  const active = (): readonly StoredPause[] => pauses.filter(({ until }) => until > clock());
  const change = async (
    edit: (before: readonly StoredPause[]) => readonly StoredPause[],
  ): Promise<void> => {
    const after = await database.transaction((tx) =>
      editRow(tx, (before) => edit(before.filter(({ until }) => until > clock()))),
    );
    changes++;
    stored = after;
    pauses = parsePauses(after);
  };
  const withKeys = (pause: StoredPause): StoredPause => {
    const keys = find(pause.page);
    const devices = keys.map(({ device }) => deviceHash(device));
    const addresses = pause.byAddress ? keys.map(({ client }) => client) : [];
    return {
      ...pause,
      devices: joined(pause.devices, devices),
      addresses: joined(pause.addresses, addresses),
    };
  };
  const lookUp = (): void => {
    const isNew = (pause: StoredPause): boolean => {
      const { devices, addresses } = withKeys(pause);
      return devices.length > pause.devices.length || addresses.length > pause.addresses.length;
    };
    // While the database is unavailable, the next read does it.
    if (active().some(isNew)) void change((before) => before.map(withKeys)).catch(() => {});
  };
  return {
    get changes() {
      return changes;
    },
    see(value, since) {
      if (since !== changes) return;
      if (value !== stored) pauses = parsePauses(value);
      stored = value;
      lookUp();
    },
    isPaused(who) {
      const now = active();
      if (now.length === 0) return false;
      const device = deviceHash(who.device);
      return (
        now.some(
          ({ devices, addresses }) => devices.includes(device) || addresses.includes(who.client),
        ) && !isExempt(who)
      );
    },
    list: () => active().map(({ page, name, until }) => ({ page, name, until })),
    begin: (page, name, byAddress) =>
      change((before) => {
        const rest = before.filter((pause) => pause.page !== page);
        const known = before.find((pause) => pause.page === page);
        const empty = { devices: [], addresses: [] };
        const until = clock() + PAUSE_MS;
        return [...rest, withKeys({ ...empty, ...known, page, name, until, byAddress })];
      }),
    end: (page) => change((before) => before.filter((pause) => pause.page !== page)),
    findWith: (given) => {
      find = given;
    },
  };
}

/** Edits the row in a transaction; returns its new value. */
async function editRow(
  tx: Queryable,
  edit: (before: readonly StoredPause[]) => readonly StoredPause[],
): Promise<string> {
  // The write comes first: it makes others that change the row wait.
  await tx.query(
    `insert into inkpool_keys (name, value) values ($1, '[]')
     on conflict (name) do update set value = inkpool_keys.value`,
    [PAUSES_ROW],
  );
  const { rows } = await tx.query("select value from inkpool_keys where name = $1", [PAUSES_ROW]);
  const value = JSON.stringify(edit(parsePauses(rows[0]?.["value"])).slice(-MAX_PAUSES));
  await tx.query("update inkpool_keys set value = $2 where name = $1", [PAUSES_ROW, value]);
  return value;
}

/** The database has no device's own text: whoever reads it cannot pass for one. */
function deviceHash(device: string): string {
  return createHash("sha256").update(device).digest("base64url").slice(0, 22);
}

function joined(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])].slice(0, MAX_KEYS);
}

/** Parses the row's value; anything that is no pause is left out. */
function parsePauses(value: unknown): readonly StoredPause[] {
  if (typeof value !== "string") return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? (list as unknown[]).flatMap(parsePause) : [];
  } catch {
    return [];
  }
}

function parsePause(value: unknown): readonly StoredPause[] {
  if (!isRecord(value)) return [];
  const { page, name, until, byAddress, devices, addresses } = value;
  if (typeof page !== "string" || typeof name !== "string" || typeof until !== "number") return [];
  const texts = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];
  const keys = { devices: texts(devices), addresses: texts(addresses) };
  return [{ page, name, until, byAddress: byAddress === true, ...keys }];
}
