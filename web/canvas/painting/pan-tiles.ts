/**
 * Pan tiles: pictures of what the base canvas showed while the view panned, and tiles of parts that come into view. A
 * step of a pan is drawn from them, and not from the base canvas itself, which the browser would have to copy first.
 * Everything is in device pixels of the base canvas, and moves with it.
 */

import {
  areaOf,
  type Box,
  clipBox,
  containsBox,
  moveBox,
  overlaps,
  subtractBox,
} from "../geometry/box.ts";
import { copyOf, canvasBox, clearArea } from "./scaled-picture.ts";
import type { Exposed } from "./sliced-repaint.ts";

/** The greatest number of pictures of the whole base canvas; each takes as much memory as it does. */
const MAX_WHOLE = 3;

/** The greatest number of tiles. When there are more, those in view become one whole picture, or the oldest is dropped. */
const MAX_TILES = 64;

/** Device pixels between two whole pictures: one that lies nearer to the previous one replaces it. */
const APART = 256;

/** Device pixels that are painted ahead beyond the edge towards which the view pans, so that most strokes are painted once. */
const AHEAD = 128;

/** The greatest width and height of an area that is painted in one go, in device pixels. */
const PIECE = 256;

interface PanTile {
  /** The pixels; null for an area that shows only the background. */
  readonly canvas: HTMLCanvasElement | null;
  area: Box;
}

/** A move of the picture of the base canvas, in device pixels. */
interface BaseMove {
  readonly x: number;
  readonly y: number;
  /** The colour of the background (CSS). */
  readonly background: string;
  readonly isCurrent: boolean;
}

export class PanTiles {
  private whole: PanTile[] = [];
  private tiles: PanTile[] = [];
  private exposed: Exposed[] = [];

  /** True while an exposed area waits to be painted. */
  get waiting(): boolean {
    return this.exposed.length > 0;
  }

  /**
   * Moves the picture of the base canvas by whole pixels, less than its size; the parts that came into view are
   * exposed. `isCurrent`: it shows the present state of every object, except in exposed areas; otherwise it is moved
   * unchanged.
   */
  moveBase(context: CanvasRenderingContext2D, { x, y, background, isCurrent }: BaseMove): void {
    const bounds = canvasBox(context.canvas);
    if (isCurrent) this.copy(context.canvas);
    for (const one of [...this.whole, ...this.tiles, ...this.exposed])
      one.area = moveBox(one.area, x, y);
    for (const part of isCurrent ? [bounds] : moveCopy(context, x, y)) {
      clearArea(context, part, background);
      for (const unknown of this.paint(context, part)) this.expose(unknown, bounds, x, y);
    }
  }

  /** Returns an exposed area that reaches into the bounds, or undefined. Exposed areas outside of them are forgotten. */
  nextExposed(bounds: Box): Exposed | undefined {
    this.exposed = this.exposed.filter(({ area }) => clipBox(area, bounds));
    return this.exposed[0];
  }

  /**
   * Takes over an exposed area that was painted. `canvas` shows the present state of every object; null where there
   * is none; undefined when it is outdated.
   */
  finish(exposed: Exposed, canvas?: HTMLCanvasElement | null): void {
    this.exposed = this.exposed.filter((one) => one !== exposed);
    if (canvas !== undefined) this.add(canvas, exposed.area);
  }

  /** Drops the pictures that touch a box, since something changed there. */
  drop(box: Box): void {
    this.whole = without(this.whole, ({ area }) => overlaps(area, box));
    this.tiles = without(this.tiles, ({ area }) => overlaps(area, box));
  }

  /** Forgets everything, and frees the memory immediately. */
  clear(): void {
    this.whole = without(this.whole, () => true);
    this.tiles = without(this.tiles, () => true);
    this.exposed = [];
  }

  /** Copies the parts of `element` that no picture shows; it shows the present state of every object, except in exposed areas. */
  private copy(element: HTMLCanvasElement): void {
    const bounds = canvasBox(element);
    const unknown = this.withoutExposed(this.subtract(bounds));
    if (unknown.length === 0) return;
    const isWhole = unknown[0] === bounds || this.tiles.length + unknown.length > MAX_TILES;
    if (isWhole && !this.waiting) this.copyWhole(element, bounds);
    else for (const area of unknown) this.add(copyOf(element, area), area);
  }

