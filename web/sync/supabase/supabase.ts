/** The backend over @supabase/supabase-js. */

import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
  type SupabaseClientOptions,
} from "@supabase/supabase-js";
import { CHANNEL } from "../../../board/constants.ts";
import { SUMMARY_EVENT } from "../../../board/presence-summary.ts";
import type {
  Backend,
  BackendConfig,
  Channel,
  ChannelEvents,
  ChannelStatus,
} from "../environment/backend.ts";
import { createHistoryReads } from "./history.ts";
import {
  type BodySubstitution,
  createBodySubstitution,
  type UnloadWorker,
} from "./request-body.ts";
import { createCall, createRowReads, firstVersion, insert, type Schema, update } from "./table.ts";
import { backoff } from "../environment/timing.ts";

type RealtimeOptions = NonNullable<SupabaseClientOptions<"public">["realtime"]>;

/** The parts of a browser that Node.js lacks, and those that a test replaces. */
export interface SupabaseExtras {
  readonly fetch?: typeof fetch;
  readonly transport?: RealtimeOptions["transport"];
  readonly random?: () => number;
  readonly unloadWorker?: UnloadWorker;
  /** Lets other work of this thread run before it resolves. */
  readonly pause?: () => Promise<void>;
}

/** Pauses before the library's own reconnects, in milliseconds. */
const RECONNECT = { first: 1_000, max: 8_000 };

/** Opens no connection before the first call. */
export function openSupabaseBackend(config: BackendConfig, extras: SupabaseExtras = {}): Backend {
  const bodies = createBodySubstitution(
    extras.fetch ?? ((...request) => fetch(...request)),
    extras.unloadWorker,
    extras.pause,
  );
  const { client, unloading } = createClients(config, extras, bodies);
  const closing = new AbortController();
  const call = createCall(closing.signal);
  const schema: Schema = { versions: false };

  return {
    ...createRowReads(client, call, bodies, schema),
    ...createHistoryReads(client, call, bodies),
    update: (version, text, updatedAt, force = false) =>
      bodies.withDrawing(text, (placeholder) =>
        call(
          (signal) =>
            update(client, { version, drawing: placeholder, updatedAt, force }).abortSignal(signal),
          firstVersion,
          text.bytes,
        ),
      ),
    insert: (text) =>
      bodies.withDrawing(text, (placeholder) =>
        call(
          (signal) => insert(client, placeholder).abortSignal(signal),
          (data) => firstVersion(data) ?? { id: "", updatedAt: "", version: null },
          text.bytes,
        ),
      ),
    saveOnUnload(version, text, updatedAt) {
      void bodies.withDrawing(text, async (placeholder) => {
        const request = version
          ? update(unloading, { version, drawing: placeholder, updatedAt, force: false })
          : insert(unloading, placeholder);
        // The page may be gone before the response, so nothing can follow from it.
        await request.then(
          () => undefined,
          () => undefined,
        );
      });
    },
    get unloadLimit() {
      return bodies.unloadLimit;
    },
    openChannel: (key, events) =>
      openSupabaseChannel(client, { key, summary: config.presenceSummary }, events),
    async close() {
      closing.abort();
      await Promise.allSettled([client.removeAllChannels(), client.auth.dispose()]);
      await Promise.allSettled([client.realtime.disconnect(), unloading.realtime.disconnect()]);
    },
  };
}

function createClients(
  { supabaseUrl: url, supabaseAnonKey: key }: BackendConfig,
  { transport, random = Math.random }: SupabaseExtras,
  bodies: BodySubstitution,
): { readonly client: SupabaseClient; readonly unloading: SupabaseClient } {
  const realtime = transport ? { transport } : {};
  return {
    client: createClient(url, key, {
      global: { fetch: bodies.fetch },
      realtime: {
        reconnectAfterMs: (attempt: number) => backoff(attempt - 1, random(), RECONNECT),
        ...realtime,
      },
    }),
    // The session's lock would make a request wait for another task, which an unloading page does not have.
    unloading: createClient(url, key, {
      accessToken: async () => key,
      global: { fetch: bodies.unloadFetch },
      realtime,
    }),
  };
}

/** One Supabase Realtime channel, as a `Channel`. Joins it. `presence`: this page's key, and whether it asks for summaries. */
function openSupabaseChannel(
  client: SupabaseClient,
  presence: { readonly key: string; readonly summary: boolean | undefined },
  events: ChannelEvents,
): Channel {
  let closed = false;
  const channel = client.channel(CHANNEL, {
    config: { broadcast: { self: false, ack: false }, presence },
  });
  const onPresence = (): void => {
    if (!closed) events.presence(new Map(Object.entries(channel.presenceState())));
  };
  const onStatus = (status: ChannelStatus): void => {
    if (!closed) events.status(status);
  };
  // While a channel is not joined, the library's send() would fall back to one HTTP request for each message.
  const isJoined = (): boolean =>
    !closed && channel.state === "joined" && client.realtime.isConnected();

  channel
    .on("presence", { event: "sync" }, onPresence)
    .on("presence", { event: "join" }, onPresence)
    .on("presence", { event: "leave" }, onPresence)
    .on(SUMMARY_EVENT as string as "system", {}, (summary) => {
      if (!closed) events.summary?.(summary);
    })
    .on("broadcast", { event: "*" }, (message) => {
      if (!closed) events.broadcast(message.event, message["payload"]);
    })
    .subscribe((state) => {
      switch (state) {
        case REALTIME_SUBSCRIBE_STATES.SUBSCRIBED:
          return onStatus("joined");
        case REALTIME_SUBSCRIBE_STATES.CLOSED:
          return onStatus("closed");
        case REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR:
        case REALTIME_SUBSCRIBE_STATES.TIMED_OUT:
          return onStatus("lost");
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
