/**
 * The preview of what one peer is doing right now: ink through a playback buffer, pointer and dragged
 * objects interpolated, so that jitter of the network does not show. No clock: times are arguments, in
 * milliseconds.
 */

import type { ObjectId } from "../../../board/drawing.ts";
import { appendInk } from "../../../board/ink.ts";
import type { LiveLine, LiveTransform, PeerInk, PeerView } from "../../../board/live.ts";
import type { LineEnd } from "../../../board/live-objects.ts";
import type { LiveInk, LiveMessage } from "../../../board/messages.ts";

/** A peer that sent nothing for this long is not shown any more, nor is a stroke, drag or line that no message named. */
export const SILENCE = 2_000;
/** The buffer is played in this many times the measured gap between two messages. */
const BUFFER_GAPS = 1.2;
const FIRST_GAP = 60;
const MIN_GAP = 30;
/** A longer gap is a pause of the peer, not one of the network. */
const MAX_GAP = 1_500;
/** The weight of a new gap in the measured one. */
const GAP_WEIGHT = 0.25;
/** A hostile or broken peer must not fill the memory. */
const MAX_STROKES = 10;
const MAX_FADING = 100;
const MAX_DRAGS = 200;

/** Numbers on their way to those of the last message. */
interface Interpolation {
  at(now: number): readonly number[];
  isMoving(now: number): boolean;
}

/** A part of the preview. `namedAt`: when a message last named it, or said that it has ended. */
interface Named {
  namedAt: number;
}

/** The points of the buffer are shown after those of the ink. */
interface Stroke extends Named, PeerInk {
  readonly points: number[];
  readonly buffer: number[];
  /** Points that were received, those that were missed included. */
  received: number;
  end: ObjectId | null | undefined;
}

/** `hasArrived`: a change of the object, be it that of this drag or an earlier one, has arrived since it was last named. */
interface Drag extends Named {
  readonly transform: Interpolation;
  hasEnded?: true;
  hasArrived?: true;
}

type DragNumbers = readonly [
  left: number,
  top: number,
  scaleX: number,
  scaleY: number,
  angle: number,
];

interface Line extends Named, LiveLine {
  readonly shape: Interpolation;
  end?: ObjectId;
}

export interface PeerPreview {
  readonly clientId: string;
  tick: number;
  receivedAt: number;
  /** Measured milliseconds between two messages. */
  gap: number;
  pointer: Interpolation | null;
  readonly strokes: Map<string, Stroke>;
  readonly drags: Map<ObjectId, Drag>;
  line: Line | null;
}

/** A peer of which nothing is shown yet. */
export function createPeerPreview(clientId: string, now: number): PeerPreview {
  return {
    clientId,
    tick: 0,
    receivedAt: now,
    gap: FIRST_GAP,
    pointer: null,
    strokes: new Map(),
    drags: new Map(),
    line: null,
  };
}

/**
 * Takes a live message in, with the drags of objects that are on the board, and up to `left` numbers of its ink.
 * Returns false when it is out of date and adds nothing.
 */
export function receiveLive(
  preview: PeerPreview,
  live: LiveMessage,
  now: number,
  hasObject: (id: ObjectId) => boolean,
  left = Infinity,
): boolean {
  // Overtaken or doubled. Its ink may be new all the same, which its offset says.
  const isOld = live.tick <= preview.tick;
  if (isOld && live.ink.length === 0) return false;
  if (!isOld) {
    const gap = now - preview.receivedAt;
    if (preview.tick > 0 && gap <= MAX_GAP)
      preview.gap = Math.max(MIN_GAP, preview.gap + GAP_WEIGHT * (gap - preview.gap));
    preview.tick = live.tick;
    preview.receivedAt = now;
  }
  for (const ink of live.ink) left -= receiveInk(preview, ink, now, left);
  if (isOld) return true;
  const duration = BUFFER_GAPS * preview.gap;
  if (live.pointer === null) preview.pointer = null;
  else if (live.pointer) {
    const { x, y } = live.pointer;
    preview.pointer = interpolate(preview.pointer, [x, y], now, duration);
  }
  const drags = live.drags?.filter(({ id }) => hasObject(id));
  if (drags) receiveDrags(preview, drags, now, duration);
  if (live.line) receiveLine(preview, live.line, now, duration);
  return true;
}

