/** Who may draw while the board is locked: the lock, and the roles that the host's links give. */

import type { Claims } from "../keys/port.ts";
import type { SqlValue } from "../storage/port.ts";

/** What a link gives: a host locks the board and makes links; both draw while it is locked. */
export type BoardRole = "host" | "editor";

/** The pair of links in the database: its name, which every token made from it carries, and hashes of its secrets. */
export interface StoredLinks {
  readonly version: string;
  readonly host: string;
  readonly draw: string;
}

/** Who wants to draw. */
export interface Drawer {
  /** The device's name; "" for a client that shows none. */
  readonly device: string;
  /** The client key. */
  readonly client: string;
  readonly claims: Claims;
}

/** By which a visitor's connection is known. */
export type VisitorKeys = Pick<Drawer, "device" | "client">;

/** A visitor whose drawings a host has paused. */
export interface PausedVisitor {
  /** The presence key of the visitor's page. */
  readonly page: string;
  /** As the host knows the visitor. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The pauses, as this process last saw them in the database. */
export interface Pauses {
  isPaused(who: Drawer): boolean;
  /** Sets what finds the connections here of a page, by its presence key. */
  findWith(find: (page: string) => readonly VisitorKeys[]): void;
}

export interface PauseActions {
  list(): readonly PausedVisitor[];
  /** Pauses a visitor's devices for an hour from now, and with `byAddress` whoever has their address. */
  begin(page: string, name: string, byAddress: boolean): Promise<void>;
  end(page: string): Promise<void>;
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
  readonly pauses: Pauses;
  /** Calls `listener` after each change of the lock. */
  onLock(listener: (locked: boolean) => void): void;
}

/** How much of a drawing: its objects and the bytes of its JSON. */
export interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

/** Who adds something. */
export interface Adding {
  /** The client key. */
  readonly client: string;
  readonly claims: Claims;
}

/** Drawings that a write puts into the row, as SQL of the database. */
export interface GivenDrawings {
  /** An expression for each, of its JSON type, or in SQLite its text. */
  readonly drawings: readonly string[];
  readonly values: readonly SqlValue[];
}

/** A write that was paid for: call one of both when it is over. */
export interface Charge {
  written(): void;
  /** The write was refused, or touched no row. */
  undo(): void;
}

/** What those without a link add to the board, measured against what it has. */
export interface Newcomers {
  /** Whether a `canvas-update` with this payload may be sent on. */
  announce(who: Adding, payload: Uint8Array): boolean;
  /** A `canvas-update` that another process has let pass. */
  observe(payload: Uint8Array): void;
  /** Null when what a write puts into the row adds more than there may be. */
  charge(who: Adding, given: GivenDrawings): Promise<Charge | null>;
}

/** What the exchange of links needs beyond that. */
export interface HostAccess extends BoardAccess {
  /** The links as they were last read; null when there are none. */
  readonly links: StoredLinks | null;
  readonly pauses: Pauses & PauseActions;
  /** As `linkKey` returns it. */
  readonly key: string;
}
