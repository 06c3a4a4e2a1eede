/**
 * Moves the view on behalf of controls, keys and followed peers, and shows the page its state. Pointers and wheel
 * move it elsewhere.
 */

import type { BoardChanges } from "../../../board/drawing.ts";
import { AwayPeers } from "./away-peers.ts";
import {
  type Box,
  boxAround,
  containsBox,
  containsPoint,
  EVERYWHERE,
  inflate,
  overlaps,
} from "../geometry/box.ts";
import type { HostLayers } from "./host.ts";
import { isHittable, type Item } from "../scene/item.ts";
import { applyMatrix, type Point } from "../geometry/matrix.ts";
import { mainGroup, NearestOutside, nearestOutside, type Outside } from "./outlying.ts";
import type { NamedPeer } from "./named-peer.ts";
import type { OutsideState, ViewMove, ViewState } from "./state.ts";
import type { Scene } from "../scene/scene.ts";
import { HOME, type View, ZOOM } from "./view.ts";
import { centreOn, fitBox, showBox, sideBeyond, toCss } from "./fit.ts";
import type { Viewport } from "./viewport.ts";

/** Milliseconds between two reports of the view to the page. */
const REPORT_INTERVAL = 150;

/** The distance, in windows, from all other objects beyond which an object is left out when everything is shown. */
const FAR_WINDOWS = 10;

/** The distance from the edges that the view keeps for a followed peer, as a part of the canvas's size. */
const FOLLOW_EDGE = 0.2;

export interface ViewGuideDependencies {
  readonly layers: HostLayers;
  readonly scene: Scene;
  readonly viewport: Viewport;
  /** The box around the selected objects, in canvas pixels. */
  readonly selected: () => Box | undefined;
  readonly report: (state: ViewState) => void;
}

export class ViewGuide {
  private readonly deps: ViewGuideDependencies;
  private readonly away = new AwayPeers();
  /** The box around all objects but eraser strokes; undefined when it must be measured. */
  private extent: Box | null | undefined;
  private readonly nearest = new NearestOutside();
  private fingerPans: boolean | null = null;
  private leftOut = 0;
  private reported = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private reportedAt = -Infinity;

  constructor(deps: ViewGuideDependencies) {
    this.deps = deps;
    deps.viewport.watcher = (byVisitor) => {
      if (byVisitor) this.away.release();
      this.schedule();
    };
    this.schedule();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.deps.viewport.watcher = undefined;
  }

  /** Performs the command of a control or a key; `covered`: CSS pixels at the bottom that the dock covers. */
  move(move: ViewMove, covered: number): void {
    const { viewport, selected } = this.deps;
    const frame = this.shownArea();
    const area = { ...frame, bottom: Math.max(1, frame.bottom - covered) };
    const middle = { x: frame.right / 2, y: frame.bottom / 2 };
    switch (move.kind) {
      case "pan":
        return viewport.pan(move.dx * frame.right, move.dy * frame.bottom);
      case "zoom":
        return viewport.zoom(move.factor, middle);
      case "home":
        return viewport.set(HOME, true);
      case "all":
        viewport.set(this.fitAll(area), true);
        return this.schedule();
      case "drawing": {
        const outside = this.outside();
        return outside ? this.goTo(outside.box, area) : undefined;
      }
      case "objects": {
        const boxes = move.ids.flatMap((id) => boxOfItem(this.deps.scene.get(id)) ?? []);
        const visible = this.visibleBox();
        if (boxes.some((box) => overlaps(box, visible))) return;
        const nearest = nearestOutside(boxes, visible);
        return nearest ? this.goTo(nearest.box, area) : undefined;
      }
      case "selection": {
        const box = selected();
        return box && viewport.set(fitBox(box, area, ZOOM.max), true);
      }
      case "stay":
        this.away.release();
        return this.schedule();
      case "peer": {
        const at = this.away.choose(move.clientId, move.follow);
        this.schedule();
        return at && viewport.set(centreOn(viewport.view, at, area), false);
      }
    }
  }

  /** Moves the view just far enough to show the box (canvas pixels) when the point is out of view. */
  reveal(point: Point, box: Box): void {
    const { layers, viewport } = this.deps;
    const at = applyMatrix(layers.viewport, point.x, point.y);
    if (!containsPoint(this.shownArea(), at.x, at.y))
      viewport.set(showBox(viewport.view, box, this.shownArea()), false);
  }

  /** Takes over the positions of the peers; the view moves with the one that it follows if it is free to move. */
  showPeers(peers: readonly NamedPeer[], isFree: boolean): void {
    this.away.show(peers, performance.now());
    const { followed } = this.away;
    if (followed && isFree) {
      const { viewport } = this.deps;
      const { right, bottom: end } = this.shownArea();
      const bottom = Math.max(1, end - viewport.covered());
      const edge = Math.min(right, bottom) * FOLLOW_EDGE;
      const box = { left: followed.x, top: followed.y, right: followed.x, bottom: followed.y };
      const within = { left: edge, top: edge, right: right - edge, bottom: bottom - edge };
      viewport.set(showBox(viewport.view, box, within), false);
    }
    this.schedule();
  }

