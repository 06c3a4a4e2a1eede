/** Converts the elliptical arcs of path data to cubic curves: SVG 2, appendix B.2.4 and B.2.5. */

type Point = readonly [number, number];

export interface Arc {
  readonly rx: number;
  readonly ry: number;
  /** Rotation of the ellipse in degrees. */
  readonly rotation: number;
  readonly large: boolean;
  /** SVG's sweep flag: true when the arc runs towards growing angles. */
  readonly clockwise: boolean;
}

/** Appends six numbers for each curve to `coords` and returns the number of curves; 0 stands for a straight line. */
export function appendArc(coords: number[], from: Point, arc: Arc, to: Point): number {
  let rx = Math.abs(arc.rx);
  let ry = Math.abs(arc.ry);
  if (rx === 0 || ry === 0 || (from[0] === to[0] && from[1] === to[1])) return 0;
  const phi = (arc.rotation * Math.PI) / 180;
  const cos = Math.cos(phi);
  const sin = Math.sin(phi);
  const halfX = (from[0] - to[0]) / 2;
  const halfY = (from[1] - to[1]) / 2;
  const x = cos * halfX + sin * halfY;
  const y = cos * halfY - sin * halfX;
  const stretch = (x / rx) ** 2 + (y / ry) ** 2;
  if (stretch > 1) {
    rx *= Math.sqrt(stretch);
    ry *= Math.sqrt(stretch);
  }
  const denominator = (rx * y) ** 2 + (ry * x) ** 2;
  const rest = Math.max(0, (rx * ry) ** 2 / denominator - 1);
  // The radii are too small to be computed with.
  if (!Number.isFinite(rest)) return 0;
  const factor = (arc.large === arc.clockwise ? -1 : 1) * Math.sqrt(rest);
  const centerX = (factor * rx * y) / ry;
  const centerY = (-factor * ry * x) / rx;
  const start = Math.atan2((y - centerY) / ry, (x - centerX) / rx);
  let angle = Math.atan2((-y - centerY) / ry, (-x - centerX) / rx) - start;
  if (arc.clockwise && angle < 0) angle += 2 * Math.PI;
  if (!arc.clockwise && angle > 0) angle -= 2 * Math.PI;
  const middleX = cos * centerX - sin * centerY + (from[0] + to[0]) / 2;
  const middleY = sin * centerX + cos * centerY + (from[1] + to[1]) / 2;
  const curves = Math.max(1, Math.ceil(Math.abs(angle) / (Math.PI / 2) - 1e-6));
  const step = angle / curves;
  const reach = (4 / 3) * Math.tan(step / 4);
  const push = (u: number, v: number): void => {
    coords.push(middleX + cos * rx * u - sin * ry * v, middleY + sin * rx * u + cos * ry * v);
  };
  for (let index = 0; index < curves; index++) {
    const a = start + index * step;
    const b = a + step;
    push(Math.cos(a) - reach * Math.sin(a), Math.sin(a) + reach * Math.cos(a));
    push(Math.cos(b) + reach * Math.sin(b), Math.sin(b) - reach * Math.cos(b));
    if (index === curves - 1) coords.push(to[0], to[1]);
    else push(Math.cos(b), Math.sin(b));
  }
  return curves;
}
