/** The shape that a stroke has become while its pointer is still pressed. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { Point } from "../geometry/matrix.ts";
import { cornersOf, follow, outlineOf, type Shape, traceOf } from "./shape.ts";

/** Makes shapes. Until its code has arrived no shape is made, and a stroke stays ink. */
export interface ShapeMaker {
  /** Recognises the shape that a stroke means, from flat points; null for a scribble. */
  recognize(points: readonly number[]): HeldShape | null;
  /** Returns a line or an arrow without a length, for a pointer that is about to draw it. */
  straight(at: Point, kind: "line" | "arrow"): HeldShape | null;
  /** Turns a line into an arrow, as soon as the code has arrived. */
  addHead(id: ObjectId): void;
}

/** CSS pixels within which the pointer of a held shape must stay; farther away its stroke is ink again. */
const LEAVE = 64;

export class HeldShape {
  /** The length of the ink's numbers when it became the shape; later ones only moved the shape. */
  readonly inkLength: number;
  private readonly begun: Shape;
  private readonly from: Point;
  private readonly zoom: number;
  private shape: Shape;

  /**
   * Takes over a shape whose pointer is at `from`. `inkLength`: the length of the ink that it was made of; `zoom`:
   * CSS pixels in a canvas pixel.
   */
  constructor(shape: Shape, from: Point, inkLength = 0, zoom = 1) {
    this.inkLength = inkLength;
    this.zoom = zoom;
    this.begun = shape;
    this.shape = shape;
    this.from = from;
  }

  /** Has the shape follow the pointer, in canvas pixels; `stepped`: a line turns in steps of 15 degrees. */
  moveTo(to: Point, stepped = false): void {
    this.shape = follow(this.begun, this.from, stepped ? inSteps(this.begun, to) : to);
  }

  /**
   * True when the pointer has moved so far that it only rested, and its stroke is ink again: a person may pause
   * within a stroke. `at` is in canvas pixels.
   */
  isLeft(at: Point): boolean {
    return Math.hypot(at.x - this.from.x, at.y - this.from.y) * this.zoom > LEAVE;
  }

  /** True for a line or an arrow shorter than a pixel, which nobody would see. */
  get isPoint(): boolean {
    const { kind, points } = this.shape;
    const [from, to] = points;
    if (!from || !to || (kind !== "line" && kind !== "arrow")) return false;
    return Math.hypot(to.x - from.x, to.y - from.y) < 1;
  }

  /** The outline as path text. */
  get path(): string {
    return outlineOf(this.shape);
  }

  /** The points that a shape of straight lines connects, as a flat list. */
  get corners(): readonly number[] {
    return cornersOf(this.shape).flatMap(({ x, y }) => [x, y]);
  }

  /** The outline as a flat list of points, to be shown as ink. */
  get trace(): readonly number[] {
    return traceOf(this.shape);
  }
}

/** Returns a line or an arrow without a length, for a pointer that is about to draw it. */
export function straightFrom(at: Point, kind: "line" | "arrow"): HeldShape {
  return new HeldShape({ kind, points: [at, at], head: 0 }, at);
}

const STEP = Math.PI / 12;

/** The point nearest to `to` in a direction that is a multiple of 15 degrees; for shapes without a direction `to` itself. */
function inSteps({ kind, points }: Shape, to: Point): Point {
  const from = points[0]!;
  return kind === "line" || kind === "arrow" ? steppedFrom(from, to) : to;
}

/** The point nearest to `to` in a direction from another one that is a multiple of 15 degrees. */
export function steppedFrom(from: Point, to: Point): Point {
  const angle = Math.round(Math.atan2(to.y - from.y, to.x - from.x) / STEP) * STEP;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  const length = (to.x - from.x) * x + (to.y - from.y) * y;
  return { x: from.x + length * x, y: from.y + length * y };
}
