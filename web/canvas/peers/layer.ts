/**
 * The layer of live activity: the peers' pointers, their ink, the objects that they drag and those that they have
 * selected. New ink is painted onto the overlay canvas as it arrives; the canvas is repainted only when something on
 * it disappears or moves.
 */

import type { ObjectId } from "../../../board/drawing.ts";
import type { LiveLine, LiveTransform, PeerInk } from "../../../board/live.ts";
import type { Box } from "../geometry/box.ts";
import type { ContentObserver, PaintedBoard } from "../painting/content.ts";
import type { HostLayers } from "../view/host.ts";
import { Ink } from "../painting/ink.ts";
import { isSelectable, type Item } from "../scene/item.ts";
import { cornersOf, cornersOfBox, outlineBox, paintOutline } from "../scene/item-outline.ts";
import { type Matrix, scaleOf } from "../geometry/matrix.ts";
import type { NamedPeer } from "../view/named-peer.ts";
import { endsOf } from "../lines/straight.ts";
import { dragBox, draggedMatrix, isSameTransform } from "./drags.ts";
import { FadingInk } from "./fading-ink.ts";
import { FadingStroke } from "./fading-stroke.ts";
import { PeerHighlights } from "./highlights.ts";
import { isSameLine, lineBox, paintLine } from "./live-line.ts";
import { OverlayCanvas } from "./overlay.ts";
import { PeerPointers } from "./pointers.ts";

/**
 * The greatest work (see `PaintCost`) of the objects that peers drag, which each frame repaints, and of those that
 * they dropped. Further objects stay in their former position, or are not shown until the base canvas shows them.
 */
const MAX_OVERLAY_WORK = 1000;
/** The greatest number of outlines of selected objects, of all peers together. */
const MAX_OUTLINES = 500;

/** The board, and the layers above it. */
export interface PeersLayerDependencies extends Omit<PaintedBoard, "stats"> {
  readonly layers: HostLayers;
}

export class PeersLayer implements ContentObserver {
  private readonly deps: PeersLayerDependencies;
  private readonly overlay: OverlayCanvas;
  private readonly highlights: PeerHighlights;
  private readonly pointers = new PeerPointers();
  /** The fading ink of peers, and of this visitor. */
  readonly fadingInk: FadingInk;
  private readonly inks = new Map<string, Ink>();
  private drags = new Map<ObjectId, LiveTransform>();
  /** The lines and arrows that peers draw, or whose ends they move. */
  private lines: readonly LiveLine[] = [];
  /** The objects that the layer shows instead of the base canvas. */
  private detached: ReadonlySet<ObjectId> = new Set();
  /** The objects that were attached again, until the base canvas shows them. */
  private readonly settling = new Set<ObjectId>();
  /** The colour of the peer that has selected each object. */
  private outlines = new Map<ObjectId, string>();
  private stale = false;
  /** True when highlighter strokes grew since they were painted. */
  private isHighlightNew = false;
  private shown: readonly NamedPeer[] = [];
  /** True when the overlay canvas grew and lost its pixels. */
  private lost = false;

  constructor(deps: PeersLayerDependencies) {
    this.deps = deps;
    this.overlay = new OverlayCanvas(deps.layers.overlay);
    this.highlights = new PeerHighlights(deps.layers);
    this.fadingInk = new FadingInk(deps.layers, deps.wake);
    deps.layers.host.append(this.pointers.element);
    deps.content.observe(this);
  }

  /** Takes over size, ratio and viewport of the layers. */
  resize(): void {
    const { layers } = this.deps;
    this.overlay.resize(layers.size, layers.ratio, layers.viewport);
    this.highlights.resize();
    this.pointers.show(this.shown, layers.viewport);
    this.fadingInk.resize();
    const { inks, drags, settling, outlines, lines } = this;
    if (inks.size + drags.size + settling.size + outlines.size + lines.length > 0) this.refresh();
  }

  dispose(): void {
    this.fadingInk.dispose();
    this.highlights.dispose();
    this.overlay.dispose();
  }