  /** Notes that the board changed; without an argument, all of it. */
  boardChanged(changes?: BoardChanges): void {
    if (!changes || changes.removed.length + changes.changed.length > 0 || !this.extent) {
      this.extent = undefined;
      this.nearest.forget();
    } else {
      const { extent } = this;
      const boxes = changes.added.flatMap(({ id }) => boxOfItem(this.deps.scene.get(id)) ?? []);
      this.extent = boxAround([extent, ...boxes]) ?? null;
      this.nearest.add(boxes);
      const frame = this.visibleBox();
      // A report would say the same as the last one.
      if (boxes.every((box) => containsBox(extent, box) && containsBox(frame, box))) return;
    }
    this.schedule();
  }

  /** Notes whether one finger moves the view or draws; it always draws before a pen was used. */
  setFingerPans(fingerPans: boolean): void {
    this.fingerPans = fingerPans;
    this.schedule();
  }

  private shownArea(): Box {
    const { width, height } = this.deps.layers.size;
    return { left: 0, top: 0, right: width, bottom: height };
  }

  /**
   * Returns the view of all objects but those too far from the others, or from the origin, to be shown with them, so
   * that one object cannot lead the view away.
   */
  private fitAll(area: Box): View {
    const { right, bottom } = this.shownArea();
    const boxes = [...this.boxes()];
    this.leftOut = 0;
    if (boxes.length === 0) return HOME;
    const together = mainGroup(boxes, { x: FAR_WINDOWS * right, y: FAR_WINDOWS * bottom });
    const view = fitBox(boxAround(together)!, area, 1);
    const reach = inflate(area, Math.max(right, bottom) / ZOOM.min);
    const near = view.zoom > ZOOM.min ? [] : together.filter((box) => containsBox(reach, box));
    const shown = near.length > 0 ? near : together;
    this.leftOut = boxes.length - shown.length;
    return near.length > 0 ? fitBox(boxAround(near)!, area, 1) : view;
  }

  /** The boxes of all objects that can be shown. */
  private *boxes(): Iterable<Box> {
    for (const item of this.deps.scene.all()) {
      const box = boxOfItem(item);
      if (box) yield box;
    }
  }

  /** Moves to a box in canvas pixels: its middle to that of `area`, or, where the box is larger, just into it. */
  private goTo(box: Box, area: Box): void {
    const { viewport } = this.deps;
    const { view } = viewport;
    const { left, top, right, bottom } = box;
    const fits =
      (right - left) * view.zoom <= area.right && (bottom - top) * view.zoom <= area.bottom;
    const centre = { x: (left + right) / 2, y: (top + bottom) / 2 };
    viewport.set(fits ? centreOn(view, centre, area) : showBox(view, box, area), true);
  }

  /** The part of the board that the view shows, in canvas pixels. */
  private visibleBox(): Box {
    const { x, y, zoom } = this.deps.viewport.view;
    const { right, bottom } = this.shownArea();
    return {
      left: -x / zoom,
      top: -y / zoom,
      right: (right - x) / zoom,
      bottom: (bottom - y) / zoom,
    };
  }

  private outside(): Outside | null {
    const frame = this.visibleBox();
    const { extent } = this;
    // Where the view shows the whole board, no object needs to be looked at.
    return extent && !containsBox(frame, extent)
      ? this.nearest.find(frame, () => this.boxes())
      : null;
  }

  private outsideState(): OutsideState | null {
    const outside = this.outside();
    if (!outside) return null;
    const { left, top, right, bottom } = toCss(this.deps.viewport.view, outside.box);
    const { side } = outside;
    const [x, y] = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
    return { side, distance: Math.max(1, Math.round(outside.distance)), x, y };
  }

  /** Reports changes to the page, soon. */
  schedule(): void {
    if (this.timer !== undefined) return;
    const wait = this.reportedAt + REPORT_INTERVAL - performance.now();
    this.timer = setTimeout(() => this.report(), Math.max(0, wait));
  }

  private report(): void {
    this.timer = undefined;
    this.reportedAt = performance.now();
    const { view } = this.deps.viewport;
    const frame = this.shownArea();
    this.extent ??= boxAround(this.boxes()) ?? null;
    const { extent } = this;
    const toScreen = (at: Point): Point => ({
      x: at.x * view.zoom + view.x,
      y: at.y * view.zoom + view.y,
    });
    const peers = this.away.list(frame, toScreen, this.reportedAt);
    const state: ViewState = {
      percent: Math.round(100 * view.zoom),
      moved: view.x !== 0 || view.y !== 0 || view.zoom !== 1,
      more: extent && sideBeyond(toCss(view, extent), frame),
      outside: this.outsideState(),
      large:
        extent !== null &&
        (extent.right - extent.left >= 2 * frame.right ||
          extent.bottom - extent.top >= 2 * frame.bottom),
      leftOut: this.leftOut,
      fingerPans: this.fingerPans,
      peers,
      located: this.away.located,
      following: this.away.following,
    };
    // A peer that stops is no longer away some time later, unless it is followed.
    if (peers.some(({ following }) => !following)) this.schedule();
    const text = JSON.stringify(state);
    if (text === this.reported) return;
    this.reported = text;
    this.deps.report(state);
  }
}

/**
 * Returns the box of an object, of a text without the space for its accents; undefined for a stroke of the eraser, for
 * invisible objects and for those that paint everywhere.
 */
function boxOfItem(item: Item | undefined): Box | undefined {
  if (!item || !isHittable(item) || item.box === EVERYWHERE) return undefined;
  return item.shape.kind === "fabric" ? item.bounds : item.box;
}
