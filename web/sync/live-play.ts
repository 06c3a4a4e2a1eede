/** Plays what the others are doing: received ink runs through a short buffer, so that jitter does not show. */

import { acceptInk, type CanvasLive, type LiveInk } from "../../board/live-wire.ts";
import type { LivePlace, PeerView } from "../../board/live.ts";
import type { ObjectId } from "../../board/drawing.ts";
import { glide, type Glide } from "./glide.ts";
import { colorOf, labelOf } from "./persona.ts";
import type { Clock, TimerId } from "./world.ts";

/** Somebody who says nothing for this long is not shown any more. */
export const SILENCE = 2_000;
/** The buffer is emptied in this many times the measured gap between two messages. */
const BUFFER = 1.2;
const LONGEST_FRAME = 50;
const FIRST_GAP = 60;
const LEAST_GAP = 30;
const MOST_GAP = 1_500;
/** Hostile or broken peers must not fill the memory. */
const MOST_PEERS = 100;
const MOST_STROKES = 10;
const MOST_NUMBERS = 100_000;

export interface LivePlayer {
  /** A message of somebody else. */
  heard(live: CanvasLive): void;
  /** These objects have arrived for good: their previews go. */
  arrived(ids: Iterable<ObjectId>): void;
  /** Only these are here now. */
  keep(isHere: (clientId: string) => boolean): void;
  stop(): void;
}

export interface LivePlayerParts {
  readonly clock: Clock;
  readonly hasObject: (id: ObjectId) => boolean;
  readonly onPeers: (peers: readonly PeerView[]) => void;
}

interface Stroke {
  readonly color: string;
  readonly width: number;
  received: number;
  readonly shown: number[];
  buffer: number[];
  end: ObjectId | null | undefined;
  endedAt: number | null;
}

interface Drag {
  readonly place: Glide;
  endedAt: number | null;
}

interface Peer {
  readonly clientId: string;
  readonly label: string;
  readonly color: string;
  tick: number;
  heardAt: number;
  gap: number;
  pointer: Glide | null;
  readonly strokes: Map<string, Stroke>;
  readonly drags: Map<ObjectId, Drag>;
}

export function createLivePlayer({ clock, hasObject, onPeers }: LivePlayerParts): LivePlayer {
  const peers = new Map<string, Peer>();
  let frame: TimerId | null = null;
  let expiry: TimerId | null = null;
  let lastFrame = 0;
  let showing = false;

  const wake = (): void => {
    frame ??= clock.requestFrame(paint);
    expiry ??= clock.setTimer(expire, SILENCE);
  };
  /** Runs once for each frame in which something moves. */
  const paint = (): void => {
    frame = null;
    const now = clock.now();
    // The first frame after a rest must not play everything.
    const since = Math.min(LONGEST_FRAME, Math.max(1, now - lastFrame));
    lastFrame = now;
    let moving = false;
    for (const peer of peers.values()) {
      for (const [name, stroke] of peer.strokes) {
        play(stroke, since, peer.heardAt + BUFFER * peer.gap - now);
        if (stroke.buffer.length > 0) moving = true;
        else if (stroke.end === null || (stroke.end && hasObject(stroke.end)))
          peer.strokes.delete(name);
      }
      if (peer.pointer?.isMoving(now)) moving = true;
      for (const drag of peer.drags.values()) if (drag.place.isMoving(now)) moving = true;
    }
    show(now);
    if (moving) wake();
  };
  const show = (now: number): void => {
    const views = [...peers.values()].flatMap((peer) => viewOf(peer, now) ?? []);
    if (views.length === 0 && !showing) return;
    showing = views.length > 0;
    onPeers(views);
  };
  /** A timer and not a frame: a hidden page has no frames, and must not show old ink when it comes back. */
  const expire = (): void => {
    expiry = null;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [clientId, peer] of peers) {
      const left = peer.heardAt + SILENCE - now;
      if (left <= 0) peers.delete(clientId);
      else next = Math.min(next, left, dropEnded(peer.strokes, now), dropEnded(peer.drags, now));
    }
    if (peers.size > 0) expiry = clock.setTimer(expire, next);
    frame ??= clock.requestFrame(paint);
  };

  const takeInk = (peer: Peer, ink: LiveInk): void => {
    const known = peer.strokes.get(ink.stroke);
    const stroke = known ?? begin(peer, ink);
    if (!stroke) return;
    const { points, received } = acceptInk(known ? stroke.received : ink.offset, ink);
    stroke.received = received;
    if (stroke.shown.length + stroke.buffer.length < MOST_NUMBERS) stroke.buffer.push(...points);
    if (ink.end !== undefined) {
      stroke.end = ink.end;
      stroke.endedAt ??= clock.now();
    }
    const end = points.length - 2;
    if (end >= 0)
      peer.pointer = glide(peer.pointer, [points[end] ?? 0, points[end + 1] ?? 0], clock.now(), 0);
  };

  return {
    heard(live) {
      const now = clock.now();
      const peer = peers.get(live.clientId) ?? admit(peers, live.clientId, now);
      // A message that was overtaken or doubled: its ink is told apart by the offset, the rest is out of date.
      const old = peer !== null && live.tick <= peer.tick;
      if (!peer || (old && live.ink.length === 0)) return;
      if (!old) {
        if (peer.tick > 0) peer.gap = smooth(peer.gap, now - peer.heardAt);
        peer.tick = live.tick;
        peer.heardAt = now;
      }
      for (const ink of live.ink) takeInk(peer, ink);
      if (!old) takePlaces(peer, live, now);
      wake();
    },
    arrived(ids) {
      let changed = false;
      const here = new Set(ids);
      for (const peer of peers.values()) {
        for (const [name, stroke] of peer.strokes) {
          if (stroke.end && here.has(stroke.end)) changed = peer.strokes.delete(name);
        }
        for (const id of peer.drags.keys()) if (here.has(id)) changed = peer.drags.delete(id);
      }
      // At once and not with the next frame: the object and its preview must not be seen together.
      if (changed) show(clock.now());
    },
    keep(isHere) {
      let changed = false;
      for (const clientId of peers.keys()) if (!isHere(clientId)) changed = peers.delete(clientId);
      if (changed) wake();
    },
    stop() {
      if (frame !== null) clock.cancelFrame(frame);
      if (expiry !== null) clock.clearTimer(expiry);
      frame = expiry = null;
      peers.clear();
    },
  };
}

