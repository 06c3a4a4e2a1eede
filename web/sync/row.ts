/** The saved row, as this page last saw it: reading it, and the guarded save. One call at a time. */

import { digest } from "../../board/board.ts";
import { compactSeen } from "../../board/forget.ts";
import type { Backend, Fault, RowMark } from "./backend.ts";
import type { Replica } from "./replica.ts";
import { createLane } from "./lane.ts";
import { fingerprint, holds, readDrawing, writeDrawing, writeNow } from "./text.ts";
import type { World } from "./world.ts";

/** What a page tells the others after a save: the state of its board at the moment that the row now holds. */
export interface SavedState {
  readonly digest: string;
  readonly seen: string;
  readonly at: string;
  /** The number of this page's updates that were sent before that moment. */
  readonly n: number;
}

export type SaveOutcome =
  /** `state` is null when the row held everything already, so that nothing had to be written. */
  | { readonly ok: true; readonly state: SavedState | null }
  | { readonly ok: false; readonly fault: Fault }
  | { readonly ok: false; readonly invalid: string };

export interface SharedRow {
  /** Whether the row, or its absence, has been seen by this page. */
  readonly known: boolean;
  /** Whether a read is under way: what comes from others meanwhile has to wait for its end. */
  readonly reading: boolean;
  /** Reads the row if it is not as this page last saw it. Answers what went wrong. */
  refresh(): Promise<Fault | null>;
  save(): Promise<SaveOutcome>;
  /** Somebody says that they saved; answers whether this page's state is that very one. */
  heardSave(state: Omit<SavedState, "n">): Promise<boolean>;
  /** Starts a save that outlives the page, if what there is to save fits. */
  lastWords(): void;
}

export interface RowParts {
  readonly backend: Backend;
  readonly replica: Replica;
  readonly world: World;
  readonly needsSave: () => boolean;
  /** How many updates this page has sent. */
  readonly sent: () => number;
  /** The row is not taken in before this; what the journal holds has to be there first. */
  readonly ready: Promise<void>;
  /** After each read. */
  readonly onRead: () => void;
  /** The row is known to hold more of what was unsaved. */
  readonly onHeld: () => void;
}

/** How often one save tries again when others save at the same time. */
const MOST_CONFLICTS = 6;
const CONFLICT_PAUSE = 150;

export function createSharedRow(parts: RowParts): SharedRow {
  const { backend, replica, world } = parts;
  const { board, unsaved } = replica;
  const inLane = createLane();
  /** undefined: not known; null: there is no row. */
  let mark: RowMark | null | undefined;
  /** The last time that somebody else is known to have saved. */
  let newest: string | null = null;
  let reading = false;

  /** The code for a foreign drawing, or why it did not come. */
  const adoption = async () => {
    try {
      return await world.loadAdoption();
    } catch (error) {
      return String(error);
    }
  };
  const read = async (): Promise<Fault | null> => {
    reading = true;
    try {
      const [answer] = await Promise.all([backend.load(), parts.ready]);
      if (!answer.ok) return answer.fault;
      const row = answer.value;
      if (row !== null) {
        const parsed = await readDrawing(row.json, world);
        if (parsed?.foreign) {
          const code = await adoption();
          // Like a row that did not come: it is tried again.
          if (typeof code === "string") return { kind: "network", message: code };
          replica.receive(parsed.drawing, code.adoptForeign);
        } else if (parsed) replica.receive(parsed.drawing, null);
        if (parsed && !parsed.foreign) unsaved.settle(holds(parsed.drawing, board));
        parts.onHeld();
      }
      mark = row && { id: row.id, updatedAt: row.updatedAt };
      newest = null;
      return null;
    } finally {
      reading = false;
      parts.onRead();
    }
  };
  const isCurrent = (): boolean =>
    mark !== undefined && (newest === null || newest === mark?.updatedAt);
  /** Answers null when what the page knew of the row was out of date: read and try again. */
  const attempt = async (): Promise<SaveOutcome | null> => {
    compactSeen(board);
    const { moment } = unsaved;
    const state = { digest: digest(board), seen: fingerprint(board), n: parts.sent() };
    const written = await writeDrawing(board, world);
    if (!written.ok) return { ok: false, invalid: written.reason };

    const found = await backend.findId();
    if (!found.ok) return found;
    const guard = mark ?? null;
    if (found.value !== null && guard === null) return null;
    const answer =
      found.value === null || guard === null
        ? await backend.insert(written.text)
        : await backend.update(guard, written.text, stampAfter(guard, world));
    if (!answer.ok) return answer.fault.kind === "duplicate" ? null : answer;
    if (answer.value === null) return null;
    mark = answer.value;
    newest = null;
    unsaved.savedUpTo(moment);
    parts.onHeld();
    return { ok: true, state: { ...state, at: mark.updatedAt } };
  };

  return {
    get known() {
      return mark !== undefined;
    },
    get reading() {
      return reading;
    },
    refresh: () =>
      inLane(async () => {
        if (mark === undefined) return read();
        const peeked = await backend.peek();
        if (!peeked.ok) return peeked.fault;
        const same = peeked.value?.id === mark?.id && peeked.value?.updatedAt === mark?.updatedAt;
        if (same) newest = null;
        return same ? null : read();
      }),
    save: () =>
      inLane(async () => {
        for (let conflicts = 0; conflicts <= MOST_CONFLICTS; conflicts += 1) {
          if (conflicts > 0) await wait(world, CONFLICT_PAUSE * conflicts * world.random());
          if (conflicts > 0 || !isCurrent()) {
            const fault = await read();
            if (fault) return { ok: false, fault };
            if (!parts.needsSave()) return { ok: true, state: null };
          }
          const outcome = await attempt();
          if (outcome) return outcome;
        }
        return {
          ok: false,
          fault: { kind: "refused", message: "others kept saving at the same time" },
        };
      }),
    async heardSave(state) {
      const { moment } = unsaved;
      newest = state.at;
      if (state.digest !== digest(board) || state.seen !== fingerprint(board)) return false;
      return inLane(async () => {
        // What a peer says is checked: only the row itself can say that it was saved.
        const peeked = await backend.peek();
        if (!peeked.ok || peeked.value?.updatedAt !== state.at) return false;
        mark = peeked.value;
        unsaved.savedUpTo(moment);
        parts.onHeld();
        return true;
      });
    },
    lastWords() {
      if (mark === undefined || unsaved.changes === 0) return;
      const text = writeNow(board, backend.lastWordsLimit);
      if (text) backend.lastWords(mark, text, stampAfter(mark, world));
    },
  };
}

/** A row from further in the future than this is not a clock that is a little fast. */
const CLOCK_ERROR = 24 * 60 * 60 * 1000;

/** Later than the row's own time, whatever this device's clock says; three digits of chance tell two saves of one millisecond apart. */
function stampAfter(mark: RowMark | null, world: World): string {
  const now = world.clock.now();
  const before = mark ? Date.parse(mark.updatedAt) : Number.NaN;
  const time = before >= now && before < now + CLOCK_ERROR ? before + 1 : now;
  const chance = String(Math.floor(world.random() * 1000)).padStart(3, "0");
  return new Date(time).toISOString().replace("Z", `${chance}+00:00`);
}

function wait(world: World, ms: number): Promise<void> {
  return new Promise((resolve) => void world.clock.setTimer(resolve, ms));
}