/** Takes the ink of a message; returns the number of numbers that it took. */
function receiveInk(preview: PeerPreview, ink: LiveInk, now: number, left: number): number {
  const known = preview.strokes.get(ink.stroke);
  const stroke = known ?? beginStroke(preview, ink, now);
  if (!stroke) return 0;
  // Its author cancelled it; finished fading ink ends with its look, and stays.
  if (isFading(stroke) && ink.look !== "fading" && ink.end === null) {
    preview.strokes.delete(ink.stroke);
    return 0;
  }
  // Fading ink disappears together: it stays while its author writes on.
  for (const one of preview.strokes.values())
    if (one === stroke || (isFading(one) && isFading(stroke))) one.namedAt = now;
  const { points, received } = appendInk(known ? stroke.received : ink.offset, ink);
  stroke.received = received;
  const taken = points.slice(0, left);
  stroke.buffer.push(...taken);
  if (ink.end !== undefined) stroke.end = ink.end;
  const [x, y = 0] = points.slice(-2);
  if (x !== undefined) preview.pointer = interpolate(preview.pointer, [x, y], now, 0);
  return taken.length;
}

/** A stroke whose beginning was missed is shown from the next message that says what it looks like. */
function beginStroke({ strokes }: PeerPreview, ink: LiveInk, now: number): Stroke | null {
  const { color, width, offset, look = "ink" } = ink;
  if (color === undefined || width === undefined) return null;
  const stroke: Stroke = {
    stroke: ink.stroke,
    color,
    width,
    look,
    points: [],
    buffer: [],
    received: offset,
    end: undefined,
    namedAt: now,
  };
  const alike = [...strokes.values()].filter((one) => isFading(one) === isFading(stroke));
  if (alike.length >= (isFading(stroke) ? MAX_FADING : MAX_STROKES)) return null;
  strokes.set(ink.stroke, stroke);
  return stroke;
}

function receiveDrags(
  preview: PeerPreview,
  transforms: readonly LiveTransform[],
  now: number,
  duration: number,
): void {
  const { drags } = preview;
  // A dropped object stays where it is until the change itself arrives; else it would jump back and forth.
  for (const drag of drags.values()) {
    if (!drag.hasEnded) drag.namedAt = now;
    drag.hasEnded = true;
  }
  for (const { id, left, top, scaleX, scaleY, angle } of transforms) {
    const before = drags.get(id)?.transform ?? null;
    const transform = interpolate(before, [left, top, scaleX, scaleY, angle], now, duration);
    drags.delete(id);
    drags.set(id, { transform, namedAt: now });
  }
  // The change of a drag may have overtaken its end.
  removeArrived(preview, new Set());
}

function receiveLine(
  preview: PeerPreview,
  line: LiveLine | LineEnd,
  now: number,
  duration: number,
): void {
  const before = preview.line;
  if (!("end" in line)) {
    const { points } = line;
    // One that has ended stays where it is; this is another.
    const isSame = before && !before.end && before.shape.at(now).length === points.length;
    const shape = interpolate(isSame ? before.shape : null, points, now, duration);
    preview.line = { ...line, shape, namedAt: now };
  } else if (line.end === null) preview.line = null;
  else if (before) Object.assign(before, { end: line.end, namedAt: now });
}

/**
 * Plays one frame: `elapsed` milliseconds since the one before. `hasObject`: whether a finished stroke's
 * object is on the board. Returns whether something still moves.
 */
