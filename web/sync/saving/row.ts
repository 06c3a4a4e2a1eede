/** The saved row, as this client last saw it: reading it, and the guarded save. One call at a time. */

import { digest } from "../../../board/board.ts";
import type { AdoptOptions } from "../../../board/adopt.ts";
import { compactContext } from "../../../board/compact-context.ts";
import { carriedOf, containedIn, hashContext, staleIds } from "../../../board/compare.ts";
import type { Json, ObjectId } from "../../../board/drawing.ts";
import type { ParsedDrawing } from "../../../board/parse.ts";
import type { Backend, Fault, RowVersion } from "../environment/backend.ts";
import {
  finish,
  mergeSlices,
  readDrawing,
  writeDrawing,
  writeDrawingNow,
} from "../replica/drawing-text.ts";
import type { Environment } from "../environment/environment.ts";
import { isNothing, type Replica } from "../replica/replica.ts";
import { createSignal, type Signal, type WritableSignal } from "../environment/signal.ts";

/** What a client broadcasts after a save: the state of the board that the row now contains. */
export interface SavedState {
  readonly digest: string;
  /** Hash of the causal context. */
  readonly context: string;
  /** `updated_at` of the row. */
  readonly at: string;
  /** The number of this client's last update that the row contains. */
  readonly n: number;
}

export type SaveOutcome =
  /** `state` is null when the row contained everything already, so that nothing was written. */
  | { readonly ok: true; readonly state: SavedState | null }
  | { readonly ok: false; readonly fault: Fault }
  | { readonly ok: false; readonly invalid: string }
  /** The row contains something that this page cannot read: it is not written over. */
  | { readonly ok: false; readonly unreadable: true };

/** After a read: whether to write what the row still lacks. `lost`: another client saved during this save. */
type MayWrite = (lost: boolean) => boolean;
export interface SharedRow {
  /** Whether this client has seen the row, or its absence. */
  readonly known: Signal<boolean>;
  /** Whether the row was read and cannot be understood. Nothing is written over it. */
  readonly unreadable: Signal<boolean>;
  /** Whether a read is under way: updates of peers wait for its end, since the row is older than they are. */
  readonly reading: Signal<boolean>;
  /** Reads the row unless it is of the version that this client last saw. Returns the fault, if any. */
  refresh(): Promise<Fault | null>;
  /** Writes the board; what another client saved meanwhile is merged first. */
  save(mayWrite: MayWrite): Promise<SaveOutcome>;
  /** Of the drawing, about; 0 for a small one. */
  readonly bytes: number;
  /** A peer says that it saved. That is a hint: the next save looks at the row first. */
  peerSaved(): void;
  /** The visitor wants the row to be replaced, though it cannot be read. The database keeps what is replaced. */
  replaceUnreadable(): void;
  /** The visitor cleared the board: what of the row cannot be read goes as well. */
  dropUnreadable(): void;
  /** Starts a save that outlives the page, if there are pending edits and the drawing fits. */
  saveOnUnload(): void;
}

export interface RowParts {
  readonly backend: Backend;
  readonly replica: Replica;
  readonly env: Environment;
  /** When it was last called. The browser knows of no network to a backend on this device. */
  readonly isReached: () => boolean;
  /** How many updates this client has sent. */
  readonly sentUpdates: () => number;
  /** No row is merged before this: the journal's entries have to be on the board first. */
  readonly ready: Promise<void>;
  /** A row was read, or its absence, and is about to be merged. */
  readonly beforeMerge: (parsed: ParsedDrawing | null) => void;
  /** What the writer of a plain drawing cannot know. */
  readonly isKept: AdoptOptions["isKept"];
  /** What the row that was read does not know as well as the board; pending edits are among it. */
  readonly onStale: (ids: readonly ObjectId[]) => Promise<void>;
}

/** What this client knows of the row. */
interface Knowledge {
  /** undefined: nothing; null: there is no row. */
  version: RowVersion | null | undefined;
  /** A peer says that it saved since. */
  isOutdated: boolean;
  bytes: number;
  /** Objects of the row that this version of the page cannot read: they are written back as they came. */
  carried: readonly Json[];
  readonly known: WritableSignal<boolean>;
  readonly unreadable: WritableSignal<boolean>;
  readonly reading: WritableSignal<boolean>;
}

