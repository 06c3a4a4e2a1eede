/** A spatial index: a uniform grid over the canvas plane that finds the items near a box without looking at the others. */

import { type Box, overlaps } from "../geometry/box.ts";

/** The width of a cell, in canvas pixels. Strokes of handwriting fall into one to nine cells. */
const CELL = 64;

/** The greatest index of a cell: everything beyond it on either side shares the outermost cell. */
const EDGE = 1 << 14;

/** The greatest number of cells of an item; a larger one is in one list, and tested by its box. */
const MAX_CELLS = 256;

export interface Boxed {
  box: Box;
  /** The number of the search that last visited it; only the grid sets it. */
  visited: number;
}

interface Range {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly count: number;
}

function cellOf(coordinate: number): number {
  return Math.max(-EDGE, Math.min(EDGE, Math.floor(coordinate / CELL)));
}

function rangeOf(box: Box): Range {
  const left = cellOf(box.left);
  const top = cellOf(box.top);
  const right = cellOf(box.right);
  const bottom = cellOf(box.bottom);
  return { left, top, right, bottom, count: (right - left + 1) * (bottom - top + 1) };
}

/** Removes the item from an unordered list. */
function removeFrom<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at < 0) return;
  const last = list.pop() as T;
  if (at < list.length) list[at] = last;
}

export class Grid<T extends Boxed> {
  private readonly cells = new Map<number, T[]>();
  private readonly large: T[] = [];
  private search = 0;

  /** Adds an item, whose box must not change while it is in the grid. */
  add(item: T): void {
    const range = rangeOf(item.box);
    if (range.count > MAX_CELLS) this.large.push(item);
    else
      this.eachCell(range, (key) => {
        const cell = this.cells.get(key);
        if (cell) cell.push(item);
        else this.cells.set(key, [item]);
      });
  }

  remove(item: T): void {
    const range = rangeOf(item.box);
    if (range.count > MAX_CELLS) removeFrom(this.large, item);
    else
      this.eachCell(range, (key) => {
        const cell = this.cells.get(key);
        if (!cell) return;
        removeFrom(cell, item);
        if (cell.length === 0) this.cells.delete(key);
      });
  }

  clear(): void {
    this.cells.clear();
    this.large.length = 0;
  }

  /** Calls `found` once for each item whose box touches `box`, in no order, until it returns true. */
  query(box: Box, found: (item: T) => boolean | void): void {
    this.search++;
    const range = rangeOf(box);
    for (const item of this.large) if (overlaps(item.box, box) && found(item) === true) return;
    if (range.count > this.cells.size) {
      for (const cell of this.cells.values()) if (this.scan(cell, box, found)) return;
      return;
    }
    for (let y = range.top; y <= range.bottom; y++)
      for (let x = range.left; x <= range.right; x++) {
        const cell = this.cells.get(keyOf(x, y));
        if (cell && this.scan(cell, box, found)) return;
      }
  }

  private scan(cell: readonly T[], box: Box, found: (item: T) => boolean | void): boolean {
    for (const item of cell) {
      if (item.visited === this.search) continue;
      item.visited = this.search;
      if (overlaps(item.box, box) && found(item) === true) return true;
    }
    return false;
  }

  private eachCell(range: Range, each: (key: number) => void): void {
    for (let y = range.top; y <= range.bottom; y++)
      for (let x = range.left; x <= range.right; x++) each(keyOf(x, y));
  }
}

function keyOf(x: number, y: number): number {
  return (y + EDGE) * (2 * EDGE + 1) + (x + EDGE);
}
