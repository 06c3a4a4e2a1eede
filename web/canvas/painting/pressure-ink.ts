/**
 * Ink whose width follows the pressure of a pen. It is painted, and stored, as the outline of the covered area: a
 * filled path, which plain Fabric can show.
 */

import { MAX_PATH_CHARS } from "../../../board/limits.ts";
import { encodePath } from "../../../board/path.ts";
import type { Point } from "../geometry/matrix.ts";
import { Ink } from "./ink.ts";

/**
 * The width without pressure, and the addition at full pressure, in parts of the pen's width; a pressure of 0.5 gives
 * the width itself.
 */
const MIN_SHARE = 0.4;
const ADDED_SHARE = 1.2;

/** The share of a new pressure in the one that is shown, since devices report it in steps. */
const RESPONSE = 0.4;

/** The distance by which an outline may differ, so that fewer points are stored: in canvas pixels or, zoomed in, CSS pixels. */
const TOLERANCE = 0.2;

/** The zoom from which a tenth of a canvas pixel would be visible, so that an outline is stored in hundredths. */
const FINE = 2;

interface Station {
  readonly x: number;
  readonly y: number;
  /** Half of the width. */
  readonly half: number;
}

export class PressureInk extends Ink {
  private readonly nominal: number;
  private pressure: number | undefined;
  /** CSS pixels in a canvas pixel while the stroke is drawn, and at least 1. */
  private zoom = 1;
  /** Half of the width at each final point. */
  private readonly halves: number[] = [];

  /** Makes the ink of a pen that has this width, in canvas pixels, at half of the pressure. */
  constructor(color: string, width: number) {
    // The base class bounds the painted area by its width.
    super(color, width * (MIN_SHARE + ADDED_SHARE));
    this.nominal = width;
  }

  override add(x: number, y: number, zoom = 1, pressure = this.pressure ?? 0.5): boolean {
    this.zoom = Math.max(1, zoom);
    const isNew = super.add(x, y, zoom);
    const force = Math.min(1, Math.max(0, pressure));
    const before = (this.pressure ??= force);
    if (isNew) this.pressure = before + (force - before) * RESPONSE;
    this.measure();
    return isNew;
  }

  override finish(): void {
    super.finish();
    this.measure();
  }

  /** The outline, empty where it is longer than a path may be: the stroke is then stored as a line of one width. */
  override get outline(): string {
    const outline = outlineOf(stationsOf(this.points, this.halves, true), this.zoom);
    return outline.length > MAX_PATH_CHARS ? "" : outline;
  }

  override withLine({ x, y }: Point): Ink {
    const ink = new PressureInk(this.color, this.nominal);
    for (const number of [...this.points, x, y]) ink.points.push(number);
    for (const half of [...this.halves, this.half()]) ink.halves.push(half);
    return ink;
  }

  protected override paintRange(context: CanvasRenderingContext2D, from: number, to: number): void {
    const first = Math.max(0, from - 2);
    const points = this.points.slice(2 * first, 2 * to);
    this.fill(context, stationsOf(points, this.halves.slice(first, to), false, first > 0));
  }

  override paintTip(context: CanvasRenderingContext2D, predicted: readonly number[]): void {
    const points = [...this.points.slice(-4), ...this.newest, ...predicted];
    const known = this.halves.slice(-2);
    const half = this.half();
    const halves = Array.from({ length: points.length / 2 }, (_, i) => known[i] ?? half);
    this.fill(context, stationsOf(points, halves, true, this.points.length > 2));
  }

  private measure(): void {
    while (this.halves.length < this.points.length / 2) this.halves.push(this.half());
  }

  private half(): number {
    return (this.nominal * (MIN_SHARE + ADDED_SHARE * (this.pressure ?? 0.5))) / 2;
  }

