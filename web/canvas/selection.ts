/**
 * What is selected, and what happens to it. The objects stay in the scene; a handle on the surface stands
 * for them. While the handle is transformed they are lifted off the base canvas and painted with it.
 */

import type { BoardEditor, BoardObject, ObjectChange, ObjectId } from "../../board/drawing.ts";
import type { LivePlace, LiveSink } from "../../board/live.ts";
import { frameOf, isSelectable, type Item } from "./item.ts";
import { type Box, invert, type Matrix, multiply, translation, union } from "./matrix.ts";
import { matrixOf, placeChange, placeFrom, placeOf, type Place } from "./place.ts";
import { type InHand, Lifted } from "./lifted.ts";
import type { Handle } from "./surface.ts";

/** The others see at most this many of the objects that are dragged at once move along. */
const MOST_LIVE = 100;

export interface SelectionParts {
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly handle: Handle;
  find(id: ObjectId): Item | undefined;
  /** Takes the item off the base canvas, or puts it back. */
  lift(item: Item, lifted: boolean): void;
  paint(context: CanvasRenderingContext2D, item: Item, matrix: Matrix): void;
  /** Shows or hides the handle, or shows it at its new place. */
  activate(active: boolean): void;
  /** The number of selected objects changed. */
  changed(count: number): void;
}

/** The handle over several objects is an upright box. */
const UNTURNED = {
  originX: 0,
  originY: 0,
  scaleX: 1,
  scaleY: 1,
  angle: 0,
  skewX: 0,
  skewY: 0,
  flipX: false,
  flipY: false,
  strokeWidth: 0,
  strokeUniform: false,
};

export class Selection {
  private readonly parts: SelectionParts;
  private ids = new Set<ObjectId>();
  /** Where the handle was put over the selected objects. */
  private start: Matrix = translation(0, 0);
  private held: Lifted | undefined;
  /** Let go, but the base canvas does not show it yet. */
  private settling: { readonly lifted: Lifted; readonly change: Matrix } | undefined;

  constructor(parts: SelectionParts) {
    this.parts = parts;
  }

  get size(): number {
    return this.ids.size;
  }

  get holding(): boolean {
    return this.held !== undefined;
  }

  has(id: ObjectId): boolean {
    return this.ids.has(id);
  }

  list(): ObjectId[] {
    return [...this.ids];
  }

  items(): Item[] {
    const items: Item[] = [];
    for (const id of this.ids) {
      const item = this.parts.find(id);
      if (item) items.push(item);
    }
    return items;
  }

  set(ids: Iterable<ObjectId>): void {
    if (this.held) this.release();
    const before = this.ids;
    this.ids = new Set();
    for (const id of ids) {
      const item = this.parts.find(id);
      if (item && isSelectable(item.object)) this.ids.add(id);
    }
    this.place();
    if (this.ids.size !== before.size) this.parts.changed(this.ids.size);
  }

  toggle(id: ObjectId): void {
    const ids = new Set(this.ids);
    if (!ids.delete(id)) ids.add(id);
    this.set(ids);
  }

  /** Puts the handle over the selected objects. */
  place(): void {
    const items = this.items();
    const [first] = items;
    const { handle } = this.parts;
    if (!first) {
      this.parts.activate(false);
      return;
    }
    if (items.length === 1) {
      const { object, size } = first;
      const place = placeOf(object);
      handle.set({
        ...place,
        originX: place.originX + 0.5,
        originY: place.originY + 0.5,
        ...size,
      });
    } else {
      let box: Box = frameOf(first);
      for (const item of items) box = union(box, frameOf(item));
      handle.set({
        left: box.left,
        top: box.top,
        width: box.right - box.left,
        height: box.bottom - box.top,
        ...UNTURNED,
      });
    }
    handle.setCoords();
    this.start = this.handleMatrix();
    this.parts.activate(true);
  }

