/** The channel's events, with what this page adds to them. */

import { EVENTS, type CanvasUpdate, type ReceivedUpdate } from "../../board/events.ts";

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