export function playFrame(
  preview: PeerPreview,
  now: number,
  elapsed: number,
  hasObject: (id: ObjectId) => boolean,
): boolean {
  let isMoving = preview.pointer?.isMoving(now) === true;
  const left = preview.receivedAt + BUFFER_GAPS * preview.gap - now;
  for (const [name, stroke] of preview.strokes) {
    playStroke(stroke, elapsed, left);
    if (stroke.buffer.length > 0) isMoving = true;
    else if (isFading(stroke)) continue;
    else if (stroke.end === null || (stroke.end && hasObject(stroke.end)))
      preview.strokes.delete(name);
  }
  for (const { transform } of preview.drags.values()) if (transform.isMoving(now)) isMoving = true;
  const { line } = preview;
  if (line?.shape.isMoving(now)) isMoving = true;
  // An object whose end was moved has been on the board all the time.
  if (line?.end && !line.of && hasObject(line.end)) preview.line = null;
  return isMoving;
}

/** Shows the share of the buffer that belongs to this frame, when all of it is to be shown in `left` milliseconds. */
function playStroke({ points, buffer }: Stroke, elapsed: number, left: number): void {
  const count = buffer.length / 2;
  const due = left <= 0 ? count : Math.min(count, Math.ceil((count * elapsed) / (left + elapsed)));
  points.push(...buffer.splice(0, due * 2));
}

/** Removes the previews of objects that are on the board for good now, and drags over the limit. Returns whether there were any. */
export function removeArrived(preview: PeerPreview, ids: ReadonlySet<ObjectId>): boolean {
  const { strokes, drags, line } = preview;
  let removed = false;
  for (const [id, drag] of drags) {
    if (ids.has(id)) drag.hasArrived = true;
    // Those that ended are first: a message has no more than the limit.
    if ((drag.hasArrived && drag.hasEnded) || drags.size > MAX_DRAGS) removed = drags.delete(id);
  }
  if (line?.end && ids.has(line.end)) {
    preview.line = null;
    removed = true;
  }
  for (const [name, stroke] of strokes)
    if (stroke.end && ids.has(stroke.end)) removed = strokes.delete(name);
  return removed;
}

/**
 * Removes what no message named for too long: its object never arrived, or the message with its end was lost. Returns
 * in how many milliseconds to look again; 0 or less: the peer is not to be shown any more.
 */
export function removeExpired(preview: PeerPreview, now: number): number {
  const { receivedAt, strokes, drags, line } = preview;
  const lines = new Map(line ? [["", line]] : []);
  let next = receivedAt;
  for (const named of [strokes, drags, lines] as Map<unknown, Named>[])
    for (const [key, { namedAt }] of named)
      if (namedAt + SILENCE <= now) named.delete(key);
      else next = Math.min(next, namedAt);
  if (lines.size === 0) preview.line = null;
  return next + SILENCE - now;
}

const isFading = ({ look }: Stroke): boolean => look === "fading";

/** Returns what is shown of the peer now; null when there is nothing. */
export function viewOf(preview: PeerPreview, now: number): PeerView | null {
  const { clientId, pointer, strokes, drags, line } = preview;
  if (pointer === null && line === null && strokes.size === 0 && drags.size === 0) return null;
  const [x, y = 0] = pointer?.at(now) ?? [];
  return {
    clientId,
    pointer: x === undefined ? null : { x, y },
    ink: [...strokes.values()],
    drags: [...drags].map(([id, { transform }]) => {
      const [left, top, scaleX, scaleY, angle] = transform.at(now) as DragNumbers;
      return { id, left, top, scaleX, scaleY, angle };
    }),
    ...(line && {
      line: { color: line.color, width: line.width, of: line.of, points: line.shape.at(now) },
    }),
  };
}

/** Returns the movement from the current position of `before` to `target` in `duration` milliseconds, or `target` itself without a `before`. */
function interpolate(
  before: Interpolation | null,
  target: readonly number[],
  now: number,
  duration: number,
): Interpolation {
  const from = before?.at(now) ?? target;
  const share = (time: number): number =>
    duration <= 0 ? 1 : Math.min(1, Math.max(0, (time - now) / duration));
  return {
    at: (time) =>
      target.map((value, index) => {
        const start = from[index] ?? value;
        return start + (value - start) * share(time);
      }),
    isMoving: (time) => share(time) < 1 && target.some((value, index) => value !== from[index]),
  };
}
