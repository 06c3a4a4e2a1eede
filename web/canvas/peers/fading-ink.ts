/**
 * Fading ink: it points at something while its author talks. Each author's ink is on a canvas of its own, which stays
 * while the author continues to write and for 2 s after, and then fades as a whole. While the view moves the canvases
 * move along, and are repainted once in a while, some points in each frame.
 */

import { boxAround } from "../geometry/box.ts";
import { IDENTITY, invert, multiply } from "../geometry/matrix.ts";
import type { HostLayers } from "../view/host.ts";
import { makePositioned } from "../view/positioned.ts";
import type { Ink } from "../painting/ink.ts";
import { FadingStroke } from "./fading-stroke.ts";
import { OverlayCanvas } from "./overlay.ts";

/** The key of this visitor as an author. It sorts before every client id, so that this visitor's ink is painted first. */
const OWN = "";
/** The key of the canvas that peers without one of their own share. It sorts behind every client id. */
const SHARED = "~";

/** Milliseconds for which ink stays after its author's last stroke. */
const STAY = 2_000;
const FADE = 600;
/** Milliseconds between two repaints of the canvases while the view moves. */
const REPAINT = 150;

/** The greatest number of peers with a canvas of their own, since a browser composes each canvas for every frame. */
const MAX_CANVASES = 8;
/**
 * The greatest number of points that are painted in a frame: they take about 5 ms, or 50 ms where each segment
 * crosses the window.
 */
const MAX_POINTS = 2_000;