function admit(peers: Map<string, Peer>, clientId: string, now: number): Peer | null {
  if (peers.size >= MOST_PEERS) return null;
  const peer: Peer = {
    clientId,
    label: labelOf(clientId),
    color: colorOf(clientId),
    tick: 0,
    heardAt: now,
    gap: FIRST_GAP,
    pointer: null,
    strokes: new Map(),
    drags: new Map(),
  };
  peers.set(clientId, peer);
  return peer;
}

/** A stroke whose beginning was missed is shown from where it is told again what it looks like. */
function begin(peer: Peer, { stroke, color, width, offset }: LiveInk): Stroke | null {
  if (color === undefined || width === undefined || peer.strokes.size >= MOST_STROKES) return null;
  const begun: Stroke = {
    color,
    width,
    received: offset,
    shown: [],
    buffer: [],
    end: undefined,
    endedAt: null,
  };
  peer.strokes.set(stroke, begun);
  return begun;
}

/** What ended and never arrived goes as well. Answers when the next one has to. */
function dropEnded(
  previews: Map<string, { readonly endedAt: number | null }>,
  now: number,
): number {
  let next = Number.POSITIVE_INFINITY;
  for (const [name, { endedAt }] of previews) {
    if (endedAt === null) continue;
    const left = endedAt + SILENCE - now;
    if (left <= 0) previews.delete(name);
    else next = Math.min(next, left);
  }
  return next;
}

/** The share of the buffer that belongs to the time since the last frame. */
function play(stroke: Stroke, since: number, left: number): void {
  const points = stroke.buffer.length / 2;
  const due = left <= 0 ? points : Math.min(points, Math.ceil((points * since) / (left + since)));
  stroke.shown.push(...stroke.buffer.splice(0, due * 2));
}

function takePlaces(peer: Peer, live: CanvasLive, now: number): void {
  const over = BUFFER * peer.gap;
  if (live.pointer === null) peer.pointer = null;
  else if (live.pointer)
    peer.pointer = glide(peer.pointer, [live.pointer.x, live.pointer.y], now, over);
  if (!live.drags) return;
  // Where it was put down it stays until the change itself arrives; else it would jump back and forth.
  for (const drag of peer.drags.values()) drag.endedAt ??= now;
  for (const { id, left, top, scaleX, scaleY, angle } of live.drags) {
    const place = glide(
      peer.drags.get(id)?.place ?? null,
      [left, top, scaleX, scaleY, angle],
      now,
      over,
    );
    peer.drags.set(id, { place, endedAt: null });
  }
}

/** The gap between messages that a buffer has to bridge. A pause between two doings is no gap. */
function smooth(gap: number, measured: number): number {
  if (measured > MOST_GAP) return gap;
  return Math.max(LEAST_GAP, gap + (measured - gap) / 4);
}

function viewOf(peer: Peer, now: number): PeerView | null {
  if (peer.pointer === null && peer.strokes.size === 0 && peer.drags.size === 0) return null;
  const [x, y] = peer.pointer?.at(now) ?? [];
  return {
    clientId: peer.clientId,
    label: peer.label,
    color: peer.color,
    pointer: x === undefined || y === undefined ? null : { x, y },
    ink: [...peer.strokes].map(([stroke, { color, width, shown }]) => ({
      stroke,
      color,
      width,
      points: shown,
    })),
    drags: [...peer.drags].map(([id, { place }]) => placeOf(id, place.at(now))),
  };
}

function placeOf(id: ObjectId, numbers: readonly number[]): LivePlace {
  const [left = 0, top = 0, scaleX = 1, scaleY = 1, angle = 0] = numbers;
  return { id, left, top, scaleX, scaleY, angle };
}
