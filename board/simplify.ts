/** Leaves out points that add nothing to a line. Points are flat: x0, y0, x1, y1 ... */

/**
 * Returns the points of a polyline without those that lie within `tolerance` (same unit) of the rest, by the
 * algorithm of Ramer, Douglas and Peucker. The first and the last point stay. For a stroke that is smoothed use
 * `thinStroke`.
 */
export function simplify(points: readonly number[], tolerance: number): number[] {
  const keep = pointsToKeep(points, tolerance);
  return pick(points, (index) => keep[index] === 1);
}

/**
 * Thins a stroke that `encodePath` smooths: its curve runs through the middles between points, so a lone corner
 * between far points would be cut off. Therefore the neighbours of retained points stay as well.
 */
export function thinStroke(points: readonly number[], tolerance: number): number[] {
  const keep = pointsToKeep(points, tolerance);
  return pick(
    points,
    (index) => keep[index] === 1 || keep[index - 1] === 1 || keep[index + 1] === 1,
  );
}

function pick(points: readonly number[], chosen: (index: number) => boolean): number[] {
  const out: number[] = [];
  for (let index = 0; index * 2 + 1 < points.length; index++) {
    if (chosen(index)) out.push(points[index * 2] as number, points[index * 2 + 1] as number);
  }
  return out;
}

/** Marks the points to retain. It has a stack of its own, since a stroke may have many thousand points. */
function pointsToKeep(points: readonly number[], tolerance: number): Uint8Array {
  const count = points.length >> 1;
  const keep = new Uint8Array(count);
  if (count === 0) return keep;
  keep[0] = 1;
  keep[count - 1] = 1;
  const limit = tolerance * tolerance;
  const open: [number, number][] = [[0, count - 1]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [first, last] = span;
    let farthest = -1;
    let greatest = limit;
    for (let index = first + 1; index < last; index++) {
      const distance = squareDistance(points, index, first, last);
      if (distance > greatest) {
        greatest = distance;
        farthest = index;
      }
    }
    if (farthest < 0) continue;
    keep[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return keep;
}

/** The squared distance of a point from the segment between two others. */
function squareDistance(points: readonly number[], at: number, a: number, b: number): number {
  const ax = points[a * 2] as number;
  const ay = points[a * 2 + 1] as number;
  const dx = (points[b * 2] as number) - ax;
  const dy = (points[b * 2 + 1] as number) - ay;
  const px = (points[at * 2] as number) - ax;
  const py = (points[at * 2 + 1] as number) - ay;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
  return (px - along * dx) ** 2 + (py - along * dy) ** 2;
}
