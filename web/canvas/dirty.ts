/**
 * What of the picture must be painted again: a few rectangles, or, when there are many, tiles of a
 * fixed raster. All in device pixels, whole numbers, so that clipping to them leaves no soft edge.
 */

import { overlaps, union, type Box } from "./matrix.ts";

export const TILE = 128;

/** Beyond this number the rectangles become tiles. */
const MOST_RECTANGLES = 12;

/** A rectangle larger than this (device pixels squared) is painted as tiles, so that a frame can end in between. */
const LARGE = 4 * TILE * TILE;

function area(box: Box): number {
  return (box.right - box.left) * (box.bottom - box.top);
}

/** The smallest rectangle of whole device pixels around `box`, with `margin` more on each side. */
export function alignBox(box: Box, margin: number): Box {
  return {
    left: Math.floor(box.left) - margin,
    top: Math.floor(box.top) - margin,
    right: Math.ceil(box.right) + margin,
    bottom: Math.ceil(box.bottom) + margin,
  };
}

/** The part of `box` within `frame`, or null when there is none. */
export function clipBox(box: Box, frame: Box): Box | null {
  const left = Math.max(box.left, frame.left);
  const top = Math.max(box.top, frame.top);
  const right = Math.min(box.right, frame.right);
  const bottom = Math.min(box.bottom, frame.bottom);
  return left < right && top < bottom ? { left, top, right, bottom } : null;
}

export class DirtyArea {
  private rectangles: Box[] = [];
  private readonly tiles = new Map<string, Box>();
  private frame: Box;

  constructor(frame: Box) {
    this.frame = frame;
  }

  get empty(): boolean {
    return this.rectangles.length === 0 && this.tiles.size === 0;
  }

  /** The picture has another size now. What was dirty stays so, as far as it is still within. */
  setFrame(frame: Box): void {
    const before = [...this.rectangles, ...this.tiles.values()];
    this.clear();
    this.frame = frame;
    for (const box of before) this.add(box);
  }

  clear(): void {
    this.rectangles = [];
    this.tiles.clear();
  }

  addAll(): void {
    this.rectangles = [];
    this.addTiles(this.frame);
  }

  /** `box` must be of whole numbers (see `alignBox`). */
  add(box: Box): void {
    const inside = clipBox(box, this.frame);
    if (!inside) return;
    if (this.tiles.size > 0 || area(inside) > LARGE) this.addTiles(inside);
    else this.addRectangle(inside);
  }

  /** The next rectangle to paint, which is dirty no longer; undefined when all is done. */
  take(): Box | undefined {
    const rectangle = this.rectangles.pop();
    if (rectangle) return rectangle;
    for (const [key, tile] of this.tiles) {
      this.tiles.delete(key);
      return tile;
    }
    return undefined;
  }

  private addRectangle(box: Box): void {
    let merged = box;
    for (let i = this.rectangles.length - 1; i >= 0; i--) {
      const other = this.rectangles[i] as Box;
      if (!overlaps(other, merged)) continue;
      const both = union(other, merged);
      // Two that barely touch are cheaper apart than the empty corners between them.
      if (area(both) > 1.5 * (area(other) + area(merged))) continue;
      merged = both;
      this.rectangles.splice(i, 1);
    }
    this.rectangles.push(merged);
    if (this.rectangles.length <= MOST_RECTANGLES && area(merged) <= LARGE) return;
    const all = this.rectangles;
    this.rectangles = [];
    for (const rectangle of all) this.addTiles(rectangle);
  }

  private addTiles(box: Box): void {
    for (let y = Math.floor(box.top / TILE); y * TILE < box.bottom; y++)
      for (let x = Math.floor(box.left / TILE); x * TILE < box.right; x++) {
        const tile = {
          left: x * TILE,
          top: y * TILE,
          right: (x + 1) * TILE,
          bottom: (y + 1) * TILE,
        };
        const inside = clipBox(tile, this.frame);
        if (inside) this.tiles.set(`${x},${y}`, inside);
      }
  }
}
