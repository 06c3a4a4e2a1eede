/**
 * The selection: the selected objects, and their drags. The objects stay in the scene; a handle on Fabric's canvas
 * stands for them. While the handle is transformed they are detached from the base canvas and painted with the
 * handle.
 */

import type { BoardEditor, BoardObject, ObjectChange, ObjectId } from "../../../board/drawing.ts";
import type { LiveSink } from "../../../board/live.ts";
import { type Box, boxAround } from "../geometry/box.ts";
import type { Content } from "../painting/content.ts";
import { type DraggedObject, DraggedObjects } from "./dragged.ts";
import { isSelectable, type Item } from "../scene/item.ts";
import { invert, type Matrix, multiply, translation } from "../geometry/matrix.ts";
import type { Painter } from "../painting/paint.ts";
import type { Scene } from "../scene/scene.ts";
import { scalingOf } from "./controls.ts";
import type { HandleControl } from "./handle.ts";
import { type AddCopies, asNew } from "./edits.ts";
import { ShownSelection } from "./shown.ts";
import { mapped, nudged, RepeatedRotation, rotationMap, stretchMap } from "./transforms.ts";
import { type ObjectTransform, transformOf } from "../geometry/transform.ts";
import { transformChange, transformFrom } from "../geometry/transform-change.ts";

export interface SelectionDependencies {
  readonly editor: Pick<BoardEditor, "change"> & { readonly addCopies: AddCopies };
  readonly live: LiveSink;
  readonly scene: Scene;
  readonly content: Content;
  readonly painter: Painter;
  readonly control: HandleControl;
  /** Called when the number of selected objects changed. */
  readonly changed: (count: number) => void;
}

/** The properties of the handle over several objects: an upright box. */
const UPRIGHT = {
  ...{ originX: 0, originY: 0, scaleX: 1, scaleY: 1, angle: 0, skewX: 0, skewY: 0 },
  ...{ flipX: false, flipY: false, strokeWidth: 0, strokeUniform: false },
};

export class Selection {
  private readonly deps: SelectionDependencies;
  private ids = new Set<ObjectId>();
  /** The ids that the last call of `set` selected, as far as they can be selected. */
  private wanted: readonly ObjectId[] = [];
  /** The wanted ids whose objects the canvas does not show yet. */
  private awaited = new Set<ObjectId>();
  /** The handle's matrix when it was put over the selected objects. */
  private start: Matrix = translation(0, 0);
  private dragged: DraggedObjects | undefined;
  /** The object that covers another just like it, until it is dragged. */
  private raised: ObjectId | undefined;
  /** True when copies of the selected objects are dragged. */
  private copies = false;
  private readonly rotation = new RepeatedRotation();
  /** The objects of a drag that ended, until the base canvas shows them. */
  private settling: { readonly dragged: DraggedObjects; readonly change: Matrix } | undefined;

  /** The selected objects as they were when the handle was put over them. */
  shown = new ShownSelection([]);

  constructor(deps: SelectionDependencies) {
    this.deps = deps;
  }

  get size(): number {
    return this.ids.size;
  }

  get dragging(): boolean {
    return this.dragged !== undefined;
  }

  /** True while copies are dragged. */
  get copying(): boolean {
    return this.dragging && this.copies;
  }

  has(id: ObjectId): boolean {
    return this.ids.has(id);
  }

  /** Returns the ids of the selected objects. */
  list(): ObjectId[] {
    return [...this.ids];
  }

  /** The id of the selected object, if it is a single one. */
  get only(): ObjectId | undefined {
    return this.size === 1 ? this.list()[0] : undefined;
  }

  /**
   * Selects these objects and no others; a drag ends. Objects that cannot be selected are ignored. Where some are not
   * on the canvas yet, since many are shown in slices, all are selected when the last one has arrived.
   */
  set(ids: Iterable<ObjectId>): void {
    const wanted = [...ids];
    this.endDrag();
    this.wanted = wanted;
    this.awaited = new Set(wanted.filter((id) => !this.deps.scene.get(id)));
    this.choose(wanted);
  }

