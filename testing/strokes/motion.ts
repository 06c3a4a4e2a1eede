/**
 * The motion of a mouse: pieces of minimum jerk, each of which begins before the one before has ended, so that corners are
 * rounded as far as the hand hurries (Flash and Hogan, "The coordination of arm movements", 1985), and a tremor of 7 to
 * 12 Hz. It gives the position at any time, so that whoever plays it follows the clock.
 */

import type { Random } from "../random/random.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A part of a stroke that is drawn in one go, as points close together or as two ends of a straight line. */
export type Piece = readonly Point[];

export interface Motion {
  /** The time that it takes, without the rest at its end. */
  readonly seconds: number;
  /** Where the pointer is after so many seconds; it trembles on after the end. */
  readonly at: (seconds: number) => Point;
}

/** The share of a movement of minimum jerk that is done after a share of its time. */
function minimumJerk(share: number): number {
  const t = Math.max(0, Math.min(1, share));
  return t * t * t * (10 - 15 * t + 6 * t * t);
}

/** Seconds that a hand takes for a piece of this length, by Fitts's law for a target of 8 px. */
function secondsFor(length: number, corners: number): number {
  return 0.1 + 0.09 * Math.log2(1 + length / 8) + 0.05 * corners;
}

interface Measured {
  readonly piece: Piece;
  /** The length up to each point. */
  readonly lengths: readonly number[];
}

function measured(piece: Piece): Measured {
  const lengths = [0];
  for (let i = 1; i < piece.length; i++) {
    const [from, to] = [piece[i - 1] as Point, piece[i] as Point];
    lengths.push((lengths[i - 1] as number) + Math.hypot(to.x - from.x, to.y - from.y));
  }
  return { piece, lengths };
}

/** The point at a share of the length. */
function pointAt({ piece, lengths }: Measured, share: number): Point {
  const length = share * (lengths.at(-1) as number);
  const next = Math.max(
    1,
    lengths.findIndex((one) => one >= length),
  );
  const [from, to] = [piece[next - 1] as Point, piece[next] as Point];
  const [start, end] = [lengths[next - 1] as number, lengths[next] as number];
  const part = end === start ? 0 : (length - start) / (end - start);
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
}

/** Total change of direction along a piece, in quarters of a circle. */
function bends(piece: Piece): number {
  let sum = 0;
  for (let i = 2; i < piece.length; i++) {
    const [a, b, c] = [piece[i - 2] as Point, piece[i - 1] as Point, piece[i] as Point];
    const [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y];
    sum += Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
  }
  return sum / (Math.PI / 2);
}

/** Returns the motion through the pieces, each of which begins where the one before ends. */
export function motionOf(pieces: readonly Piece[], random: Random): Motion {
  const range = (from: number, to: number): number => from + (to - from) * random.next();
  const pace = range(0.7, 1.3);
  // How much of its time a piece shares with the next one.
  const overlap = range(0, 0.3);
  let begin = 0;
  const moves = pieces.map((piece) => {
    const path = measured(piece);
    const seconds = pace * secondsFor(path.lengths.at(-1) as number, bends(piece));
    const move = { path, begin, seconds };
    begin += seconds * (1 - overlap);
    return move;
  });
  const last = moves.at(-1);
  const strength = range(0.2, 0.9);
  const tremor = [7, 9, 11].map((hertz) => ({
    hertz: hertz + range(-1, 1),
    x: strength * range(0.2, 0.7),
    y: strength * range(0.2, 0.7),
    phase: range(0, 6.28),
  }));
  const first = pieces[0]?.[0] as Point;
  return {
    seconds: last ? last.begin + last.seconds : 0,
    at: (time) => {
      let { x, y } = first;
      for (const move of moves) {
        const to = pointAt(move.path, minimumJerk((time - move.begin) / move.seconds));
        x += to.x - (move.path.piece[0] as Point).x;
        y += to.y - (move.path.piece[0] as Point).y;
      }
      for (const wave of tremor) {
        x += wave.x * Math.sin(6.28 * wave.hertz * time + wave.phase);
        y += wave.y * Math.sin(6.28 * wave.hertz * time * 0.93 + 2 * wave.phase);
      }
      return { x, y };
    },
  };
}
