/**
 * Pictures of the ground around: what the base canvas showed while the view panned, and tiles of what comes into view.
 * A step of a pan is drawn from them, and not from the base canvas itself, which the browser would have to copy first.
 * All in device pixels of the base canvas; they move with it.
 */

import { type Box, clipBox, containsBox, moveBox, overlaps, subtractBox } from "../geometry/box.ts";
import { clearArea } from "./repaint.ts";
import { copyOf, canvasBox, moveCopy } from "./scaled-picture.ts";
import type { Exposed } from "./sliced-repaint.ts";

/** Pictures of the whole base canvas; each takes as much memory as it does. */
const MAX_WHOLE = 3;

/** So many pictures of parts; with more, those in view become one of the whole, and else the oldest goes. */
const MAX_PARTS = 64;

/** A whole picture that lies nearer to the one before it than this, in device pixels, is replaced by the next one. */
const APART = 256;

/** So far beyond the edge that a pan goes to, in device pixels, the ground is painted ahead: most strokes once. */
const AHEAD = 128;

/** What is exposed is painted in pieces of at most this width and height, in device pixels. */
const PIECE = 256;

interface PanTile {
  /** Null where there is nothing but the background. */
  readonly canvas: HTMLCanvasElement | null;
  area: Box;
}

/** How the picture of the base canvas moves, in device pixels. */
interface BaseMove {
  readonly x: number;
  readonly y: number;
  /** A CSS colour. */
  readonly background: string;
  readonly isCurrent: boolean;
}

export class PanTiles {
  private whole: PanTile[] = [];
  private parts: PanTile[] = [];
  private exposed: Exposed[] = [];

  /** True while something exposed waits to be painted. */
  get waiting(): boolean {
    return this.exposed.length > 0;
  }

  /**
   * Moves the picture of the base canvas by whole pixels, less than its size; what came into view is exposed.
   * `isCurrent`: it shows every object as it is, but for what is exposed. Else it is moved as it is shown.
   */
  moveBase(context: CanvasRenderingContext2D, { x, y, background, isCurrent }: BaseMove): void {
    const frame = canvasBox(context.canvas);
    if (isCurrent) this.keep(context.canvas);
    for (const one of [...this.whole, ...this.parts, ...this.exposed])
      one.area = moveBox(one.area, x, y);
    for (const part of isCurrent ? [frame] : moveCopy(context, x, y)) {
      clearArea(context, part, background);
      for (const unknown of this.paint(context, part)) this.expose(unknown, frame, x, y);
    }
  }

  /** Something exposed that reaches into the frame; undefined when there is none. What lies beyond is forgotten. */
  nextExposed(frame: Box): Exposed | undefined {
    this.exposed = this.exposed.filter(({ area }) => clipBox(area, frame));
    return this.exposed[0];
  }

  /**
   * Something exposed was painted. `canvas` shows every object as it is, and is the keeper's from now on; null where
   * there is none; undefined when it is not to be kept.
   */
  finish(exposed: Exposed, canvas?: HTMLCanvasElement | null): void {
    this.exposed = this.exposed.filter((one) => one !== exposed);
    if (canvas !== undefined) this.add(canvas, exposed.area);
  }

  /** Something changed within the box. */
  drop(box: Box): void {
    this.whole = without(this.whole, ({ area }) => overlaps(area, box));
    this.parts = without(this.parts, ({ area }) => overlaps(area, box));
  }

  /** Forgets all, and gives the memory back at once. */
  clear(): void {
    this.whole = without(this.whole, () => true);
    this.parts = without(this.parts, () => true);
    this.exposed = [];
  }

  /** Keeps what no picture knows of `element`, which shows every object as it is, but for what is exposed. */
  private keep(element: HTMLCanvasElement): void {
    const frame = canvasBox(element);
    const unknown = this.withoutExposed(this.subtract(frame));
    if (unknown.length === 0) return;
    const isWhole = unknown[0] === frame || this.parts.length + unknown.length > MAX_PARTS;
    if (isWhole && !this.waiting) this.keepWhole(element, frame);
    else for (const area of unknown) this.add(copyOf(element, area), area);
  }

  private add(canvas: HTMLCanvasElement | null, area: Box): void {
    this.parts.push({ canvas, area });
    const [oldest] = this.parts;
    if (this.parts.length > MAX_PARTS) this.parts = without(this.parts, (part) => part === oldest);
  }

  private keepWhole(element: HTMLCanvasElement, frame: Box): void {
    const [before, last] = this.whole.slice(-2);
    if (before && last && isNear(before.area, last.area))
      this.whole = without(this.whole, (picture) => picture === last);
    this.whole.push({ canvas: copyOf(element), area: frame });
    const oldest = this.whole.at(-1 - MAX_WHOLE);
    this.whole = without(this.whole, (picture) => picture === oldest);
    this.parts = without(this.parts, ({ area }) => containsBox(frame, area));
  }

  /** Paints what is known of a rectangle. The context's transform must be the identity. Returns what is not known. */
  private paint(context: CanvasRenderingContext2D, rectangle: Box): Box[] {
    return this.subtract(rectangle, ({ canvas, area }, { left, top, right, bottom }) => {
      if (!canvas) return;
      const size = [right - left, bottom - top] as const;
      context.drawImage(canvas, left - area.left, top - area.top, ...size, left, top, ...size);
    });
  }

  /** A part of the frame came into view by a move: it, and the ground beyond the frame's edge, are exposed. */
  private expose(part: Box, frame: Box, x: number, y: number): void {
    const ahead = {
      left: part.left - (x > 0 && part.left === frame.left ? AHEAD : 0),
      top: part.top - (y > 0 && part.top === frame.top ? AHEAD : 0),
      right: part.right + (x < 0 && part.right === frame.right ? AHEAD : 0),
      bottom: part.bottom + (y < 0 && part.bottom === frame.bottom ? AHEAD : 0),
    };
    for (const box of this.withoutExposed(this.subtract(ahead)))
      for (const area of piecesOf(box)) this.exposed.push({ area });
  }

  private withoutExposed(boxes: readonly Box[]): readonly Box[] {
    let rest = boxes;
    for (const { area } of this.exposed) rest = rest.flatMap((box) => subtractBox(box, area));
    return rest;
  }

  /** What no picture knows of a rectangle. `visit` gets each part that one knows. */
  private subtract(rectangle: Box, visit?: (picture: PanTile, part: Box) => void): Box[] {
    let missing = [rectangle];
    for (const pictures of [this.whole, this.parts])
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

/** The pictures but those that go, whose memory is given back at once. */
function without(pictures: readonly PanTile[], goes: (picture: PanTile) => boolean): PanTile[] {
  return pictures.filter((picture) => {
    if (!goes(picture)) return true;
    if (picture.canvas) picture.canvas.width = picture.canvas.height = 0;
    return false;
  });
}
