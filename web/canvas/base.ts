/**
 * The base canvas: the picture of the board. What lies on top is painted straight onto it; anything else
 * marks rectangles, which are cleared and painted again with everything that touches them, in order.
 */

import { alignBox, clipBox, DirtyArea } from "./dirty.ts";
import type { Item } from "./item.ts";
import { type Box, IDENTITY, invert, type Matrix, multiply, transformBox } from "./matrix.ts";
import type { Painter } from "./paint.ts";
import type { Scene } from "./scene.ts";
import type { CanvasStats } from "./stats.ts";

/** Device pixels around a changed box that anti-aliasing may have touched. */
const MARGIN = 2;

/** Something that is painted over the picture without being part of it. Boxes in device pixels. */
export interface Overpaint {
  /** The picture within the box is about to be painted: nothing may lie over it. */
  before(box: Box): void;
  /** It was painted. */
  after(box: Box): void;
  /** The picture lies elsewhere, or has another scale. */
  moved(): void;
}

export interface BaseParts {
  readonly scene: Scene;
  readonly painter: Painter;
  readonly stats: CanvasStats;
  /** Asks for a frame, in which `work` is called. */
  readonly wake: () => void;
}

export class BaseCanvas {
  readonly element: HTMLCanvasElement;
  background = "white";
  private readonly parts: BaseParts;
  private readonly context: CanvasRenderingContext2D;
  private readonly dirty = new DirtyArea({ left: 0, top: 0, right: 0, bottom: 0 });
  private ratio = 1;
  private viewport: Matrix = IDENTITY;
  /** From canvas pixels to device pixels. */
  private toDevice: Matrix = IDENTITY;
  overpaint: Overpaint | undefined;
  private probe: CanvasRenderingContext2D | null = null;
  private readonly onRestored = (): void => this.repaintAll();

  constructor(element: HTMLCanvasElement, parts: BaseParts) {
    this.element = element;
    this.parts = parts;
    const context = element.getContext("2d");
    if (!context) throw new Error("This browser has no canvas 2D context");
    this.context = context;
    element.addEventListener("contextrestored", this.onRestored);
  }

  get settled(): boolean {
    return this.dirty.empty;
  }

  /** In device pixels. */
  get frame(): Box {
    return { left: 0, top: 0, right: this.element.width, bottom: this.element.height };
  }

  dispose(): void {
    this.element.removeEventListener("contextrestored", this.onRestored);
    this.dirty.clear();
    this.element.width = this.element.height = 0;
  }

  /** Sizes in CSS pixels. What was painted stays; only what came in is painted. */
  resize(width: number, height: number, ratio: number): void {
    const { element, context } = this;
    const deviceWidth = Math.round(width * ratio);
    const deviceHeight = Math.round(height * ratio);
    if (element.width === deviceWidth && element.height === deviceHeight && ratio === this.ratio)
      return;
    const frame = { left: 0, top: 0, right: deviceWidth, bottom: deviceHeight };
    this.overpaint?.before(this.frame);
    this.overpaint?.moved();
    const keep = ratio === this.ratio && element.width > 0 && element.height > 0;
    const before = { width: element.width, height: element.height };
    const copy = keep ? copyOf(element) : null;
    element.width = deviceWidth;
    element.height = deviceHeight;
    this.ratio = ratio;
    this.toDevice = multiply([ratio, 0, 0, ratio, 0, 0], this.viewport);
    this.dirty.setFrame(frame);
    if (!copy) {
      this.repaintAll();
      return;
    }
    this.clear(frame);
    context.drawImage(copy, 0, 0);
    copy.width = copy.height = 0;
    this.dirty.add({ ...frame, left: before.width });
    this.dirty.add({ ...frame, top: before.height });
    this.parts.wake();
  }

