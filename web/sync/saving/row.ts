/** The saved row, as this client last saw it: reading it, and the guarded save. One call at a time. */

import { digest } from "../../../board/board.ts";
import { compactContext } from "../../../board/compact-context.ts";
import { carriedOf, containedIn, hashContext, staleIds } from "../../../board/compare.ts";
import type { Json, ObjectId } from "../../../board/drawing.ts";
import type { ParsedDrawing } from "../../../board/parse.ts";
import type { Fault, RowVersion } from "../environment/backend.ts";
import { runToEnd, readDrawing, writeDrawing, writeDrawingNow } from "../replica/drawing-text.ts";
import { transferTime } from "../replica/plain-clients.ts";
import {
  mergeReplaced,
  mergeRow,
  noteAnswered,
  noteStale,
  type MergeDependencies,
  type UnansweredSave,
} from "./row-merge.ts";
import { isSame, timeAfter, versionOf } from "./row-version.ts";
import {
  createEmitter,
  createSignal,
  type Emitter,
  type Signal,
  type WritableSignal,
} from "../environment/signal.ts";
import { createSerialQueue } from "../environment/serial-queue.ts";

/** The state of the board that the row contains after a save. Peers get it. */
export interface SavedState {
  readonly digest: string;
  /** Hash of the causal context. */
  readonly context: string;
  readonly row: RowVersion;
  /** The number of this client's last update that the row contains. */
  readonly n: number;
}

export type SaveOutcome =
  /** Nothing was written when the row contained everything already, or is another client's to write. */
  | { readonly ok: true; readonly written: boolean }
  | { readonly ok: false; readonly fault: Fault }
  | { readonly ok: false; readonly invalid: string }
  /** The row contains something that this page cannot read: it is not written over. */
  | { readonly ok: false; readonly unreadable: true };

/** After a read: whether to write what the row still lacks. `lost`: another client saved during this save. */
type MayWrite = (lost: boolean) => boolean;

export interface SharedRow {
  /** Whether this client has seen the row, or its absence. */
  readonly known: Signal<boolean>;
  /** The version that this client last read or wrote; null: there is no row; undefined before the first read. */
  readonly version: RowVersion | null | undefined;
  /** Whether the row was read and cannot be understood. Nothing is written over it. */
  readonly unreadable: Signal<boolean>;
  /** Whether a read is under way: updates of peers wait for its end, since the row is older than they are. */
  readonly reading: Signal<boolean>;
  /** Reads the row unless it is of the version that this client last saw. Returns the fault, if any. */
  readonly refresh: () => Promise<Fault | null>;
  /** Writes the board; what another client saved meanwhile is merged first. */
  readonly save: (mayWrite: MayWrite) => Promise<SaveOutcome>;
  /** The approximate size of the drawing; 0 for a small one. */
  readonly bytes: number;
  /** The row may have changed: a peer says that it saved, or this page was away. The next save looks at it first. */
  readonly expire: () => void;
  /** The visitor wants the row to be replaced, though it cannot be read. The database keeps what is replaced. */
  readonly replaceUnreadable: () => void;
  /**
   * The next save writes these objects, which this page cannot read, in place of those that the row contains by then:
   * none after Clear, those of a version that is restored.
   */
  readonly carry: (unreadable: readonly Json[]) => void;
  /** Starts a save that outlives the page, if there are pending edits and the drawing fits. */
  readonly saveOnUnload: () => void;
  /** The row was read, or its absence, and is about to be merged. */
  readonly onRead: (listener: (parsed: ParsedDrawing | null) => void) => () => void;
  /**
   * The row lacks what was in it before. The objects are pending edits of this page again, slice by slice; the list is
   * empty when the row lacks removals alone.
   */
  readonly onStale: (listener: (ids: readonly ObjectId[]) => void) => () => void;
  /** This client saved. */
  readonly onSaved: (listener: (state: SavedState) => void) => () => void;
}

export interface RowDependencies extends MergeDependencies {
  /** Whether the backend was reached when it was last called. The browser knows of no network to a backend on this device. */
  readonly reached: Signal<boolean>;
  /** No row is merged before this resolves: the journal's entries have to be on the board first. */
  readonly ready: () => Promise<void>;
  /** The updates that this client has sent: the number of the last one. */
  readonly updates: { readonly sent: number };
}