  private fill(context: CanvasRenderingContext2D, stations: readonly Station[]): void {
    context.save();
    context.fillStyle = this.color;
    context.beginPath();
    for (const [i, at] of stations.entries()) {
      context.moveTo(at.x + at.half, at.y);
      context.arc(at.x, at.y, at.half, 0, 2 * Math.PI);
      const next = stations[i + 1];
      if (next) quad(context, at, next);
    }
    context.fill("nonzero");
    context.restore();
  }
}

/** Adds the four corners between two stations, in the direction of the arcs. */
function quad(context: CanvasRenderingContext2D, a: Station, b: Station): void {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [nx, ny] = [(a.y - b.y) / length, (b.x - a.x) / length];
  context.moveTo(a.x - nx * a.half, a.y - ny * a.half);
  context.lineTo(b.x - nx * b.half, b.y - ny * b.half);
  context.lineTo(b.x + nx * b.half, b.y + ny * b.half);
  context.lineTo(a.x + nx * a.half, a.y + ny * a.half);
  context.closePath();
}

/**
 * The stations of the curve that `encodePath` draws through points: its middles and the turns between them.
 * `isWhole`: up to the last point, otherwise to the last middle. `fromMiddle`: from the first middle on.
 */
function stationsOf(
  points: readonly number[],
  halves: readonly number[],
  isWhole: boolean,
  fromMiddle = false,
): Station[] {
  const at = (i: number): Station => ({
    x: points[2 * i] as number,
    y: points[2 * i + 1] as number,
    half: halves[i] as number,
  });
  const count = points.length / 2;
  if (count === 0) return [];
  const stations: Station[] = fromMiddle ? [] : [at(0)];
  for (let i = 1; i < count; i++) {
    const from = stations.at(-1);
    const middle = mean(at(i - 1), at(i));
    // The curve's own middle, between two middles of its points.
    if (from && i > 1) stations.push(mean(mean(from, middle), at(i - 1)));
    stations.push(middle);
  }
  if (isWhole && count > 1) stations.push(at(count - 1));
  return stations;
}

function mean(a: Station, b: Station): Station {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, half: (a.half + b.half) / 2 };
}

/** Returns the path text of the outline around stations; `zoom`: CSS pixels in a canvas pixel, at least 1. */
function outlineOf(stations: readonly Station[], zoom: number): string {
  const tolerance = TOLERANCE / zoom;
  const few = thinned(apart(stations, tolerance), tolerance);
  const [only] = few;
  if (!only) return "";
  // A dot has two ends as well.
  if (few.length === 1) few.push({ ...only, x: only.x + 0.01 });
  return piecesOf(few, tolerance)
    .map((piece) => around(piece, zoom < FINE ? 1 : 2))
    .join("");
}

/**
 * Divides stations where an outline around them would cross itself. Where its curve would cut off more of a corner
 * than `tolerance`, further stations stand beside the corner.
 */
function piecesOf(stations: readonly Station[], tolerance: number): Station[][] {
  let piece = stations.slice(0, 1);
  const pieces = [piece];
  for (let i = 1; i < stations.length; i++) {
    const [before, at, after] = stations.slice(i - 1, i + 2) as [Station, Station, Station?];
    if (!after) {
      piece.push(at);
      break;
    }
    const [to, from] = [tangents(before, at), tangents(at, after)];
    const turn = Math.acos(Math.cos(from.angle - to.angle));
    const reach = (4 * tolerance) / Math.sin(turn / 2);
    const bend = Math.min(Math.PI, turn + Math.abs(from.spread - to.spread));
    const length = Math.min(
      distance(before, at) * Math.sin(to.spread),
      distance(at, after) * Math.sin(from.spread),
      2 * reach,
    );
    if (2 * at.half * Math.sin(bend / 2) < length)
      piece.push(...beyond(at, before, reach), at, ...beyond(at, after, reach));
    else {
      piece.push(at);
      pieces.push((piece = [at]));
    }
  }
  return pieces;
}