  /** From canvas pixels to CSS pixels of the element; the page leaves it at the identity. */
  setViewport(viewport: Matrix): void {
    this.overpaint?.before(this.frame);
    this.overpaint?.moved();
    this.viewport = viewport;
    this.toDevice = multiply([this.ratio, 0, 0, this.ratio, 0, 0], viewport);
    this.repaintAll();
  }

  setBackground(background: string): void {
    if (background === this.background) return;
    this.background = background;
    this.repaintAll();
  }

  /** Marks everything. An empty board is painted at once. */
  repaintAll(): void {
    if (this.parts.scene.size === 0) {
      this.dirty.clear();
      this.overpaint?.before(this.frame);
      this.clear(this.frame);
      this.overpaint?.after(this.frame);
      return;
    }
    this.dirty.addAll();
    this.parts.wake();
  }

  /** Marks a box (canvas pixels) to be painted again. */
  invalidate(box: Box): void {
    this.dirty.add(this.align(box));
    this.parts.wake();
  }

  /** The device pixels that a box of canvas pixels touches; null when it is outside. */
  place(box: Box): Box | null {
    return clipBox(this.align(box), this.frame);
  }

  private align(box: Box): Box {
    return alignBox(transformBox(this.toDevice, box), MARGIN);
  }

  /** Paints over the picture, in canvas pixels. */
  over(work: (context: CanvasRenderingContext2D) => void): void {
    this.context.setTransform(...this.toDevice);
    work(this.context);
  }

  /** Paints over the picture, in device pixels. */
  bare(work: (context: CanvasRenderingContext2D) => void): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    work(this.context);
  }

  /** Paints an item that nothing covers over what is there; marks its box when something does. */
  show(item: Item): void {
    if (!this.parts.scene.isUncovered(item.object, item.box)) {
      this.invalidate(item.box);
      return;
    }
    const box = this.align(item.box);
    this.overpaint?.before(box);
    this.over(() => this.paint(item));
    this.overpaint?.after(box);
  }

  /** Paints what is marked until `deadline` (performance.now()); the rest stays marked. */
  work(deadline: number): void {
    while (!this.dirty.empty) {
      const rectangle = this.dirty.take();
      if (rectangle) this.repaint(rectangle);
      if (this.dirty.empty) return;
      this.carryOut();
      if (performance.now() > deadline) return this.parts.wake();
    }
  }

  /**
   * Browsers only note what is to be painted and do it when the frame ends, all at once, however long it
   * takes. Looking at one pixel makes them do it now, so that the clock tells what it cost.
   */
  private carryOut(): void {
    this.probe ??= document.createElement("canvas").getContext("2d");
    this.probe?.drawImage(this.element, 0, 0, 1, 1, 0, 0, 1, 1);
  }

  /** The colour of the background over a rectangle of device pixels. */
  private clear(rectangle: Box): void {
    const { context } = this;
    const width = rectangle.right - rectangle.left;
    const height = rectangle.bottom - rectangle.top;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(rectangle.left, rectangle.top, width, height);
    context.fillStyle = "white";
    context.fillStyle = this.background;
    context.fillRect(rectangle.left, rectangle.top, width, height);
  }

  private repaint(rectangle: Box): void {
    const { context, parts } = this;
    const inside = clipBox(rectangle, this.frame);
    const back = invert(this.toDevice);
    if (!inside || !back) return;
    parts.stats.repaints++;
    this.overpaint?.before(inside);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(inside.left, inside.top, inside.right - inside.left, inside.bottom - inside.top);
    context.clip();
    this.clear(inside);
    context.setTransform(...this.toDevice);
    for (const item of parts.scene.touching(transformBox(back, inside))) this.paint(item);
    context.restore();
    this.overpaint?.after(inside);
  }

  private paint(item: Item): void {
    if (item.lifted) return;
    this.parts.stats.painted++;
    this.parts.painter.paint(this.context, item);
  }
}

function copyOf(element: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = element.width;
  copy.height = element.height;
  copy.getContext("2d")?.drawImage(element, 0, 0);
  return copy;
}
