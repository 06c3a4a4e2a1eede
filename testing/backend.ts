/** A table with one row and a channel, in memory, behind a lossy network: what the room's simulation draws against. */

import { SIZE_CHECK } from "../board/spec.ts";
import type {
  Answer,
  Backend,
  ChannelEvents,
  DrawingText,
  Fault,
  RowMark,
} from "../web/sync/backend.ts";
import type { Network } from "./network.ts";

export interface StoredRow {
  readonly id: string;
  readonly updatedAt: string;
  readonly text: string;
}

/** What the backend was asked, and what went over the wire. */
export interface Counts {
  loads: number;
  peeks: number;
  updates: number;
  /** Updates that touched no row. */
  misses: number;
  inserts: number;
}

export interface Wire {
  readonly at: number;
  readonly from: string;
  readonly event: string;
  /** The payload's length as JSON text. */
  readonly bytes: number;
  readonly payload: unknown;
}

export interface MemoryBackend {
  row: StoredRow | null;
  /** The largest drawing in bytes that the size check lets pass. */
  sizeLimit: number;
  /** While set, every save is answered with it. */
  refuse: Fault | null;
  readonly counts: Counts;
  /** Every message that a channel took, in order. */
  readonly wire: Wire[];
  /** Channels that are joined now. */
  readonly members: number;
  /** As a client sees it. `node` is its name in the network. */
  open(node: string): Backend;
  /** The server closes this client's channel for good, as it does over a rate limit. */
  evict(node: string): void;
  /** This client is gone without a word: it stays among those present until the heartbeat's limit. */
  forget(node: string): void;
}

interface Member {
  readonly node: string;
  readonly key: string;
  readonly events: ChannelEvents;
  joined: boolean;
  meta: object | null;
}

const JOIN_DELAY = 20;
/** How long the server keeps somebody who was cut off. */
const HEARTBEAT_LIMIT = 30_000;

