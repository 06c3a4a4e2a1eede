/** Broadcasts what changed here: whole drawings while they are small or somebody needs them, else only what changed. */

import { countObjects, digest, getObject } from "../../board/board.ts";
import type { Drawing, ObjectId } from "../../board/drawing.ts";
import { toDrawing, toPartial } from "../../board/encode.ts";

import type { Company } from "./presence.ts";
import type { Replica } from "./replica.ts";
import { createThrottle, type Sent } from "./throttle.ts";
import type { Update } from "./wire.ts";
import type { Clock } from "./world.ts";

/** A whole drawing up to this many characters of JSON is sent as it is. */
export const WHOLE_CHARS = 32 * 1024;
/** A whole drawing above this is sent in parts even to those who cannot read parts: no backend takes more. */
const MOST_CHARS = 2_500_000;
/** One partial drawing holds about this much; the rest waits for the next one. */
export const PARTIAL_CHARS = 200_000;
/** An object is at least this long, so with more of them a drawing is not worth measuring. */
const FEWEST_CHARS = 48;

export interface Outbox {
  /** Objects that changed here and that the others have to hear of. */
  add(ids: Iterable<ObjectId>): void;
  /** The same, because this person cleared the board. */
  addCleared(ids: Iterable<ObjectId>): void;
  /** Tries to send, within the limit; the channel may be open now. */
  poke(): void;
  /** Sends at once what waits. */
  flush(): void;
  /** Whether something waits. */
  readonly waiting: boolean;
  /** The number of the last update that was sent. */
  readonly sent: number;
  stop(): void;
}

export interface OutboxParts {
  readonly clock: Clock;
  readonly replica: Replica;
  readonly clientId: string;
  readonly company: () => Company;
  /** The least time between two updates, in milliseconds. */
  readonly interval: () => number;
  /** False when the channel is not open. */
  readonly send: (update: Update) => boolean;
}

export function createOutbox({
  clock,
  replica,
  clientId,
  company,
  interval,
  send,
}: OutboxParts): Outbox {
  const { board } = replica;
  const waiting = new Set<ObjectId>();
  const cleared = new Set<ObjectId>();
  let number = 0;

  const run = (): Sent => {
    if (waiting.size === 0) return "nothing";
    const whole = wholeDrawing(board, company().allPartial);
    const ids = whole ? [...waiting] : pick(waiting);
    const wasClear = ids.some((id) => cleared.has(id));
    const done = send({
      json: whole ?? toPartial(board, ids),
      clientId,
      digest: digest(board),
      n: number + 1,
      ...(wasClear ? { cleared: true as const } : {}),
    });
    if (!done) return "nothing";
    number += 1;
    for (const id of ids) {
      waiting.delete(id);
      cleared.delete(id);
    }
    return waiting.size > 0 ? "part" : "all";
  };
  /** As many as fit into one message; what was removed first, for it costs next to nothing. */
  const pick = (from: ReadonlySet<ObjectId>): ObjectId[] => {
    const picked: ObjectId[] = [];
    const alive: ObjectId[] = [];
    for (const id of from) (getObject(board, id) ? alive : picked).push(id);
    let chars = 0;
    for (const id of alive) {
      chars += JSON.stringify(getObject(board, id)).length;
      if (picked.length > 0 && chars > PARTIAL_CHARS) break;
      picked.push(id);
    }
    return picked;
  };
  const throttle = createThrottle(clock, interval, run);

  return {
    add(ids) {
      for (const id of ids) waiting.add(id);
      if (waiting.size > 0) throttle.poke();
    },
    addCleared(ids) {
      for (const id of ids) {
        waiting.add(id);
        cleared.add(id);
      }
      if (waiting.size > 0) throttle.poke();
    },
    poke: () => throttle.poke(),
    flush: () => throttle.flush(),
    get waiting() {
      return waiting.size > 0;
    },
    get sent() {
      return number;
    },
    stop: () => throttle.stop(),
  };
}

/** The whole drawing if that is the way to send it now, else null. */
function wholeDrawing(board: Replica["board"], allPartial: boolean): Drawing | null {
  if (allPartial && countObjects(board) * FEWEST_CHARS > WHOLE_CHARS) return null;
  const drawing = toDrawing(board);
  const { length } = JSON.stringify(drawing);
  return length <= (allPartial ? WHOLE_CHARS : MOST_CHARS) ? drawing : null;
}