/** Returns the station at a distance from `at` on the way to a neighbour; none where that is not far away. */
function beyond(at: Station, neighbour: Station, reach: number): Station[] {
  const share = reach / distance(at, neighbour);
  if (!(share < 0.5)) return [];
  const part = (from: number, to: number): number => from + share * (to - from);
  return [
    {
      x: part(at.x, neighbour.x),
      y: part(at.y, neighbour.y),
      half: part(at.half, neighbour.half),
    },
  ];
}

/** Leaves out the stations whose discs lie inside that of a neighbour, as those of a resting pen do. */
function apart(stations: readonly Station[], tolerance: number): Station[] {
  const result: Station[] = [];
  for (const station of stations) {
    let last = result.at(-1);
    if (last && isWithin(station, last, tolerance)) continue;
    for (; last && isWithin(last, station, 0); last = result.at(-1)) result.pop();
    result.push(station);
  }
  return result;
}

/** Whether the disc of one station lies inside that of another, or at most `more` beyond it. */
function isWithin(a: Station, b: Station, more: number): boolean {
  return distance(a, b) + a.half <= b.half + more;
}

/** Leaves out the stations that lie, with their width, within `tolerance` of the others. */
function thinned(stations: readonly Station[], tolerance: number): Station[] {
  const at = (i: number) => stations[i] as Station;
  const result = stations.slice(0, 1);
  const open: [first: number, last: number][] =
    stations.length > 1 ? [[0, stations.length - 1]] : [];
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span;
    let farthest = first;
    let greatest = tolerance;
    for (let i = first + 1; i < last; i++) {
      const away = distanceFrom(at(i), at(first), at(last));
      if (away > greatest) [farthest, greatest] = [i, away];
    }
    if (farthest > first) open.push([farthest, last], [first, farthest]);
    else result.push(at(last));
  }
  return result;
}

function distance(a: Station, b: Station): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

/** The distance of a station from those between two others, in a space whose third axis is the width. */
function distanceFrom(at: Station, a: Station, b: Station): number {
  const [dx, dy, dh] = [b.x - a.x, b.y - a.y, b.half - a.half];
  const [px, py, ph] = [at.x - a.x, at.y - a.y, at.half - a.half];
  const along = (px * dx + py * dy + ph * dh) / (dx * dx + dy * dy + dh * dh || 1);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(px - share * dx, py - share * dy, ph - share * dh);
}

/** The direction from one station to another, and the angle from there to where their common tangents touch. */
function tangents(a: Station, b: Station): { readonly angle: number; readonly spread: number } {
  const slope = (b.half - a.half) / (distance(a, b) || 1);
  return {
    angle: Math.atan2(b.y - a.y, b.x - a.x),
    spread: Math.PI / 2 + Math.asin(Math.min(1, Math.max(-1, slope))),
  };
}

/**
 * Directions of the points of a round end, in parts of the angle to its tangents. The line through them touches the
 * circle between the points.
 */
const END = [1, 0.75, 0.25, -0.25, -0.75, -1];

/** Returns the path text of the outline around stations, two at least, which turn little. */
function around(stations: readonly Station[], digits: number): string {
  const at = (i: number) => stations.at(i) as Station;
  const beside = ({ x, y, half }: Station, angle: number): [number, number] => [
    x + half * Math.cos(angle),
    y + half * Math.sin(angle),
  ];
  const end = (before: Station, station: Station): number[] => {
    const { angle, spread } = tangents(before, station);
    const corner = { ...station, half: station.half / Math.cos(spread / 4) };
    return END.flatMap((share) =>
      beside(Math.abs(share) < 1 ? corner : station, angle - share * spread),
    );
  };
  const side = (sign: number): number[][] =>
    stations.slice(1, -1).map((station, i) => {
      const { angle, spread } = tangents(at(i), at(i + 2));
      return beside(station, angle + sign * spread);
    });
  const loop = [...end(at(1), at(0)), ...side(-1).flat()];
  loop.push(...end(at(-2), at(-1)), ...side(1).toReversed().flat());
  return `${encodePath([...loop, ...loop.slice(0, 2)], digits)}z`;
}
