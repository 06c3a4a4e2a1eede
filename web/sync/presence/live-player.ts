/** Plays the live messages of peers: one picture for each frame in which something moves. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { PeerView } from "../../../board/live.ts";
import type { LiveMessage } from "../../../board/messages.ts";
import type { Clock, TimerId } from "../environment/environment.ts";
import { createEmitter } from "../environment/signal.ts";
import { inkLeft } from "./ink-limit.ts";
import { createOnlinePeers } from "./online-peers.ts";
import {
  createPeerPreview,
  playFrame,
  receiveLive,
  removeArrived,
  removeExpired,
  SILENCE,
  type PeerPreview,
} from "./peer-preview.ts";
import type { Presence } from "./peers.ts";
import { createTimer } from "../environment/timing.ts";

/** Milliseconds. The first frame after a rest must not play everything at once. */
const MAX_FRAME = 50;

export interface LivePlayer {
  /** Takes a message of a peer. */
  readonly receive: (live: LiveMessage) => void;
  /** Removes the previews of objects that have arrived for good. */
  readonly arrived: (ids: Iterable<ObjectId>) => void;
  /** The number of peers that sent live messages within the last 2 s. */
  readonly senders: number;
  /** The number of senders that have ink or dragged objects that are shown. */
  readonly drawing: number;
  /** Removes all but the clients that are online now, with these names; in a crowd others may be online too. */
  readonly keep: (now: Presence) => void;
  /** Adds a listener that is called when the shown previews of peers change. */
  readonly onPeers: (listener: (peers: readonly PeerView[]) => void) => () => void;
  readonly stop: () => void;
}

export interface LivePlayerDependencies {
  readonly clock: Clock;
  /** Whether an object is on the board. */
  readonly hasObject: (id: ObjectId) => boolean;
}

/** Shows nothing before the first message. */
export function createLivePlayer({ clock, hasObject }: LivePlayerDependencies): LivePlayer {
  const shown = createEmitter<readonly PeerView[]>();
  const previews = new Map<string, PeerPreview>();
  const online = createOnlinePeers(previews);
  const expiry = createTimer(clock);
  let frame: TimerId | null = null;
  let lastFrame = 0;
  let isShowing = false;

  const show = (now: number): void => {
    const views = online.views(now);
    if (views.length === 0 && !isShowing) return;
    isShowing = views.length > 0;
    shown.emit(views);
  };
  const schedule = (): void => {
    frame ??= clock.requestFrame(paint);
    if (!expiry.isSet) expiry.set(SILENCE, expire);
  };
  const paint = (): void => {
    frame = null;
    const now = clock.now();
    const elapsed = Math.min(MAX_FRAME, Math.max(1, now - lastFrame));
    lastFrame = now;
    let isMoving = false;
    for (const preview of previews.values())
      if (playFrame(preview, now, elapsed, hasObject)) isMoving = true;
    show(now);
    if (isMoving) schedule();
  };
  /** A timer and not a frame: a hidden page has no frames, and must not show old ink when it is visible again. */
  const expire = (): void => {
    const now = clock.now();
    // Whoever follows a peer that rests is there when a hidden page, which has no frames, is shown again.
    show(now);
    const next = deleteExpired(previews, now);
    if (previews.size > 0) expiry.set(next, expire);
    frame ??= clock.requestFrame(paint);
  };

  return {
    receive(live) {
      const now = clock.now();
      const { clientId } = live;
      if (!online.admit(clientId)) return;
      const preview = previews.get(clientId) ?? createPeerPreview(clientId, now);
      previews.set(clientId, preview);
      if (live.selected && live.tick > preview.tick) {
        online.select(clientId, live.selected);
        schedule();
      }
      const left = inkLeft(previews.values(), preview);
      if (receiveLive(preview, live, now, hasObject, left)) schedule();
    },
    arrived(ids) {
      const here = new Set(ids);
      let changed = false;
      for (const preview of previews.values()) if (removeArrived(preview, here)) changed = true;
      // Immediately, not with the next frame: the object and its preview must not be seen together.
      if (changed) show(clock.now());
    },
    get senders() {
      return previews.size;
    },
    get drawing() {
      return [...previews.values()].filter(isDrawing).length;
    },
    keep(now) {
      if (online.keep(now)) schedule();
    },
    onPeers: shown.listen,
    stop() {
      if (frame !== null) clock.cancelFrame(frame);
      frame = null;
      expiry.clear();
      previews.clear();
      online.clear();
    },
  };
}

/** Deletes what has expired. Returns the milliseconds until something else does; Infinity when nothing is left. */
function deleteExpired(previews: Map<string, PeerPreview>, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const [clientId, preview] of previews) {
    const left = removeExpired(preview, now);
    if (left <= 0) previews.delete(clientId);
    else next = Math.min(next, left);
  }
  return next;
}

function isDrawing({ strokes, drags, line }: PeerPreview): boolean {
  return strokes.size + drags.size > 0 || line !== null;
}
