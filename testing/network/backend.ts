/** A table with one row and a channel, in memory, behind a lossy network, for the clients of the simulation. */

import { SIZE_CHECK, TEXTS } from "../../board/constants.ts";
import type {
  Backend,
  HistoryEntry,
  HistoryReads,
  DrawingText,
  Fault,
  Result,
  RowVersion,
} from "../../web/sync/environment/backend.ts";
import { createSignal } from "../../web/sync/environment/signal.ts";
import type { Clock } from "../../web/sync/environment/environment.ts";
import { createHub, openChannel, watchCuts, type Hub, type Member, type Wire } from "./channel.ts";
import type { Network } from "./network.ts";

export interface StoredRow {
  readonly id: string;
  /** The number of changes of the drawing. */
  readonly version: number;
  readonly updatedAt: string;
  readonly text: string;
}

/** The number of calls of the table. */
export interface Counts {
  loads: number;
  peeks: number;
  updates: number;
  /** The number of updates that touched no row. */
  misses: number;
  inserts: number;
}

export interface MemoryBackend {
  row: StoredRow | null;
  /** The drawings that were replaced, the oldest first. */
  readonly replaced: StoredRow[];
  /** The largest drawing in bytes that passes the size check. */
  sizeLimit: number;
  /** Whether a host has locked the board, so that nobody else may save. */
  locked: boolean;
  /** The fault with which every save fails while it is set. */
  refuse: Fault | null;
  /** Whether the channel reports changes of the row, like those that have row events. */
  hasRowEvents: boolean;
  readonly counts: Counts;
  /** The messages that the channel accepted, in order. */
  readonly wire: Wire[];
  /** The number of joined channels. */
  readonly members: number;
  /** Opens the backend as a client sees it. `node` is the client's name in the network. */
  readonly open: (node: string) => Backend;
  /** Notes that the row has changed. */
  readonly rowChanged: () => void;
  /** Closes this client's channel for good, as the server does over a rate limit. */
  readonly evict: (node: string) => void;
  /** Lets this client disappear without notice: it stays among those present until the heartbeat's limit. */
  readonly forget: (node: string) => void;
}

/** Makes an empty table and a channel without members. */
export function createMemoryBackend(network: Network, clock: Clock): MemoryBackend {
  const hub = createHub(network, clock, () => backend.hasRowEvents);
  watchCuts(network, clock, hub);
  /** The clients that will never get a response. */
  const gone = new Set<string>();
  const backend: MemoryBackend = {
    row: null,
    replaced: [],
    sizeLimit: Number.POSITIVE_INFINITY,
    locked: false,
    refuse: null,
    hasRowEvents: true,
    counts: { loads: 0, peeks: 0, updates: 0, misses: 0, inserts: 0 },
    wire: hub.wire,
    get members() {
      return [...hub.members].filter((member) => member.joined).length;
    },
    open: (node) => openClient(node, { backend, table, hub, network, gone }),
    rowChanged: () => hub.rowChanged(backend.row && versionOf(backend.row)),
    evict: hub.evict,
    forget(node) {
      gone.add(node);
      hub.forget(node);
    },
  };
  const table = createTable(backend, clock);
  return backend;
}

/**
 * Puts a drawing into the row, as any writer does: the version is increased, and the replaced drawing is added to the
 * history. Returns the new version.
 */
export function replaceRow(
  backend: MemoryBackend,
  { id, updatedAt, text }: Omit<StoredRow, "version">,
): number {
  const { row } = backend;
  if (row) backend.replaced.push(row);
  const version = row === null ? 1 : row.version + (row.text === text ? 0 : 1);
  const isChanged = row?.version !== version || row.updatedAt !== updatedAt;
  backend.row = { id, updatedAt, version, text };
  if (isChanged) backend.rowChanged();
  return version;
}

function versionOf({ id, updatedAt, version }: StoredRow): RowVersion {
  return { id, updatedAt, version };
}

type Request = <T>(work: () => Result<T>) => Promise<Result<T>>;

