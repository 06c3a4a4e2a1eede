/**
 * The layer of what is not finished: this person's stroke, and what the others are doing. Ink is painted
 * as it comes; the layer is cleared only when something goes or moves.
 */

import { Ink } from "./ink.ts";
import type { Matrix } from "./matrix.ts";
import { Sheet } from "./sheet.ts";

/** What else is on the layer. */
export interface Guest {
  /** Paints all of it; the layer was cleared. */
  paint(): void;
}

export class Overlay {
  readonly sheet: Sheet;
  /** What the others are doing; its code comes with the first of them. */
  guest: Guest | undefined;
  private readonly wake: () => void;
  private own: Ink | undefined;
  /** A finished stroke stays until the base canvas shows it. */
  private readonly finished: Ink[] = [];
  private stale = false;

  constructor(element: HTMLCanvasElement, wake: () => void) {
    this.sheet = new Sheet(element);
    this.wake = wake;
  }

  resize(width: number, height: number, ratio: number): void {
    this.sheet.resize(width, height, ratio);
    this.refresh();
  }

  setViewport(viewport: Matrix): void {
    this.sheet.setViewport(viewport);
    this.refresh();
  }

  dispose(): void {
    this.sheet.dispose();
  }

  /** Begins this person's stroke. */
  begin(color: string, width: number): Ink {
    this.own = new Ink(color, width);
    return this.own;
  }

  /** Paints what was added to this person's stroke, at once: the pen must not lag. */
  extend(): void {
    if (this.own) this.paintInk(this.own);
  }

  /** This person's stroke is over; it goes as soon as the base canvas has taken it. */
  end(): void {
    const { own } = this;
    if (!own) return;
    this.paintEnd(own);
    this.finished.push(own);
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
    this.wake();
  }

  /** Paints what came to the ink since it was last painted. */
  paintInk(ink: Ink): void {
    this.sheet.paint(ink.grown(), (context) => ink.paintNew(context));
  }

  /** Paints the whole ink. */
  repaintInk(ink: Ink): void {
    this.sheet.paint(ink.grown(), (context) => ink.paintAll(context));
  }

  /** `settled`: the base canvas shows everything that it should. True when the layer was painted. */
  work(settled: boolean): boolean {
    if (!this.stale) return false;
    if (settled) this.finished.length = 0;
    this.stale = this.finished.length > 0;
    this.sheet.clear();
    this.guest?.paint();
    for (const ink of this.finished) {
      this.repaintInk(ink);
      this.paintEnd(ink);
    }
    if (this.own) this.repaintInk(this.own);
    this.sheet.hideIfEmpty();
    return true;
  }

  private paintEnd(ink: Ink): void {
    this.sheet.paint(ink.grown(), (context) => ink.paintEnd(context));
  }
}