  /** Notes that the canvas shows more objects, and that some were removed. */
  noteShown(removed: readonly BoardObject[] = []): void {
    if (this.awaited.size === 0) return;
    for (const { id } of removed) this.awaited.delete(id);
    for (const id of this.awaited) if (this.deps.scene.get(id)) this.awaited.delete(id);
    if (this.awaited.size === 0) this.set(this.wanted);
  }

  private choose(ids: readonly ObjectId[]): void {
    const before = this.ids;
    this.ids = new Set();
    for (const id of ids) {
      const item = this.deps.scene.get(id);
      if (item && isSelectable(item)) this.ids.add(id);
    }
    this.positionHandle();
    if (this.ids.size !== before.size) this.deps.changed(this.ids.size);
    const same = this.ids.size === before.size && [...this.ids].every((id) => before.has(id));
    if (!same) this.deps.live.select(this.list());
  }

  /** Selects an object and shows that it covers another just like it. */
  raise(id: ObjectId): void {
    this.raised = id;
    this.set([id]);
  }

  /** Adds the object to the selection, or removes it from there. */
  toggle(id: ObjectId): void {
    const ids = new Set(this.ids);
    if (!ids.delete(id)) ids.add(id);
    this.set(ids);
  }

  /** Puts the handle over the selected objects. */
  positionHandle(): void {
    const items = this.items();
    const [first] = items;
    const { handle } = this.deps.control;
    const isRaised = items.length === 1 && first?.object.id === this.raised;
    this.shown = new ShownSelection(items, isRaised);
    handle.scaling = scalingOf(items.slice(0, 2).map(({ object }) => object.type));
    if (!first) {
      this.deps.control.show(false);
      return;
    }
    if (items.length === 1) {
      const { object, size } = first;
      const transform = transformOf(object);
      handle.set({
        ...transform,
        originX: transform.originX + 0.5,
        originY: transform.originY + 0.5,
        ...size,
      });
    } else {
      const box = this.box() ?? first.bounds;
      handle.set({
        left: box.left,
        top: box.top,
        width: box.right - box.left,
        height: box.bottom - box.top,
        ...UPRIGHT,
      });
    }
    handle.setCoords();
    this.start = handle.toMatrix();
    this.deps.control.show(true);
  }

  /**
   * Follows the handle while it is transformed: the selected objects are detached, and peers get their transforms. A
   * drag that begins with `copies` moves copies of the objects, which themselves stay.
   */
  drag(copies = false): void {
    this.raised = undefined;
    this.awaited.clear();
    if (!this.dragged) {
      const items = this.items();
      this.dragged = new DraggedObjects(items, this.deps.painter);
      this.copies = copies;
      if (!copies) for (const item of items) this.deps.content.detach(item.object.id, "own");
    }
    if (!this.copies) this.deps.live.drag(this.dragged.liveTransforms(this.dragMap()));
  }

  /** Adds the dragged copies in their present position; they become the selection. */
  private endCopies(dragged: DraggedObjects): void {
    const copies = [...dragged.all()].map((one) => ({
      ...asNew(one.item.object),
      ...this.changeOf(one, dragged),
    }));
    this.settling = { dragged, change: this.dragMap() };
    const ids = this.deps.editor.addCopies(copies);
    if (ids.length > 0) return this.set(ids);
    this.settling = undefined;
    this.positionHandle();
  }

  /** Returns the change that stores a dragged object's present position; empty where it has not moved. */
  private changeOf(one: DraggedObject, dragged: DraggedObjects): ObjectChange["props"] {
    const now =
      dragged.size === 1 ? this.deps.control.handle.toTransform() : this.movedTransform(one);
    return transformChange(one.item.object, now);
  }

