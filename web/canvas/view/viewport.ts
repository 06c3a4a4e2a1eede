/**
 * The viewport: this page's view, and its movements by pointers and wheel. The commands of controls and keys are in
 * `guide.ts`.
 */

import type { HostLayers } from "./host.ts";
import type { Point } from "../geometry/matrix.ts";
import { dragBy, HOME, matrixOfView, panBy, type View, zoomAt } from "./view.ts";

export interface ViewportDependencies {
  readonly layers: HostLayers;
  /** Returns how many CSS pixels at the bottom of the canvas are covered. */
  readonly covered: () => number;
  /** Called when the layers' viewport changed, so that everything shown must follow. */
  readonly changed: () => void;
}

export class Viewport {
  /** The layers that follow it. */
  readonly layers: HostLayers;
  /** Returns how many CSS pixels at the bottom of the canvas are covered. */
  readonly covered: () => number;
  /** Called when the view is about to change. `byVisitor`: false when it follows a peer or shows a new shape. */
  watcher: ((byVisitor: boolean) => void) | undefined;
  private readonly changed: () => void;
  private current: View = HOME;

  constructor({ layers, covered, changed }: ViewportDependencies) {
    this.layers = layers;
    this.covered = covered;
    this.changed = changed;
  }

  get view(): View {
    return this.current;
  }

  /** Moves the picture by CSS pixels. */
  pan(dx: number, dy: number): void {
    this.set(panBy(this.current, dx, dy), true);
  }

  /** Zooms at a point, in CSS pixels of the canvas. */
  zoom(factor: number, at: Point): void {
    this.set(zoomAt(this.current, factor, at), true);
  }

  /** Moves the view with fingers or a pointer, in CSS pixels of the canvas. */
  drag(from: readonly Point[], to: readonly Point[]): void {
    this.set(dragBy(this.current, from, to), true);
  }

  set(view: View, byVisitor: boolean): void {
    const { layers } = this;
    const { x, y, zoom } = this.current;
    const same = view.x === x && view.y === y && view.zoom === zoom;
    this.current = view;
    this.watcher?.(byVisitor);
    if (same) return;
    layers.viewport = matrixOfView(view, layers.ratio);
    this.changed();
  }
}