  private add(canvas: HTMLCanvasElement | null, area: Box): void {
    this.tiles.push({ canvas, area });
    const [oldest] = this.tiles;
    if (this.tiles.length > MAX_TILES) this.tiles = without(this.tiles, (tile) => tile === oldest);
  }

  private copyWhole(element: HTMLCanvasElement, bounds: Box): void {
    const [before, last] = this.whole.slice(-2);
    if (before && last && isNear(before.area, last.area))
      this.whole = without(this.whole, (picture) => picture === last);
    this.whole.push({ canvas: copyOf(element), area: bounds });
    const oldest = this.whole.at(-1 - MAX_WHOLE);
    this.whole = without(this.whole, (picture) => picture === oldest);
    this.tiles = without(this.tiles, ({ area }) => containsBox(bounds, area));
  }

  /** Paints the parts of a rectangle that the pictures show. The context's transform must be the identity. Returns the rest. */
  private paint(context: CanvasRenderingContext2D, rectangle: Box): Box[] {
    return this.subtract(rectangle, ({ canvas, area }, { left, top, right, bottom }) => {
      if (!canvas) return;
      const size = [right - left, bottom - top] as const;
      context.drawImage(canvas, left - area.left, top - area.top, ...size, left, top, ...size);
    });
  }

  /** Marks a part of the bounds that a move brought into view as exposed, and the area beyond the edge too. */
  private expose(part: Box, bounds: Box, x: number, y: number): void {
    const ahead = {
      left: part.left - (x > 0 && part.left === bounds.left ? AHEAD : 0),
      top: part.top - (y > 0 && part.top === bounds.top ? AHEAD : 0),
      right: part.right + (x < 0 && part.right === bounds.right ? AHEAD : 0),
      bottom: part.bottom + (y < 0 && part.bottom === bounds.bottom ? AHEAD : 0),
    };
    for (const box of this.withoutExposed(this.subtract(ahead)))
      for (const area of piecesOf(box)) this.exposed.push({ area });
  }

  private withoutExposed(boxes: readonly Box[]): readonly Box[] {
    let rest = boxes;
    for (const { area } of this.exposed) rest = rest.flatMap((box) => subtractBox(box, area));
    return rest;
  }

  /** Returns the parts of a rectangle that no picture shows. `visit` gets each part that one shows. */
  private subtract(rectangle: Box, visit?: (picture: PanTile, part: Box) => void): Box[] {
    let missing = [rectangle];
    for (const pictures of [this.whole, this.tiles])
      for (const picture of pictures)
        missing = missing.flatMap((box) => {
          const part = clipBox(box, picture.area);
          if (!part) return [box];
          visit?.(picture, part);
          return subtractBox(box, part);
        });
    return missing;
  }
}

/** Moves the context's picture by whole pixels, less than its size. Returns the rectangles that came into view. */
function moveCopy(context: CanvasRenderingContext2D, x: number, y: number): Box[] {
  const { canvas } = context;
  const { width: right, height: bottom } = canvas;
  context.resetTransform();
  context.globalCompositeOperation = "copy";
  context.drawImage(canvas, x, y);
  context.globalCompositeOperation = "source-over";
  const across = { left: x > 0 ? 0 : right + x, top: 0, right: x > 0 ? x : right, bottom };
  const down = { left: 0, top: y > 0 ? 0 : bottom + y, right, bottom: y > 0 ? y : bottom };
  return [across, down].filter((strip) => areaOf(strip) > 0);
}

function* piecesOf({ left, top, right, bottom }: Box): Generator<Box> {
  for (let y = top; y < bottom; y += PIECE)
    for (let x = left; x < right; x += PIECE)
      yield {
        left: x,
        top: y,
        right: Math.min(right, x + PIECE),
        bottom: Math.min(bottom, y + PIECE),
      };
}

function isNear(a: Box, b: Box): boolean {
  return Math.abs(a.left - b.left) < APART && Math.abs(a.top - b.top) < APART;
}

/** Returns the pictures without the dropped ones, whose memory is freed immediately. */
function without(pictures: readonly PanTile[], goes: (picture: PanTile) => boolean): PanTile[] {
  return pictures.filter((picture) => {
    if (!goes(picture)) return true;
    if (picture.canvas) picture.canvas.width = picture.canvas.height = 0;
    return false;
  });
}
