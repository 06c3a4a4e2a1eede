/** The port of access: the lock, the roles that the host's links give, pauses, and the limits of newcomers. */

import type { Claims } from "../keys/port.ts";
import type { SqlValue } from "../storage/port.ts";

/** The role that a link gives: a host locks the board and makes links, and both roles may draw while it is locked. */
export type BoardRole = "host" | "editor";

/** The pair of links in the database: its name, which every token made from it contains, and hashes of its secrets. */
export interface StoredLinks {
  readonly version: string;
  readonly host: string;
  readonly draw: string;
}

/** A client that wants to draw. */
export interface Drawer {
  /** The name of the device; "" for a client that presents none. */
  readonly device: string;
  /** The client key. */
  readonly client: string;
  readonly claims: Claims;
}

/** The keys by which a visitor's connection is recognised. */
export type VisitorKeys = Pick<Drawer, "device" | "client">;

/** A visitor whose drawing a host has paused. */
export interface PausedVisitor {
  /** The presence key of the visitor's page. */
  readonly page: string;
  /** The visitor's name, as the host knows it. */
  readonly name: string;
  /** The end of the pause, in milliseconds since 1970. */
  readonly until: number;
}

/** The pauses, as this process last saw them in the database. */
export interface Pauses {
  isPaused(who: Drawer): boolean;
  /** Sets the function that finds the connections of a page in this process, by its presence key. */
  findWith(find: (page: string) => readonly VisitorKeys[]): void;
}

export interface PauseActions {
  list(): readonly PausedVisitor[];
  /** Pauses a visitor's devices for an hour from now, and with `byAddress` everybody at their address. */
  begin(page: string, name: string, byAddress: boolean): Promise<void>;
  end(page: string): Promise<void>;
}

/** The lock and the links, as this process last read them in the database: at most about a second ago. */
export interface BoardAccess {
  readonly locked: boolean;
  /** The number of times that the board was locked since the start of the process. */
  readonly locks: number;
  /** Returns the role of claims; null for claims without a role, and for those of links that have been renewed since. */
  roleOf(claims: Claims): BoardRole | null;
  /** Whether a client with these claims may draw now. */
  mayDraw(claims: Claims): boolean;
  /** True for claims with a role of links that have been renewed since, or of no link. */
  isVoid(claims: Claims): boolean;
  /** Reads the database now. Never rejects: while the database is unavailable, the known state stays. */
  refresh(): Promise<void>;
  readonly pauses: Pauses;
  /** Calls `listener` after each change of the lock. */
  onLock(listener: (locked: boolean) => void): void;
}

/** The amount of a drawing: its objects and the bytes of its JSON. */
export interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

/** A client that adds something. */
export interface Adding {
  /** The client key. */
  readonly client: string;
  readonly claims: Claims;
}

/** The drawings that a write puts into the row, as SQL of the database. */
export interface GivenDrawings {
  /** An expression for each drawing, of the JSON type, or in SQLite its text. */
  readonly drawings: readonly string[];
  readonly values: readonly SqlValue[];
}

/** A write that was charged: call one of the two functions when it is over. */
export interface Charge {
  written(): void;
  /** Refunds the charge, since the write was refused or touched no row. */
  undo(): void;
}

/** The measured part of a drawing of a `canvas-update`. */
export interface MeasuredDrawing {
  /** `count`: the number of objects that each counts for, itself and those inside of it, gradients and shadows too. */
  readonly objects: readonly {
    readonly id: string | null;
    readonly bytes: number;
    readonly count: number;
  }[];
  readonly bytes: number;
  /** True when another program wrote the drawing: it has no ids of ours, and stands for the whole board. */
  readonly isForeign: boolean;
}

/** The limits of what clients without a link add to the board, measured against its content. */
export interface Newcomers {
  /** Charges a `canvas-update` with this drawing; returns whether it may be broadcast. Null: it cannot be measured. */
  announce(who: Adding, drawing: MeasuredDrawing | null): boolean;
  /** Notes a `canvas-update` that another process has let pass. */
  observe(drawing: MeasuredDrawing | null): void;
  /** Charges a write; null when it adds more to the row than the limits allow. */
  charge(who: Adding, given: GivenDrawings): Promise<Charge | null>;
}

/** The access that the exchange of links needs in addition. */
export interface HostAccess extends BoardAccess {
  /** The links as they were last read; null when there are none. */
  readonly links: StoredLinks | null;
  readonly pauses: Pauses & PauseActions;
  /** The key that `linkKey` returns. */
  readonly key: string;
}
