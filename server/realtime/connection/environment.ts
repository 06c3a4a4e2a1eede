/** The environment that all connections of this process share, given to each as an argument. */

import type { BoardAccess, Newcomers } from "../../access/port.ts";
import type { KeyRing } from "../../keys/port.ts";
import type { Rate } from "../../limits/token-bucket.ts";
import type { Logger } from "../../process/log.ts";
import type { ChangeFeed } from "../changes/feed.ts";
import type { ReasonCounts } from "../payloads/faults.ts";
import type { Hub } from "../topic/hub.ts";
import type { Limits } from "../settings/limits.ts";

export interface Environment {
  readonly hub: Hub;
  readonly changes: ChangeFeed;
  readonly keys: KeyRing;
  readonly drawers: Drawers;
  readonly limits: Limits;
  readonly rates: Rates;
  readonly log: Logger;
  readonly reasons: ReasonCounts;
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
  readonly names: Names;
}

/** Decides who may draw on the board, and how much. */
export interface Drawers {
  readonly access: BoardAccess;
  /** The limits of newcomers; null where nothing is limited. */
  readonly newcomers: Newcomers | null;
}

/** Sources of texts that no other process and no other call returns. */
export interface Names {
  /** Returns a unique reference for a presence. */
  readonly ref: () => string;
  /** Returns a unique presence key. */
  readonly uuid: () => string;
}

/** The limits of one connection and of one channel that are rates. */
export interface Rates {
  readonly messages: Rate;
  readonly bytes: Rate;
  readonly joins: Rate;
  readonly faults: Rate;
  readonly presence: Rate;
  /** The rate of `presence_state` to one connection, in bytes. */
  readonly state: Rate;
}

export function makeRates(limits: Limits): Rates {
  return {
    messages: { perSecond: limits.messagesPerSecond, burst: limits.messagesBurst },
    bytes: { perSecond: limits.bytesPerSecond, burst: limits.bytesBurst },
    joins: { perSecond: limits.joinsPerSecond, burst: limits.joinsBurst },
    faults: { perSecond: limits.faultsPerSecond, burst: limits.faultsBurst },
    presence: { perSecond: limits.presenceCallsPerSecond, burst: limits.presenceCallsBurst },
    state: { perSecond: limits.presenceStatePerSecond, burst: limits.presenceStateBurst },
  };
}
