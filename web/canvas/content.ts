/** The board's objects on the base canvas: taken in, changed and removed one by one. */

import { sameJson } from "../../board/json.ts";
import type { BoardChanges, BoardObject, ObjectId } from "../../board/drawing.ts";
import type { BaseCanvas } from "./base.ts";
import { type Item, isPlain, makeGuestItem, makePlainItem } from "./item.ts";
import { PLACE_KEYS } from "./place.ts";
import type { Scene } from "./scene.ts";
import type { CanvasStats } from "./stats.ts";

export interface ContentParts {
  readonly scene: Scene;
  readonly base: BaseCanvas;
  readonly stats: CanvasStats;
  /** True for an object that is shown on another layer while somebody else drags it. */
  readonly isLifted: (id: ObjectId) => boolean;
  /** An item was made anew for an object that is selected or shown elsewhere. */
  readonly renewed: (item: Item) => void;
  readonly onFault: (id: ObjectId, reason: string) => void;
}

/** Fabric is fetched when it is first needed: most boards hold nothing that only Fabric can paint. */
type Guests = typeof import("./guest.ts");

export class Content {
  private readonly parts: ContentParts;
  private guests: Guests | undefined;
  /** Objects that Fabric is still making; the promise never rejects. */
  private readonly pending = new Set<Promise<void>>();

  constructor(parts: ContentParts) {
    this.parts = parts;
  }

  /** Resolves when Fabric has made everything that it was asked for so far. */
  async complete(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  /** Fetches what rare objects need, so that the first text is there at once. */
  async prepare(): Promise<void> {
    this.guests ??= await import("./guest.ts");
  }

  /** Takes in changes, object by object. */
  apply(changes: BoardChanges): void {
    for (const object of changes.removed) this.remove(object.id);
    for (const object of changes.added) this.add(object);
    for (const object of changes.changed) this.change(object);
  }

  add(object: BoardObject): void {
    const known = this.parts.scene.get(object.id);
    if (known) {
      this.change(object);
      return;
    }
    const item = this.make(object, undefined);
    if (!item) return;
    item.lifted = this.parts.isLifted(object.id);
    this.parts.scene.add(item);
    this.parts.base.show(item);
  }

  change(object: BoardObject): void {
    const { scene, base } = this.parts;
    const before = scene.get(object.id);
    if (!before) {
      this.add(object);
      return;
    }
    scene.remove(before);
    if (!before.lifted) base.invalidate(before.box);
    const item = this.make(object, before);
    if (!item) return;
    this.replace(before, item);
  }

  remove(id: ObjectId): Item | undefined {
    const { scene, base } = this.parts;
    const item = scene.get(id);
    if (!item) return undefined;
    scene.remove(item);
    if (!item.lifted) base.invalidate(item.box);
    return item;
  }

  /** Takes the item off the base canvas, or puts it back. */
  lift(item: Item, lifted: boolean): void {
    const now = this.parts.scene.get(item.object.id);
    if (!now || now.lifted === lifted) return;
    now.lifted = lifted;
    this.parts.base.invalidate(now.box);
  }

  private replace(before: Item, item: Item): void {
    item.lifted = before.lifted;
    this.parts.scene.add(item);
    if (!item.lifted) this.parts.base.invalidate(item.box);
    this.parts.renewed(item);
  }

  private make(object: BoardObject, before: Item | undefined): Item | null {
    const plain = isPlain(object) ? makePlainItem(object, before) : null;
    const item = plain ?? this.makeGuest(object, before);
    if (Number.isFinite(item.box.right - item.box.left + item.box.bottom - item.box.top))
      return item;
    this.parts.onFault(object.id, "The object has no finite place");
    return null;
  }

  private makeGuest(object: BoardObject, before: Item | undefined): Item {
    if (before?.shape.kind === "guest" && before.shape.guest && onlyMoved(before.object, object)) {
      before.shape.guest.move(object);
      return makeGuestItem(object, before.shape.guest);
    }
    this.parts.stats.fabricObjects++;
    const text = this.guests?.makeText(object);
    if (text) return makeGuestItem(object, this.guests?.guestOf(text));
    const work = this.revive(object).finally(() => this.pending.delete(work));
    this.pending.add(work);
    // The old picture stays until the new one is there.
    return makeGuestItem(object, before?.shape.kind === "guest" ? before.shape.guest : undefined);
  }

  private async revive(object: BoardObject): Promise<void> {
    try {
      this.guests ??= await import("./guest.ts");
      const { guestOf, reviveObject } = this.guests;
      const guest = guestOf(await reviveObject(object));
      const { scene, base } = this.parts;
      const now = scene.get(object.id);
      // Somebody changed or removed it meanwhile.
      if (!now || now.object !== object) return;
      scene.remove(now);
      if (!now.lifted) base.invalidate(now.box);
      this.replace(now, makeGuestItem(object, guest));
    } catch (error) {
      this.parts.onFault(object.id, error instanceof Error ? error.message : String(error));
    }
  }
}

const MOVES: ReadonlySet<string> = new Set([
  ...PLACE_KEYS,
  "originX",
  "originY",
  "z",
  "stamps",
  "life",
]);

function onlyMoved(a: BoardObject, b: BoardObject): boolean {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (MOVES.has(name)) continue;
    const [one, other] = [a[name], b[name]];
    if (one === other) continue;
    if (one === undefined || other === undefined || !sameJson(one as never, other as never))
      return false;
  }
  return true;
}
