/** The objects that this visitor drags: detached from the base canvas and painted with the selection's handle. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { LiveTransform } from "../../../board/live.ts";
import type { Item } from "../scene/item.ts";
import { type Matrix, multiply, translation } from "../geometry/matrix.ts";
import type { Painter } from "../painting/paint.ts";
import { matrixOf, transformOf } from "../geometry/transform.ts";
import { liveTransform } from "../geometry/transform-change.ts";

/** The number of objects, and their work (see `PaintCost`), above which they are painted from a snapshot. */
const MAX_PAINTED = 100;
const MAX_DRAGGED_WORK = 3000;

/** The greatest number of dragged objects whose preview is sent to the peers. */
const MAX_LIVE = 100;

/** The greatest work of a snapshot, which takes about 1 s; further objects are not shown during the drag. */
const MAX_SNAPSHOT_WORK = 100_000;

export interface DraggedObject {
  item: Item;
  /** The map from the object's own plane to the canvas, when the drag began. */
  readonly start: Matrix;
}

export class DraggedObjects {
  private readonly objects = new Map<ObjectId, DraggedObject>();
  private readonly painter: Painter;
  private snapshot: { readonly canvas: HTMLCanvasElement; readonly back: DOMMatrix } | undefined;
  private work = 0;

  constructor(items: readonly Item[], painter: Painter) {
    this.painter = painter;
    for (const item of items) {
      const start = matrixOf(transformOf(item.object), item.size);
      this.objects.set(item.object.id, { item, start });
      this.work += item.cost.work;
    }
  }

  get size(): number {
    return this.objects.size;
  }

  get(id: ObjectId): DraggedObject | undefined {
    return this.objects.get(id);
  }

  all(): Iterable<DraggedObject> {
    return this.objects.values();
  }

  /** Returns the transforms by which peers show the objects, at most 100, moved by `change` since the drag began. */
  liveTransforms(change: Matrix): LiveTransform[] {
    return [...this.all()].slice(0, MAX_LIVE).map(({ item: { object, size }, start }) => ({
      id: object.id,
      ...liveTransform(multiply(change, start), size, transformOf(object)),
    }));
  }

  /** Paints the objects in the positions to which `change` has moved them since the drag began. */
  paint(context: CanvasRenderingContext2D, change: Matrix): void {
    if (this.size <= MAX_PAINTED && this.work <= MAX_DRAGGED_WORK) {
      this.paintEach(context, change);
      return;
    }
    // The view may have moved since the snapshot was made.
    this.snapshot ??= {
      canvas: this.makeSnapshot(context),
      back: context.getTransform().inverse(),
    };
    const { a, b, c, d, e, f } = this.snapshot.back;
    context.save();
    context.transform(...change);
    context.transform(a, b, c, d, e, f);
    context.drawImage(this.snapshot.canvas, 0, 0);
    context.restore();
  }

  private paintEach(context: CanvasRenderingContext2D, change: Matrix): void {
    let work = 0;
    for (const { item, start } of this.all()) {
      work += item.cost.work;
      if (work > MAX_SNAPSHOT_WORK) break;
      const { middle } = item;
      const matrix = multiply(multiply(change, start), translation(-middle.x, -middle.y));
      this.painter.paint(context, item, matrix);
    }
  }

  /** Paints the objects onto a canvas of the same size: those outside of it are not shown during the drag. */
  private makeSnapshot(context: CanvasRenderingContext2D): HTMLCanvasElement {
    const snapshot = document.createElement("canvas");
    snapshot.width = context.canvas.width;
    snapshot.height = context.canvas.height;
    const target = snapshot.getContext("2d");
    target?.setTransform(context.getTransform());
    if (target) this.paintEach(target, translation(0, 0));
    return snapshot;
  }
}
