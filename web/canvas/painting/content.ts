/** The board's objects on the base canvas: added, changed, removed and detached one by one. */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { BaseCanvas } from "./base.ts";
import type { Item } from "../scene/item.ts";
import { ItemMaker } from "../scene/item-maker.ts";
import type { Scene } from "../scene/scene.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

export interface ContentParts {
  readonly scene: Scene;
  readonly base: BaseCanvas;
  readonly stats: CanvasStats;
  readonly onFault: (id: ObjectId, reason: string) => void;
}

/** Who shows a detached object: this visitor's interaction, or the layer of the peers' drags. */
export type DetachedBy = "own" | "peers";

/** A layer that shows objects beside the base canvas. */
export interface ContentObserver {
  /** An object's item was made anew. */
  itemReplaced?(item: Item): void;
  /** This visitor's interaction began or ended to show the object itself. */
  ownChanged?(id: ObjectId): void;
}

export class Content {
  private readonly parts: ContentParts;
  private readonly observers: ContentObserver[] = [];
  /** Kept by id: an object may be removed and come back while it is dragged. */
  private readonly detached: Readonly<Record<DetachedBy, Set<ObjectId>>> = {
    own: new Set(),
    peers: new Set(),
  };
  private readonly maker: ItemMaker;

  constructor(parts: ContentParts) {
    this.parts = parts;
    const { onFault, scene, stats } = parts;
    this.maker = new ItemMaker({
      stats,
      onFault,
      isCurrent: (object) => scene.get(object.id)?.object === object,
      replace: (item) => {
        const before = scene.get(item.object.id);
        if (!before) return;
        this.takeOut(before);
        this.replace(before, item);
      },
    });
  }

  observe(observer: ContentObserver): void {
    this.observers.push(observer);
  }

  /** Resolves when every picture that was asked for so far is there. */
  complete(): Promise<void> {
    return this.maker.complete();
  }

  /** Fetches Fabric, so that the first text is made without waiting. */
  prepare(): Promise<void> {
    return this.maker.prepare();
  }

  /** Applies changes of the board, object by object. */
  apply(changes: BoardChanges): void {
    for (const object of changes.removed) this.remove(object.id);
    for (const object of changes.added) this.add(object);
    for (const object of changes.changed) this.change(object);
  }

  /** Adds an object; one that is there already is changed. */
  add(object: BoardObject): void {
    if (this.parts.scene.get(object.id)) {
      this.change(object);
      return;
    }
    const item = this.maker.make(object, undefined);
    item.detached = this.isDetached(object.id);
    this.parts.scene.add(item);
    this.parts.base.paintAdded(item);
  }

  /** True while the object is detached by `by`. */
  isDetachedBy(id: ObjectId, by: DetachedBy): boolean {
    return this.detached[by].has(id);
  }

  /** The base canvas does not paint the object until it is attached again. */
  detach(id: ObjectId, by: DetachedBy): void {
    this.detached[by].add(id);
    this.updateDetached(id, by);
  }

  /** The base canvas paints the object again, unless it is detached by the other of the two. */
  attach(id: ObjectId, by: DetachedBy): void {
    this.detached[by].delete(id);
    this.updateDetached(id, by);
  }

  private isDetached(id: ObjectId): boolean {
    return this.detached.own.has(id) || this.detached.peers.has(id);
  }

  private updateDetached(id: ObjectId, by: DetachedBy): void {
    const item = this.parts.scene.get(id);
    if (!item) return;
    const detached = this.isDetached(id);
    if (item.detached !== detached) {
      item.detached = detached;
      this.parts.base.invalidate(item.box);
    }
    if (by === "own") for (const observer of this.observers) observer.ownChanged?.(id);
  }

  private change(object: BoardObject): void {
    const before = this.parts.scene.get(object.id);
    if (!before) {
      this.add(object);
      return;
    }
    this.takeOut(before);
    this.replace(before, this.maker.make(object, before));
  }

  private remove(id: ObjectId): void {
    const item = this.parts.scene.get(id);
    if (item) this.takeOut(item);
  }

  private takeOut(item: Item): void {
    this.parts.scene.remove(item);
    if (!item.detached) this.parts.base.invalidate(item.box);
  }

  private replace(before: Item, item: Item): void {
    item.detached = before.detached;
    this.parts.scene.add(item);
    if (!item.detached) this.parts.base.invalidate(item.box);
    for (const observer of this.observers) observer.itemReplaced?.(item);
  }
}
