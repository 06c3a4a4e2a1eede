/** One Supabase Realtime channel, as the room uses it. */

import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient } from "@supabase/supabase-js";
import { CHANNEL } from "../../board/spec.ts";
import type { Channel, ChannelEvents } from "./backend.ts";

export function openSupabaseChannel(
  client: SupabaseClient,
  key: string,
  events: ChannelEvents,
): Channel {
  let closed = false;
  const channel = client.channel(CHANNEL, {
    config: { broadcast: { self: false, ack: false }, presence: { key } },
  });
  const tell = (): void => {
    if (!closed) events.presences(new Map(Object.entries(channel.presenceState())));
  };
  const status = (state: "joined" | "lost" | "closed"): void => {
    if (!closed) events.status(state);
  };
  // While a channel is not joined, the library's send() would fall back to one HTTP request for each message.
  const isJoined = (): boolean =>
    !closed && channel.state === "joined" && client.realtime.isConnected();

  channel
    .on("presence", { event: "sync" }, tell)
    .on("presence", { event: "join" }, tell)
    .on("presence", { event: "leave" }, tell)
    .on("broadcast", { event: "*" }, (message) => {
      if (!closed) events.broadcast(message.event, message["payload"]);
    })
    .subscribe((state) => {
      switch (state) {
        case REALTIME_SUBSCRIBE_STATES.SUBSCRIBED:
          return status("joined");
        case REALTIME_SUBSCRIBE_STATES.CLOSED:
          return status("closed");
        case REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR:
        case REALTIME_SUBSCRIBE_STATES.TIMED_OUT:
          return status("lost");
      }
    });

  return {
    send(event, payload) {
      if (!isJoined()) return false;
      void channel.send({ type: "broadcast", event, payload }).catch(() => undefined);
      return true;
    },
    track(meta) {
      if (isJoined()) void channel.track({ ...meta }).catch(() => undefined);
    },
    close() {
      closed = true;
      // The library has forgotten a closed channel already; leaving it again would only be one more message.
      if (channel.state !== "closed") void client.removeChannel(channel).catch(() => undefined);
    },
  };
}
