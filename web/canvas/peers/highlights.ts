/**
 * The highlighter strokes that peers are drawing. Their canvas multiplies everything under it, so that the ink that they
 * cross looks as it will when they are finished.
 */

import type { Ink } from "../painting/ink.ts";
import type { HostLayers } from "../view/host.ts";
import { makePositioned } from "../view/positioned.ts";
import { OverlayCanvas } from "./overlay.ts";

export class PeerHighlights {
  private readonly layers: HostLayers;
  private readonly element = makePositioned("canvas", { pointerEvents: "none" });
  private readonly overlay: OverlayCanvas;

  constructor(layers: HostLayers) {
    this.layers = layers;
    this.overlay = new OverlayCanvas(this.element);
    this.overlay.hideIfEmpty();
    layers.host.insertBefore(this.element, layers.selection);
  }

  /** Takes over size, ratio and viewport of the layers. Everything that was painted is cleared. */
  resize(): void {
    const { size, ratio, viewport } = this.layers;
    this.overlay.resize(size, ratio, viewport);
  }

  /** Paints these strokes, and nothing else: each as a whole, since its parts must not multiply each other. */
  show(inks: readonly Ink[]): void {
    // A blended element doubles what the browser does for each frame of the canvas, empty and hidden as it may be.
    this.element.style.mixBlendMode = inks.length > 0 ? "multiply" : "";
    let isLost: boolean;
    do {
      isLost = false;
      this.overlay.clear();
      for (const ink of inks)
        if (this.overlay.paint(ink.bounds(), (context) => ink.paintAll(context))) isLost = true;
    } while (isLost);
    this.overlay.hideIfEmpty();
  }

  dispose(): void {
    this.overlay.dispose();
  }
}
