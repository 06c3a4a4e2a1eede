/**
 * The knowledge of plain clients, which send whole drawings without any of our fields. A message takes time to reach
 * such a client, and so does its drawing on the way back: a change of that time is not in the drawing, and was not
 * removed by it.
 */

import { contentKey } from "../../../board/content-key.ts";
import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { Clock } from "../environment/environment.ts";

/** Milliseconds: the throttle of both sides, and the network. */
const KNOWLEDGE_DELAY = 3_000;
/** The characters that pass a slow connection (1 Mbit/s) in a millisecond. */
const SLOW_CONNECTION = 125;
/** The latest changes, at least so many, are remembered, however old: a large drawing waits, and is parsed, for many seconds before it is applied. */
const MIN_REMEMBERED = 20_000;
const MAX_CLIENTS = 1_000;

export interface PlainClients {
  /** A change of the board; `from` is the plain client that made it, null for anybody else. */
  readonly changed: (changes: BoardChanges, from: string | null) => void;
  /**
   * True for an object whose latest change a drawing of this client cannot contain. `since`: the time (of the clock)
   * before which the drawing was written, or requested, however much later it is applied. Null: whoever the client is.
   */
  readonly isUnknownTo: (clientId: string | null, object: BoardObject, since: number) => boolean;
  /**
   * Whether what a drawing of this client leaves out was removed: not if more of it than of its last one could
   * not be read, since that may stand for what is missing.
   */
  readonly removes: (clientId: string, leftOut: number) => boolean;
}

interface Change {
  readonly at: number;
  readonly from: string | null;
}

/** Returns the milliseconds that a large drawing may have been on its way: 72 s for 9 MB of text, 0 for a parsed one. */
export function transferTime(drawing: unknown): number {
  return typeof drawing === "string" ? drawing.length / SLOW_CONNECTION : 0;
}

/** Nothing has changed yet. */
export function createPlainClients(clock: Pick<Clock, "now">): PlainClients {
  /**
   * By id, and for removed objects by their content too, since a plain client may not keep ids. A full map replaces the
   * one before it: a map that loses its first entry for each new one is searched past all that it lost.
   */
  let latest = new Map<ObjectId | string, Change>();
  let earlier = new Map<ObjectId | string, Change>();
  const leftOutBy = new Map<string, number>();

  const note = (key: ObjectId | string, change: Change): void => {
    if (latest.size >= MIN_REMEMBERED) [earlier, latest] = [latest, new Map()];
    latest.set(key, change);
  };
  const isNewer = (key: ObjectId | string, clientId: string | null, since: number): boolean => {
    const change = latest.get(key) ?? earlier.get(key);
    if (change === undefined || (clientId !== null && change.from === clientId)) return false;
    return since - change.at <= KNOWLEDGE_DELAY;
  };

  return {
    changed({ added, changed, removed }, from) {
      const change = { at: clock.now(), from };
      for (const { id } of [...added, ...changed]) note(id, change);
      for (const object of removed) {
        note(object.id, change);
        note(contentKey(object), change);
      }
    },
    isUnknownTo: (clientId, object, since) =>
      isNewer(object.id, clientId, since) || isNewer(contentKey(object), clientId, since),
    removes(clientId, leftOut) {
      const before = leftOutBy.get(clientId) ?? 0;
      if (leftOutBy.size < MAX_CLIENTS || leftOutBy.has(clientId)) leftOutBy.set(clientId, leftOut);
      return leftOut <= before;
    },
  };
}
