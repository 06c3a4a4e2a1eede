/** What a frame means, decided without touching anything: the connection carries it out. */

import type { PresenceMeta } from "../cluster/port.ts";
import type { Claims } from "../keys/port.ts";
import type { Member, Receiver } from "./fanout.ts";
import type { Bucket } from "./limits.ts";
import type { Room } from "./room.ts";
import type { Address } from "./wire.ts";

/** Where a connection stands. */
export type SessionState =
  | { readonly at: "open" }
  /** A token is being checked: what comes meanwhile waits, so that nothing overtakes a join. */
  | { readonly at: "checking"; readonly backlog: ReceivedFrame[] }
  | { readonly at: "closed" };

export interface ReceivedFrame {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** What a channel has been given to prove who it is. `token` is null for the connection's own key. */
export interface Credential {
  readonly token: string | null;
  readonly claims: Claims;
}

/** A joined topic of one connection. */
export interface Channel extends Member {
  readonly receiver: Receiver;
  readonly topic: string;
  readonly joinRef: string | null;
  readonly room: Room;
  readonly ack: boolean;
  readonly private: boolean;
  readonly presenceKey: string;
  readonly presenceCalls: Bucket;
  credential: Credential;
  /** What it tracks: the payload as it was sent, and the meta that was made of it. */
  presence: { readonly json: string; readonly meta: PresenceMeta } | null;
}

export type Decision =
  | { readonly do: "heartbeat" | "join" | "ignore" | "unmatched" | "acknowledge" }
  | { readonly do: "leave" | "token" | "broadcast" | "presence"; readonly channel: Channel };

const CHANNEL_EVENTS: ReadonlyMap<string, "leave" | "token" | "broadcast" | "presence"> = new Map([
  ["phx_leave", "leave"],
  ["access_token", "token"],
  ["broadcast", "broadcast"],
  ["presence", "presence"],
]);

export const TOPIC_PREFIX = "realtime:";

/** `channel` is what the connection has joined under the message's topic. */
export function decide(message: Address, channel: Channel | undefined): Decision {
  const { topic, event } = message;
  if (topic === "phoenix") return { do: event === "heartbeat" ? "heartbeat" : "unmatched" };
  if (event === "phx_join") return { do: topic.startsWith(TOPIC_PREFIX) ? "join" : "unmatched" };
  if (channel === undefined) return { do: event === "phx_leave" ? "acknowledge" : "unmatched" };
  // A message of an earlier join of this topic, on its way when the topic was joined again.
  if (message.joinRef !== null && message.joinRef !== channel.joinRef)
    return { do: event === "phx_leave" ? "acknowledge" : "ignore" };
  const action = CHANNEL_EVENTS.get(event);
  return action === undefined ? { do: "unmatched" } : { do: action, channel };
}

/** A private channel needs a signed-in user or the service key: there are no finer policies here. */
export function mayEnter(isPrivate: boolean, claims: Claims): boolean {
  return !isPrivate || claims.role !== "anon";
}

/** `now` in milliseconds; a token without `exp` does not expire. */
export function isExpired(claims: Claims, now: number): boolean {
  return claims.exp !== undefined && claims.exp * 1000 <= now;
}
