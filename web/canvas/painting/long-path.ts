/**
 * Long paths. A browser takes some seconds to stroke 50,000 points that lie on each other in one go, and a small part
 * of that to do so in pieces. A path that cannot be painted in pieces is painted coarser.
 */

import { type PathData, parsePath } from "../../../board/path.ts";
import { type Box, boxAroundPoints } from "../geometry/box.ts";
import { LENGTHS } from "../geometry/outline.ts";

/** Characters of path data beyond which a path is long: it may have 1,000 points or more. */
const LONG_CHARS = 8000;

/** The number of lines and curves in one piece. */
const PIECE = 200;

/** The greatest number of lines and curves in the coarse path. */
const MAX_COARSE = 2000;

export interface LongPath {
  /** The pieces of the outline. Each begins with the last line or curve of the one before it, for the corner between them. */
  readonly pieces: readonly PathPiece[];
  /** The whole outline; when it is very long, with only every n-th point. */
  readonly coarse: Path2D;
}

export interface PathPiece {
  readonly path: Path2D;
  /** The box around the points and control points. */
  readonly box: Box;
}

/** True for path data that is painted as a `LongPath`. */
export function isLongPath(data: string): boolean {
  return data.length > LONG_CHARS;
}

/** Makes a long path of path data; null when it cannot be parsed. */
export function makeLongPath(data: string): LongPath | null {
  const outline = parsePath(data);
  if (!outline) return null;
  const { commands } = outline;
  const every = Math.ceil(commands.length / MAX_COARSE);
  const coarse = every <= 1 ? new Path2D(data) : coarsePath(outline, every);
  const pen: Pen = { at: 0, x: 0, y: 0, startX: 0, startY: 0 };
  const pieces: PathPiece[] = [];
  for (let from = 0; from < commands.length; from += PIECE)
    pieces.push(makePiece(outline, from, pen));
  return { pieces, coarse };
}

/** The point that tracing has reached. */
interface Pen {
  /** The index of the next number of `coords`. */
  at: number;
  x: number;
  y: number;
  startX: number;
  startY: number;
}

/** Traces the commands from `from` on; the pen stops before the last one, with which the next piece begins. */
function makePiece({ commands, coords }: PathData, from: number, pen: Pen): PathPiece {
  const path = new Path2D();
  path.moveTo(pen.x, pen.y);
  const { at, x, y } = pen;
  const to = Math.min(from + PIECE + 1, commands.length);
  let last = pen;
  for (let index = from; index < to; index++) {
    last = { ...pen };
    trace(path, commands[index] as string, coords, pen);
  }
  const corner = { left: x, top: y, right: x, bottom: y };
  const box = boxAroundPoints(coords.slice(at, pen.at), 0, corner);
  if (to > from + PIECE) Object.assign(pen, last);
  return { path, box };
}

function trace(path: Path2D, command: string, coords: readonly number[], pen: Pen): void {
  const n = (index: number): number => coords[pen.at + index] as number;
  if (command === "M") path.moveTo(n(0), n(1));
  else if (command === "L") path.lineTo(n(0), n(1));
  else if (command === "Q") path.quadraticCurveTo(n(0), n(1), n(2), n(3));
  else if (command === "C") path.bezierCurveTo(n(0), n(1), n(2), n(3), n(4), n(5));
  else path.lineTo(pen.startX, pen.startY);
  const length = LENGTHS[command] ?? 0;
  pen.x = length === 0 ? pen.startX : n(length - 2);
  pen.y = length === 0 ? pen.startY : n(length - 1);
  if (command === "M") {
    pen.startX = pen.x;
    pen.startY = pen.y;
  }
  pen.at += length;
}

/** Returns the outline as straight lines to every `every`-th point. */
function coarsePath({ commands, coords }: PathData, every: number): Path2D {
  const path = new Path2D();
  let at = 0;
  for (let index = 0; index < commands.length; index++) {
    const command = commands[index] as string;
    at += LENGTHS[command] ?? 0;
    if (command === "Z") path.closePath();
    else if (command === "M") path.moveTo(coords[at - 2] as number, coords[at - 1] as number);
    else if (index % every === 0) path.lineTo(coords[at - 2] as number, coords[at - 1] as number);
  }
  return path;
}
