/** The element that the page gives to the canvas, and the layers in it. */

import { invert, type Matrix, type Point, transform } from "./matrix.ts";

export interface HostLayers {
  readonly base: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  /** Holds Fabric's canvases. */
  readonly surface: HTMLElement;
  resize(width: number, height: number): void;
  /** Where an event is, in canvas pixels. */
  toScene(event: { readonly clientX: number; readonly clientY: number }, viewport: Matrix): Point;
  dispose(): void;
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

export function hostLayers(host: HTMLElement): HostLayers {
  for (const [name, value] of Object.entries(ATTRIBUTES))
    if (!host.hasAttribute(name)) host.setAttribute(name, value);
  Object.assign(host.style, STYLES);
  const base = layer("canvas");
  const overlay = layer("canvas");
  const surface = layer("div");
  overlay.style.pointerEvents = "none";
  showLayer(overlay, false);
  host.replaceChildren(base, overlay, surface);
  const origin = trackOrigin(host);
  return {
    base,
    overlay,
    surface,
    resize(width, height) {
      origin.forget();
      for (const element of [host, base, surface])
        Object.assign(element.style, { width: `${width}px`, height: `${height}px` });
    },
    toScene(event, viewport) {
      const { left, top } = origin.get();
      const x = event.clientX - left;
      const y = event.clientY - top;
      const back = invert(viewport);
      return back ? transform(back, x, y) : { x, y };
    },
    dispose() {
      origin.dispose();
      host.replaceChildren();
      for (const name of Object.keys(STYLES)) host.style.removeProperty(toKebab(name));
    },
  };
}

/** Where the element's content begins in the window, measured when it may have moved and not for each move of the pointer. */
function trackOrigin(host: HTMLElement) {
  let known: { readonly left: number; readonly top: number } | undefined;
  const forget = (): void => {
    known = undefined;
  };
  const listeners = new AbortController();
  const passive = { signal: listeners.signal, capture: true, passive: true };
  for (const name of ["pointerdown", "pointerenter"]) host.addEventListener(name, forget, passive);
  for (const name of ["scroll", "resize"]) window.addEventListener(name, forget, passive);
  return {
    forget,
    get(): { readonly left: number; readonly top: number } {
      if (!known) {
        const { left, top } = host.getBoundingClientRect();
        known = { left: left + host.clientLeft, top: top + host.clientTop };
      }
      return known;
    },
    dispose: () => listeners.abort(),
  };
}

function toKebab(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^webkit/, "-webkit");
}

/**
 * Shows or hides a layer that only paints. A transparent canvas over the whole picture costs as much
 * compositing as a full one, and while the browser composes, the next change of a canvas has to copy it.
 * Opacity, since it changes neither layout nor what the pointer meets.
 */
export function showLayer(element: HTMLElement, shown: boolean): void {
  const opacity = shown ? "" : "0";
  if (element.style.opacity !== opacity) element.style.opacity = opacity;
}

function layer<K extends "canvas" | "div">(name: K): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  Object.assign(element.style, { position: "absolute", left: "0", top: "0" });
  return element;
}

/** Calls `changed` whenever the device pixel ratio is another one: zoom, or another screen. Answers how to stop. */
export function watchRatio(changed: () => void): () => void {
  let query: MediaQueryList;
  const watch = (): void => {
    query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener("change", onChange, { once: true });
  };
  const onChange = (): void => {
    changed();
    watch();
  };
  watch();
  return () => query.removeEventListener("change", onChange);
}
