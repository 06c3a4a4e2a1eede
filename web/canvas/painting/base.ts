/** The base canvas: the picture of the board. An object on top of all others is painted onto it immediately; any other change marks rectangles as dirty, which are cleared and painted again with all objects that touch them. */

import { alignBox, areaOf, type Box, clipBox, EMPTY_BOX, overlaps } from "../geometry/box.ts";
import { DirtyArea, LARGE } from "./dirty.ts";
import { FrameBudget, SHARPENING, WORK_LIMITS } from "./frame-budget.ts";
import type { Item } from "../scene/item.ts";
import type { PanTiles } from "./pan-tiles.ts";
import { applyMatrixToBox, IDENTITY, invert, type Matrix, multiply } from "../geometry/matrix.ts";
import { PictureState } from "./picture-state.ts";
import { canvasBox, clearArea, copyOf, shiftBetween } from "./scaled-picture.ts";
import {
  type BaseCanvasDependencies,
  isWithin,
  repaintArea,
  type RepaintObserver,
} from "./repaint.ts";
import { SlicedRepaint } from "./sliced-repaint.ts";

/** Device pixels around a changed box that anti-aliasing may have touched. */
const MARGIN = 2;

export class BaseCanvas {
  readonly element: HTMLCanvasElement;
  /** The colour of the background (CSS). */
  background = "white";
  private readonly deps: BaseCanvasDependencies;
  private readonly context: CanvasRenderingContext2D;
  private readonly dirty = new DirtyArea(EMPTY_BOX);
  private ratio = 1;
  private viewport: Matrix = IDENTITY;
  /** The map from canvas pixels to device pixels. */
  toDevice: Matrix = IDENTITY;
  private observer: RepaintObserver | undefined;
  private readonly state = new PictureState();
  /** The pan tiles. Until their code has arrived, a pan is shown in the way of a change of scale. */
  tiles: PanTiles | undefined;
  /** The work of heavy objects that were painted immediately since the last frame began. */
  private addedWork = 0;
  private readonly onRestored = (): void => this.repaintAll();

  constructor(element: HTMLCanvasElement, deps: BaseCanvasDependencies) {
    this.element = element;
    this.deps = deps;
    const context = element.getContext("2d");
    if (!context) throw new Error("No canvas 2D context");
    this.context = context;
    element.addEventListener("contextrestored", this.onRestored);
  }

  /** Takes over the observer of repaints; there is at most one. */
  observe(observer: RepaintObserver): void {
    this.observer = observer;
  }

  /** True when nothing waits to be painted. */
  get settled(): boolean {
    return this.dirty.empty && this.state.kind === "direct" && !this.tiles?.waiting;
  }

  /** The whole picture, in device pixels. */
  get bounds(): Box {
    return canvasBox(this.element);
  }

  dispose(): void {
    this.element.removeEventListener("contextrestored", this.onRestored);
    this.forgetPictures();
    this.element.width = this.element.height = 0;
  }