/** The client's knowledge of the row, and those who are notified of what happens to it. */
interface Knowledge {
  /** undefined: nothing; null: there is no row. */
  version: RowVersion | null | undefined;
  /** The row may have changed since: see `expire`. */
  isOutdated: boolean;
  /** A save that may have been written: its objects count as sent when the row shows that it was. */
  unanswered: UnansweredSave | null;
  /** The version that this client had read before a save that was not guarded: what that replaced is not merged yet. */
  readBefore: RowVersion | null;
  bytes: number;
  /** Objects of the row that this version of the page cannot read: they are written back as they came. */
  carried: readonly Json[];
  /** The objects that the next save writes in their place; null: none. */
  replacing: readonly Json[] | null;
  readonly known: WritableSignal<boolean>;
  readonly unreadable: WritableSignal<boolean>;
  readonly reading: WritableSignal<boolean>;
  readonly read: Emitter<ParsedDrawing | null>;
  readonly stale: Emitter<readonly ObjectId[]>;
  readonly saved: Emitter<SavedState>;
}

/** The number of times that one save is tried again when other clients save at the same time. */
const MAX_CONFLICTS = 18;
const CONFLICT_PAUSE = 150;
/**
 * A save goes first, whatever the row's version is, once it has read this many bytes for lost races, each of which
 * counts as 2 MB at least: after 15 races, or 3 with 10 MB. Only somebody who writes without a pause wins as many.
 * By the next save the history may have lost what was replaced.
 */
const PATIENCE = 30_000_000;
const MIN_RACE = 2_000_000;

/** The row, of which this client knows nothing yet. */
export function createSharedRow(dependencies: RowDependencies): SharedRow {
  const { backend, replica, env, reached } = dependencies;
  const { board, pending } = replica;
  const row: Knowledge = {
    version: undefined,
    isOutdated: false,
    unanswered: null,
    readBefore: null,
    bytes: 0,
    carried: [],
    replacing: null,
    known: createSignal(false),
    unreadable: createSignal(false),
    reading: createSignal(false),
    read: createEmitter(),
    stale: createEmitter(),
    saved: createEmitter(),
  };
  const inOrder = createSerialQueue();

  return {
    known: row.known,
    unreadable: row.unreadable,
    reading: row.reading,
    get version() {
      return row.version;
    },
    refresh: () => inOrder(() => refresh(dependencies, row)),
    save: (mayWrite) => inOrder(() => save(dependencies, row, mayWrite)),
    get bytes() {
      return row.bytes;
    },
    expire() {
      row.isOutdated = true;
    },
    replaceUnreadable() {
      if (!row.unreadable.get()) return;
      // Nothing of the board is in that row, so all of it is to be saved, also when the visitor changes nothing.
      pending.addEdit(board.objects.keys());
      row.unreadable.set(false);
    },
    carry(unreadable) {
      row.replacing = unreadable;
    },
    saveOnUnload() {
      if (row.version === undefined || pending.count === 0 || row.unreadable.get()) return;
      if (!reached.get() && env.page.isOffline()) return;
      const text = writeDrawingNow(board, backend.unloadLimit, row.replacing ?? row.carried);
      if (!text) return;
      row.unanswered = { guard: row.version, ids: pending.ownIds() };
      backend.saveOnUnload(row.version, text, timeAfter(row.version, env));
    },
    onRead: row.read.listen,
    onStale: row.stale.listen,
    onSaved: row.saved.listen,
  };
}

/** Reads the row if it changed since this client last saw it. Returns the fault, if any. */
async function refresh(dependencies: RowDependencies, row: Knowledge): Promise<Fault | null> {
  if (row.version === undefined) return read(dependencies, row);
  const peeked = await dependencies.backend.peek();
  if (!peeked.ok) return peeked.fault;
  if (!isSame(peeked.value, row.version)) return read(dependencies, row);
  row.isOutdated = false;
  return null;
}