export function createMemoryBackend(
  network: Network,
  clock: {
    now(): number;
    setTimer(run: () => void, delay: number): unknown;
  },
): MemoryBackend {
  const members = new Set<Member>();
  /** Clients that will not hear an answer any more. */
  const gone = new Set<string>();
  const counts: Counts = { loads: 0, peeks: 0, updates: 0, misses: 0, inserts: 0 };
  const wire: Wire[] = [];
  let ids = 0;
  let stamps = 0;

  const present = (): Map<string, object[]> => {
    const map = new Map<string, object[]>();
    for (const { key, meta } of members) if (meta) map.set(key, [...(map.get(key) ?? []), meta]);
    return map;
  };
  const tellPresences = (): void => {
    for (const member of members) {
      // Presence rides on the socket's own order and is repeated by the server until it is known.
      if (member.joined)
        clock.setTimer(() => {
          if (member.joined && !network.isCut(member.node)) member.events.presences(present());
        }, 1);
    }
  };
  const join = (member: Member): void => {
    clock.setTimer(() => {
      if (!members.has(member) || member.joined || network.isCut(member.node)) return;
      member.joined = true;
      member.events.status("joined");
      tellPresences();
    }, JOIN_DELAY);
  };
  const drop = (member: Member): void => {
    member.meta = null;
    tellPresences();
  };

  network.onCut((node, cut) => {
    for (const member of members) {
      if (member.node !== node) continue;
      if (cut) {
        member.joined = false;
        member.events.status("lost");
        const { meta } = member;
        clock.setTimer(() => {
          if (member.meta === meta && !member.joined) drop(member);
        }, HEARTBEAT_LIMIT);
      } else join(member);
    }
  });

  const backend: MemoryBackend = {
    row: null,
    sizeLimit: Number.POSITIVE_INFINITY,
    refuse: null,
    counts,
    wire,
    get members() {
      return [...members].filter((member) => member.joined).length;
    },
    open: (node) => client(node),
    evict(node) {
      for (const member of members) {
        if (member.node !== node) continue;
        members.delete(member);
        member.joined = false;
        member.events.status("closed");
        tellPresences();
      }
    },
    forget(node) {
      gone.add(node);
      for (const member of members) if (member.node === node) forget(member);
    },
  };

  const forget = (member: Member): void => {
    member.joined = false;
    clock.setTimer(() => {
      members.delete(member);
      drop(member);
    }, HEARTBEAT_LIMIT);
  };
  const fault = (text: DrawingText): Fault | null => {
    if (text.bytes > backend.sizeLimit) {
      return { kind: "size", message: `new row violates check constraint "${SIZE_CHECK}"` };
    }
    return backend.refuse;
  };
  const mark = (row: StoredRow): RowMark => ({ id: row.id, updatedAt: row.updatedAt });
  const store = (id: string, text: DrawingText, updatedAt: string): RowMark => {
    backend.row = { id, updatedAt, text: text.pieces.join("") };
    return mark(backend.row);
  };
  const update = (guard: RowMark, text: DrawingText, updatedAt: string): Answer<RowMark | null> => {
    counts.updates += 1;
    const refused = fault(text);
    if (refused) return { ok: false, fault: refused };
    const { row } = backend;
    if (row?.id !== guard.id || row.updatedAt !== guard.updatedAt) {
      counts.misses += 1;
      return { ok: true, value: null };
    }
    return { ok: true, value: store(guard.id, text, updatedAt) };
  };
  const insert = (text: DrawingText): Answer<RowMark> => {
    counts.inserts += 1;
    if (backend.row)
      return { ok: false, fault: { kind: "duplicate", message: "duplicate key value" } };
    const refused = fault(text);
    if (refused) return { ok: false, fault: refused };
    ids += 1;
    stamps += 1;
    return {
      ok: true,
      value: store(`row-${ids}`, text, `${new Date(clock.now()).toISOString()}#${stamps}`),
    };
  };

  const client = (node: string): Backend => {
    let mine: Member | null = null;
    const ask = async <T>(work: () => Answer<T>): Promise<Answer<T>> => {
      const answer = await network.request(node, work).catch((error: unknown): Answer<T> => {
        return { ok: false, fault: { kind: "network", message: String(error) } };
      });
      return gone.has(node) ? new Promise(() => undefined) : answer;
    };
    const read = <T>(value: (row: StoredRow) => T): Answer<T | null> => ({
      ok: true,
      value: backend.row ? value(backend.row) : null,
    });
    return {
      load: () =>
        ask(() => {
          counts.loads += 1;
          return read((row) => ({ ...mark(row), json: parse(row.text) }));
        }),
      peek: () =>
        ask(() => {
          counts.peeks += 1;
          return read(mark);
        }),
      findId: () => ask(() => read((row) => row.id)),
      update: (guard, text, updatedAt) => ask(() => update(guard, text, updatedAt)),
      insert: (text) => ask(() => insert(text)),
      lastWords(guard, text, updatedAt) {
        if (network.isCut(node)) return;
        if (guard) update(guard, text, updatedAt);
        else insert(text);
      },
      lastWordsLimit: 60_000,
      openChannel(key, events) {
        const member: Member = { node, key, events, joined: false, meta: null };
        mine = member;
        members.add(member);
        join(member);
        return {
          send(event, payload) {
            if (!member.joined) return false;
            const text = JSON.stringify(payload);
            wire.push({ at: clock.now(), from: node, event, bytes: text.length, payload });
            for (const other of members) {
              if (other === member || !other.joined) continue;
              network.post(other.node, () => {
                if (other.joined) other.events.broadcast(event, parse(text));
              });
            }
            return true;
          },
          track(meta) {
            member.meta = meta;
            tellPresences();
          },
          close() {
            member.joined = false;
            members.delete(member);
            tellPresences();
          },
        };
      },
      async close() {
        if (mine) members.delete(mine);
      },
    };
  };
  return backend;
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
