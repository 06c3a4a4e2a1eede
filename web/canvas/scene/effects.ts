/**
 * The objects that are painted with their effects (shadows, clip paths, gradients that are pictures): all of them on
 * an ordinary board. Beyond `MAX_EFFECTS` only the lowest in the stack keep theirs: a new object takes nothing from
 * those below it, and every browser makes the same choice.
 */

import { MAX_EFFECTS } from "./cost.ts";
import type { Item } from "./item.ts";

export class Effects {
  private readonly items = new Set<Item>();
  private readonly compare: (a: Item, b: Item) => number;
  private total = 0;
  /** True when each item's `plain` is right. */
  private settled = true;

  /** Begins without items. `compare` sorts them, the lowest in the stack first. */
  constructor(compare: (a: Item, b: Item) => number) {
    this.compare = compare;
  }

  add(item: Item): void {
    if (item.cost.effects === 0 || this.items.has(item)) return;
    this.items.add(item);
    this.total += item.cost.effects;
    this.settled = false;
  }

  remove(item: Item): void {
    if (!this.items.delete(item)) return;
    this.total -= item.cost.effects;
    this.settled = false;
  }

  clear(): void {
    this.items.clear();
    this.total = 0;
    this.settled = true;
  }

  /** Decides again which items keep their effects. Returns the items whose look changed. */
  settle(): Item[] {
    if (this.settled) return [];
    this.settled = true;
    const changed: Item[] = [];
    const set = (item: Item, plain: boolean): void => {
      if (item.plain !== plain) changed.push(item);
      item.plain = plain;
    };
    if (this.total <= MAX_EFFECTS) {
      for (const item of this.items) set(item, false);
      return changed;
    }
    let left = MAX_EFFECTS;
    for (const item of [...this.items].sort(this.compare)) {
      const fits = item.cost.effects <= left;
      if (fits) left -= item.cost.effects;
      set(item, !fits);
    }
    return changed;
  }
}