  /** Ends the drag: the objects stay in their new position, as a change by this visitor. */
  endDrag(): void {
    const { dragged } = this;
    if (!dragged) return;
    this.dragged = undefined;
    if (this.copies) return this.endCopies(dragged);
    this.settling = { dragged, change: this.dragMap() };
    const changes: ObjectChange[] = [];
    for (const one of dragged.all()) {
      const { object } = one.item;
      this.deps.content.attach(object.id, "own");
      if (!this.deps.scene.get(object.id)) continue;
      const props = this.changeOf(one, dragged);
      if (Object.keys(props).length > 0) changes.push({ id: object.id, props });
    }
    if (changes.length > 0) this.deps.editor.change(changes);
    this.deps.live.drag([]);
    this.refresh();
    if (this.ids.size === 0) this.settling = undefined;
  }

  /** Cancels the drag: the objects return to their former position, and nothing is changed. */
  abandonDrag(): void {
    const { dragged } = this;
    if (!dragged) return;
    this.dragged = undefined;
    for (const { item } of dragged.all()) this.deps.content.attach(item.object.id, "own");
    this.deps.live.drag([]);
    this.refresh();
  }

  /** The box around the selected objects, in canvas pixels. */
  box(): Box | undefined {
    return boxAround(this.items().map(({ bounds }) => bounds));
  }

  /**
   * Notes that the base canvas is fully painted. Returns true when objects of an ended drag must be removed from
   * Fabric's canvas.
   */
  settle(): boolean {
    if (!this.settling) return false;
    this.settling = undefined;
    return true;
  }

  /**
   * Paints the dragged objects, those of an ended drag that the base canvas does not show yet, and the outlines of
   * several selected objects. `pixel`: the canvas pixels in a CSS pixel.
   */
  paintDragged(context: CanvasRenderingContext2D, pixel: number): void {
    this.settling?.dragged.paint(context, this.settling.change);
    this.dragged?.paint(context, this.dragMap());
    this.shown.paint(context, this.dragged && this.dragMap(), pixel);
  }

  /**
   * Takes over an item that was replaced by a new one. Returns true when it is dragged: its look changes, its
   * position does not.
   */
  replaceItem(item: Item): boolean {
    const { dragged = this.settling?.dragged } = this;
    const one = dragged?.get(item.object.id);
    if (one) one.item = item;
    return this.dragging && one !== undefined;
  }

  /** Follows changes by peers: a removed object is no longer selected, and the handle follows the others. */
  refresh(): void {
    if (!this.dragged && this.ids.size > 0) this.choose(this.list());
  }

  /** Moves the selected objects by whole pixels. */
  nudge(dx: number, dy: number): void {
    this.change(nudged(this.items(), dx, dy));
  }

  /** Makes the selection wider or higher by pixels of its own axes; the corner at its left and top stays. */
  resize(dx: number, dy: number): void {
    const { handle } = this.deps.control;
    const map = stretchMap(this.start, handle, { dx, dy, whole: handle.scaling === "whole" });
    if (map) this.change(mapped(this.items(), map));
  }

  /** Rotates the selected objects about their common centre. */
  rotate(degrees: number): void {
    const map = rotationMap(this.rotation.centreOf(this.start, this.box()), degrees);
    this.change(mapped(this.items(), map));
    this.rotation.rotated(this.box());
  }

  private change(changes: readonly ObjectChange[]): void {
    if (!this.dragged && changes.length > 0) this.deps.editor.change(changes);
  }

  private items(): Item[] {
    return this.list().flatMap((id) => this.deps.scene.get(id) ?? []);
  }

  /** The map from the handle's first position to its present one. */
  private dragMap(): Matrix {
    const back = invert(this.start);
    return back ? multiply(this.deps.control.handle.toMatrix(), back) : translation(0, 0);
  }

  /** The transform of one of several objects, moved with the handle. */
  private movedTransform({ item, start }: DraggedObject): ObjectTransform {
    return transformFrom(multiply(this.dragMap(), start), item.size, transformOf(item.object));
  }
}