/** How often one save tries again when other clients save at the same time. */
const MAX_CONFLICTS = 6;
const CONFLICT_PAUSE = 150;
/** After so many lost races a save takes its turn: it writes whatever the row's version is. */
const PATIENCE = 3;

/** The row, of which this client knows nothing yet. */
export function createSharedRow(parts: RowParts): SharedRow {
  const { backend, replica, env } = parts;
  const { board, pending } = replica;
  const row: Knowledge = {
    version: undefined,
    isOutdated: false,
    bytes: 0,
    carried: [],
    known: createSignal(false),
    unreadable: createSignal(false),
    reading: createSignal(false),
  };
  const inTurn = createSerialQueue();

  return {
    known: row.known,
    unreadable: row.unreadable,
    reading: row.reading,
    refresh: () => inTurn(() => refresh(parts, row)),
    save: (mayWrite) => inTurn(() => save(parts, row, mayWrite)),
    get bytes() {
      return row.bytes;
    },
    peerSaved() {
      row.isOutdated = true;
    },
    replaceUnreadable() {
      if (!row.unreadable.get()) return;
      // Nothing of the board is in that row, so all of it is to be saved, also when the visitor changes nothing.
      pending.addEdit(board.objects.keys());
      row.unreadable.set(false);
    },
    dropUnreadable() {
      row.carried = [];
    },
    saveOnUnload() {
      if (row.version === undefined || pending.count === 0 || row.unreadable.get()) return;
      if (env.page.isOffline() && !parts.isReached()) return;
      const text = writeDrawingNow(board, backend.unloadLimit);
      if (!text) return;
      pending.markSent(pending.ownIds());
      backend.saveOnUnload(row.version, text, timeAfter(row.version, env));
    },
  };
}

/** Returns a function that runs its tasks one after the other, in the order in which they were given. */
function createSerialQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task, task);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Reads the row if it changed since this client last saw it. Returns the fault, if any. */
async function refresh(parts: RowParts, row: Knowledge): Promise<Fault | null> {
  if (row.version === undefined) return read(parts, row);
  const peeked = await parts.backend.peek();
  if (!peeked.ok) return peeked.fault;
  if (!isSame(peeked.value, row.version)) return read(parts, row);
  row.isOutdated = false;
  return null;
}

/** Reads the row and merges it. Returns the fault, if any. */
async function read(parts: RowParts, row: Knowledge): Promise<Fault | null> {
  const { backend, replica, env, ready } = parts;
  row.reading.set(true);
  try {
    const [loaded] = await Promise.all([backend.load(), ready]);
    if (!loaded.ok) return loaded.fault;
    const parsed = loaded.value && (await readDrawing(loaded.value.json, env));
    if (parsed || !loaded.value) parts.beforeMerge(parsed);
    const kept = parsed ? await mergeRow(parts, parsed) : [];
    row.carried = parsed ? carriedOf(parsed.unreadable, replica.board) : [];
    row.unreadable.set(loaded.value !== null && parsed === null);
    row.version = loaded.value && versionOf(loaded.value);
    row.bytes = typeof loaded.value?.json === "string" ? loaded.value.json.length : 0;
    row.isOutdated = false;
    row.known.set(true);
    if (parsed && !parsed.foreign) {
      replica.pending.settle(containedIn(parsed.drawing, replica.board));
      kept.push(...(await finish(staleIds(parsed.drawing, replica.board), env)));
    }
    await parts.onStale(kept);
    return null;
  } finally {
    row.reading.set(false);
  }
}

/** Returns what of the board stays as it is though a plain drawing says something else. */
async function mergeRow(
  { replica, env, isKept }: RowParts,
  parsed: Extract<ParsedDrawing, { ok: true }>,
): Promise<ObjectId[]> {
  if (!parsed.foreign) {
    await mergeSlices(parsed.drawing, (part) => replica.receive(part), env);
    return [];
  }
  // What it leaves out was removed by its writer, unless it stands for something that cannot be read.
  const removes = parsed.leftOut === 0;
  const pending = replica.pending.allIds();
  const kept: ObjectId[] = removes ? [] : [...replica.board.objects.keys()];
  const keeps: AdoptOptions["isKept"] = (object) => {
    const keep = pending.has(object.id) || isKept(object);
    if (keep) kept.push(object.id);
    return keep;
  };
  replica.adopt(parsed, { removes, isKept: keeps });
  return [...new Set(kept)];
}

