/** The objects that the view does not show: the nearest one, and those that lie too far from all others to be shown with them. */

import { type Box, containsBox } from "../geometry/box.ts";
import type { Side } from "./fit.ts";

/** An object outside of the view. */
export interface Outside {
  readonly box: Box;
  /** The side on which it lies: of two, the one on which it is farther away. */
  readonly side: Side;
  /** The distance from that edge of the view. */
  readonly distance: number;
}

/** Returns the nearest of the boxes that lie outside of `frame`; null when there is none. */
export function nearestOutside(boxes: Iterable<Box>, frame: Box): Outside | null {
  let nearest: Box | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const box of boxes) {
    // The square of the distance, which is cheaper for thousands of boxes.
    const away = across(box, frame) ** 2 + down(box, frame) ** 2;
    if (away <= 0 || away >= shortest) continue;
    nearest = box;
    shortest = away;
  }
  if (!nearest) return null;
  const [x, y] = [across(nearest, frame), down(nearest, frame)];
  const isAcross = x >= y;
  return {
    box: nearest,
    side: isAcross
      ? sideOf(nearest.left < frame.left)
      : nearest.top < frame.top
        ? "above"
        : "below",
    distance: isAcross ? x : y,
  };
}

/**
 * The nearest box outside a view. A search takes place when the view has changed; an added box is only compared with
 * the present result.
 */
export class NearestOutside {
  private known: { readonly frame: Box; readonly found: Outside | null } | undefined;

  /** Returns the nearest of all boxes that lie outside of `frame`; null when there is none. */
  find(frame: Box, boxes: () => Iterable<Box>): Outside | null {
    const { known } = this;
    const isKnown = known && containsBox(known.frame, frame) && containsBox(frame, known.frame);
    const found = isKnown ? known.found : nearestOutside(boxes(), frame);
    this.known = { frame, found };
    return found;
  }

  /** Adds boxes to those of the last search. */
  add(boxes: readonly Box[]): void {
    if (!this.known) return;
    const { frame, found } = this.known;
    this.known = { frame, found: nearestOutside(found ? [found.box, ...boxes] : boxes, frame) };
  }

  /** Forgets the result, since boxes were moved or removed. */
  forget(): void {
    this.known = undefined;
  }
}

const sideOf = (isLeft: boolean): Side => (isLeft ? "left" : "right");

const across = (box: Box, frame: Box): number =>
  gapOf(box.left, box.right, frame.left, frame.right);

const down = (box: Box, frame: Box): number => gapOf(box.top, box.bottom, frame.top, frame.bottom);

/** Returns the distance of two ranges; 0 when they have a point in common. */
function gapOf(low: number, high: number, from: number, to: number): number {
  return Math.max(0, low - to, from - high);
}

/**
 * Divides the boxes into groups with nothing within `gap` around them, and returns the largest group; of groups of
 * the same size the one nearest to the origin.
 */
export function mainGroup(
  boxes: readonly Box[],
  gap: { readonly x: number; readonly y: number },
): readonly Box[] {
  let groups: (readonly Box[])[] = [boxes];
  // A cut in one direction may open one in the other.
  for (let count = 0; count !== groups.length;) {
    count = groups.length;
    groups = groups
      .flatMap((group) => cut(group, gap.x, "left", "right"))
      .flatMap((group) => cut(group, gap.y, "top", "bottom"));
  }
  const nearness = (group: readonly Box[]): number =>
    group.reduce((min, { left, top }) => Math.min(min, Math.hypot(left, top)), Infinity);
  return groups.reduce((best, group) => {
    if (group.length !== best.length) return group.length > best.length ? group : best;
    return nearness(group) < nearness(best) ? group : best;
  });
}

/** Cuts a group wherever it has an empty range wider than `gap`. */
function cut(
  group: readonly Box[],
  gap: number,
  low: "left" | "top",
  high: "right" | "bottom",
): Box[][] {
  const sorted = group.toSorted((a, b) => a[low] - b[low]);
  const parts: Box[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const box of sorted) {
    const part = parts.at(-1);
    if (part && box[low] - reach <= gap) part.push(box);
    else parts.push([box]);
    reach = Math.max(reach, box[high]);
  }
  return parts;
}
