/** The cursor of the eraser: a ring as large as the area that it erases in the current view. */

import type { HostLayers } from "../view/host.ts";
import { makePositioned } from "../view/positioned.ts";
import { type Point, scaleOf } from "../geometry/matrix.ts";

/** The least size of the ring, in CSS pixels: a smaller one is hard to see, so the tool's own cursor stays. */
const MIN_SIZE = 10;

const STYLES = {
  borderRadius: "50%",
  boxShadow: "0 0 0 1px #111827, inset 0 0 0 1px white",
  pointerEvents: "none",
};

export class EraserRing {
  private readonly layers: HostLayers;
  private readonly element = makePositioned("div", STYLES);
  private readonly listeners = new AbortController();
  /** The pointer's position, in CSS pixels of the host; undefined while it is elsewhere. */
  private at: Point | undefined;
  /** The width of the eraser, in canvas pixels; 0 for another tool. */
  private width = 0;

  constructor(layers: HostLayers) {
    const { element } = this;
    const { host } = layers;
    this.layers = layers;
    element.setAttribute("aria-hidden", "true");
    element.dataset["eraser"] = "";
    host.append(element);
    const { signal } = this.listeners;
    host.addEventListener("pointermove", (event) => this.moveTo(layers.toHost(event)), { signal });
    host.addEventListener("pointerleave", () => this.moveTo(undefined), { signal });
    this.update();
  }

  /** Takes over the width of the eraser, in canvas pixels; 0 for any other tool, which has a cursor of its own. */
  setWidth(width: number): void {
    this.width = width;
    this.update();
  }

  /** Adapts the ring to the current view. */
  update(): void {
    const { at, element, layers, width } = this;
    const { style } = element;
    const size = width * scaleOf(layers.viewport);
    const shown = size >= MIN_SIZE;
    if (width > 0) layers.host.style.cursor = shown ? "none" : "crosshair";
    style.display = shown && at ? "block" : "none";
    if (!at) return;
    style.width = style.height = `${size}px`;
    style.transform = `translate(${at.x - size / 2}px, ${at.y - size / 2}px)`;
  }

  dispose(): void {
    this.listeners.abort();
  }

  private moveTo(at: Point | undefined): void {
    this.at = at;
    if (this.width > 0) this.update();
  }
}
