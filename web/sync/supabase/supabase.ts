/** The backend over the packages of @supabase/supabase-js. */

import { REALTIME_SUBSCRIBE_STATES, type RealtimeClient } from "@supabase/realtime-js";
import { CHANNEL } from "../../../board/constants.ts";
import { SUMMARY_EVENT } from "../../../board/presence-summary.ts";
import type {
  Backend,
  BackendConfig,
  Channel,
  ChannelEvents,
  ChannelStatus,
} from "../environment/backend.ts";
import { createClients, type OpenSession } from "./clients.ts";
import { withPromptEnd, type Transport } from "./transport.ts";
import { decodeFrame } from "./frames.ts";
import { createHistoryReads } from "./history.ts";
import { createBodySubstitution, type UnloadWorker } from "./request-body.ts";
import { listenToRow } from "./row-events.ts";
import { createCall, createRowCalls, insert, type Schema, update } from "./table.ts";
import { backoff } from "../environment/timing.ts";

/** The parts of a browser that Node.js lacks, and those that a test replaces. */
export interface SupabaseExtras {
  readonly fetch?: typeof fetch;
  readonly transport?: Transport;
  readonly random?: () => number;
  readonly unloadWorker?: UnloadWorker;
  /** Where it is missing, every visitor has the public key alone. */
  readonly openSession?: OpenSession;
  /** Lets other work of this thread run before it resolves. */
  readonly pause?: () => Promise<void>;
}

/** The message that brings a joined channel another token. */
const ACCESS_TOKEN = "access_token" as string as "broadcast";

/** Pauses before the library's own reconnects, in milliseconds. */
const RECONNECT = { first: 1_000, max: 8_000 };

/** Opens no connection before the first call. */
export function openSupabaseBackend(config: BackendConfig, extras: SupabaseExtras = {}): Backend {
  const bodies = createBodySubstitution(
    extras.fetch ?? ((...request) => fetch(...request)),
    extras.unloadWorker,
    extras.pause,
  );
  const { random = Math.random, transport = WebSocket } = extras;
  const clients = createClients(config, {
    fetch: bodies.fetch,
    unloadFetch: bodies.unloadFetch,
    openSession: extras.openSession,
    realtime: {
      decode: decodeFrame,
      reconnectAfterMs: (attempt: number) => {
        // A handshake failed. A browser keeps the reason to itself, which may be the key.
        if (attempt > 1) clients.renewKey();
        return backoff(attempt - 1, random(), RECONNECT);
      },
      transport: withPromptEnd(transport),
    },
  });
  const { table, realtime, close, mayDraw, host } = clients;
  const closing = new AbortController();
  const { signal } = closing;
  const call = createCall(signal);
  const schema: Schema = { versions: false };
  return {
    ...createRowCalls(table, call, bodies, schema),
    history: createHistoryReads(table, call, bodies),
    mayDraw,
    host,
    saveOnUnload(version, text, updatedAt) {
      const drawing = bodies.enter(text);
      const leave = (): void => bodies.leave(drawing);
      const unloading = clients.unloading();
      const request = version
        ? update(unloading, { version, drawing, updatedAt, force: false })
        : insert(unloading, drawing);
      // The page may be gone before the response, so nothing else can follow from it.
      request.then(leave, leave);
    },
    get unloadLimit() {
      return bodies.unloadLimit;
    },
    openChannel: (key, events) =>
      openSupabaseChannel(
        realtime,
        { key, summary: config.presenceSummary },
        {
          ...events,
          status(status) {
            if (status !== "joined") clients.renewToken();
            events.status(status);
          },
        },
        clients.params.apikey,
      ),
    async close() {
      closing.abort();
      await close();
    },
  };
}

/**
 * One Supabase Realtime channel, as a `Channel`. Joins it. `presence`: this page's key, and whether it asks for summaries.
 * `publicKey`: who sends it is nobody in particular.
 */
function openSupabaseChannel(
  realtime: RealtimeClient,
  presence: { readonly key: string; readonly summary: boolean | undefined },
  events: ChannelEvents,
  publicKey: string,
): Channel {
  let closed = false;
  const channel = realtime.channel(CHANNEL, {
    config: { broadcast: { self: false, ack: false }, presence },
  });
  const onStatus = (status: ChannelStatus): void => {
    if (!closed) events.status(status);
  };
  // While a channel is not joined, the library's send() would fall back to one HTTP request for each message.
  const isJoined = (): boolean => !closed && channel.state === "joined" && realtime.isConnected();

  // One that arrived while the channel was being joined is not in the join, and realtime-js 2.119 keeps it to itself.
  const sendToken = (): void => {
    const { accessTokenValue: access_token } = realtime;
    if (access_token !== null && access_token !== publicKey)
      void channel
        .send({ type: ACCESS_TOKEN, event: ACCESS_TOKEN, access_token })
        .catch(() => undefined);
  };

  listenToRow(channel, (event) => {
    if (!closed) events.row?.(event);
  })
    // After each message about presence, when the library's state is whole.
    .on("presence", { event: "sync" }, () => {
      if (!closed) events.presence(new Map(Object.entries(channel.presenceState())));
    })
    .on(SUMMARY_EVENT as string as "system", {}, (summary) => {
      if (!closed) events.summary?.(summary);
    })
    .on("broadcast", { event: "*" }, (message) => {
      if (!closed) events.broadcast(message.event, message["payload"]);
    })
    .subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) {
        sendToken();
        onStatus("joined");
      } else onStatus(state === REALTIME_SUBSCRIBE_STATES.CLOSED ? "closed" : "lost");
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
      if (channel.state !== "closed") void realtime.removeChannel(channel).catch(() => undefined);
    },
  };
}
