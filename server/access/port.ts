/** Who may draw while the board is locked: the lock, and the roles that the host's links give. */

import type { Claims } from "../keys/port.ts";

/** What a link gives: a host locks the board and makes links; both draw while it is locked. */
export type BoardRole = "host" | "editor";

/** The pair of links in the database: its name, which every token made from it carries, and hashes of its secrets. */
export interface StoredLinks {
  readonly version: string;
  readonly host: string;
  readonly draw: string;
}

/** The lock and the links, as this process last saw them in the database: at most about a second ago. */
export interface BoardAccess {
  readonly locked: boolean;
  /** How often the board was locked since the start of the process. */
  readonly locks: number;
  /** Null for claims without a role, and for those of links that were renewed since. */
  roleOf(claims: Claims): BoardRole | null;
  /** Whether whoever has these claims may draw now. */
  mayDraw(claims: Claims): boolean;
  /** True for claims with a role of links that were renewed since, or of no link. */
  isVoid(claims: Claims): boolean;
  /** Reads the database now. Never rejects: while the database is away, what was known stays. */
  refresh(): Promise<void>;
  /** Calls `listener` after each change of the lock. */
  onLock(listener: (locked: boolean) => void): void;
}

/** What the exchange of links needs beyond that. */
export interface HostAccess extends BoardAccess {
  /** The links as they were last read; null when there are none. */
  readonly links: StoredLinks | null;
  /** As `linkKey` returns it. */
  readonly key: string;
}
