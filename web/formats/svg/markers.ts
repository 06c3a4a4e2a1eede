/** Finds the positions of the markers of a line, such as the heads of an arrow. */

import type { PathData } from "../../../board/path.ts";
import type { Point } from "../../canvas/geometry/matrix.ts";
import { LENGTHS } from "../../canvas/geometry/outline.ts";
import type { Style } from "./style.ts";

/** A marker at a point of a line. */
export interface Marker {
  /** The id of the element that is drawn there. */
  readonly id: string;
  readonly at: Point;
  /** The direction of the line there, in radians. */
  readonly angle: number;
  readonly isStart: boolean;
}

/** A point of a line, and the direction of the line before and behind it. */
interface Vertex {
  readonly at: Point;
  readonly before?: Point | undefined;
  behind?: Point | undefined;
}

/** Returns the markers of a line, in its own plane; empty for most lines. */
export function markersOf(data: PathData, style: Style): Marker[] {
  const [start, middle, end] = ["start", "mid", "end"].map(
    (name) =>
      /^url\(\s*["']?#([^"')\s]+)/.exec(style[`marker-${name}`] ?? style["marker"] ?? "")?.[1],
  );
  if (start === undefined && middle === undefined && end === undefined) return [];
  const vertices = verticesOf(data);
  const last = vertices.length - 1;
  const markers: Marker[] = [];
  const add = (id: string | undefined, { at, before, behind }: Vertex, isStart = false): void => {
    const [x, y] = [(before?.x ?? 0) + (behind?.x ?? 0), (before?.y ?? 0) + (behind?.y ?? 0)];
    if (id !== undefined) markers.push({ id, at, angle: Math.atan2(y, x), isStart });
  };
  for (const [at, vertex] of vertices.entries()) {
    if (at === 0) add(start, vertex, true);
    if (at > 0 && at < last) add(middle, vertex);
    if (at === last) add(end, vertex);
  }
  return markers;
}

function verticesOf({ commands, coords }: PathData): Vertex[] {
  const vertices: Vertex[] = [];
  let begin: Point = { x: 0, y: 0 };
  let from = begin;
  let index = 0;
  for (const command of commands) {
    const points = [from];
    for (let read = 0; read < (LENGTHS[command] ?? 0); read += 2, index += 2)
      points.push({ x: coords[index] ?? 0, y: coords[index + 1] ?? 0 });
    if (command === "Z") points.push(begin);
    const at = points.at(-1)!;
    if (command === "M") {
      begin = at;
      vertices.push({ at });
    } else {
      const after = points.find((point) => !isSame(point, from));
      const last = vertices.at(-1);
      if (last && after) last.behind ??= direction(from, after);
      const before = points.findLast((point) => !isSame(point, at));
      vertices.push({ at, before: before && direction(before, at) });
    }
    from = at;
  }
  return vertices;
}

function isSame(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

function direction(from: Point, to: Point): Point {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y);
  return { x: x / length, y: y / length };
}
