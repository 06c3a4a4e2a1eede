/** The items on the canvas: by id, by position, and in the order of the stack. */

import { compareStack } from "../../../board/board.ts";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { Box } from "../geometry/box.ts";
import { Effects } from "./effects.ts";
import { Grid } from "./grid.ts";
import type { Item } from "./item.ts";

/** Compares two items for sorting: bottom first. */
export function byStack(a: Item, b: Item): number {
  return compareStack(a.object, b.object);
}

export class Scene {
  /** The selection of the items that are painted with their effects. */
  readonly effects = new Effects(byStack);
  private readonly items = new Map<ObjectId, Item>();
  private readonly grid = new Grid<Item>();
  /** The highest object. It stays here after its removal, as an upper bound. */
  private ceiling: BoardObject | undefined;

  get size(): number {
    return this.items.size;
  }

  get(id: ObjectId): Item | undefined {
    return this.items.get(id);
  }

  all(): Iterable<Item> {
    return this.items.values();
  }

  add(item: Item): void {
    this.items.set(item.object.id, item);
    this.grid.add(item);
    this.effects.add(item);
    if (!this.ceiling || compareStack(item.object, this.ceiling) > 0) this.ceiling = item.object;
  }

  remove(item: Item): void {
    if (this.items.get(item.object.id) !== item) return;
    this.items.delete(item.object.id);
    this.grid.remove(item);
    this.effects.remove(item);
    if (this.items.size === 0) this.ceiling = undefined;
  }

  clear(): void {
    this.items.clear();
    this.grid.clear();
    this.effects.clear();
    this.ceiling = undefined;
  }

  /** Returns the items that touch the box, bottom first. */
  touching(box: Box): Item[] {
    const found: Item[] = [];
    this.grid.query(box, (item) => {
      found.push(item);
    });
    return found.sort(byStack);
  }

  /** True when nothing covers an object of this order that paints within `box`. */
  isUncovered(object: BoardObject, box: Box): boolean {
    if (!this.ceiling || compareStack(object, this.ceiling) >= 0) return true;
    let covered = false;
    this.grid.query(box, (item) => {
      covered = compareStack(item.object, object) > 0;
      return covered;
    });
    return !covered;
  }
}
