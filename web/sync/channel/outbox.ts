/** Broadcasts what changed here: the whole drawing while it is small or a peer needs it, else only what changed. */

import { withoutSource } from "../../../board/bare-pictures.ts";
import { countObjects, digest, getObject, type Board } from "../../../board/board.ts";
import type { BoardObject, Drawing, ObjectId } from "../../../board/drawing.ts";
import { toDrawing, toPartial } from "../../../board/encode.ts";
import { EVENTS, type UpdateMessage } from "../../../board/messages.ts";
import type { Clock } from "../environment/environment.ts";
import type { Presence } from "../presence/peers.ts";
import type { Signal } from "../environment/signal.ts";
import type { PendingEdits } from "../replica/pending-edits.ts";
import type { Replica } from "../replica/replica.ts";
import type { ReconnectingChannel } from "./reconnecting-channel.ts";
import type { UpdateRate } from "../presence/update-rate.ts";
import { createLimit, createThrottle, type Sent } from "../environment/timing.ts";

/** Characters of JSON up to which a drawing is sent whole. */
const WHOLE_CHARS = 32 * 1024;
/** A whole drawing above this is sent in parts even to plain clients: no backend takes more. */
const MAX_CHARS = 2_500_000;
/** One partial drawing contains about this much; the rest waits for the next one. */
const PARTIAL_CHARS = 200_000;
/** An object is at least this long, so with more of them a drawing is not worth measuring. */
const MIN_CHARS = 48;
/** Milliseconds between two repetitions of what is pending. */
const REPEAT_INTERVAL = 3_000;

export interface Outbox {
  /**
   * Adds objects that changed here and that peers do not know yet. `cleared`: this client cleared the board. Returns
   * whether they are a single object that is sent next, without waiting for the interval.
   */
  readonly add: (ids: Iterable<ObjectId>, cleared?: boolean) => boolean;
  /**
   * Adds objects that a read of the row changed here: peers get them in a message of their own and need not read.
   * Returns false when that costs more than their reads, or when a peer cannot read partial drawings.
   */
  readonly addFromRow: (ids: Iterable<ObjectId>) => boolean;
  /** Adds all pending edits of this page: a peer may have missed them. */
  readonly addPending: () => void;
  /** Adds all pending edits of this page, at most once in 3 s. */
  readonly repeatPending: () => void;
  /** Schedules the objects that wait, within the limit: the channel has joined. */
  readonly schedule: () => void;
  /** Pauses or resumes sending: while it is paused, the board may show objects that were removed since. */
  readonly setPaused: (paused: boolean) => void;
  /** Sends the objects that wait immediately. */
  readonly flush: () => void;
  /** The number of the last update that was sent. */
  readonly sent: number;
  readonly stop: () => void;
}

export interface OutboxDependencies {
  readonly clock: Clock;
  readonly clientId: string;
  readonly replica: Replica;
  readonly presence: Signal<Presence>;
  readonly rate: UpdateRate;
  readonly channel: Pick<ReconnectingChannel, "send" | "joined">;
  /** Milliseconds from a change to its message. */
  readonly delay: number;
}

