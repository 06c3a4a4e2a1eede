/** Lines and arrows of Excalidraw as path data. */

export type Point = readonly [x: number, y: number];

/** Straight from point to point. */
export function linePath(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** A smooth curve through all points: Catmull-Rom, as Excalidraw paints round lines. */
export function curvePath(points: readonly Point[]): string {
  if (points.length < 3) return linePath(points);
  const at = (index: number): Point => points[Math.max(0, Math.min(points.length - 1, index))]!;
  const parts = [linePath([at(0)])];
  for (let index = 0; index + 1 < points.length; index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const first = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const second = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    parts.push(`C${[...first, ...second, ...to].map(round).join(" ")}`);
  }
  return parts.join("");
}

/** Pixels and degrees of an arrowhead's lines; a bar stands across the line. */
const HEAD = { length: 25, angle: 20, triangle: 15, wide: 25, bar: 90 } as const;

/** What an arrow has at its last point; nothing for a line without a length, or for no head. */
export function arrowheadPath(points: readonly Point[], head: unknown): string {
  const end = points.at(-1);
  const before = points.findLast(([x, y]) => end && Math.hypot(end[0] - x, end[1] - y) > 1);
  if (typeof head !== "string" || !end || !before) return "";
  const [dx, dy] = [before[0] - end[0], before[1] - end[1]];
  const distance = Math.hypot(dx, dy);
  const isArrow = head === "arrow";
  const length = Math.min(isArrow ? HEAD.length : HEAD.triangle, distance / 2);
  const angle = head === "bar" ? HEAD.bar : isArrow ? HEAD.angle : HEAD.wide;
  const tip = (degrees: number): Point => {
    const turn = (degrees / 180) * Math.PI;
    const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
    const [x, y] = [(dx / distance) * length, (dy / distance) * length];
    return [end[0] + x * cos - y * sin, end[1] + x * sin + y * cos];
  };
  const lines = linePath([tip(angle), end, tip(-angle)]);
  return isArrow || head === "bar" ? lines : `${lines}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
