/**
 * The area of the picture that must be painted again: a few rectangles, or, when there are many, tiles of a fixed
 * raster. Everything is in whole device pixels, so that clipping leaves no soft edge.
 */

import {
  areaOf,
  type Box,
  clipBox,
  containsBox,
  moveBox,
  overlaps,
  union,
} from "../geometry/box.ts";

/** The edge of a tile, in device pixels. */
export const TILE = 128;

/** The greatest number of rectangles; more than these become tiles. */
const MAX_RECTANGLES = 12;

/** The area (device pixels squared) beyond which a rectangle is painted as tiles, so that a frame can end in between. */
export const LARGE = 4 * TILE * TILE;

export class DirtyArea {
  private rectangles: Box[] = [];
  /** Columns and rows of the raster. */
  private readonly tiles = new Map<string, readonly [column: number, row: number]>();
  private bounds: Box;
  /** The position of the raster, which moves with the picture. */
  private origin = { x: 0, y: 0 };

  constructor(bounds: Box) {
    this.bounds = bounds;
  }

  get empty(): boolean {
    return this.rectangles.length === 0 && this.tiles.size === 0;
  }

  /** Takes over another size of the picture. Dirty areas stay dirty as far as they lie within it. */
  setBounds(bounds: Box): void {
    const before = [...this.rectangles];
    for (const tile of this.tiles.values()) before.push(this.boxOf(tile));
    this.clear();
    this.bounds = bounds;
    for (const box of before) this.add(box);
  }

  clear(): void {
    this.rectangles = [];
    this.tiles.clear();
  }

  /** Moves the dirty areas with the picture, by whole pixels; those that leave the picture are forgotten. */
  move(x: number, y: number): void {
    this.origin = { x: this.origin.x + x, y: this.origin.y + y };
    const before = this.rectangles;
    this.rectangles = [];
    for (const box of before) this.add(moveBox(box, x, y), true);
  }

  /** Marks the whole picture, as one rectangle. */
  addAll(): void {
    this.clear();
    this.rectangles = [this.bounds];
  }

  /** Marks a box of whole numbers (see `alignBox`). `whole`: it stays one rectangle, whatever its size. */
  add(box: Box, whole = false): void {
    const inside = clipBox(box, this.bounds);
    if (!inside || this.rectangles.some((one) => containsBox(one, inside))) return;
    if (whole) {
      this.rectangles.push(inside);
      return;
    }
    if (this.tiles.size > 0 || areaOf(inside) > LARGE) this.addTiles(inside);
    else this.addRectangle(inside);
  }

  /** Returns the next rectangle to paint and unmarks it; undefined when nothing is dirty. */
  take(): Box | undefined {
    const rectangle = this.rectangles.pop();
    if (rectangle) return rectangle;
    for (const [key, tile] of this.tiles) {
      this.tiles.delete(key);
      const inside = clipBox(this.boxOf(tile), this.bounds);
      if (inside) return inside;
    }
    return undefined;
  }

  private boxOf([column, row]: readonly [number, number]): Box {
    const left = column * TILE + this.origin.x;
    const top = row * TILE + this.origin.y;
    return { left, top, right: left + TILE, bottom: top + TILE };
  }

  private addRectangle(box: Box): void {
    let merged = box;
    for (let i = this.rectangles.length - 1; i >= 0; i--) {
      const other = this.rectangles[i] as Box;
      if (!overlaps(other, merged)) continue;
      const both = union(other, merged);
      // Two boxes that barely touch are cheaper to paint apart than with the empty corners between them.
      if (areaOf(both) > 1.5 * (areaOf(other) + areaOf(merged))) continue;
      merged = both;
      this.rectangles.splice(i, 1);
    }
    this.rectangles.push(merged);
    if (this.rectangles.length <= MAX_RECTANGLES && areaOf(merged) <= LARGE) return;
    const all = this.rectangles;
    this.rectangles = [];
    for (const rectangle of all) this.addTiles(rectangle);
  }

  /** Marks a box of whole numbers within the bounds, to be painted as tiles, so that a frame can end in between. */
  addTiles(box: Box): void {
    const { x, y } = this.origin;
    for (let row = Math.floor((box.top - y) / TILE); row * TILE + y < box.bottom; row++)
      for (let column = Math.floor((box.left - x) / TILE); column * TILE + x < box.right; column++)
        this.tiles.set(`${column},${row}`, [column, row]);
  }
}