/** Reads the row and merges it. Returns the fault, if any. */
async function read(dependencies: RowDependencies, row: Knowledge): Promise<Fault | null> {
  const { backend, replica, env, ready } = dependencies;
  row.reading.set(true);
  const since = env.clock.now();
  try {
    const loaded = await backend.load();
    await ready();
    if (!loaded.ok) return loaded.fault;
    const parsed = loaded.value && (await readDrawing(loaded.value.json, env));
    if (row.unanswered && loaded.value && !isSame(row.unanswered.guard, loaded.value)) {
      await noteAnswered(dependencies, row.unanswered, loaded.value);
      row.unanswered = null;
    }
    if (parsed || !loaded.value) row.read.emit(parsed);
    const written = since - transferTime(loaded.value?.json);
    const stale = parsed ? await mergeRow(dependencies, parsed, written) : [];
    // A row that is gone takes nothing from the board.
    if (!loaded.value && row.version) stale.push(...replica.board.objects.keys());
    row.carried = parsed ? carriedOf(parsed.unreadable, replica.board) : [];
    row.unreadable.set(loaded.value !== null && parsed === null);
    row.version = loaded.value && versionOf(loaded.value);
    row.bytes = typeof loaded.value?.json === "string" ? loaded.value.json.length : 0;
    row.isOutdated = false;
    row.known.set(true);
    if (parsed && !parsed.foreign) {
      replica.pending.settle(containedIn(parsed.drawing, replica.board));
      stale.push(...(await runToEnd(staleIds(parsed.drawing, replica.board), env)));
    }
    await noteStale(dependencies, stale, row.stale.emit);
    return null;
  } finally {
    row.reading.set(false);
  }
}

async function save(
  dependencies: RowDependencies,
  row: Knowledge,
  mayWrite: MayWrite,
): Promise<SaveOutcome> {
  const { env } = dependencies;
  for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts += 1) {
    if (conflicts > 0) {
      const pause = CONFLICT_PAUSE * conflicts * env.random();
      await new Promise<void>((resolve) => void env.clock.setTimer(resolve, pause));
    }
    if (conflicts > 0 || row.version === undefined || row.isOutdated) {
      const fault = await refresh(dependencies, row);
      if (fault) return { ok: false, fault };
      if (!mayWrite(conflicts > 0)) return { ok: true, written: false };
    }
    if (row.unreadable.get()) return { ok: false, unreadable: true };
    const force = conflicts * Math.max(row.bytes, MIN_RACE) >= PATIENCE;
    const outcome = await write(dependencies, row, force);
    if (outcome) return outcome;
  }
  return { ok: false, fault: { kind: "refused", message: "others kept saving" } };
}

/**
 * One save: guarded by the row's version, or, with `force`, whatever that is. Returns null when another client
 * saved meanwhile: read, merge and try again.
 */
async function write(
  dependencies: RowDependencies,
  row: Knowledge,
  force: boolean,
): Promise<SaveOutcome | null> {
  const { backend, replica, env } = dependencies;
  const { board, pending } = replica;
  // What is drawn from now on may be missing in the text.
  const ids = pending.ownIds();
  const { revision } = pending;
  compactContext(board, ids);
  const { sent: n } = dependencies.updates;
  const state = { digest: digest(board), context: hashContext(board), n };
  const carried = row.replacing ?? row.carried;
  const written = await writeDrawing(board, env, carried);
  if (!written.ok) return { ok: false, invalid: written.reason };

  const found = await backend.findId();
  if (!found.ok) return found;
  const guard = row.version ?? null;
  if (found.value !== null && guard === null) return null;
  const forced = force && guard?.version != null;
  if (forced) row.readBefore ??= guard;
  const result =
    found.value === null || guard === null
      ? await backend.insert(written.text)
      : await backend.update(guard, written.text, timeAfter(guard, env), forced);
  if (!result.ok) {
    if (result.fault.kind === "network") row.unanswered = { guard, ids };
    return result.fault.kind === "duplicate" ? null : result;
  }
  if (result.value === null) return null;
  pending.markSent(ids);
  row.carried = carried;
  if (row.replacing === carried) row.replacing = null;
  row.version = result.value;
  row.isOutdated = false;
  row.bytes = written.text.bytes;
  row.known.set(true);
  if (row.readBefore) {
    const isNew = await mergeReplaced(dependencies, row.readBefore, result.value);
    if (typeof isNew === "object") return { ok: false, fault: isNew };
    row.readBefore = null;
    if (isNew) return null;
  }
  pending.savedUpTo(revision);
  row.saved.emit({ ...state, row: result.value });
  return { ok: true, written: true };
}
