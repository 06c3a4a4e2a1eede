/**
 * Fading ink: it points at something while its author talks. Each author's is on a canvas of its own, which stays
 * while the author writes on and for 2 s after, and then fades as a whole.
 */

import type { HostLayers } from "../view/host.ts";
import type { Ink } from "../painting/ink.ts";
import { OverlayCanvas } from "./overlay.ts";

/** This visitor among the authors. */
const OWN = "";

/** Milliseconds. */
const STAY = 2_000;
const FADE = 600;

/** Authors whose ink is shown at once: each takes a canvas. */
const MAX_AUTHORS = 8;

interface Shown {
  readonly element: HTMLCanvasElement;
  readonly overlay: OverlayCanvas;
  readonly inks: Set<Ink>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class FadingInk {
  private readonly layers: HostLayers;
  private readonly authors = new Map<string, Shown>();
  private readonly faded = new Set<Shown>();

  constructor(layers: HostLayers) {
    this.layers = layers;
  }

  /** Adds a finished stroke of this visitor, or none, and has the visitor's ink fade 2 s from now. */
  add(ink: Ink | undefined): void {
    const shown = ink ? this.open(OWN) : this.authors.get(OWN);
    if (!shown) return;
    if (ink) this.paint(shown, ink);
    clearTimeout(shown.timer);
    shown.timer = setTimeout(() => this.fade(OWN), STAY);
  }

  /** Keeps this visitor's ink: another stroke has begun. */
  hold(): void {
    clearTimeout(this.authors.get(OWN)?.timer);
  }

  /** Shows the fading ink of peers, which may have grown; that of a peer who has none any more fades. */
  showPeers(inks: ReadonlyMap<string, readonly Ink[]>): void {
    for (const author of this.authors.keys())
      if (author !== OWN && !inks.has(author)) this.fade(author);
    for (const [author, list] of inks) {
      const shown = this.open(author);
      if (shown) for (const ink of list) this.paint(shown, ink);
    }
  }

  /** Takes over size, ratio and viewport of the layers. */
  resize(): void {
    const { layers } = this;
    for (const [author, shown] of this.authors) {
      shown.overlay.resize(layers.size, layers.ratio, layers.viewport);
      this.repaint(shown, author === OWN);
    }
    for (const shown of this.faded) this.remove(shown);
  }

  dispose(): void {
    for (const shown of [...this.authors.values(), ...this.faded]) this.remove(shown);
    this.authors.clear();
  }

  private open(author: string): Shown | undefined {
    const known = this.authors.get(author);
    if (known || this.authors.size >= MAX_AUTHORS) return known;
    const { layers } = this;
    const element = document.createElement("canvas");
    element.dataset["fading"] = "";
    Object.assign(element.style, { position: "absolute", left: "0", top: "0" });
    element.style.pointerEvents = "none";
    layers.host.insertBefore(element, layers.selection);
    const overlay = new OverlayCanvas(element);
    overlay.resize(layers.size, layers.ratio, layers.viewport);
    const shown = { element, overlay, inks: new Set<Ink>(), timer: undefined };
    this.authors.set(author, shown);
    return shown;
  }

  private paint(shown: Shown, ink: Ink): void {
    const isOwn = this.authors.get(OWN) === shown;
    shown.inks.add(ink);
    const isLost = shown.overlay.paint(ink.bounds(), (context) =>
      isOwn ? ink.paintAll(context, true) : ink.paintNew(context),
    );
    // At once: a frame without the lost pixels would flicker.
    if (isLost) this.repaint(shown, isOwn);
  }

  /** Paints an author's ink anew, once more each time that the canvas grows. */
  private repaint({ inks, overlay }: Shown, isOwn: boolean): void {
    let isLost = true;
    while (isLost) {
      isLost = false;
      overlay.clear();
      for (const ink of inks)
        if (overlay.paint(ink.bounds(), (context) => ink.paintAll(context, isOwn))) isLost = true;
    }
  }

  private fade(author: string): void {
    const shown = this.authors.get(author);
    if (!shown) return;
    this.authors.delete(author);
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
