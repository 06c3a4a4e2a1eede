/** The inside of a canvas, for tests and measurements. The page does not import it. */

import type { ObjectId } from "../../board/drawing.ts";
import { LayeredCanvas } from "../../web/canvas/board-canvas.ts";
import type { Matrix } from "../../web/canvas/geometry/matrix.ts";
import type { BoardCanvas } from "../../web/canvas/port.ts";
import type { CanvasStats } from "../../web/canvas/scheduling/stats.ts";
import type { View } from "../../web/canvas/view/view.ts";

export class CanvasInternals {
  private readonly canvas: LayeredCanvas;

  constructor(canvas: LayeredCanvas) {
    this.canvas = canvas;
  }

  get stats(): Readonly<CanvasStats> {
    return this.canvas.stats;
  }

  /** True when nothing waits to be painted. */
  get settled(): boolean {
    return this.canvas.base.settled;
  }

  get base(): HTMLCanvasElement {
    return this.canvas.layers.base;
  }

  get overlay(): HTMLCanvasElement {
    return this.canvas.layers.overlay;
  }

  get selected(): readonly ObjectId[] {
    return this.canvas.selection?.ids ?? [];
  }

  /** The view of this page, which the visitor moves. */
  get view(): View {
    return this.canvas.viewport.view;
  }

  setView(view: View): void {
    this.canvas.viewport.set(view, true);
  }

  /** Sets the map from canvas pixels to CSS pixels, even one that no view has. */
  setViewport(viewport: Matrix): void {
    this.canvas.layers.viewport = viewport;
    this.canvas.view.viewportChanged();
    this.canvas.view.follow();
  }

  /** Keeps strokes from becoming shapes: a busy machine may look at ink in hand for longer than a pointer rests. */
  keepInk(): void {
    this.canvas.pen.becomeShape = () => undefined;
  }

  /** Repaints everything. */
  repaintAll(): void {
    this.canvas.base.repaintAll();
  }

  /** Resolves when Fabric has arrived and has made every requested object. */
  async complete(): Promise<void> {
    await this.canvas.interaction.load();
    await this.canvas.content.complete();
  }
}

/** Returns the inside of a canvas. Throws for one that `createBoardCanvas` did not make. */
export function inspectCanvas(canvas: BoardCanvas): CanvasInternals {
  if (!(canvas instanceof LayeredCanvas)) throw new Error("Not a canvas of createBoardCanvas");
  return new CanvasInternals(canvas);
}
