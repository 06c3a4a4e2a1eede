/** Keeps one channel open: a new one, with backoff, whenever the old one was closed for good. */

import { createSignal, type Signal } from "../environment/signal.ts";
import { backoff, createTimer } from "../environment/timing.ts";
import type { Backend, Channel, ChannelEvents, ChannelStatus } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";
import { ownPresence } from "../presence/peers.ts";

/** Gets the events of whichever channel is open. */
export interface ChannelListener {
  /** Called when the channel is joined, for the first time or again: broadcasts of the meantime were missed. */
  joined(): void;
  readonly presence: ChannelEvents["presence"];
  readonly summary: ChannelEvents["summary"];
  readonly broadcast: ChannelEvents["broadcast"];
  readonly row: ChannelEvents["row"];
}

export interface ReconnectingChannel {
  readonly joined: Signal<boolean>;
  readonly open: (listener: ChannelListener) => void;
  /** Sets the visitor's name in this client's presence; undefined for no name. */
  readonly rename: (name: string | undefined) => void;
  /** Names the other pages of this browser in this client's presence, by their clientIds. */
  readonly setTabs: (tabs: readonly string[]) => void;
  /** Returns false, and sends nothing, while the channel is not joined. */
  readonly send: (event: string, payload: object) => boolean;
  readonly close: () => void;
}

/** First and longest pause before a new channel, in milliseconds. */
const REOPEN = { first: 1_000, max: 8_000 };
/** Milliseconds after which a joined channel counts as stable: the next pause is short again. */
const STABLE_AFTER = 30_000;
/** The time that the driver has to rejoin a lost channel before a new one replaces it, in milliseconds. */
const REJOIN_LIMIT = 30_000;

/** `closures`: how often in a row a channel was closed before it was stable. Times in milliseconds. */
export type Connection =
  /** Not opened, or closed by this page. */
  | { readonly at: "idle" }
  /** A channel was opened and has not joined yet. */
  | { readonly at: "joining"; readonly closures: number }
  | { readonly at: "joined"; readonly closures: number; readonly since: number }
  /** The driver tries to join again. */
  | { readonly at: "lost"; readonly closures: number; readonly delay: number }
  /** The channel is closed for good; after `delay` a new one is opened. */
  | { readonly at: "waiting"; readonly closures: number; readonly delay: number };

/** `timer`: the delay of "lost" or "waiting" is over. */
export type ConnectionEvent = ChannelStatus | "opened" | "timer" | "disposed";

/** The next state; the same object when nothing changed. `random` is a number in [0, 1). */
export function nextConnection(
  state: Connection,
  event: ConnectionEvent,
  now: number,
  random: number,
): Connection {
  if (event === "disposed") return { at: "idle" };
  if (state.at === "idle") return event === "opened" ? { at: "joining", closures: 0 } : state;
  const isStable = state.at === "joined" && now - state.since >= STABLE_AFTER;
  const closures = isStable ? 0 : state.closures;
  switch (event) {
    case "opened":
      return state;
    case "timer":
      return { at: "joining", closures };
    case "joined":
      return { at: "joined", closures: state.closures, since: now };
    case "lost":
      if (state.at === "lost" || state.at === "waiting") return state;
      return { at: "lost", closures, delay: REJOIN_LIMIT };
    case "closed":
      return { at: "waiting", closures: closures + 1, delay: backoff(closures, random, REOPEN) };
  }
}

/** `key` is this page's presence key. Nothing is opened yet. */
export function createReconnectingChannel(
  backend: Backend,
  env: Environment,
  key: string,
): ReconnectingChannel {
  const { clock } = env;
  const timer = createTimer(clock);
  let state: Connection = { at: "idle" };
  const joined = createSignal(false);
  let channel: Channel | null = null;
  let ownName: string | undefined;
  let ownTabs: readonly string[] = [];
  const track = (): void => {
    if (state.at === "joined") channel?.track(ownPresence(state.since, ownName, ownTabs));
  };

  const advance = (event: ConnectionEvent, listener: ChannelListener | null): void => {
    const next = nextConnection(state, event, clock.now(), env.random());
    if (next === state) return;
    state = next;
    timer.clear();
    joined.set(state.at === "joined");
    switch (state.at) {
      case "joining":
      case "idle":
        channel?.close();
        channel = state.at === "joining" && listener ? openChannel(listener) : null;
        return;
      case "joined":
        // The client library joins again after a reconnect, but does not track again.
        track();
        return listener?.joined();
      case "lost":
      case "waiting":
        return timer.set(state.delay, () => advance("timer", listener));
    }
  };
  const openChannel = (listener: ChannelListener): Channel =>
    backend.openChannel(key, {
      ...listener,
      status: (status) => advance(status, listener),
    });

  return {
    joined,
    rename(name) {
      if (name === ownName) return;
      ownName = name;
      track();
    },
    setTabs(tabs) {
      if (tabs.join() === ownTabs.join()) return;
      ownTabs = tabs;
      track();
    },
    open: (listener) => advance("opened", listener),
    send: (event, payload) => state.at === "joined" && channel?.send(event, payload) === true,
    close: () => advance("disposed", null),
  };
}