interface Shown {
  readonly element: HTMLCanvasElement;
  readonly overlay: OverlayCanvas;
  /** The ink of each author on this canvas. */
  readonly inks: Map<string, readonly FadingStroke[]>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class FadingInk {
  private readonly layers: HostLayers;
  private readonly wake: () => void;
  /** The element of the canvases; it has no size. */
  private readonly element = makePositioned("div", {
    pointerEvents: "none",
    transformOrigin: "0 0",
  });
  /** The canvases by author, and the one of `SHARED`. */
  private readonly canvases = new Map<string, Shown>();
  private readonly faded = new Set<Shown>();
  /** The view in which the canvases are painted. */
  private viewport = IDENTITY;
  private repaintTimer: ReturnType<typeof setTimeout> | undefined;
  private isWaiting = false;

  /** Makes the layer. `wake` asks for a frame, in which `work` is called. */
  constructor(layers: HostLayers, wake: () => void) {
    this.layers = layers;
    this.wake = wake;
    layers.host.insertBefore(this.element, layers.selection);
  }

  /** Adds a finished stroke of this visitor, if there is one, and has the visitor's ink fade 2 s from now. */
  add(ink: Ink | undefined): void {
    const shown = ink ? this.open(OWN) : this.canvases.get(OWN);
    if (!shown) return;
    if (ink) {
      const finished = FadingStroke.finished(ink);
      shown.inks.set(OWN, [...(shown.inks.get(OWN) ?? []), finished]);
      this.paint();
    }
    clearTimeout(shown.timer);
    shown.timer = setTimeout(() => this.fade(OWN), STAY);
  }

  /** Keeps this visitor's ink from fading: another stroke has begun. */
  hold(): void {
    clearTimeout(this.canvases.get(OWN)?.timer);
  }

  /**
   * Shows the fading ink of peers, which may have grown; the ink of a peer who has none left fades. On the shared
   * canvas it disappears immediately as long as another peer's ink is there.
   */
  showPeers(inks: ReadonlyMap<string, readonly FadingStroke[]>): void {
    for (const [key, shown] of this.canvases) if (key !== OWN) this.keep(key, shown, inks);
    for (const [author, list] of inks) {
      const shown = this.open(this.keyOf(author));
      const before = shown.inks.get(author) ?? [];
      shown.inks.set(author, list);
      // Strokes are added at the end, so that another order means that one was cancelled.
      if (before.some((ink, at) => ink !== list[at])) this.restart(shown);
    }
    if (inks.size > 0) this.paint();
  }

  /** Paints what an earlier frame left unpainted. */
  work(): void {
    if (this.isWaiting) this.paint();
  }

  /**
   * Takes over size, ratio and viewport of the layers: immediately as a transform of the painted canvases, and by a
   * repaint soon after.
   */
  resize(): void {
    if (this.canvases.size + this.faded.size === 0) return this.repaint();
    const back = invert(this.viewport) ?? IDENTITY;
    this.element.style.transform = `matrix(${multiply(this.layers.viewport, back).join()})`;
    this.repaintTimer ??= setTimeout(() => this.repaint(), REPAINT);
  }

  dispose(): void {
    clearTimeout(this.repaintTimer);
    for (const shown of [...this.canvases.values(), ...this.faded]) this.remove(shown);
    this.canvases.clear();
    this.element.remove();
  }

  /** Removes the ink of peers who have none left from a canvas, which fades when nothing else is on it. */
  private keep(key: string, shown: Shown, inks: ReadonlyMap<string, unknown>): void {
    const gone = [...shown.inks.keys()].filter((author) => !inks.has(author));
    if (gone.length === shown.inks.size) return this.fade(key);
    for (const author of gone) shown.inks.delete(author);
    if (gone.length > 0) this.restart(shown);
  }

  /** Returns the key of the canvas of a peer: it stays the same as long as the peer has ink. */
  private keyOf(author: string): string {
    const { canvases } = this;
    if (canvases.has(author)) return author;
    const count = [...canvases.keys()].filter((key) => key !== OWN && key !== SHARED).length;
    return count >= MAX_CANVASES || canvases.get(SHARED)?.inks.has(author) ? SHARED : author;
  }

  private open(key: string): Shown {
    const known = this.canvases.get(key);
    if (known) return known;
    const element = makePositioned("canvas");
    element.dataset["fading"] = "";
    this.element.append(element);
    const overlay = new OverlayCanvas(element);
    const shown: Shown = { element, overlay, inks: new Map(), timer: undefined };
    overlay.resize(this.layers.size, this.layers.ratio, this.viewport);
    this.canvases.set(key, shown);
    return shown;
  }

  /** Paints up to `MAX_POINTS` unpainted points, and the rest in later frames. */
  private paint(): void {
    let left = MAX_POINTS;
    this.isWaiting = false;
    for (const key of [...this.canvases.keys()].sort()) {
      const { inks, overlay } = this.canvases.get(key) as Shown;
      const all = [...inks.values()].flat();
      const box = boxAround(all.map((ink) => ink.bounds()));
      // The canvas grows before anything is painted, so that no ink is lost in between.
      if (box && overlay.paint(box, () => undefined)) for (const ink of all) ink.restart();
      for (const ink of all) {
        const { unpainted } = ink;
        if (unpainted === 0) continue;
        if (left <= 0) {
          this.isWaiting = true;
          return this.wake();
        }
        overlay.paint(ink.bounds(), (context) => ink.paintPart(context, left));
        left -= unpainted - ink.unpainted;
      }
    }
  }

  /** Has all ink of a canvas repainted. */
  private restart({ inks, overlay }: Shown): void {
    overlay.clear();
    for (const list of inks.values()) for (const ink of list) ink.restart();
  }

  private repaint(): void {
    const { layers } = this;
    clearTimeout(this.repaintTimer);
    this.repaintTimer = undefined;
    this.viewport = layers.viewport;
    this.element.style.transform = "";
    for (const shown of this.faded) this.remove(shown);
    for (const shown of this.canvases.values()) {
      shown.overlay.resize(layers.size, layers.ratio, layers.viewport);
      this.restart(shown);
    }
    this.paint();
  }

  private fade(key: string): void {
    const shown = this.canvases.get(key);
    if (!shown) return;
    this.canvases.delete(key);
    clearTimeout(shown.timer);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.remove(shown);
    this.faded.add(shown);
    Object.assign(shown.element.style, { transition: `opacity ${FADE}ms`, opacity: "0" });
    shown.timer = setTimeout(() => this.remove(shown), FADE);
  }

  private remove(shown: Shown): void {
    clearTimeout(shown.timer);
    shown.overlay.dispose();
    shown.element.remove();
    this.faded.delete(shown);
  }
}
