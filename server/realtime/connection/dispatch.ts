/** Decides what a message asks for, without side effects: the connection carries it out. */

import type { Address, Ref } from "../wire/wire.ts";

/** The request of a message to the channel that it addresses. */
type ChannelAction = "leave" | "token" | "broadcast" | "presence";

export type Decision<Channel> =
  | { readonly do: "heartbeat" | "join" | "stale" | "unmatched" | "acknowledge" }
  | { readonly do: ChannelAction; readonly channel: Channel };

const CHANNEL_EVENTS: ReadonlyMap<string, ChannelAction> = new Map([
  ["phx_leave", "leave"],
  ["access_token", "token"],
  ["broadcast", "broadcast"],
  ["presence", "presence"],
]);

export const TOPIC_PREFIX = "realtime:";

/**
 * Decides what to do with a message.
 * @param channel what the connection has joined under the message's topic; undefined when there is none
 * @returns what to do, with the channel where one is concerned
 */
export function decide<Channel extends { readonly joinRef: Ref }>(
  message: Address,
  channel: Channel | undefined,
): Decision<Channel> {
  const { topic, event } = message;
  if (topic === "phoenix") return { do: event === "heartbeat" ? "heartbeat" : "unmatched" };
  if (event === "phx_join") return { do: topic.startsWith(TOPIC_PREFIX) ? "join" : "unmatched" };
  if (channel === undefined) return { do: event === "phx_leave" ? "acknowledge" : "unmatched" };
  // The message belongs to an earlier join of this topic, before it was joined again, or to none.
  if (message.joinRef !== null && message.joinRef !== channel.joinRef)
    return { do: event === "phx_leave" ? "acknowledge" : "stale" };
  const action = CHANNEL_EVENTS.get(event);
  return action === undefined ? { do: "unmatched" } : { do: action, channel };
}
