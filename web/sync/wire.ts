/** The channel's events, with what this page adds to them, and their doors: unknown in, a value or null out. */

import {
  EVENTS,
  isClientId,
  parseUpdate,
  type CanvasUpdate,
  type ReceivedUpdate,
} from "../../board/events.ts";
import { isRecord } from "../../board/json.ts";

export const UPDATE = EVENTS.update;
export const LIVE = EVENTS.live;
/** The state of a board in a few characters: sent after a save, and now and then when it is quiet. */
export const DIGEST = "canvas-digest";

/** `n` counts the sender's updates. `cleared`: its sender cleared the board. */
export interface Update extends CanvasUpdate {
  readonly n: number;
  readonly cleared?: true;
}

/** `n` is 0 for a sender that does not count. */
export interface HeardUpdate extends ReceivedUpdate {
  readonly n: number;
  readonly cleared: boolean;
}

/** `saved` comes after a save: the row of time `at` holds the board of this digest, and the sender's updates up to `n`. */
export interface DigestMessage {
  readonly clientId: string;
  readonly digest: string;
  readonly saved?: { readonly at: string; readonly seen: string; readonly n: number };
}

const SHORT = /^[\x20-\x7e]{1,64}$/;

export function readUpdate(payload: unknown): HeardUpdate | null {
  const parsed = parseUpdate(payload);
  if (!parsed.ok || !isRecord(payload)) return null;
  return {
    ...parsed.value,
    n: isCount(payload["n"]) ? payload["n"] : 0,
    cleared: payload["cleared"] === true,
  };
}

export function readDigest(payload: unknown): DigestMessage | null {
  if (!isRecord(payload)) return null;
  const { clientId, digest, saved } = payload;
  if (!isClientId(clientId) || !isShort(digest)) return null;
  if (saved === undefined) return { clientId, digest };
  if (!isRecord(saved)) return null;
  const { at, seen, n } = saved;
  return isShort(at) && isShort(seen) && isCount(n)
    ? { clientId, digest, saved: { at, seen, n } }
    : null;
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && SHORT.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