  /** Takes over a size in CSS pixels. The picture stays; only parts that came into view are painted. */
  resize(width: number, height: number, ratio: number): void {
    const { element, context } = this;
    const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width === deviceWidth && element.height === deviceHeight && ratio === this.ratio)
      return;
    this.observer?.beforeRepaint(this.bounds);
    this.observer?.pictureMoved();
    const keep = ratio === this.ratio && element.width > 0 && element.height > 0;
    const before = { width: element.width, height: element.height };
    const copy = keep ? copyOf(element) : null;
    const unfinished = this.state.endRepaint();
    this.state.outdate(false);
    if (unfinished) this.dirty.add(unfinished);
    element.width = deviceWidth;
    element.height = deviceHeight;
    this.ratio = ratio;
    this.toDevice = multiply([ratio, 0, 0, ratio, 0, 0], this.viewport);
    this.dirty.setBounds(this.bounds);
    if (!copy) return this.repaintAll();
    this.clear(this.bounds);
    context.drawImage(copy, 0, 0);
    copy.width = copy.height = 0;
    this.dirty.add({ ...this.bounds, left: before.width });
    this.dirty.add({ ...this.bounds, top: before.height });
    this.deps.wake();
  }

  /**
   * Takes over the map from canvas pixels to CSS pixels. When that moves the picture by whole device pixels, the
   * picture is copied and the parts that come into view are dirty; otherwise the picture is scaled until the objects
   * are painted anew.
   */
  setViewport(viewport: Matrix): void {
    const before = this.toDevice;
    this.observer?.beforeRepaint(this.bounds);
    this.observer?.pictureMoved();
    this.viewport = viewport;
    this.toDevice = multiply([this.ratio, 0, 0, this.ratio, 0, 0], viewport);
    const shift = shiftBetween(before, this.toDevice);
    if (this.deps.scene.size === 0) this.repaintAll();
    else if (shift && this.tiles && this.state.kind !== "scaled")
      this.movePicture(this.tiles, shift.x, shift.y);
    else this.scalePicture(before);
    this.deps.wake();
  }

  private movePicture(tiles: PanTiles, x: number, y: number): void {
    const { background, bounds, context, dirty, state } = this;
    if (Math.abs(x) >= bounds.right || Math.abs(y) >= bounds.bottom) return this.repaintAll();
    const isPainted = state.kind === "direct" || state.repaint?.exposed !== undefined;
    const isCurrent = dirty.empty && isPainted;
    tiles.moveBase(context, { x, y, background, isCurrent });
    state.repaint?.move(x, y);
    dirty.move(x, y);
  }

  private scalePicture(before: Matrix): void {
    const copy = this.state.scale(this.element, before, this.settled);
    this.tiles?.clear();
    this.dirty.clear();
    this.clear(this.bounds);
    copy.paint(this.context, this.toDevice);
  }

  private forgetPictures(): void {
    this.state.clear();
    this.tiles?.clear();
  }

  setBackground(background: string): void {
    if (background === this.background) return;
    this.background = background;
    this.repaintAll();
  }

  /** Marks the whole picture as dirty. An empty board is painted immediately. */
  repaintAll(): void {
    this.forgetPictures();
    if (this.deps.scene.size === 0) {
      this.dirty.clear();
      return this.repaint(this.bounds, []);
    }
    this.dirty.addAll();
    this.deps.wake();
  }

  /** Marks a box (canvas pixels) as dirty. `whole`: it stays one rectangle, however large it is, so that each object in it is painted once. */
  invalidate(box: Box, whole = false): void {
    const aligned = this.align(box);
    this.dirty.add(aligned, whole);
    this.tiles?.drop(aligned);
    this.repaintAgain(aligned);
    this.state.outdate(false);
    this.deps.wake();
  }

  /** Returns the device pixels that a box of canvas pixels touches; null when it lies outside. */
  deviceBox(box: Box): Box | null {
    return clipBox(this.align(box), this.bounds);
  }

  private align(box: Box): Box {
    return alignBox(applyMatrixToBox(this.toDevice, box), MARGIN);
  }

  /** Paints over the picture, in canvas pixels, or with another transform to device pixels. */
  paintOver(work: (context: CanvasRenderingContext2D) => void, transform = this.toDevice): void {
    this.context.setTransform(...transform);
    work(this.context);
  }

  /** Paints an added item immediately when it costs little and nothing covers it, which the caller may know; otherwise marks its box as dirty. */
  paintAdded(item: Item, isUncovered = this.deps.scene.isUncovered(item.object, item.box)): void {
    const box = this.align(item.box);
    const isInView = overlaps(box, this.bounds);
    if (isInView && !(isUncovered && this.mayPaintNow(item))) return this.invalidate(item.box);
    this.state.outdate(true);
    this.tiles?.drop(box);
    this.repaintAgain(box);
    if (!isInView) return;
    this.observer?.beforeRepaint(box);
    this.deps.stats.painted++;
    this.paintOver((context) => this.deps.painter.paint(context, item));
    this.observer?.afterRepaint(box);
  }

  /** Has a box repainted after a repaint in slices that does not know what changed in it. */
  private repaintAgain(box: Box): void {
    const { repaint } = this.state;
    if (!repaint || !overlaps(repaint.area, box)) return;
    repaint.outdated = true;
    this.dirty.add(box);
  }

  /** Paints dirty rectangles until `deadline` (performance.now()), and a large one for longer while nobody draws; the rest stays dirty. */
  paintDirty(deadline: number, isDrawing: boolean): void {
    const { scene, stats, wake } = this.deps;
    const { copy, repaint } = this.state;
    const isLarge = copy || (repaint && !repaint.exposed && !isDrawing);
    const budget = new FrameBudget(isLarge ? deadline + SHARPENING : deadline, stats);
    this.addedWork = 0;
    for (const item of scene.effects.settle()) this.invalidate(item.box);
    if (copy && !this.state.repaint && !this.sharpen(copy)) return wake();
    while (!this.settled) {
      const complete = this.repaintNext(budget);
      if (this.settled) return;
      if (!complete || budget.isDue(this.element)) return wake();
    }
  }

  /** Begins to paint all objects anew under a picture that was scaled. Returns false while its scale may still change. */
  private sharpen(copy: NonNullable<PictureState["copy"]>): boolean {
    const { background, context, dirty, bounds, observer, deps, state, toDevice } = this;
    if (!copy.isQuiet()) return false;
    const same = state.copyOf(toDevice);
    observer?.beforeRepaint(bounds);
    same?.restore(context);
    observer?.afterRepaint(bounds);
    if (same) {
      state.endScaling();
      return true;
    }
    const back = invert(toDevice);
    const items = back ? deps.scene.touching(applyMatrixToBox(back, bounds)) : [];
    if (!isWithin(items, WORK_LIMITS.whole)) {
      dirty.addTiles(bounds);
      state.endScaling();
      return true;
    }
    dirty.clear();
    const { painter, stats } = deps;
    stats.repaints++;
    state.begin(new SlicedRepaint({ area: bounds, toDevice, background, items, painter }));
    return true;
  }

  private mayPaintNow(item: Item): boolean {
    const { effects, work } = item.cost;
    if (item.detached || effects > 0) return false;
    if (work <= WORK_LIMITS.heavy) return true;
    this.addedWork += work;
    // The next frame begins with a new count.
    this.deps.wake();
    return this.addedWork <= WORK_LIMITS.added;
  }

  /** Paints the next rectangle. Returns false when the budget did not suffice for all of it. */
  private repaintNext(budget: FrameBudget): boolean {
    const repaint = this.state.repaint ?? this.beginRepaint(budget);
    if (!repaint) return true;
    if (!repaint.work(budget)) return false;
    const { area, canvas, exposed, outdated } = repaint;
    this.observer?.beforeRepaint(area);
    this.clear(area);
    this.context.drawImage(canvas, area.left, area.top);
    this.observer?.afterRepaint(area);
    const keepsCanvas = exposed !== undefined && !outdated;
    if (exposed) this.tiles?.finish(exposed, keepsCanvas ? canvas : undefined);
    this.state.endRepaint(keepsCanvas);
    this.state.endScaling();
    return true;
  }

  /** Takes a dirty rectangle and paints it, or returns its repaint in slices. */
  private beginRepaint(budget: FrameBudget): SlicedRepaint | undefined {
    const { background, toDevice } = this;
    const { painter, scene, stats } = this.deps;
    const dirty = this.dirty.take();
    const exposed = dirty ? undefined : this.tiles?.nextExposed(this.bounds);
    const area = dirty ? clipBox(dirty, this.bounds) : exposed?.area;
    const back = invert(toDevice);
    if (!area || !back) return undefined;
    const items = scene.touching(applyMatrixToBox(back, area));
    if (areaOf(area) > LARGE && !exposed && !isWithin(items, WORK_LIMITS.whole)) {
      this.dirty.addTiles(area);
      return undefined;
    }
    stats.repaints++;
    if (exposed && items.length === 0) {
      this.tiles?.finish(exposed, null);
      return undefined;
    }
    if (!exposed && isWithin(items, WORK_LIMITS.direct)) {
      this.repaint(area, items, budget);
      return undefined;
    }
    const repaint = new SlicedRepaint({ area, toDevice, background, items, painter }, exposed);
    this.state.begin(repaint);
    return repaint;
  }

  /** Paints a rectangle of device pixels in the background's colour. */
  private clear(rectangle: Box): void {
    clearArea(this.context, rectangle, this.background);
  }

  private repaint(area: Box, items: readonly Item[], budget?: FrameBudget): void {
    const { background, context, deps, observer, toDevice } = this;
    observer?.beforeRepaint(area);
    for (const item of items) if (!item.detached) budget?.count(item);
    repaintArea({ context, area, background, toDevice, items, painter: deps.painter });
    observer?.afterRepaint(area);
  }
}