async function save(parts: RowParts, row: Knowledge, mayWrite: MayWrite): Promise<SaveOutcome> {
  const { env } = parts;
  for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts += 1) {
    if (conflicts > 0) await wait(env, CONFLICT_PAUSE * conflicts * env.random());
    if (conflicts > 0 || row.version === undefined || row.isOutdated) {
      const fault = await refresh(parts, row);
      if (fault) return { ok: false, fault };
      if (!mayWrite(conflicts > 0)) return { ok: true, state: null };
    }
    if (row.unreadable.get()) return { ok: false, unreadable: true };
    const outcome = await write(parts, row, conflicts >= PATIENCE);
    if (outcome) return outcome;
  }
  return {
    ok: false,
    fault: { kind: "refused", message: "others kept saving at the same time" },
  };
}

/**
 * One save: guarded by the row's version, or, with `force`, whatever that is. Returns null when another client
 * saved meanwhile: read, merge and try again.
 */
async function write(parts: RowParts, row: Knowledge, force: boolean): Promise<SaveOutcome | null> {
  const { backend, replica, env } = parts;
  const { board, pending } = replica;
  compactContext(board);
  const { revision } = pending;
  const state = { digest: digest(board), context: hashContext(board), n: parts.sentUpdates() };
  const written = await writeDrawing(board, env, row.carried);
  if (!written.ok) return { ok: false, invalid: written.reason };

  const found = await backend.findId();
  if (!found.ok) return found;
  const guard = row.version ?? null;
  if (found.value !== null && guard === null) return null;
  pending.markSent(pending.ownIds());
  const forced = force && guard?.version != null;
  const result =
    found.value === null || guard === null
      ? await backend.insert(written.text)
      : await backend.update(guard, written.text, timeAfter(guard, env), forced);
  if (!result.ok) return result.fault.kind === "duplicate" ? null : result;
  if (result.value === null) return null;
  row.version = result.value;
  row.isOutdated = false;
  row.bytes = written.text.bytes;
  row.known.set(true);
  if (forced && !(await mergeReplaced(parts, guard, result.value))) return null;
  pending.savedUpTo(revision);
  return { ok: true, state: { ...state, at: result.value.updatedAt } };
}

/**
 * After a save that was not guarded: what it replaced unread comes from the history and is merged. Returns whether
 * that was nothing new; else the board has to be written once more.
 */
async function mergeReplaced(
  { backend, replica, env }: RowParts,
  before: RowVersion | null,
  after: RowVersion,
): Promise<boolean> {
  if (before?.version == null || after.version == null) return true;
  if (after.version <= before.version + 1) return true;
  const replaced = await backend.loadReplaced(after.version - 1);
  const parsed = replaced.ok && replaced.value ? await readDrawing(replaced.value, env) : null;
  // A plain drawing of that moment would replace the board that was just saved.
  if (!parsed || parsed.foreign) return false;
  const changes = await mergeSlices(parsed.drawing, (part) => replica.receive(part), env);
  return changes.every(isNothing);
}

function versionOf({ id, updatedAt, version }: RowVersion): RowVersion {
  return { id, updatedAt, version };
}

/** The database's own count decides where there is one: a client may write any time into `updated_at`. */
function isSame(a: RowVersion | null, b: RowVersion | null): boolean {
  if (a?.id !== b?.id) return false;
  if (a?.version != null && b?.version != null) return a.version === b.version;
  return a?.updatedAt === b?.updatedAt;
}

/** A row from further in the future than this comes from no clock that is a little fast. */
const CLOCK_ERROR = 24 * 60 * 60 * 1000;

/** A time after the row's own, whatever this device's clock says. Three random digits tell two saves of one millisecond apart. */
function timeAfter(version: RowVersion | null, env: Environment): string {
  const now = env.clock.now();
  const before = version ? Date.parse(version.updatedAt) : Number.NaN;
  const time = before >= now && before < now + CLOCK_ERROR ? before + 1 : now;
  const micros = String(Math.floor(env.random() * 1000)).padStart(3, "0");
  return new Date(time).toISOString().replace("Z", `${micros}+00:00`);
}

function wait(env: Environment, ms: number): Promise<void> {
  return new Promise((resolve) => void env.clock.setTimer(resolve, ms));
}
