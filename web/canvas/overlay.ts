/**
 * The layer of what is not finished: this person's stroke, the others' strokes, and what the others are
 * dragging. Ink is painted as it comes; the layer is cleared only when something goes or moves.
 */

import type { ObjectId } from "../../board/drawing.ts";
import type { LivePlace, PeerInk, PeerView } from "../../board/live.ts";
import { alignBox } from "./dirty.ts";
import { showLayer } from "./host.ts";
import { Ink } from "./ink.ts";
import { type Item, matrixAt } from "./item.ts";
import { type Box, IDENTITY, type Matrix, multiply, transformBox, union } from "./matrix.ts";
import type { Painter } from "./paint.ts";
import { placeOf } from "./place.ts";

export interface OverlayParts {
  readonly painter: Painter;
  readonly wake: () => void;
  /** The item, if it can be shown elsewhere: it is there, and nobody here holds it. */
  readonly find: (id: ObjectId) => Item | undefined;
  /** A dragged item leaves the base canvas, or returns. */
  readonly lift: (id: ObjectId, lifted: boolean) => void;
}

export class Overlay {
  readonly element: HTMLCanvasElement;
  private readonly parts: OverlayParts;
  private readonly context: CanvasRenderingContext2D;
  private viewport: Matrix = IDENTITY;
  private ratio = 1;
  private toDevice: Matrix = IDENTITY;
  private own: Ink | undefined;
  /** A finished stroke stays until the base canvas shows it. */
  private readonly finished: Ink[] = [];
  private readonly inks = new Map<string, Ink>();
  private drags = new Map<ObjectId, LivePlace>();
  /** What has been painted since the layer was cleared, in device pixels. */
  private used: Box | undefined;
  private stale = false;

  constructor(element: HTMLCanvasElement, parts: OverlayParts) {
    this.element = element;
    this.parts = parts;
    const context = element.getContext("2d");
    if (!context) throw new Error("This browser has no canvas 2D context");
    this.context = context;
  }

  resize(width: number, height: number, ratio: number): void {
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(height * ratio);
    this.ratio = ratio;
    this.setViewport(this.viewport);
  }

  setViewport(viewport: Matrix): void {
    this.viewport = viewport;
    this.toDevice = multiply([this.ratio, 0, 0, this.ratio, 0, 0], viewport);
    this.used = undefined;
    this.refresh();
  }

  dispose(): void {
    this.element.width = this.element.height = 0;
  }

  /** Begins this person's stroke. */
  begin(color: string, width: number): Ink {
    showLayer(this.element, true);
    this.own = new Ink(color, width);
    return this.own;
  }

  /** Paints what was added to this person's stroke, at once: the pen must not lag. */
  extend(): void {
    if (this.own) this.paintInk(this.own);
  }

  /** This person's stroke is over; it goes as soon as the base canvas has taken it. */
  end(): void {
    if (!this.own) return;
    this.context.setTransform(...this.toDevice);
    this.own.paintEnd(this.context);
    this.finished.push(this.own);
    this.own = undefined;
    this.refresh();
  }

  /** This person's stroke is given up. */
  discard(): void {
    this.own = undefined;
    this.refresh();
  }

  /** Paints the layer again in the next frame. */
  refresh(): void {
    this.stale = true;
    this.parts.wake();
  }

  showPeers(peers: readonly PeerView[]): void {
    this.takeInk(peers);
    this.takeDrags(peers);
  }

  /** `settled`: the base canvas shows everything that it should. True when the layer was painted. */
  work(settled: boolean): boolean {
    if (!this.stale) return false;
    if (settled) this.finished.length = 0;
    this.stale = this.finished.length > 0;
    if (this.used) {
      const { left, top, right, bottom } = this.used;
      this.context.setTransform(1, 0, 0, 1, 0, 0);
      this.context.clearRect(left, top, right - left, bottom - top);
      this.used = undefined;
    }
    this.context.setTransform(...this.toDevice);
    for (const [id, place] of this.drags) this.paintDrag(id, place);
    for (const ink of [...this.inks.values(), ...this.finished]) this.repaintInk(ink);
    for (const ink of this.finished) ink.paintEnd(this.context);
    if (this.own) this.repaintInk(this.own);
    showLayer(this.element, this.used !== undefined || this.own !== undefined);
    return true;
  }

  private takeInk(peers: readonly PeerView[]): void {
    const present = new Set<string>();
    for (const peer of peers)
      for (const stroke of peer.ink) {
        const key = `${peer.clientId}\n${stroke.stroke}`;
        present.add(key);
        this.growInk(key, stroke);
      }
    for (const key of this.inks.keys())
      if (!present.has(key)) {
        this.inks.delete(key);
        this.refresh();
      }
  }

  private growInk(key: string, stroke: PeerInk): void {
    let ink = this.inks.get(key);
    if (!ink || ink.color !== stroke.color || ink.width !== stroke.width) {
      ink = new Ink(stroke.color, stroke.width);
      this.inks.set(key, ink);
    }
    const { points } = stroke;
    if (points.length <= ink.points.length) return;
    for (let i = ink.points.length; i < points.length; i++) ink.points.push(points[i] as number);
    this.paintInk(ink);
  }

  private takeDrags(peers: readonly PeerView[]): void {
    const drags = new Map<ObjectId, LivePlace>();
    for (const peer of peers) for (const place of peer.drags) drags.set(place.id, place);
    let same = drags.size === this.drags.size;
    for (const [id, place] of drags) same &&= samePlace(this.drags.get(id), place);
    if (same) return;
    const before = this.drags;
    this.drags = drags;
    for (const id of before.keys()) if (!drags.has(id)) this.parts.lift(id, false);
    for (const id of drags.keys()) if (!before.has(id)) this.parts.lift(id, true);
    this.refresh();
  }

  /** True while somebody else drags the object. */
  isDragged(id: ObjectId): boolean {
    return this.drags.has(id);
  }

  private paintDrag(id: ObjectId, live: LivePlace): void {
    const item = this.parts.find(id);
    if (!item) return;
    const { left, top, scaleX, scaleY, angle } = live;
    const place = {
      ...placeOf(item.object),
      left,
      top,
      scaleX,
      scaleY,
      angle,
      originX: -0.5,
      originY: -0.5,
    };
    const matrix = matrixAt(item, place);
    this.parts.painter.paint(this.context, item, matrix);
    this.use(alignBox(transformBox(this.toDevice, growBox(item, matrix)), 2));
  }

  private paintInk(ink: Ink): void {
    showLayer(this.element, true);
    this.context.setTransform(...this.toDevice);
    ink.paintNew(this.context);
    this.useInk(ink);
  }

  private repaintInk(ink: Ink): void {
    ink.paintAll(this.context);
    this.useInk(ink);
  }

  private useInk(ink: Ink): void {
    this.use(alignBox(transformBox(this.toDevice, ink.grown()), 2));
  }

  private use(box: Box): void {
    this.used = this.used ? union(this.used, box) : box;
  }
}

function growBox(item: Item, matrix: Matrix): Box {
  const { middle, size } = item;
  const half = Math.max(size.width, size.height) / 2 + size.strokeWidth * 2 + 40;
  const around = {
    left: middle.x - half,
    top: middle.y - half,
    right: middle.x + half,
    bottom: middle.y + half,
  };
  return transformBox(matrix, around);
}

function samePlace(a: LivePlace | undefined, b: LivePlace): boolean {
  return (
    a !== undefined &&
    a.left === b.left &&
    a.top === b.top &&
    a.scaleX === b.scaleX &&
    a.scaleY === b.scaleY &&
    a.angle === b.angle
  );
}
