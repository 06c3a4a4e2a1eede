/**
 * Pictures of the ground around: copies of what the base canvas showed while the view panned, so that panning back
 * paints no object. All in device pixels of the base canvas; they move with it.
 */

import { type Box, clipBox, overlaps, subtractBox } from "./box.ts";
import { copyOf, moveCopy } from "./scaled-picture.ts";

/** Each takes as much memory as the base canvas. */
const MAX_PICTURES = 3;

/** So far from the last one, in device pixels, another picture is kept. */
const APART = 256;

interface KeptPicture {
  readonly canvas: HTMLCanvasElement;
  area: Box;
}

export class KeptPictures {
  private pictures: KeptPicture[] = [];

  /** The base canvas is complete, and about to be moved. */
  keep(element: HTMLCanvasElement): void {
    const near = this.pictures.some(
      ({ area }) => Math.abs(area.left) < APART && Math.abs(area.top) < APART,
    );
    if (near) return;
    const area = { left: 0, top: 0, right: element.width, bottom: element.height };
    this.pictures.push({ canvas: copyOf(element), area });
    if (this.pictures.length > MAX_PICTURES) this.remove(0);
  }

  /** Moves the context's picture by whole pixels, less than its size. Returns the rectangles that no picture knows. */
  move(context: CanvasRenderingContext2D, x: number, y: number): Box[] {
    for (const picture of this.pictures) {
      const { left, top, right, bottom } = picture.area;
      picture.area = { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
    }
    return moveCopy(context, x, y).flatMap((strip) => this.fill(context, strip));
  }

  /** Something changed within the box. */
  drop(box: Box): void {
    for (let i = this.pictures.length - 1; i >= 0; i--)
      if (overlaps((this.pictures[i] as KeptPicture).area, box)) this.remove(i);
  }

  /** Gives the memory back at once. */
  clear(): void {
    while (this.pictures.length > 0) this.remove(0);
  }

  /** Paints what is known of a rectangle; returns what is not. */
  private fill(context: CanvasRenderingContext2D, rectangle: Box): Box[] {
    let missing = [rectangle];
    for (const { canvas, area } of this.pictures)
      missing = missing.flatMap((box) => {
        const part = clipBox(box, area);
        if (!part) return [box];
        const { left, top } = part;
        const size = [part.right - left, part.bottom - top] as const;
        context.drawImage(canvas, left - area.left, top - area.top, ...size, left, top, ...size);
        return subtractBox(box, part);
      });
    return missing;
  }

  private remove(index: number): void {
    for (const { canvas } of this.pictures.splice(index, 1)) canvas.width = canvas.height = 0;
  }
}
