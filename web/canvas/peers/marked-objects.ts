/**
 * The marked objects, which the page highlights: a veil dims the board, and above it these objects are painted again,
 * each with an outline. An object that somebody drags meanwhile is shown by the layer of the drag.
 */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import { isEraserStroke } from "../../../board/object-parser.ts";
import { overlaps } from "../geometry/box.ts";
import { applyMatrixToBox, invert, multiply, scaleOf } from "../geometry/matrix.ts";
import type { ContentObserver } from "../painting/content.ts";
import type { Item } from "../scene/item.ts";
import { cornersOf, paintOutline } from "../scene/item-outline.ts";
import { byStack } from "../scene/scene.ts";
import { makePositioned } from "../view/positioned.ts";
import type { PeersLayerDependencies } from "./layer.ts";

/** Milliseconds of painting in one frame. */
const FRAME_TIME = 8;
const VEIL = "rgb(255 255 255 / 0.82)";
/** CSS pixels from an object to its outline, which would otherwise hide a thin stroke. */
const OUTSET = 4;
/** The greatest number of outlines; when there are more objects, none beyond the first has one. */
const MAX_OUTLINES = 500;
/** The colour of outlines when none is given. */
const COLOR = "#5b5f66";

export class MarkedObjects implements ContentObserver {
  private readonly deps: PeersLayerDependencies;
  private readonly element = makePositioned("canvas", { pointerEvents: "none", background: VEIL });
  private ids: ReadonlySet<ObjectId> | null = null;
  private color = COLOR;
  /** The painting that the next frames have to finish. */
  private painting: Iterator<void> | null = null;

  constructor(deps: PeersLayerDependencies) {
    this.deps = deps;
    this.element.dataset["marked"] = "";
    deps.content.observe(this);
  }

  /** Marks these objects and no others, with outlines of a colour (CSS); null removes all marks. */
  set(ids: Iterable<ObjectId> | null, color: string = COLOR): void {
    this.color = color;
    this.ids = ids && new Set(ids);
    if (ids) this.deps.layers.overlay.before(this.element);
    else this.element.remove();
    this.refresh();
  }

  /** Notes changes of the board. */
  apply({ added, changed, removed }: BoardChanges): void {
    const { ids } = this;
    // Strokes of the eraser take parts of the marked objects away.
    const shows = (one: BoardObject): boolean => ids?.has(one.id) === true || isEraserStroke(one);
    if (ids && [added, changed, removed].some((list) => list.some(shows))) this.refresh();
  }

  itemReplaced({ object }: Item): void {
    if (this.ids?.has(object.id)) this.refresh();
  }

  detachedChanged(id: ObjectId): void {
    if (this.ids?.has(id)) this.refresh();
  }

  /** Paints for one slice of time. */
  work(): void {
    const { painting } = this;
    if (!painting) return;
    const end = performance.now() + FRAME_TIME;
    do {
      if (painting.next().done) {
        this.painting = null;
        return;
      }
    } while (performance.now() < end);
    this.deps.wake();
  }

  dispose(): void {
    this.set(null);
    this.element.width = this.element.height = 0;
  }

  /** Paints the marks anew, with size, ratio and viewport of the layers. */
  refresh(): void {
    const { ids } = this;
    this.painting = ids && this.paint(ids);
    if (ids) this.deps.wake();
  }

  private *paint(ids: ReadonlySet<ObjectId>): Generator<void, void> {
    const { element } = this;
    const { layers, painter } = this.deps;
    const { ratio, size, viewport } = layers;
    const context = element.getContext("2d");
    if (!context) return;
    element.width = Math.round(size.width * ratio);
    element.height = Math.round(size.height * ratio);
    Object.assign(element.style, { width: `${size.width}px`, height: `${size.height}px` });
    context.setTransform(...multiply([ratio, 0, 0, ratio, 0, 0], viewport));
    const items = this.shown(ids);
    for (const item of items) {
      // Erased parts do not reappear.
      context.globalCompositeOperation = item.eraser ? "destination-out" : "source-over";
      painter.paint(context, item);
      yield;
    }
    context.globalCompositeOperation = "source-over";
    const pixel = 1 / (scaleOf(viewport) || 1);
    for (const item of items.filter(({ eraser }) => !eraser).slice(-MAX_OUTLINES)) {
      paintOutline(context, cornersOf(item, item.matrix, OUTSET * pixel), this.color, pixel);
      yield;
    }
  }

  /** The marked items in the view, and the strokes of the eraser, bottom first. */
  private shown(ids: ReadonlySet<ObjectId>): readonly Item[] {
    const { layers, scene } = this.deps;
    const back = invert(layers.viewport);
    if (!back) return [];
    const { width, height } = layers.size;
    const view = applyMatrixToBox(back, { left: 0, top: 0, right: width, bottom: height });
    const found: Item[] = [];
    for (const item of scene.all()) {
      const { object, eraser, detached } = item;
      if ((eraser || ids.has(object.id)) && !detached && overlaps(item.box, view)) found.push(item);
    }
    return found.sort(byStack);
  }
}
