/** The selection as keys, menus and the page control it. While a text is edited the commands have no effect. */

import type { TPointerEvent } from "fabric";
import type { BoardChanges, NewObject, ObjectId } from "../../../board/drawing.ts";
import { DEFAULT_TOOL, selectsObjects, toolRow, type ToolRow } from "../../../board/tools.ts";
import { areTwins } from "../../../board/twin.ts";
import type { Box } from "../geometry/box.ts";
import type { ContentObserver } from "../painting/content.ts";
import { inStackOrder } from "../scene/hit.ts";
import { isSelectable, type Item } from "../scene/item.ts";
import type { SelectionEdit } from "./edits.ts";
import { SelectionLayer, type SelectionLayerDependencies } from "./layer.ts";
import type { Selection } from "./selection.ts";

export class BoardSelection implements ContentObserver {
  private readonly deps: SelectionLayerDependencies;
  private layer: SelectionLayer | undefined;
  /** The visitor's tool; null while the canvas is read-only. */
  private tool: ToolRow | null = toolRow(DEFAULT_TOOL);
  /** True while the selected objects cannot be changed. */
  private isFixed = false;
  /** True while changes are being applied; the selection follows once, at the end. */
  private applying = false;
  /** True when the visitor selected everything. It counts even when there was nothing but strokes of the eraser. */
  private allSelected = false;

  constructor(deps: SelectionLayerDependencies) {
    this.deps = deps;
    deps.board.content.observe(this);
  }

  /** True while a text is being edited. */
  get editingText(): boolean {
    return this.layer?.editing.active ?? false;
  }

  /** True while the pointer selects or drags. */
  get pressing(): boolean {
    return this.layer?.canvas.pressing ?? false;
  }

  /** The ids of the selected objects. */
  get ids(): readonly ObjectId[] {
    return this.layer?.selection.list() ?? [];
  }

  has(id: ObjectId): boolean {
    return this.layer?.selection.has(id) ?? false;
  }

  /** The box around the selected objects, in canvas pixels; undefined without any. */
  box(): Box | undefined {
    return this.layer?.selection.box();
  }

  /**
   * Takes over the visitor's tool. With null the visitor's activity ends, and nothing can be selected. With `fixed`
   * the selected objects cannot be changed.
   */
  setTool(tool: ToolRow | null, fixed = false): void {
    this.tool = tool;
    this.isFixed = fixed;
    if (tool === null || !selectsObjects(tool)) this.clear();
    else this.openLayer();
    this.layer?.setTool(tool, fixed);
  }

  /** Selects these objects and no others. */
  select(ids: Iterable<ObjectId>): void {
    this.allSelected = false;
    this.openLayer().select(ids);
  }

  /** Selects an object that was just added, and shows whether it covers another just like it. */
  selectAdded(id: ObjectId): void {
    const { scene } = this.deps.board;
    const item = scene.get(id);
    const covers =
      item && scene.touching(item.box).some((one) => areTwins(one.object, item.object));
    this.allSelected = false;
    this.openLayer().select([id]);
    if (covers) this.openLayer().selection.raise(id);
  }

  /** Selects everything but the strokes of the eraser, whether visible or not. */
  selectAll(): void {
    if (this.editingText) return;
    const items = inStackOrder(this.deps.board.scene.all(), isSelectable);
    this.select(items.map((item) => item.object.id));
    this.allSelected = true;
  }

  /** Ends editing and dragging, and selects nothing. */
  clear(): void {
    this.allSelected = false;
    this.layer?.clear();
  }

  /**
   * Removes the selected objects. When all selectable objects are selected the strokes of the eraser are removed too,
   * since they have nothing left to cover. Returns how many objects were removed.
   */
  remove(): number {
    const { layer } = this;
    if (!layer || layer.editing.active || this.isFixed) return 0;
    if (layer.selection.size === 0 && !this.allSelected) return 0;
    layer.canvas.cancelPress();
    const ids = layer.selection.list();
    const erasers: ObjectId[] = [];
    for (const item of this.deps.board.scene.all()) if (item.eraser) erasers.push(item.object.id);
    if (ids.length + erasers.length === this.deps.board.scene.size) ids.push(...erasers);
    if (ids.length > 0) this.deps.editor.remove(ids);
    return ids.length;
  }