  /** Shows these peers; anything that earlier calls showed and that is not among them disappears. */
  show(peers: readonly NamedPeer[]): void {
    this.shown = peers;
    this.pointers.show(peers, this.deps.layers.viewport);
    this.updateInk(peers);
    this.updateDrags(peers);
    this.updateLines(peers);
    this.updateDetached();
    this.updateOutlines(peers);
    // This is immediate, since a frame without the lost pixels would flicker.
    if (this.lost) this.repaint();
  }

  /**
   * Repaints the layer when something on it disappeared or moved, and paints the due part of the fading ink.
   * `settled`: the base canvas is fully painted.
   */
  work(settled: boolean): void {
    if (settled && this.settling.size > 0) {
      this.settling.clear();
      this.stale = true;
    }
    if (this.stale) this.repaint();
    else if (this.isHighlightNew) this.paintHighlights();
    this.fadingInk.work();
  }

  itemReplaced(item: Item): void {
    this.ownChanged(item.object.id);
  }

  ownChanged(id: ObjectId): void {
    if (this.drags.has(id) || this.settling.has(id) || this.outlines.has(id)) this.refresh();
  }

  /** Notes that an object was added or removed. */
  presenceChanged(id: ObjectId): void {
    if (this.outlines.has(id)) this.refresh();
  }

  /** Has the layer repainted in the next frame. */
  private refresh(): void {
    this.stale = true;
    this.deps.wake();
  }

  /** Repaints the layer, again after each growth of the canvas, which grows to the size of the host at most. */
  private repaint(): void {
    this.stale = false;
    do {
      this.lost = false;
      this.overlay.clear();
      this.paintSettling();
      for (const drag of this.drags.values()) this.paintDrag(drag);
      for (const ink of this.inks.values())
        if (ink.look === "ink") this.paint(ink.bounds(), (context) => ink.paintAll(context));
      for (const line of this.lines) this.paintLine(line);
      for (const [id, color] of this.outlines) this.paintOutline(id, color);
    } while (this.lost);
    this.overlay.hideIfEmpty();
    this.paintHighlights();
  }

  private paintHighlights(): void {
    this.isHighlightNew = false;
    this.highlights.show([...this.inks.values()].filter((ink) => ink.isTranslucent));
  }

  private paint(box: Box, work: (context: CanvasRenderingContext2D) => void): void {
    if (this.overlay.paint(box, work)) this.lost = true;
  }

  private updateInk(peers: readonly NamedPeer[]): void {
    const present = new Set<string>();
    const fading = new Map<string, FadingStroke[]>();
    for (const { clientId, ink } of peers)
      for (const stroke of ink) {
        const key = `${clientId}\n${stroke.stroke}`;
        present.add(key);
        const grown = this.growInk(key, stroke);
        if (grown.ink instanceof FadingStroke)
          fading.set(clientId, [...(fading.get(clientId) ?? []), grown.ink]);
        else if (grown.isNew) this.paintNew(grown.ink);
      }
    for (const [key, ink] of this.inks)
      if (!present.has(key)) {
        this.inks.delete(key);
        if (ink.look !== "fading") this.refresh();
      }
    this.fadingInk.showPeers(fading);
  }

  private paintNew(ink: Ink): void {
    if (ink.isTranslucent) {
      this.isHighlightNew = true;
      this.deps.wake();
    } else this.paint(ink.bounds(), (context) => ink.paintNew(context));
  }

  /** Takes over the points of a stroke. `isNew`: it has points that it did not have before. */
  private growInk(key: string, stroke: PeerInk): { readonly ink: Ink; readonly isNew: boolean } {
    const { color, width, look = "ink", points } = stroke;
    let ink = this.inks.get(key);
    if (!ink || ink.color !== color || ink.width !== width || ink.look !== look) {
      ink = look === "fading" ? new FadingStroke(color, width) : new Ink(color, width, look);
      this.inks.set(key, ink);
    }
    const isNew = points.length > ink.points.length;
    for (let i = ink.points.length; i < points.length; i++) ink.points.push(points[i] as number);
    return { ink, isNew };
  }