/** Nothing waits. */
export function createOutbox(dependencies: OutboxDependencies): Outbox {
  const { clock, clientId, replica, presence, rate, channel, delay } = dependencies;
  const { board, pending } = replica;
  const waiting = new Set<ObjectId>();
  const cleared = new Set<ObjectId>();
  const fromRow = new Set<ObjectId>();
  const { asKnown, sent } = createSentObjects(pending);
  let number = 0;
  let isPaused = false;

  const send = (): Sent => {
    if (isPaused) return "nothing";
    if (fromRow.size > 0 && sendFromRow()) return waiting.size > 0 ? "part" : "all";
    if (waiting.size === 0) return "nothing";
    const whole = wholeDrawing(board, presence.get().allPartial);
    const ids = whole ? [...waiting] : pickPart(board, waiting, asKnown);
    const wasClear = ids.some((id) => cleared.has(id));
    const update: UpdateMessage = {
      json: whole ?? toPartial(board, ids, asKnown),
      clientId,
      digest: digest(board),
      n: number + 1,
      ...(wasClear && { cleared: true }),
    };
    if (!channel.send(EVENTS.update, update)) return "nothing";
    number += 1;
    pending.markSent(whole ? [...board.objects.keys(), ...ids] : ids);
    for (const id of ids) {
      sent(getObject(board, id));
      waiting.delete(id);
      cleared.delete(id);
    }
    return waiting.size > 0 ? "part" : "all";
  };
  const sendFromRow = (): boolean => {
    const update = rowUpdate(board, [...fromRow], clientId);
    fromRow.clear();
    return channel.send(EVENTS.update, update);
  };
  const throttle = createThrottle(clock, rate.interval, send, delay);
  const add = (ids: Iterable<ObjectId>, isClear = false): boolean => {
    for (const id of ids) {
      waiting.add(id);
      if (isClear) cleared.add(id);
    }
    const isSoon = waiting.size > 0 && throttle.schedule();
    return isSoon && !isPaused && waiting.size === 1 && channel.joined.get();
  };
  const mayRepeat = createLimit(clock, REPEAT_INTERVAL);
  const addPending = (): void => void add(pending.ownIds());

  return {
    add,
    addPending,
    repeatPending() {
      if (pending.count > 0 && mayRepeat()) addPending();
    },
    addFromRow(ids) {
      const all = [...ids];
      const own = pending.allIds();
      const foreign = all.filter((id) => !own.has(id));
      if (!presence.get().allPartial || !fitsMessage(board, foreign)) return false;
      for (const id of foreign) fromRow.add(id);
      if (fromRow.size > 0) throttle.schedule();
      // What this page changed as well is its own to send, and to save.
      add(all.filter((id) => own.has(id)));
      return true;
    },
    schedule: throttle.schedule,
    flush: throttle.flush,
    setPaused(paused) {
      isPaused = paused;
      if (!paused) throttle.schedule();
    },
    get sent() {
      return number;
    },
    stop: throttle.stop,
  };
}

/** Makes the update that tells peers of objects which this page found in the row. */
function rowUpdate(board: Board, ids: readonly ObjectId[], clientId: string): UpdateMessage {
  return { json: toPartial(board, ids), clientId, digest: digest(board), row: true };
}

/** A picture that peers can know is sent without its source (`asKnown`). */
function createSentObjects(pending: PendingEdits) {
  /** The incarnation in which this page sent each restored object last. */
  const restored = new Map<ObjectId, number>();
  return {
    asKnown: (object: BoardObject): BoardObject =>
      object.type === "Image" &&
      !pending.unsentIds().has(object.id) &&
      object.life === restored.get(object.id)
        ? withoutSource(object)
        : object,
    sent: (object: BoardObject | undefined): void => {
      if (object?.life !== undefined) restored.set(object.id, object.life);
    },
  };
}

/** As many objects as fit into one message; removed ones first, since they cost next to nothing. */
function pickPart(
  board: Board,
  waiting: ReadonlySet<ObjectId>,
  as: (object: BoardObject) => BoardObject,
): ObjectId[] {
  const picked: ObjectId[] = [];
  const alive: ObjectId[] = [];
  for (const id of waiting) (getObject(board, id) ? alive : picked).push(id);
  let chars = 0;
  for (const id of alive) {
    chars += JSON.stringify(as(getObject(board, id) as BoardObject)).length;
    if (picked.length > 0 && chars > PARTIAL_CHARS) break;
    picked.push(id);
  }
  return picked;
}

/** Whether one message can contain the objects. */
function fitsMessage(board: Board, ids: readonly ObjectId[]): boolean {
  let chars = 0;
  return ids.every((id) => {
    chars += JSON.stringify(getObject(board, id) ?? null).length;
    return chars <= PARTIAL_CHARS;
  });
}

/** Returns the whole drawing if it is to be sent whole, else null: a drawing with pictures never is where peers can read parts. */
function wholeDrawing(board: Board, allPartial: boolean): Drawing | null {
  let left = allPartial ? WHOLE_CHARS : MAX_CHARS;
  if (countObjects(board) * MIN_CHARS > left) return null;
  const drawing = toDrawing(board);
  if (allPartial && drawing.objects.some(({ type }) => type === "Image")) return null;
  // A large drawing is measured no further than to its limit; a comma follows each object.
  const fits = [{ ...drawing, objects: [] }, ...drawing.objects].every(
    (part) => (left -= JSON.stringify(part).length + 1) >= 0,
  );
  return fits ? drawing : null;
}
