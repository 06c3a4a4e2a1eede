/** The element that the page gives to the canvas, the layers in it, and their positions. */

import { applyMatrix, IDENTITY, invert, type Matrix, type Point } from "../geometry/matrix.ts";

/** A size in CSS pixels. */
export interface LayerSize {
  readonly width: number;
  readonly height: number;
}

/** A position in the window, in CSS pixels. */
export interface ClientPoint {
  readonly clientX: number;
  readonly clientY: number;
}

const ATTRIBUTES = { role: "application", "aria-label": "Canvas", tabindex: "0" } as const;

const STYLES = {
  position: "relative",
  overflow: "hidden",
  background: "white",
  touchAction: "none",
  userSelect: "none",
  webkitUserSelect: "none",
} as const;

/** The layers of a canvas, bottom first: base canvas, overlay canvas, Fabric's canvases, elements (pointers, crosshair). */
export class HostLayers {
  readonly host: HTMLElement;
  readonly base = makeLayer("canvas");
  readonly overlay = makeLayer("canvas");
  /** The element of Fabric's canvases; hidden until there are any. */
  readonly selection = makeLayer("div");
  /** The view: the map from canvas pixels to CSS pixels of the host. */
  viewport: Matrix = IDENTITY;
  private readonly origin: HostOrigin;
  private current: LayerSize = { width: 0, height: 0 };

  constructor(host: HTMLElement) {
    this.host = host;
    for (const [name, value] of Object.entries(ATTRIBUTES))
      if (!host.hasAttribute(name)) host.setAttribute(name, value);
    Object.assign(host.style, STYLES);
    this.overlay.style.pointerEvents = "none";
    showLayer(this.overlay, false);
    this.selection.style.display = "none";
    host.replaceChildren(this.base, this.overlay, this.selection);
    this.origin = new HostOrigin(host);
  }

  get size(): LayerSize {
    return this.current;
  }

  /** Device pixels in one CSS pixel. */
  get ratio(): number {
    return window.devicePixelRatio || 1;
  }

  /** The middle of the view, in canvas pixels. */
  get middle(): Point {
    const { width, height } = this.current;
    return this.fromHost({ x: width / 2, y: height / 2 });
  }

  resize(size: LayerSize): void {
    this.current = size;
    this.origin.forget();
    for (const element of [this.host, this.base, this.selection])
      Object.assign(element.style, { width: `${size.width}px`, height: `${size.height}px` });
  }

  /** Returns the position of an event, in canvas pixels. */
  toScene(event: ClientPoint): Point {
    return this.fromHost(this.toHost(event));
  }

  /** Returns the position of an event, in CSS pixels of the host. */
  toHost(event: ClientPoint): Point {
    const { left, top } = this.origin.get();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** Maps CSS pixels of the host to canvas pixels. */
  fromHost(at: Point): Point {
    const back = invert(this.viewport);
    return back ? applyMatrix(back, at.x, at.y) : at;
  }

  /** Leaves the host empty and without the styles of a canvas. */
  dispose(): void {
    this.origin.dispose();
    this.host.replaceChildren();
    for (const name of [...Object.keys(STYLES), "cursor"])
      this.host.style.removeProperty(toKebab(name));
  }
}

/** The position of the element's content in the window; measured when it may have moved, not for each move of the pointer. */
class HostOrigin {
  private readonly host: HTMLElement;
  private known: { readonly left: number; readonly top: number } | undefined;
  private readonly listeners = new AbortController();

  constructor(host: HTMLElement) {
    this.host = host;
    const forget = (): void => this.forget();
    const passive = { signal: this.listeners.signal, capture: true, passive: true };
    for (const name of ["pointerdown", "pointerenter"])
      host.addEventListener(name, forget, passive);
    for (const name of ["scroll", "resize"]) window.addEventListener(name, forget, passive);
  }

  forget(): void {
    this.known = undefined;
  }

  get(): { readonly left: number; readonly top: number } {
    if (!this.known) {
      const { left, top } = this.host.getBoundingClientRect();
      this.known = { left: left + this.host.clientLeft, top: top + this.host.clientTop };
    }
    return this.known;
  }

  dispose(): void {
    this.listeners.abort();
  }
}

/** Calls `changed` when the device pixel ratio changes, by the browser's zoom or on another screen. */
export class RatioWatch {
  private readonly changed: () => void;
  private query: MediaQueryList | undefined;

  constructor(changed: () => void) {
    this.changed = changed;
    this.watch();
  }

  dispose(): void {
    this.query?.removeEventListener("change", this.onChange);
  }

  /** Watches for the next change: a query matches one ratio only, so each change needs a new one. */
  private watch(): void {
    this.query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    this.query.addEventListener("change", this.onChange, { once: true });
  }

  private readonly onChange = (): void => {
    this.changed();
    this.watch();
  };
}

/**
 * Shows or hides a layer that only paints. A transparent canvas over the whole picture costs as much compositing as a
 * full one, and while the browser composes, the next change of a canvas has to copy it. It uses opacity, which
 * changes neither the layout nor which element the pointer meets.
 */
export function showLayer(element: HTMLElement, shown: boolean): void {
  const opacity = shown ? "" : "0";
  if (element.style.opacity !== opacity) element.style.opacity = opacity;
}

function makeLayer<K extends "canvas" | "div">(name: K): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  Object.assign(element.style, { position: "absolute", left: "0", top: "0" });
  return element;
}

function toKebab(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^webkit/, "-webkit");
}
