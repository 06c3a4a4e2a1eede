/** Tells the others what this person is doing right now: one message for each tick, slower as people join. */

import { encodeLive, type CanvasLive, type LiveInk, type LiveWire } from "../../board/live-wire.ts";
import type { LivePlace, LiveSink } from "../../board/live.ts";
import type { ObjectId } from "../../board/drawing.ts";
import { simplify } from "../../board/simplify.ts";
import { createThrottle, type Sent } from "./throttle.ts";
import type { Clock, TimerId } from "./world.ts";

/** Messages a second of one person, at most. */
export const MOST_RATE = 20;
/** Ink is heavier than a pointer, and plays through a buffer anyway. */
export const INK_RATE = 16;
/** Below this a preview is of no use: what is finished arrives as fast. */
export const LEAST_RATE = 1;
/** The part of the room's budget that live messages may take. */
const SHARE = 0.6;
/** Somebody who holds the pen still says so: silence for 2 s means that they are gone. */
const SIGN_OF_LIFE = 1_000;
/** How often the colour and the width of a stroke are told again, for those who missed them. */
const INTRODUCE_AGAIN = 2_000;
/** In pixels: points nearer than this to the line through the others are not sent. */
const TOLERANCE = 0.5;

/**
 * Messages a second for each of `people` in a room that may cost `budget` messages a second: each
 * counts once when it is sent and once for each copy that is delivered. 0 when there is nobody to see it.
 */
export function liveRate(people: number, budget: number): number {
  if (people < 2) return 0;
  const rate = Math.min(MOST_RATE, (SHARE * budget) / people ** 2);
  return rate < LEAST_RATE ? 0 : rate;
}

export interface LiveSender {
  readonly sink: LiveSink;
  /** Somebody came: they have to be told what the strokes in progress look like. */
  introduce(): void;
  stop(): void;
}

export interface LiveSenderParts {
  readonly clock: Clock;
  readonly clientId: string;
  /** Messages a second now. */
  readonly rate: () => number;
  /** False when the channel is not open. */
  readonly send: (message: LiveWire) => boolean;
}

interface Stroke {
  readonly color: string;
  readonly width: number;
  /** Points that came before `pending`, as the others count them. */
  offset: number;
  pending: number[];
  introducedAt: number;
  end: ObjectId | null | undefined;
}

export function createLiveSender({ clock, clientId, rate, send }: LiveSenderParts): LiveSender {
  const strokes = new Map<string, Stroke>();
  let pointer: CanvasLive["pointer"];
  let drags: readonly LivePlace[] | undefined;
  let dragging = false;
  let tick = 0;
  let signTimer: TimerId | null = null;

  const isBusy = (): boolean => strokes.size > 0 || dragging;
  const hasNews = (): boolean => {
    if (pointer !== undefined || drags !== undefined) return true;
    return [...strokes.values()].some(
      (stroke) => stroke.pending.length > 0 || stroke.end !== undefined,
    );
  };
  /** What was not sent is not kept: a preview that comes late is none. */
  const forget = (): void => {
    pointer = undefined;
    drags = undefined;
    for (const [name, stroke] of strokes) {
      stroke.offset += stroke.pending.length / 2;
      stroke.pending = [];
      if (stroke.end !== undefined) strokes.delete(name);
    }
  };
  const say = (sign: boolean): Sent => {
    if (!sign && !hasNews()) return "nothing";
    if (rate() === 0) {
      forget();
      return "nothing";
    }
    const now = clock.now();
    const ink = [...strokes].flatMap(([name, stroke]) => inkOf(name, stroke, now, sign) ?? []);
    const done = send(
      encodeLive({
        clientId,
        tick: tick + 1,
        ink,
        // While inking, the pointer is where the ink ends.
        ...(pointer === undefined || ink.length > 0 ? {} : { pointer }),
        ...(drags === undefined ? {} : { drags }),
      }),
    );
    forget();
    if (!done) return "nothing";
    tick += 1;
    return "all";
  };
  const inkOf = (name: string, stroke: Stroke, now: number, sign: boolean): LiveInk | null => {
    if (!sign && stroke.pending.length === 0 && stroke.end === undefined) return null;
    const points = simplify(stroke.pending, TOLERANCE);
    const fresh = now - stroke.introducedAt >= INTRODUCE_AGAIN;
    if (fresh) stroke.introducedAt = now;
    const { offset } = stroke;
    stroke.offset += points.length / 2;
    stroke.pending = [];
    return {
      stroke: name,
      offset,
      points,
      ...(fresh ? { color: stroke.color, width: stroke.width } : {}),
      ...(stroke.end === undefined ? {} : { end: stroke.end }),
    };
  };
  const interval = (): number =>
    1000 / Math.min(rate() || MOST_RATE, strokes.size > 0 ? INK_RATE : MOST_RATE);
  const throttle = createThrottle(clock, interval, () => say(false));
  const armSign = (): void => {
    if (signTimer !== null) clock.clearTimer(signTimer);
    signTimer = null;
    if (!isBusy()) return;
    signTimer = clock.setTimer(() => {
      signTimer = null;
      say(true);
      armSign();
    }, SIGN_OF_LIFE);
  };
  const news = (): void => {
    throttle.poke();
    armSign();
  };

  return {
    sink: {
      pointer(at) {
        pointer = at;
        news();
      },
      inkStart(name, color, width) {
        const introducedAt = Number.NEGATIVE_INFINITY;
        strokes.set(name, { color, width, offset: 0, pending: [], introducedAt, end: undefined });
      },
      inkPoints(name, points) {
        strokes.get(name)?.pending.push(...points);
        news();
      },
      inkEnd(name, id) {
        const stroke = strokes.get(name);
        if (!stroke) return;
        stroke.end = id;
        news();
      },
      drag(places) {
        if (places.length === 0 && !dragging) return;
        dragging = places.length > 0;
        drags = places;
        news();
      },
    },
    introduce() {
      for (const stroke of strokes.values()) stroke.introducedAt = Number.NEGATIVE_INFINITY;
    },
    stop() {
      throttle.stop();
      if (signTimer !== null) clock.clearTimer(signTimer);
      signTimer = null;
    },
  };
}
