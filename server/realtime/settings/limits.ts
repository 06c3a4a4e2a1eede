/** The limits of the realtime channel, in one table. */

import { LIMITS } from "../../../board/constants.ts";
import { whole, type Setting } from "../../settings/kinds.ts";

/** Defines a limit. `means` says what it bounds. */
function limit(value: number, min: number, max: number, means: string): Setting<number> {
  const setting = whole([min, max], value, means);
  return { ...setting, expects: `${setting.expects} (${means})` };
}

const MB = 1_000_000;

/** Bytes around a drawing: the message's other fields, and a frame's names. */
export const AROUND = 65_536;

/**
 * The defaults. Rates have a burst, so that a client that reconnects or a page that opens is not limited; the page
 * itself needs about 25 messages a second. `REALTIME_` and the name in capitals is the setting's name.
 */
export const LIMIT_TABLE = {
  connections: limit(10_000, 1, 1 * MB, "open connections in all"),
  connectionsPerAddress: limit(1_000, 1, 1 * MB, "open connections of one address"),
  connectsPerSecond: limit(200, 1, 1 * MB, "new connections per second of one address"),
  connectsBurst: limit(2_000, 1, 1 * MB, "new connections of one address at once"),
  channelsPerConnection: limit(100, 1, 10_000, "channels of one connection"),
  joinsPerSecond: limit(10, 1, 100_000, "joins per second of one connection"),
  joinsBurst: limit(100, 1, 100_000, "joins of one connection at once"),
  messagesPerSecond: limit(100, 1, 1 * MB, "messages per second of one connection"),
  messagesBurst: limit(500, 1, 1 * MB, "messages of one connection at once"),
  bytesPerSecond: limit(16 * MB, 1_000, 10_000 * MB, "bytes per second of one connection"),
  bytesBurst: limit(64 * MB, 1_000, 10_000 * MB, "bytes of one connection at once"),
  // A whole drawing fits, and one of up to 16 MB is answered with the message of the canvas's limit.
  payloadBytes: limit(
    LIMITS.canvasBytes + AROUND,
    1_000,
    100 * MB,
    "bytes of one broadcast's payload",
  ),
  frameBytes: limit(16 * 1_048_576 + AROUND, 2_000, 200 * MB, "bytes of one frame"),
  presenceBytes: limit(4_096, 16, 1 * MB, "bytes of one tracked presence"),
  presenceCallsPerSecond: limit(1, 1, 10_000, "track and untrack calls per second of one channel"),
  presenceCallsBurst: limit(30, 1, 10_000, "track and untrack calls of one channel at once"),
  presenceKeys: limit(
    2_000,
    1,
    100_000,
    "presence keys of one topic, those in other processes included",
  ),
  presenceSummaryKeys: limit(
    150,
    2,
    100_000,
    "presence keys of one topic above which clients that ask for it get a summary",
  ),
  presenceStatePerSecond: limit(
    100_000,
    1_000,
    1_000 * MB,
    "bytes of presence_state per second to one connection",
  ),
  presenceStateBurst: limit(
    1 * MB,
    1_000,
    1_000 * MB,
    "bytes of presence_state to one connection at once",
  ),
  presenceOutPerSecond: limit(
    20 * MB,
    10_000,
    10_000 * MB,
    "bytes of presence per second to all channels of one topic",
  ),
  presenceOutBurst: limit(
    32 * MB,
    10_000,
    10_000 * MB,
    "bytes of presence to all channels of one topic at once",
  ),
  topicMembers: limit(2_000, 1, 100_000, "channels of one topic in this process"),
  idleSeconds: limit(60, 5, 86_400, "seconds without a frame before a connection is closed"),
  faultsPerSecond: limit(2, 1, 10_000, "bad frames per second of one connection"),
  faultsBurst: limit(200, 1, 100_000, "bad frames of one connection at once"),
  liveQueueBytes: limit(
    262_144,
    1_024,
    1_000 * MB,
    "bytes queued before live messages are left out",
  ),
  queueBytes: limit(
    32 * 1_048_576,
    65_536,
    10_000 * MB,
    "bytes queued before a connection is closed",
  ),
  heldBytesPerAddress: limit(
    512 * 1_048_576,
    1_048_576,
    100_000 * MB,
    "bytes of one address that are queued, half received or taken by channels before its connections are closed",
  ),
  postPerSecond: limit(50, 1, 1 * MB, "broadcasts over HTTP per second of one address"),
  postBurst: limit(200, 1, 1 * MB, "broadcasts over HTTP of one address at once"),
} as const satisfies Record<string, Setting<number>>;

export type LimitName = keyof typeof LIMIT_TABLE;

export type Limits = Readonly<Record<LimitName, number>>;

export const DEFAULT_LIMITS = Object.freeze(
  Object.fromEntries(Object.entries(LIMIT_TABLE).map(([name, { fallback }]) => [name, fallback])),
) as Limits;