  /** Changes the selected objects in one undo step; copies become the selection. */
  edit(edit: SelectionEdit): void {
    if (this.movable) this.layer?.change(edit);
  }

  /** Moves the selected objects by whole pixels. */
  nudge(dx: number, dy: number): void {
    if (!this.layer?.ends.nudge(dx, dy)) this.movable?.nudge(dx, dy);
  }

  /** Makes the selection wider and higher by pixels of its own axes; the corner at its left and top stays. */
  resize(dx: number, dy: number): void {
    this.movable?.resize(dx, dy);
  }

  /** Rotates the selection about its centre, clockwise. */
  rotate(degrees: number): void {
    this.movable?.rotate(degrees);
  }

  /** Edits a text, with the caret at `event`; an object that is no editable text is ignored. */
  editText(item: Item, event?: TPointerEvent): void {
    if (!this.isFixed) this.openLayer().edit(item, event);
  }

  /** Begins a new text, unless the board is full or read-only. */
  addText(draft: NewObject): void {
    if (this.tool !== null && !this.isFixed) this.openLayer().write(draft);
  }

  /** Ends what the pointer began, as a change by the visitor; `event` is the one that ended it. */
  cancelPress(event: PointerEvent): void {
    this.layer?.canvas.cancelPress(event);
  }

  /** Cancels what the pointer began; objects that the press selected stay selected. */
  abandonPress(): void {
    this.layer?.abandonPress();
  }

  /** Chooses the next end of the selected line or arrow, for keys to move. Returns false for any other selection. */
  takeEnd(): boolean {
    return !this.isFixed && (this.layer?.ends.take() ?? false);
  }

  /** Takes a drag back, and releases the chosen end of a line. Returns false when there was neither. */
  letGo(): boolean {
    return this.layer?.letGo() ?? false;
  }

  /** Applies changes of the board. An object that is being dragged keeps its position. */
  apply(changes: BoardChanges): void {
    const { selection, editing } = this.layer ?? {};
    let touched = false;
    for (const object of changes.removed) {
      touched ||= selection?.has(object.id) ?? false;
      if (editing?.isEditing(object.id)) editing.markRemoved();
    }
    for (const object of changes.changed) touched ||= selection?.has(object.id) ?? false;
    this.applying = true;
    const { content, scene } = this.deps.board;
    content.apply(changes);
    // A peer may have removed and restored an object that is edited or dragged.
    for (const { id } of changes.added) {
      const item = scene.get(id);
      if (item) this.itemReplaced(item);
    }
    this.applying = false;
    if (touched) selection?.refresh();
    selection?.noteShown(changes.removed);
  }

  /** Notes that the canvas shows a board that was loaded. */
  boardMade(): void {
    this.layer?.selection.noteShown();
  }

  itemReplaced(item: Item): void {
    const { layer } = this;
    if (!layer) return;
    const { id } = item.object;
    if (layer.editing.isEditing(id)) layer.editing.replaceItem(item);
    else if (layer.selection.replaceItem(item)) layer.canvas.requestRenderAll();
    else if (!this.applying && layer.selection.has(id)) layer.selection.refresh();
  }

  /** Takes over the size of the layers. */
  updateSize(): void {
    this.layer?.resize();
  }

  /** Takes over the viewport of the layers. */
  updateViewport(): void {
    this.layer?.updateViewport();
  }

  /** Paints the changes on the selection layer. `settled`: the base canvas is fully painted. */
  work(settled: boolean): void {
    const { layer } = this;
    if (!layer) return;
    if (settled) layer.settle();
    layer.canvas.work();
    layer.reportFrame();
  }

  /** Ends editing and dragging as changes of the visitor, and removes Fabric's canvas. */
  async dispose(): Promise<void> {
    const { layer } = this;
    if (!layer) return;
    layer.editing.end();
    layer.canvas.cancelPress();
    this.layer = undefined;
    await layer.canvas.dispose();
  }

  /** The selection while its objects may be changed; undefined while a text is being edited. */
  private get movable(): Selection | undefined {
    return this.editingText || this.isFixed ? undefined : this.layer?.selection;
  }

  /** Returns the selection layer, which the first call makes, since Fabric's canvases need memory. */
  private openLayer(): SelectionLayer {
    return (this.layer ??= new SelectionLayer(this.deps).setTool(this.tool, this.isFixed));
  }
}
