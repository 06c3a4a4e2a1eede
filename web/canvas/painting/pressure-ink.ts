/**
 * Ink whose width follows the pressure of a pen. It is painted, and stored, as the outline of the covered area: a
 * filled path, which plain Fabric can show.
 */

import { encodePath, thinStroke } from "../../../board/path.ts";
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

  override get outline(): string {
    return outlineOf(stationsOf(this.points, this.halves, true), this.zoom);
  }

  override paintNew(context: CanvasRenderingContext2D): void {
    const count = this.halves.length;
    if (count === this.painted) return;
    const first = Math.max(0, this.painted - 2);
    const points = this.points.slice(2 * first);
    this.fill(context, stationsOf(points, this.halves.slice(first), false, first > 0));
    this.painted = count;
  }

  override paintTip(context: CanvasRenderingContext2D, predicted: readonly number[]): void {
    const points = [...this.points.slice(-4), ...this.newest, ...predicted];
    const known = this.halves.slice(-2);
    const half = this.half();
    const halves = Array.from({ length: points.length / 2 }, (_, i) => known[i] ?? half);
    this.fill(context, stationsOf(points, halves, true, this.points.length > 4));
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

/** Directions of the points of a round end, in eighths of a turn from the stroke's own. */
const END = [2, 1, 0, -1, -2];

/** Returns the path text of the outline around stations; `zoom`: CSS pixels in a canvas pixel, at least 1. */
function outlineOf(stations: readonly Station[], zoom: number): string {
  const [first] = stations;
  const last = stations.at(-1);
  if (!first || !last) return "";
  const angles = stations.map((station, i) => {
    const [before, after] = [stations[i - 1] ?? station, stations[i + 1] ?? station];
    return Math.atan2(after.y - before.y, after.x - before.x);
  });
  const beside = ({ x, y, half }: Station, angle: number): [number, number] => [
    x + half * Math.cos(angle),
    y + half * Math.sin(angle),
  ];
  const round = (station: Station, angle: number): number[] =>
    END.flatMap((eighths) => beside(station, angle - (eighths * Math.PI) / 4));
  const inner = stations.slice(1, -1);
  const side = (sign: number): number[][] =>
    inner.map((station, i) => beside(station, (angles[i + 1] as number) + (sign * Math.PI) / 2));
  const end = round(last, angles.at(-1) as number);
  const start = round(first, (angles[0] as number) + Math.PI);
  const loop = [...side(-1).flat(), ...end, ...side(1).toReversed().flat(), ...start];
  const thin = thinStroke([...loop, ...loop.slice(0, 2)], TOLERANCE / zoom);
  return `${encodePath(thin, zoom < FINE ? 1 : 2)}z`;
}
