/**
 * The tip of the active stroke: its last half step, which the next point will bend, and the points that the
 * browser predicts. It is painted so that the ink reaches the pointer, and removed before anything is painted
 * over it. The pixels under it are saved in a small canvas off the page, with the ink that is final.
 */

import type { BaseCanvas } from "../painting/base.ts";
import type { HostLayers } from "../view/host.ts";
import type { PenPoint } from "./hold.ts";
import type { Ink } from "../painting/ink.ts";
import type { Box } from "../geometry/box.ts";
import { IDENTITY } from "../geometry/matrix.ts";

/** The canvas off the page grows in steps of so many device pixels. */
const STEP = 128;

export class StrokeTip {
  private readonly base: BaseCanvas;
  private saved: CanvasRenderingContext2D | undefined;
  /** The pixels of the base canvas that have the tip on them; undefined without a tip. */
  private box: Box | undefined;

  constructor(base: BaseCanvas) {
    this.base = base;
  }

  /** Paints the tip of `ink`; a tip that was painted before has to be removed. `predicted` are flat points. */
  paint(ink: Ink, predicted: readonly number[]): void {
    const { base } = this;
    const bounds = ink.tipBounds(predicted);
    const box = bounds && base.deviceBox(bounds);
    if (!box || !this.save(box)) return;
    this.box = box;
    base.paintOver((context) => ink.paintTip(context, predicted));
  }

  /** Gives the base canvas the pixels that it had before the tip. */
  remove(): void {
    const { base, box, saved } = this;
    this.box = undefined;
    if (!box || !saved) return;
    const { left, top, right, bottom } = box;
    const [width, height] = [right - left, bottom - top];
    base.paintOver((context) => {
      context.clearRect(left, top, width, height);
      context.drawImage(saved.canvas, 0, 0, width, height, left, top, width, height);
    }, IDENTITY);
  }

  /** Forgets the tip, whose pixels somebody else has replaced. */
  forget(): void {
    this.box = undefined;
  }

  /** Frees the canvas off the page. */
  dispose(): void {
    this.box = undefined;
    if (this.saved) this.saved.canvas.width = this.saved.canvas.height = 0;
    this.saved = undefined;
  }

  private save({ left, top, right, bottom }: Box): boolean {
    const [width, height] = [right - left, bottom - top];
    this.saved ??= document.createElement("canvas").getContext("2d") ?? undefined;
    if (!this.saved) return false;
    const { canvas } = this.saved;
    if (canvas.width < width || canvas.height < height) {
      canvas.width = Math.ceil(width / STEP) * STEP;
      canvas.height = Math.ceil(height / STEP) * STEP;
    }
    this.saved.clearRect(0, 0, width, height);
    this.saved.drawImage(this.base.element, left, top, width, height, 0, 0, width, height);
    return true;
  }
}

/** Predicted points that are shown, and how far ahead in milliseconds: later ones miss by more than they lead. */
const PREDICTED = { points: 2, time: 20 };

/** Returns the events to come that the browser predicts and that are worth showing. */
export function predictedEvents(event: PointerEvent): readonly PointerEvent[] {
  const predicted = event.getPredictedEvents?.() ?? [];
  return predicted
    .slice(0, PREDICTED.points)
    .filter((one) => one.timeStamp - event.timeStamp <= PREDICTED.time);
}

/** Returns where a pointer event is on the board, and how hard it presses. */
export function penPoint(event: PointerEvent, layers: HostLayers): PenPoint {
  return { ...layers.toScene(event), pressure: event.pressure };
}
