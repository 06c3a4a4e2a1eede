/**
 * Makes the items of objects: light ones immediately, the others one after another, so that the page responds to
 * input meanwhile.
 */

import { sameJson } from "../../../board/json.ts";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { pause } from "../scheduling/frame.ts";
import { isPlain, type Item, makeFabricItem, makePlainItem } from "./item.ts";
import type { CanvasStats } from "../scheduling/stats.ts";
import { Tasks } from "../scheduling/tasks.ts";
import { TRANSFORM_KEYS } from "../geometry/transform.ts";

/** First and longest pause before Fabric's code is fetched again, in milliseconds. */
const PAUSE = 1_000;
const MAX_PAUSE = 30_000;

/** Characters from which reading a path takes some milliseconds. */
const HEAVY_CHARS = 20_000;

export interface ItemMakerDependencies {
  readonly stats: CanvasStats;
  /** Called for an object that cannot be shown: its item has no picture. */
  readonly onFault: (id: ObjectId, reason: string) => void;
  /** True while the canvas contains the object in this state. */
  readonly isCurrent: (object: BoardObject) => boolean;
  /** Called when the picture of an object whose item was made without one has been made. */
  readonly replace: (item: Item) => void;
}

/** The code of Fabric, which is fetched when it is first needed: most boards have nothing that only Fabric can paint. */
type FabricCode = typeof import("./fabric-shape.ts");

export class ItemMaker {
  private readonly deps: ItemMakerDependencies;
  private readonly tasks = new Tasks();
  private fabric: FabricCode | undefined;
  /** Objects without a picture, since Fabric's code did not arrive. A timer fetches it again while there are any. */
  private unfetched: BoardObject[] = [];
  private failures = 0;

  constructor(deps: ItemMakerDependencies) {
    this.deps = deps;
  }

  /** Resolves when every picture that was requested so far has been made. */
  complete(): Promise<void> {
    return this.tasks.done();
  }

  /** Fetches Fabric, so that the first text is made without waiting. */
  async prepare(): Promise<void> {
    this.fabric ??= await import("./fabric-shape.ts");
  }

  /**
   * Returns the item of an object; `before` is the present one. When it takes longer, the item has no picture, or the
   * former one, until `replace` is called. An object that cannot be shown has an item without a picture for good, so
   * that a visitor can remove it.
   */
  make(object: BoardObject, before: Item | undefined): Item {
    const plain = isPlain(object);
    if (plain && this.mustWait(object, before)) {
      this.enqueue(object, () => makePlainItem(object, before));
      return makeFabricItem(object, undefined);
    }
    const item = plain ? makePlainItem(object, before) : null;
    return this.checked(item ?? this.makeByFabric(object, before));
  }

  /**
   * Returns false for one heavy path at a time, which is made immediately: a stroke that this visitor finished must
   * not flicker.
   */
  private mustWait(object: BoardObject, before: Item | undefined): boolean {
    const path = object["path"];
    if (typeof path !== "string" || path.length <= HEAVY_CHARS) return false;
    if (before?.shape.kind === "path" && before.shape.data === path) return false;
    if (!this.tasks.idle) return true;
    this.tasks.add(pause);
    return false;
  }

  private makeByFabric(object: BoardObject, before: Item | undefined): Item {
    const shape = before?.shape.kind === "fabric" ? before.shape.fabric : undefined;
    if (before && shape && onlyMoved(before.object, object)) {
      shape.setTransform(object);
      return makeFabricItem(object, shape);
    }
    this.deps.stats.fabricObjects++;
    const text = this.fabric?.makeTextShape(object);
    if (text) return makeFabricItem(object, text);
    this.enqueueFabric(object);
    return makeFabricItem(object, shape);
  }

  private enqueueFabric(object: BoardObject): void {
    this.enqueue(object, async () => {
      if (this.unfetched.length === 0) await this.prepare().catch(() => undefined);
      if (!this.fabric) {
        this.fetchAgain(object);
        return null;
      }
      return makeFabricItem(object, await this.fabric.makeShape(object, this.deps));
    });
  }

  /** Makes the picture of an object once Fabric's code arrives, which is fetched again after a pause. */
  private fetchAgain(object: BoardObject): void {
    this.unfetched.push(object);
    if (this.unfetched.length > 1) return;
    this.deps.onFault(object.id, "The code for it did not arrive");
    const pause = Math.min(PAUSE * 2 ** this.failures, MAX_PAUSE);
    this.failures += 1;
    setTimeout(() => {
      const objects = this.unfetched;
      this.unfetched = [];
      for (const one of objects) this.enqueueFabric(one);
    }, pause);
  }

  private enqueue(object: BoardObject, make: () => Promise<Item | null> | Item | null): void {
    this.tasks.add(async () => {
      if (!this.deps.isCurrent(object)) return;
      try {
        const item = await make();
        // A peer may have changed or removed the object meanwhile.
        if (item && this.deps.isCurrent(object)) this.deps.replace(this.checked(item));
      } catch (error) {
        this.deps.onFault(object.id, error instanceof Error ? error.message : String(error));
      }
    });
  }

  private checked(item: Item): Item {
    const { object, box } = item;
    if (Number.isFinite(box.right - box.left + box.bottom - box.top)) return item;
    this.deps.onFault(object.id, "The object has no finite position");
    return makeFabricItem(object, undefined);
  }
}

/** The properties whose changes do not require another Fabric object. */
const MOVED_PROPERTIES: ReadonlySet<string> = new Set([
  ...TRANSFORM_KEYS,
  "originX",
  "originY",
  "z",
  "stamps",
  "life",
]);

function onlyMoved(a: BoardObject, b: BoardObject): boolean {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (MOVED_PROPERTIES.has(name)) continue;
    const [one, other] = [a[name], b[name]];
    if (one === other) continue;
    if (one === undefined || other === undefined || !sameJson(one as never, other as never))
      return false;
  }
  return true;
}