  private updateDrags(peers: readonly NamedPeer[]): void {
    const drags = new Map<ObjectId, LiveTransform>();
    let work = 0;
    for (const peer of peers)
      for (const drag of peer.drags) {
        const cost = this.deps.scene.get(drag.id)?.cost.work ?? 0;
        if (work + cost > MAX_OVERLAY_WORK) continue;
        work += cost;
        drags.set(drag.id, drag);
      }
    let same = drags.size === this.drags.size;
    for (const [id, drag] of drags) same &&= isSameTransform(this.drags.get(id), drag);
    if (same) return;
    this.drags = drags;
    this.refresh();
  }

  private updateLines(peers: readonly NamedPeer[]): void {
    const lines = peers.flatMap(({ line }) => line ?? []);
    const same =
      lines.length === this.lines.length &&
      lines.every((line, i) => isSameLine(this.lines[i] as LiveLine, line));
    if (same) return;
    this.lines = lines;
    this.refresh();
  }

  private updateDetached(): void {
    const { content, scene } = this.deps;
    const now = new Set(this.drags.keys());
    for (const { of } of this.lines) {
      const item = of && scene.get(of);
      // Whatever a peer claims, it moves the ends of lines only.
      if (item && endsOf(item)) now.add(of);
    }
    const before = this.detached;
    this.detached = now;
    for (const id of before)
      if (!now.has(id)) {
        this.settling.add(id);
        content.attach(id, "peers");
      }
    for (const id of now)
      if (!before.has(id)) {
        this.settling.delete(id);
        content.detach(id, "peers");
      }
  }

  private updateOutlines(peers: readonly NamedPeer[]): void {
    const outlines = new Map<ObjectId, string>();
    for (const { selected = [], color } of peers)
      for (const id of selected) {
        if (outlines.size >= MAX_OUTLINES) break;
        if (!outlines.has(id)) outlines.set(id, color);
      }
    let same = outlines.size === this.outlines.size;
    for (const [id, color] of outlines) same &&= this.outlines.get(id) === color;
    this.outlines = outlines;
    if (!same) this.refresh();
  }

  private paintDrag(drag: LiveTransform): void {
    const item = this.deps.scene.get(drag.id);
    if (item) this.paintItem(item, draggedMatrix(item, drag));
  }

  private paintSettling(): void {
    let work = 0;
    for (const id of this.settling) {
      const item = this.deps.scene.get(id);
      work += item?.cost.work ?? 0;
      if (work > MAX_OVERLAY_WORK) return;
      if (item) this.paintItem(item, item.matrix);
    }
  }

  private paintItem(item: Item, matrix: Matrix): void {
    const { content, painter } = this.deps;
    // An object that this visitor drags or edits is shown where this visitor sees it.
    if (content.isDetachedBy(item.object.id, "own")) return;
    this.paint(dragBox(item, matrix), (context) => painter.paint(context, item, matrix));
  }

  /** Paints a line, unless this visitor drags or edits the object, or the object is no line. */
  private paintLine(line: LiveLine): void {
    const { of } = line;
    if (of && (!this.detached.has(of) || this.deps.content.isDetachedBy(of, "own"))) return;
    this.paint(lineBox(line), (context) => paintLine(context, line));
  }

  /** Paints the outline of an object, unless it was removed, this visitor drags or edits it, or nobody can select it. */
  private paintOutline(id: ObjectId, color: string): void {
    const { content, layers, scene } = this.deps;
    const item = scene.get(id);
    if (!item || !isSelectable(item) || content.isDetachedBy(id, "own")) return;
    const drag = this.drags.get(id);
    const line = this.detached.has(id) && this.lines.find(({ of }) => of === id);
    const corners = line
      ? cornersOfBox(lineBox(line))
      : cornersOf(item, drag ? draggedMatrix(item, drag) : item.matrix);
    const pixel = 1 / (scaleOf(layers.viewport) || 1);
    const box = outlineBox(corners, pixel);
    if (box) this.paint(box, (context) => paintOutline(context, corners, color, pixel));
  }
}
