/** Writes the lines of Excalidraw, and the heads of its arrows, as path data. */

export type Point = readonly [x: number, y: number];

/** Returns the path of straight lines through the points. */
export function linePath(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** Returns the path of a smooth curve through all points: Catmull-Rom, as Excalidraw paints round lines. */
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

/** Returns the path of straight lines whose corners are round: each takes so many pixels of both sides, at most half. */
export function cornerPath(points: readonly Point[], reach: number): string {
  const parts = points.map((corner, index) => {
    const sides = [points[index - 1], points[index + 1]];
    const [from, to] = sides.map((side) => side && towards(corner, side, reach));
    const end = corner.map(round).join(" ");
    return from && to ? `${from}C${end} ${end} ${to}` : end;
  });
  return `M${parts.join("L")}`;
}

/** Returns the point of a side that is so far from its corner, at most its middle. */
function towards([x, y]: Point, [toX, toY]: Point, reach: number): string {
  const share = Math.min(0.5, reach / Math.hypot(toX - x, toY - y));
  return `${round(x + (toX - x) * share)} ${round(y + (toY - y) * share)}`;
}

/** The heads of arrows as Excalidraw 0.18 draws them: size in pixels, and degrees between their lines and the arrow's. */
const HEADS: ReadonlyMap<string, readonly [size: number, degrees: number]> = new Map([
  ["arrow", [25, 20]],
  ["bar", [15, 90]],
  ["crowfoot", [20, 25]],
  ["diamond", [12, 25]],
]);
const TRIANGLE = [15, 25] as const;

/** Returns whether a head, of any type, is painted in the line's colour, with its outline. */
export function isSolidHead(head: unknown): boolean {
  return typeof head === "string" && /^(circle|diamond|dot|triangle)$/.test(head);
}

/** Returns the path of an arrow's head at its last point; empty for a line without a length, or for an arrow without a head. */
export function arrowheadPath(points: readonly Point[], head: unknown): string {
  const end = points.at(-1);
  const before = points.findLast(([x, y]) => end && Math.hypot(end[0] - x, end[1] - y) > 1);
  if (typeof head !== "string" || !end || !before) return "";
  const [dx, dy] = [before[0] - end[0], before[1] - end[1]];
  const distance = Math.hypot(dx, dy);
  const [kind = ""] = /^[a-z]+/.exec(head) ?? [];
  const [size, degrees] = HEADS.get(kind) ?? TRIANGLE;
  const length = Math.min(size, distance * (kind === "diamond" ? 0.25 : 0.5));
  /** Returns the point so far behind the tip, in lengths, and so far beside the line. */
  const at = (behind: number, beside: number): Point => {
    const [x, y] = [(dx / distance) * length, (dy / distance) * length];
    return [end[0] + x * behind - y * beside, end[1] + y * behind + x * beside];
  };
  const [sin, cos] = [Math.sin((degrees / 180) * Math.PI), Math.cos((degrees / 180) * Math.PI)];
  const [left, right, back] = [at(cos, sin), at(cos, -sin), at(1, 0)];
  switch (kind) {
    case "arrow":
    case "bar":
      return openLines(left, end, right);
    case "circle":
    case "dot": {
      const radius = length / 2;
      const half = `A${radius} ${radius} 0 0 1 `;
      const [one, other] = [at(0.5, 0), at(-0.5, 0)].map((point) => point.map(round).join(" "));
      return `M${one}${half}${other}${half}${one}Z`;
    }
    case "crowfoot": {
      const foot = openLines(at(1 - cos, sin), back, at(1 - cos, -sin));
      const bar = linePath([left, right]);
      return (head.includes("many") ? foot : "") + (head.includes("one") ? bar : "");
    }
    case "diamond":
      return `${linePath([end, left, at(2, 0), right])}Z`;
    default:
      return `${linePath([left, end, right])}Z`;
  }
}

/** Returns two lines that meet in the middle: they have no area that the colour of a solid head at the other end would fill. */
function openLines(from: Point, middle: Point, to: Point): string {
  return linePath([from, middle]) + linePath([middle, to]);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