  /** Takes the selected objects into the hand, if they are not yet. */
  hold(): void {
    if (this.held) return;
    const items = this.items();
    this.held = new Lifted(items, this.parts.paint);
    for (const item of items) this.parts.lift(item, true);
  }

  /** Tells the others where the objects in the hand are. */
  announce(): void {
    const places: LivePlace[] = [];
    for (const held of this.held?.all() ?? []) {
      if (places.length >= MOST_LIVE) break;
      const { id } = held.item.object;
      const origin = { ...placeOf(held.item.object), originX: -0.5, originY: -0.5 };
      const place = placeFrom(multiply(this.change(), held.own), held.item.size, origin);
      const { left, top, scaleX, scaleY, angle } = place;
      places.push({ id, left, top, scaleX, scaleY, angle });
    }
    this.parts.live.drag(places);
  }

  /** Lets go: the objects stay where they are now, as a change of this person. */
  release(): void {
    const lifted = this.held;
    if (!lifted) return;
    this.held = undefined;
    this.settling = { lifted, change: this.change() };
    const changes: ObjectChange[] = [];
    const count = this.ids.size;
    for (const one of lifted.all()) {
      const { object } = one.item;
      if (one.gone) {
        this.ids.delete(object.id);
        continue;
      }
      this.parts.lift(one.item, false);
      const props = placeChange(object, this.placeNow(one));
      if (Object.keys(props).length > 0) changes.push({ id: object.id, props });
    }
    if (this.ids.size === 0) this.settling = undefined;
    if (changes.length > 0) this.parts.editor.change(changes);
    this.parts.live.drag([]);
    this.place();
    if (this.ids.size !== count) this.parts.changed(this.ids.size);
  }

  /** The base canvas shows everything that it should. True when the surface must be painted again. */
  settle(): boolean {
    if (!this.settling) return false;
    this.settling = undefined;
    return true;
  }

  paintHeld(context: CanvasRenderingContext2D): void {
    this.settling?.lifted.paint(context, this.settling.change);
    this.held?.paint(context, this.change());
  }

  /** A selected object changed or was made anew. True when it is in the hand, where its place stays. */
  take(item: Item): boolean {
    const held = this.held?.get(item.object.id);
    if (held) held.item = item;
    return held !== undefined;
  }

  /** An object went. True when it is in the hand, where it stays until it is let go. */
  lose(object: BoardObject): boolean {
    const held = this.held?.get(object.id);
    if (held) {
      held.gone = true;
      return true;
    }
    return false;
  }

  /** After changes from outside: what is not there any more is selected no longer. */
  refresh(): void {
    if (this.held || this.ids.size === 0) return;
    this.set([...this.ids]);
  }

  /** Moves the selected objects by whole pixels. */
  nudge(dx: number, dy: number): void {
    if (this.held) return;
    const changes: ObjectChange[] = [];
    for (const { object } of this.items()) {
      const { left, top } = placeOf(object);
      changes.push({ id: object.id, props: { left: left + dx, top: top + dy } });
    }
    if (changes.length > 0) this.parts.editor.change(changes);
  }

  private handleMatrix(): Matrix {
    const { handle } = this.parts;
    return matrixOf(this.handlePlace(), {
      width: handle.width,
      height: handle.height,
      strokeWidth: handle.strokeWidth,
      strokeUniform: handle.strokeUniform,
    });
  }

  private handlePlace(): Place {
    return placeOf(this.parts.handle as unknown as Record<string, unknown>);
  }

  /** What the handle did since it was put over the selected objects. */
  private change(): Matrix {
    const back = invert(this.start);
    return back ? multiply(this.handleMatrix(), back) : translation(0, 0);
  }

  private placeNow(held: InHand): Place {
    if (this.ids.size === 1) return this.handlePlace();
    return placeFrom(multiply(this.change(), held.own), held.item.size, placeOf(held.item.object));
  }
}