function historyReads(
  backend: MemoryBackend,
  request: Request,
): Pick<Backend, "history" | "loadReplaced"> {
  const find = (is: (row: StoredRow) => boolean) =>
    request<unknown>(() => ({ ok: true, value: backend.replaced.findLast(is)?.text ?? null }));
  const reads: HistoryReads = {
    list: () =>
      request<readonly HistoryEntry[]>(() => ({
        ok: true,
        value: backend.replaced.toReversed().map(({ version, updatedAt, text }) => ({
          id: String(version),
          // The row's own spelling of the time is no timestamp.
          savedAt: updatedAt.replace(/#.*/, ""),
          bytes: text.length,
          objects: (parse(text) as { objects: unknown[] }).objects.length,
        })),
      })),
    load: (id) => find(({ version }) => String(version) === id),
  };
  return {
    history: reads,
    loadReplaced: (replaced) => find(({ version }) => version === replaced),
  };
}

type Table = ReturnType<typeof createTable>;

/** Makes the table, with the guarded writes of the only row. */
function createTable(backend: MemoryBackend, clock: Clock) {
  const { counts } = backend;
  let ids = 0;

  const fault = (text: DrawingText): Fault | null => {
    if (backend.locked) return { kind: "locked", message: TEXTS.locked };
    return text.bytes > backend.sizeLimit
      ? { kind: "size", message: `new row violates check constraint "${SIZE_CHECK}"` }
      : backend.refuse;
  };
  const store = (id: string, text: DrawingText, updatedAt: string): Result<RowVersion> => {
    const version = replaceRow(backend, { id, updatedAt, text: text.pieces.join("") });
    return { ok: true, value: { id, updatedAt, version } };
  };
  return {
    update(
      guard: RowVersion,
      text: DrawingText,
      updatedAt: string,
      force = false,
    ): Result<RowVersion | null> {
      counts.updates += 1;
      const refused = fault(text);
      if (refused) return { ok: false, fault: refused };
      const { row } = backend;
      if (row?.id !== guard.id || (row.version !== guard.version && !force)) {
        counts.misses += 1;
        return { ok: true, value: null };
      }
      return store(guard.id, text, updatedAt);
    },
    insert(text: DrawingText): Result<RowVersion> {
      counts.inserts += 1;
      if (backend.row)
        return { ok: false, fault: { kind: "duplicate", message: "duplicate key value" } };
      const refused = fault(text);
      if (refused) return { ok: false, fault: refused };
      ids += 1;
      return store(`row-${ids}`, text, `${new Date(clock.now()).toISOString()}#${ids}`);
    },
  };
}

interface Shared {
  readonly backend: MemoryBackend;
  readonly table: Table;
  readonly hub: Hub;
  readonly network: Network;
  readonly gone: ReadonlySet<string>;
}

function openClient(node: string, { backend, table, hub, network, gone }: Shared): Backend {
  const { counts } = backend;
  let channel: Member | null = null;
  const request = async <T>(work: () => Result<T>): Promise<Result<T>> => {
    const result = await network.request(node, work).catch((error: unknown): Result<T> => {
      return { ok: false, fault: { kind: "network", message: String(error) } };
    });
    return gone.has(node) ? new Promise(() => undefined) : result;
  };
  const read = <T>(value: (row: StoredRow) => T): Result<T | null> => ({
    ok: true,
    value: backend.row && value(backend.row),
  });
  return {
    load: () =>
      request(() => {
        counts.loads += 1;
        return read(({ id, updatedAt, version, text }) => ({
          ...{ id, updatedAt, version },
          // This is as in the driver: a large one stays text.
          json: text.length < LARGE_TEXT ? parse(text) : text,
        }));
      }),
    peek: () =>
      request(() => {
        counts.peeks += 1;
        return read(({ id, updatedAt, version }) => ({ id, updatedAt, version }));
      }),
    findId: () => request(() => read((row) => row.id)),
    update: (guard, text, updatedAt, force) =>
      request(() => table.update(guard, text, updatedAt, force)),
    ...historyReads(backend, request),
    insert: (text) => request(() => table.insert(text)),
    saveOnUnload(guard, text, updatedAt) {
      if (network.isCut(node)) return;
      if (guard) table.update(guard, text, updatedAt);
      else table.insert(text);
    },
    unloadLimit: 60_000,
    readLock: async () => ({ ok: true, value: backend.locked }),
    mayDraw: createSignal(false),
    host: null,
    openChannel(key, events) {
      const member: Member = { node, key, events, joined: false, meta: null };
      channel = member;
      hub.join(member);
      return openChannel(hub, member);
    },
    async close() {
      if (channel) hub.members.delete(channel);
    },
  };
}

/** Characters from which a drawing is a large text. */
const LARGE_TEXT = 64 * 1024;

function parse(text: string): unknown {
  return JSON.parse(text);
}
