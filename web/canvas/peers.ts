/**
 * What the others are doing right now, as it is shown: their pointers, their ink, and what they drag. Ink
 * is painted as it comes; the layer is painted anew only when something goes or moves.
 */

import type { ObjectId } from "../../board/drawing.ts";
import type { LivePlace, PeerInk, PeerView } from "../../board/live.ts";
import { Ink } from "./ink.ts";
import { type Item, matrixAt } from "./item.ts";
import { type Box, type Matrix, transformBox } from "./matrix.ts";
import type { Painter } from "./paint.ts";
import { placeOf } from "./place.ts";
import { Pointers } from "./pointers.ts";
import { Sheet } from "./sheet.ts";

export interface PeersParts {
  readonly host: HTMLElement;
  readonly layer: HTMLCanvasElement;
  readonly painter: Painter;
  /** The item, if it can be shown elsewhere: it is there, and nobody here holds it. */
  readonly find: (id: ObjectId) => Item | undefined;
  /** A dragged item leaves the base canvas, or returns. */
  readonly lift: (id: ObjectId, lifted: boolean) => void;
  /** Asks for a frame, in which `work` is called. */
  readonly wake: () => void;
}

export class Peers {
  private readonly parts: PeersParts;
  private readonly sheet: Sheet;
  private readonly pointers = new Pointers();
  private readonly inks = new Map<string, Ink>();
  private drags = new Map<ObjectId, LivePlace>();
  private stale = false;
  /** The layer grew, and with that lost what was on it. */
  private lost = false;

  constructor(parts: PeersParts) {
    this.parts = parts;
    this.sheet = new Sheet(parts.layer);
    parts.host.append(this.pointers.element);
  }

  /** The size of the canvas in CSS pixels, and from canvas pixels to these. */
  place(width: number, height: number, ratio: number, viewport: Matrix): void {
    this.sheet.place(width, height, ratio, viewport);
    this.refresh();
  }

  dispose(): void {
    this.sheet.dispose();
  }

  show(peers: readonly PeerView[], viewport: Matrix): void {
    this.pointers.show(peers, viewport);
    this.takeInk(peers);
    this.takeDrags(peers);
    // At once: a frame without it would flicker.
    if (this.lost) this.repaint();
  }

  /** True while somebody else drags the object. */
  isDragged(id: ObjectId): boolean {
    return this.drags.has(id);
  }

  /** Paints the layer anew in the next frame. */
  refresh(): void {
    this.stale = true;
    this.parts.wake();
  }

  work(): void {
    if (this.stale) this.repaint();
  }

  /** Each time that the layer grows it is painted anew: it only ever grows to the size of the canvas. */
  private repaint(): void {
    this.stale = false;
    do {
      this.lost = false;
      this.sheet.clear();
      for (const [id, place] of this.drags) this.paintDrag(id, place);
      for (const ink of this.inks.values())
        this.paint(ink.grown(), (context) => ink.paintAll(context));
    } while (this.lost);
    this.sheet.hideIfEmpty();
  }

  private paint(box: Box, work: (context: CanvasRenderingContext2D) => void): void {
    if (this.sheet.paint(box, work)) this.lost = true;
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
    this.paint(ink.grown(), (context) => ink.paintNew(context));
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
    const { painter } = this.parts;
    this.paint(growBox(item, matrix), (context) => painter.paint(context, item, matrix));
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
