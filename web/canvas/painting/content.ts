/** The board's objects on the base canvas: added, changed, removed and detached one by one. */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { BaseCanvas } from "./base.ts";
import { type Box, union } from "../geometry/box.ts";
import type { Item } from "../scene/item.ts";
import type { Painter } from "./paint.ts";
import { ItemMaker } from "../scene/item-maker.ts";
import type { Scene } from "../scene/scene.ts";
import type { CanvasStats } from "../scheduling/stats.ts";

export interface ContentDependencies {
  readonly scene: Scene;
  readonly base: BaseCanvas;
  readonly stats: CanvasStats;
  readonly onFault: (id: ObjectId, reason: string) => void;
}

/** The board as the base canvas paints it, for the layers that show its objects elsewhere. */
export interface PaintedBoard {
  readonly scene: Scene;
  readonly painter: Painter;
  readonly content: Content;
  readonly stats: CanvasStats;
  /** Asks for a frame, in which every layer paints what changed on it. */
  readonly wake: () => void;
}

/** The layer that shows a detached object: this visitor's selection, or the drags of peers. */
export type DetachedBy = "own" | "peers";

/** A layer that shows objects beside the base canvas. */
export interface ContentObserver {
  /** Called when an object's item was replaced by a new one. */
  itemReplaced?(item: Item): void;
  /** Called when this visitor's selection began or ended to show the object itself. */
  ownChanged?(id: ObjectId): void;
  /** Called when an object was detached or attached by either layer. */
  detachedChanged?(id: ObjectId): void;
}

export class Content {
  private readonly deps: ContentDependencies;
  private readonly observers: ContentObserver[] = [];
  /** The ids of the detached objects. They are ids since an object may be removed and restored while it is dragged. */
  private readonly detached: Readonly<Record<DetachedBy, Set<ObjectId>>> = {
    own: new Set(),
    peers: new Set(),
  };
  private readonly maker: ItemMaker;
  /** True while `apply` shows one slice of many. */
  collects = false;
  /** The box around objects that were added below others and are not painted yet. */
  private covered: Box | undefined;

  constructor(deps: ContentDependencies) {
    this.deps = deps;
    const { onFault, scene, stats } = deps;
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

  /** Resolves when every picture that was requested so far has been made. */
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

  /**
   * Adds an object, or changes the one with its id. While `collects` is set, an object that others cover waits for
   * `paintCovered`, so that those are repainted once and not for each object below them. Without `paints` nothing is
   * painted: the caller has the base canvas paint everything.
   */
  add(object: BoardObject, paints = true): void {
    if (this.deps.scene.get(object.id)) {
      this.change(object);
      return;
    }
    const item = this.maker.make(object, undefined);
    item.detached = this.isDetached(object.id);
    const { base, scene } = this.deps;
    scene.add(item);
    if (!paints) return;
    const isUncovered = scene.isUncovered(object, item.box);
    if (!this.collects || isUncovered) return base.paintAdded(item, isUncovered);
    this.covered = this.covered ? union(this.covered, item.box) : item.box;
  }

  /** Has the base canvas paint the objects that were collected. */
  paintCovered(): void {
    if (this.covered) this.deps.base.invalidate(this.covered, true);
    this.covered = undefined;
  }

  /** True while the object is detached by `by`. */
  isDetachedBy(id: ObjectId, by: DetachedBy): boolean {
    return this.detached[by].has(id);
  }

  /** Detaches an object: the base canvas does not paint it until it is attached again. */
  detach(id: ObjectId, by: DetachedBy): void {
    this.detached[by].add(id);
    this.updateDetached(id, by);
  }

  /** Attaches an object: the base canvas paints it again, unless the other layer has detached it. */
  attach(id: ObjectId, by: DetachedBy): void {
    this.detached[by].delete(id);
    this.updateDetached(id, by);
  }

  private isDetached(id: ObjectId): boolean {
    return this.detached.own.has(id) || this.detached.peers.has(id);
  }

  private updateDetached(id: ObjectId, by: DetachedBy): void {
    const item = this.deps.scene.get(id);
    if (!item) return;
    const detached = this.isDetached(id);
    if (item.detached !== detached) {
      item.detached = detached;
      this.deps.base.invalidate(item.box);
      for (const observer of this.observers) observer.detachedChanged?.(id);
    }
    if (by === "own") for (const observer of this.observers) observer.ownChanged?.(id);
  }

  private change(object: BoardObject): void {
    const before = this.deps.scene.get(object.id);
    if (!before) {
      this.add(object);
      return;
    }
    this.takeOut(before);
    this.replace(before, this.maker.make(object, before));
  }

  private remove(id: ObjectId): void {
    const item = this.deps.scene.get(id);
    if (item) this.takeOut(item);
  }

  private takeOut(item: Item): void {
    this.deps.scene.remove(item);
    if (!item.detached) this.deps.base.invalidate(item.box);
  }

  private replace(before: Item, item: Item): void {
    item.detached = before.detached;
    this.deps.scene.add(item);
    if (!item.detached) this.deps.base.invalidate(item.box);
    for (const observer of this.observers) observer.itemReplaced?.(item);
  }
}
