/** Objects in this person's hand: off the base canvas, painted wherever the hand is. */

import type { ObjectId } from "../../board/drawing.ts";
import type { Item } from "./item.ts";
import { type Matrix, multiply, translation } from "./matrix.ts";
import { matrixOf, placeOf } from "./place.ts";

/** More objects than this are painted as a picture of them, made when they are first painted. */
const MOST_PAINTED = 100;

type Paint = (context: CanvasRenderingContext2D, item: Item, matrix: Matrix) => void;

export interface InHand {
  item: Item;
  /** From the object's own plane to the canvas, when it was taken. */
  readonly own: Matrix;
  /** Somebody removed it; it goes when it is let go. */
  gone: boolean;
}

export class Lifted {
  private readonly objects = new Map<ObjectId, InHand>();
  private readonly paintItem: Paint;
  private picture: HTMLCanvasElement | undefined;

  constructor(items: readonly Item[], paintItem: Paint) {
    this.paintItem = paintItem;
    for (const item of items) {
      const own = matrixOf(placeOf(item.object), item.size);
      this.objects.set(item.object.id, { item, own, gone: false });
    }
  }

  get size(): number {
    return this.objects.size;
  }

  get(id: ObjectId): InHand | undefined {
    return this.objects.get(id);
  }

  all(): Iterable<InHand> {
    return this.objects.values();
  }

  /** Paints the objects as `change` has moved them since they were taken. */
  paint(context: CanvasRenderingContext2D, change: Matrix): void {
    if (this.size <= MOST_PAINTED) {
      this.paintEach(context, change);
      return;
    }
    this.picture ??= this.takePicture(context);
    const { a, b, c, d, e, f } = context.getTransform().inverse();
    context.save();
    context.transform(...change);
    context.transform(a, b, c, d, e, f);
    context.drawImage(this.picture, 0, 0);
    context.restore();
  }

  private paintEach(context: CanvasRenderingContext2D, change: Matrix): void {
    for (const { item, own } of this.all()) {
      const { middle } = item;
      const matrix = multiply(multiply(change, own), translation(-middle.x, -middle.y));
      this.paintItem(context, item, matrix);
    }
  }

  /** As large as the canvas: what is outside of it is not seen while it is in the hand. */
  private takePicture(context: CanvasRenderingContext2D): HTMLCanvasElement {
    const picture = document.createElement("canvas");
    picture.width = context.canvas.width;
    picture.height = context.canvas.height;
    const into = picture.getContext("2d");
    into?.setTransform(context.getTransform());
    if (into) this.paintEach(into, translation(0, 0));
    return picture;
  }
}
