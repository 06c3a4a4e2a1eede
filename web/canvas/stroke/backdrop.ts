/**
 * The backdrop: the pixels of the base canvas under the active stroke, without its ink. They are stored in canvases off
 * the page. Where the stroke grows beyond them, a canvas is added: a single one would be copied whenever it grows.
 */

import type { BaseCanvas } from "../painting/base.ts";
import {
  alignToSteps,
  areaOf,
  type Box,
  clipBox,
  EMPTY_BOX,
  inflate,
  moveBox,
  subtractBox,
  union,
} from "../geometry/box.ts";
import { flush } from "../painting/frame-budget.ts";
import { canvasFor } from "../painting/scaled-picture.ts";
import { IDENTITY } from "../geometry/matrix.ts";

/** Device pixels by which the backdrop extends beyond the ink, since the stroke is about to grow there. */
const AHEAD = 192;

/** A canvas with the pixels of `area` at its top left. */
interface Piece {
  readonly context: CanvasRenderingContext2D;
  readonly area: Box;
}

/** All boxes are in device pixels of the base canvas, which is opaque. */
export class Backdrop {
  /** The box whose pixels are stored; empty without any. */
  area = EMPTY_BOX;
  private readonly base: BaseCanvas;
  private readonly pieces: Piece[] = [];
  /** The canvases that earlier strokes left: making and freeing them takes a tenth of the end of a short stroke. */
  private unused: CanvasRenderingContext2D[] = [];

  constructor(base: BaseCanvas) {
    this.base = base;
  }

  /** Stores the pixels of `part` and of `ahead` around it, to the next step, as far as they are not stored. */
  cover(part: Box, ahead = AHEAD): void {
    const { area, base, pieces } = this;
    const all = pieces.length > 0 ? union(area, part) : part;
    this.area = alignToSteps(inflate(all, ahead), base.bounds);
    for (const box of subtractBox(this.area, area)) {
      const context = this.takeCanvas(box);
      if (!context) continue;
      pieces.push({ context, area: box });
      this.refresh(box);
      // A copy that waits refers to the base canvas: the browser would copy all of that for the next move. Where a
      // stroke begins, that is cheaper.
      if (pieces.length > 1) flush(context.canvas);
    }
  }

  /** Stores the pixels of `box` as they are now. */
  refresh(box: Box): void {
    for (const { context, area } of this.pieces)
      copyPixels(this.base.element, context, clipBox(box, area), EMPTY_BOX, area);
  }

  /** Gives the base canvas the stored pixels of `box`. */
  restore(box: Box): void {
    this.base.paintOver((context) => {
      for (const { context: stored, area } of this.pieces)
        copyPixels(stored.canvas, context, clipBox(box, area), area, EMPTY_BOX);
    }, IDENTITY);
  }

  /** Forgets the pixels, and frees the canvases beyond the size of the base canvas. */
  drop(): void {
    const canvases = [...this.pieces.splice(0).map(({ context }) => context), ...this.unused];
    let left = areaOf(this.base.bounds);
    this.unused = canvases.filter(({ canvas }) => {
      left -= canvas.width * canvas.height;
      if (left < 0) canvas.width = canvas.height = 0;
      return left >= 0;
    });
    this.area = EMPTY_BOX;
  }

  /** Returns a canvas of at least the size of a box. */
  private takeCanvas(box: Box): CanvasRenderingContext2D | null {
    const { right, bottom } = moveBox(box, -box.left, -box.top);
    const at = this.unused.findIndex(
      ({ canvas }) => canvas.width >= right && canvas.height >= bottom,
    );
    if (at >= 0) return this.unused.splice(at, 1)[0] ?? null;
    return canvasFor(box).getContext("2d");
  }
}

/** Copies the opaque pixels of `box`, if there is one. `from` and `to` begin where the canvases do. */
function copyPixels(
  source: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  box: Box | null,
  from: Box,
  to: Box,
): void {
  if (!box) return;
  const { left, top } = box;
  const size = [box.right - left, box.bottom - top] as const;
  context.drawImage(
    source,
    left - from.left,
    top - from.top,
    ...size,
    left - to.left,
    top - to.top,
    ...size,
  );
}
