/** The changes by which keys move, resize and rotate selected objects. */

import type { ObjectChange } from "../../../board/drawing.ts";
import type { Item } from "../scene/item.ts";
import type { Box } from "../geometry/box.ts";
import {
  applyMatrix,
  invert,
  type Matrix,
  multiply,
  type Point,
  translation,
} from "../geometry/matrix.ts";
import { matrixOf, transformOf } from "../geometry/transform.ts";
import { transformChange, transformFrom } from "../geometry/transform-change.ts";

/** Returns the changes that move objects by pixels of the board. */
export function nudged(items: readonly Item[], dx: number, dy: number): ObjectChange[] {
  return items.map(({ object }) => {
    const { left, top } = transformOf(object);
    return { id: object.id, props: { left: left + dx, top: top + dy } };
  });
}

/** Returns the changes that apply a map of the board to objects; unchanged objects have none. */
export function mapped(items: readonly Item[], map: Matrix): ObjectChange[] {
  const changes: ObjectChange[] = [];
  for (const { object, size } of items) {
    const before = transformOf(object);
    const now = transformFrom(multiply(map, matrixOf(before, size)), size, before);
    const props = transformChange(object, now);
    if (Object.keys(props).length > 0) changes.push({ id: object.id, props });
  }
  return changes;
}

interface Stretched {
  readonly width: number;
  readonly height: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

/** The amounts by which a box grows in width and height, in pixels of its own axes. `whole`: it keeps its ratio. */
export interface Stretch {
  readonly dx: number;
  readonly dy: number;
  readonly whole: boolean;
}

/**
 * The map that makes a box wider or higher; the corner at its left and top stays. `start`: from the box's plane to the
 * board; null when that flattens the plane.
 */
export function stretchMap(
  start: Matrix,
  { width, height, scaleX, scaleY }: Stretched,
  { dx, dy, whole }: Stretch,
): Matrix | null {
  const across = stretch(width * scaleX, dx);
  const down = stretch(height * scaleY, dy);
  const x = whole && dx === 0 ? down : across;
  const y = whole && dx !== 0 ? across : down;
  const about: Matrix = [x, 0, 0, y, ((x - 1) * width) / 2, ((y - 1) * height) / 2];
  const back = invert(start);
  return back && multiply(multiply(start, about), back);
}

/** Returns the factor that makes a length greater by some pixels; at least one pixel is left. */
function stretch(length: number, by: number): number {
  return length > 0 ? Math.max(Math.min(1, length), length + by) / length : 1;
}

/** Remembers the centre of the first of several rotations: the box of several objects gets another one with each. */
export class RepeatedRotation {
  private centre: Point | undefined;
  private box = "";

  /**
   * Returns the centre of a box, or that of the rotations before if nothing has moved the objects since them. `start`:
   * from the box's plane to the board; `box`: the box now.
   */
  centreOf(start: Matrix, box: Box | undefined): Point {
    if (!this.centre || this.box !== JSON.stringify(box)) this.centre = applyMatrix(start, 0, 0);
    return this.centre;
  }

  /** Takes over the box of the objects after a rotation. */
  rotated(box: Box | undefined): void {
    this.box = JSON.stringify(box);
  }
}

/** The map that rotates about a point, clockwise. */
export function rotationMap({ x, y }: Point, degrees: number): Matrix {
  const angle = (degrees / 180) * Math.PI;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return multiply(translation(x, y), multiply([cos, sin, -sin, cos, 0, 0], translation(-x, -y)));
}
