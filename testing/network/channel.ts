/** A channel in memory: its members, presence and broadcasts, behind a lossy network. */

import type {
  Channel,
  ChannelEvents,
  RowEvent,
  RowVersion,
} from "../../web/sync/environment/backend.ts";
import type { Clock } from "../../web/sync/environment/environment.ts";
import type { Network } from "./network.ts";

/** One broadcast. */
export interface Wire {
  readonly at: number;
  readonly from: string;
  readonly event: string;
  /** The payload's length as JSON text. */
  readonly bytes: number;
  readonly payload: unknown;
}

export interface Member {
  readonly node: string;
  readonly key: string;
  readonly events: ChannelEvents;
  joined: boolean;
  meta: object | null;
}

const JOIN_DELAY = 20;
/** Milliseconds for which the server keeps a client that was cut off among those present. */
const HEARTBEAT_LIMIT = 30_000;

export type Hub = ReturnType<typeof createHub>;

/** Makes the channel: its members, presence and broadcasts. `hasRowEvents`: whether it reports changes of the row. */
export function createHub(network: Network, clock: Clock, hasRowEvents: () => boolean) {
  const members = new Set<Member>();
  const wire: Wire[] = [];

  const syncPresence = (): void => {
    for (const member of members) {
      // Presence arrives in the socket's order, and the server repeats it until the client has it.
      if (member.joined)
        clock.setTimer(() => {
          if (member.joined && !network.isCut(member.node))
            member.events.presence(presenceState(members));
        }, 1);
    }
  };
  const join = (member: Member): void => {
    members.add(member);
    clock.setTimer(() => {
      if (!members.has(member) || member.joined || network.isCut(member.node)) return;
      member.joined = true;
      member.events.status("joined");
      syncPresence();
      reportRowTo(member, { kind: hasRowEvents() ? "live" : "silent" }, network, clock);
    }, JOIN_DELAY);
  };
  const untrack = (member: Member): void => {
    member.meta = null;
    syncPresence();
  };
  const membersOf = (node: string): Member[] =>
    [...members].filter((member) => member.node === node);

  return {
    members,
    wire,
    membersOf,
    join,
    untrack,
    rowChanged(version: RowVersion | null): void {
      if (!hasRowEvents()) return;
      for (const member of members)
        if (member.joined) reportRowTo(member, { kind: "changed", version }, network, clock);
    },
    remove(member: Member): void {
      member.joined = false;
      members.delete(member);
      syncPresence();
    },
    track(member: Member, meta: object): void {
      member.meta = meta;
      syncPresence();
    },
    broadcast(from: Member, event: string, payload: object): void {
      const text = JSON.stringify(payload);
      wire.push({ at: clock.now(), from: from.node, event, bytes: text.length, payload });
      for (const member of members) {
        if (member === from || !member.joined) continue;
        network.post(member.node, () => {
          if (member.joined) member.events.broadcast(event, JSON.parse(text));
        });
      }
    },
    evict: (node: string): void => {
      for (const member of membersOf(node)) {
        members.delete(member);
        member.joined = false;
        member.events.status("closed");
        syncPresence();
      }
    },
    forget(node: string): void {
      for (const member of membersOf(node)) {
        member.joined = false;
        clock.setTimer(() => {
          members.delete(member);
          untrack(member);
        }, HEARTBEAT_LIMIT);
      }
    },
  };
}

/** Reports a row event on the socket of one member, in order. */
function reportRowTo(member: Member, event: RowEvent, network: Network, clock: Clock): void {
  clock.setTimer(() => {
    if (member.joined && !network.isCut(member.node)) member.events.row?.(event);
  }, 1);
}

/** Has a client that is cut off leave the channel, and rejoin when its network is restored. */
export function watchCuts(network: Network, clock: Clock, hub: Hub): void {
  network.onCut((node, cut) => {
    for (const member of hub.membersOf(node)) {
      if (!cut) {
        hub.join(member);
        continue;
      }
      member.joined = false;
      member.events.status("lost");
      const { meta } = member;
      clock.setTimer(() => {
        if (member.meta === meta && !member.joined) hub.untrack(member);
      }, HEARTBEAT_LIMIT);
    }
  });
}

function presenceState(members: ReadonlySet<Member>): Map<string, object[]> {
  const state = new Map<string, object[]>();
  for (const { key, meta } of members) if (meta) state.set(key, [...(state.get(key) ?? []), meta]);
  return state;
}

/** Opens the channel as one member sees it. */
export function openChannel(hub: Hub, member: Member): Channel {
  return {
    send(event, payload) {
      if (!member.joined) return false;
      hub.broadcast(member, event, payload);
      return true;
    },
    track: (meta) => hub.track(member, meta),
    close: () => hub.remove(member),
  };
}
