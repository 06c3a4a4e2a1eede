/** Follows the lock and the links in the database, which every process and command of the installation may change. */

import type { Claims, KeyRing } from "../keys/port.ts";
import type { Database } from "../storage/port.ts";
import { LINKS_ROW, ensureLinks, linkKey, parseLinks, type KeySources } from "./links.ts";
import { PAUSES_ROW, createPauses } from "./pauses.ts";
import type { BoardAccess, BoardRole, Drawer, HostAccess, StoredLinks } from "./port.ts";

/** Milliseconds between two reads of the database. */
const LOOK_MS = 1000;

/** The claim of a token that a link was exchanged for. */
export const ROLE_CLAIM = "inkpool_role";
export const LINK_CLAIM = "inkpool_link";

const STATE = `select (select locked from canvas_settings) as locked,
  (select value from inkpool_keys where name = '${LINKS_ROW}') as links,
  (select value from inkpool_keys where name = '${PAUSES_ROW}') as pauses`;

export interface OpenAccess extends HostAccess {
  /** Whether the links were made by this start. */
  readonly isFirst: boolean;
  stop(): void;
}

interface AccessSources extends KeySources {
  /** The value of BOARD_LOCKED. */
  readonly lock: boolean;
}

/**
 * Makes the links where there are none, and applies BOARD_LOCKED. Reads lock and links, and again once a second until
 * `stop`.
 * @throws StartFault when keys.json has no secret.
 */
export async function openAccess(sources: AccessSources): Promise<OpenAccess> {
  const { database, lock } = sources;
  const key = await linkKey(sources);
  const isFirst = await ensureLinks(database, key);
  await applyLockSetting(database, lock);
  return follow(database, { key, isFirst });
}

async function follow(
  database: Pick<Database, "reads" | "transaction">,
  known: Pick<OpenAccess, "key" | "isFirst">,
): Promise<OpenAccess> {
  let locked = false;
  let locks = 0;
  let links: StoredLinks | null = null;
  const listeners: ((locked: boolean) => void)[] = [];
  const read = async (): Promise<void> => {
    const since = pauses.changes;
    const { rows } = await database.reads.query(STATE);
    links = parseLinks(rows[0]?.["links"]);
    pauses.see(rows[0]?.["pauses"], since);
    const value = rows[0]?.["locked"];
    const now = value === true || Number(value) === 1;
    if (now === locked) return;
    locked = now;
    if (now) locks++;
    for (const listener of listeners) listener(now);
  };
  let last: Promise<void> = Promise.resolve();
  // Each read begins after the end of the one before, so an older state never replaces a newer one.
  const refresh = (): Promise<void> => (last = last.then(read).catch(() => {}));
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void refresh().then(look), LOOK_MS);
    timer.unref();
  };
  const roleOf = (claims: Claims): BoardRole | null => {
    const role = claims[ROLE_CLAIM];
    if (role !== "host" && role !== "editor") return null;
    return links !== null && claims[LINK_CLAIM] === links.version ? role : null;
  };
  const isExempt = ({ claims }: Drawer): boolean =>
    claims.role === "service_role" || roleOf(claims) === "host";
  const pauses = createPauses({ database, clock: Date.now, isExempt });
  await read();
  look();
  return {
    ...known,
    get locked() {
      return locked;
    },
    get locks() {
      return locks;
    },
    get links() {
      return links;
    },
    roleOf,
    mayDraw: (claims) => !locked || claims.role === "service_role" || roleOf(claims) !== null,
    pauses,
    isVoid: (claims) => claims[ROLE_CLAIM] !== undefined && roleOf(claims) === null,
    refresh,
    onLock: (listener) => void listeners.push(listener),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the same keys, which however treat a token of renewed links as expired. */
export function respectLinks(keys: KeyRing, access: Pick<BoardAccess, "isVoid">): KeyRing {
  return {
    ...keys,
    check: async (token) => {
      const checked = await keys.check(token);
      return checked.ok && access.isVoid(checked.claims)
        ? { ok: false, fault: "expired" }
        : checked;
    },
  };
}

/** The name of the row in `inkpool_keys` with the value of BOARD_LOCKED that was last applied. */
const SETTING_ROW = "board_locked";

/**
 * Applies BOARD_LOCKED when its value differs from that of the previous start: what a host has decided since stays,
 * also through a restart.
 */
async function applyLockSetting(database: Database, wanted: boolean): Promise<void> {
  const value = wanted ? "1" : "0";
  await database.transaction(async (tx) => {
    const { rows } = await tx.query("select value from inkpool_keys where name = $1", [
      SETTING_ROW,
    ]);
    const before = rows[0]?.["value"];
    if (before === value) return;
    await tx.query(
      `insert into inkpool_keys (name, value) values ($1, $2)
       on conflict (name) do update set value = excluded.value`,
      [SETTING_ROW, value],
    );
    if (before === undefined && !wanted) return;
    await tx.query(`update canvas_settings set locked = ${wanted ? "true" : "false"}`);
  });
}
