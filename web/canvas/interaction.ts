/** What a visitor does with objects that are on the board: select, move, edit, remove; by pointer and by keys. And what peers are doing. */

import type { TPointerEvent } from "fabric";
import { LIMITS } from "../../board/constants.ts";
import type { BoardChanges, ObjectId } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { DEFAULT_TOOL, toolRow, type ToolRow } from "../../board/tools.ts";
import { union } from "./geometry/box.ts";
import { createCanvasTools } from "./menu-tools.ts";
import type { ContentObserver } from "./painting/content.ts";
import { EraserRing } from "./input/eraser-ring.ts";
import { HitTest, inStackOrder, TOUCH_REACH } from "./scene/hit.ts";
import { isHittable, isSelectable, type Item } from "./scene/item.ts";
import { KeptPictures } from "./painting/pan-tiles.ts";
import { Keyboard } from "./input/keyboard.ts";
import { type Point, scaleOf } from "./geometry/matrix.ts";
import { namePeer } from "./view/named-peer.ts";
import type { Pen } from "./input/pen.ts";
import { PeersLayer } from "./peers/layer.ts";
import type { CanvasTools, ViewState } from "./port.ts";
import type { Selection } from "./selection/selection.ts";
import type { SelectionEdit } from "./selection/edits.ts";
import { SelectionLayer, type SelectionLayerParts } from "./selection/layer.ts";
import type { CanvasStats } from "./scheduling/stats.ts";
import { textObject } from "./input/new-objects.ts";
import { ViewGuide } from "./view/view-guide.ts";
import type { Viewport } from "./view/viewport.ts";

export interface InteractionParts extends Omit<SelectionLayerParts, "hits"> {
  readonly stats: CanvasStats;
  readonly pen: Pen;
  readonly viewport: Viewport;
  readonly onView: (state: ViewState) => void;
  /** A key selected this object. */
  readonly onPicked: (id: ObjectId) => void;
}

export class Interaction implements ContentObserver {
  private readonly parts: InteractionParts;
  readonly guide: ViewGuide;
  readonly keptPictures = new KeptPictures();
  readonly tools: CanvasTools;
  private readonly peers: PeersLayer;
  private readonly hits: HitTest;
  private readonly ring: EraserRing;
  private readonly keyboard: Keyboard;
  private readonly listeners = new AbortController();
  private layer: SelectionLayer | undefined;
  /** Null while the canvas is read only. */
  private tool: ToolRow | null = toolRow(DEFAULT_TOOL);
  /** Changes are being applied; the selection follows once, at the end. */
  private applying = false;
  /** The visitor selected all; it counts when there was nothing but strokes of the eraser. */
  private allSelected = false;

  constructor(parts: InteractionParts) {
    this.parts = parts;
    const { layers, pen } = parts;
    this.peers = new PeersLayer(parts);
    this.peers.resize();
    this.hits = new HitTest(parts.scene, parts.stats);
    this.updateZoom();
    this.keyboard = new Keyboard({
      host: layers.host,
      size: () => layers.size,
      busy: () => this.tool === null || this.editingText,
      arrowsTaken: () => !pen.drawing && this.selected.length > 0,
      moved: (at) => this.moveByKey(at),
      press: (at) => this.pressByKey(at),
      cycle: (step) => this.cycle(step),
      putBack: () => this.layer?.putBackCopies(),
    });
    layers.host.append(this.keyboard.element);
    this.keyboard.showFocus();
    parts.content.observe(this);
    this.ring = new EraserRing(layers);
    this.guide = new ViewGuide({
      ...parts,
      selected: () => this.layer?.selection.box(),
      report: parts.onView,
    });
    const selection = (): Selection | undefined => this.layer?.selection;
    this.tools = createCanvasTools({ ...parts, hits: this.hits, selection, does: this });
    const { signal } = this.listeners;
    const cancel = (event: PointerEvent): void => this.layer?.canvas.cancelPress(event);
    layers.host.addEventListener("pointercancel", cancel, { signal });
    layers.selection.addEventListener("dblclick", (event) => this.editAt(event), { signal });
  }

  /** True while a text is being edited. */
  get editingText(): boolean {
    return this.layer?.editing.active ?? false;
  }

  /** The ids of the selected objects. */
  get selected(): readonly ObjectId[] {
    return this.layer?.selection.list() ?? [];
  }

  /** Null: what the visitor does ends, and no pointer and no key has an effect until there is a tool again. */
  setTool(tool: ToolRow | null): void {
    this.tool = tool;
    if (tool === null) this.keyboard.hide();
    if (tool === null || tool.mode === "freehand") this.clear();
    else this.openLayer();
    this.layer?.setTool(tool);
    this.ring.setWidth(tool?.mode === "freehand" && tool.pen.eraser ? tool.pen.width : 0);
  }

  showPeers(peers: readonly PeerView[]): void {
    const named = peers.map(namePeer);
    this.peers.show(named);
    this.guide.showPeers(named);
  }

  /** Takes over the size of the layers. */
  resize(): void {
    this.peers.resize();
    this.layer?.resize();
    this.guide.schedule();
  }

  /** Takes over the viewport of the layers. */
  updateViewport(): void {
    this.updateZoom();
    this.peers.resize();
    this.layer?.updateViewport();
    this.ring.update();
  }

  /** Ends what the pointer began, as if it had not been pressed; what it selected stays selected. */
  abandonPress(): void {
    this.layer?.abandonPress();
  }

  /** Paints what changed on the layers of peers and selection. `settled`: the base canvas is painted. */
  work(settled: boolean): void {
    const { layer } = this;
    this.peers.work();
    if (!layer) return;
    if (settled && layer.selection.settle()) layer.canvas.requestRenderAll();
    layer.canvas.work();
    layer.reportFrame();
  }

  /** Selects these objects and no others. */
  select(ids: Iterable<ObjectId>): void {
    this.allSelected = false;
    this.openLayer().select(ids);
  }

  /** Selects an object that appeared where shapes and stickers do, and shows it. */
  selectAdded(id: ObjectId): void {
    // A sticker has no size yet; no shape is smaller than one.
    const { insertLeft: left, insertTop: top, stickerSize } = LIMITS;
    const box = { left, top, right: left + stickerSize, bottom: top + stickerSize };
    const item = this.parts.scene.get(id);
    this.guide.reveal({ x: left, y: top }, item ? union(box, item.box) : box);
    this.select([id]);
  }

  /** Ends editing and dragging, and selects nothing. */
  clear(): void {
    this.allSelected = false;
    this.layer?.clear();
  }

  /** Selects everything but the strokes of the eraser, seen or not, unless a text is being edited. */
  selectAll(): void {
    if (this.editingText) return;
    const items = inStackOrder(this.parts.scene.all(), isSelectable);
    this.select(items.map((item) => item.object.id));
    this.allSelected = true;
  }

  /**
   * Removes the selected objects, unless a text is being edited. With all that can be selected go the strokes of
   * the eraser: they have nothing left to cover. Returns how many objects were removed.
   */
  removeSelection(): number {
    const { layer } = this;
    if (!layer || layer.editing.active) return 0;
    if (layer.selection.size === 0 && !this.allSelected) return 0;
    layer.canvas.cancelPress();
    const ids = layer.selection.list();
    const erasers: ObjectId[] = [];
    for (const item of this.parts.scene.all()) if (item.eraser) erasers.push(item.object.id);
    if (ids.length + erasers.length === this.parts.scene.size) ids.push(...erasers);
    if (ids.length > 0) this.parts.editor.remove(ids);
    return ids.length;
  }

  /** Changes the selected objects in one undo step, unless a text is being edited. */
  editSelection(edit: SelectionEdit): void {
    if (!this.editingText) this.layer?.change(edit, this.parts.color());
  }

  /** Begins a text at a point of the board. */
  addText(at: Point): void {
    if (this.tool !== null) this.openLayer().write(textObject(at, this.parts.color()));
  }

  /** Moves the selected objects by whole pixels, unless a text is being edited. */
  nudge(dx: number, dy: number): void {
    if (!this.editingText) this.layer?.selection.nudge(dx, dy);
  }

  /** Makes the selection wider and higher by pixels, unless a text is being edited. */
  resizeSelection(dx: number, dy: number): void {
    if (!this.editingText) this.layer?.selection.resize(dx, dy);
  }

  /** Turns the selection by degrees, unless a text is being edited. */
  turn(degrees: number): void {
    if (!this.editingText) this.layer?.selection.turn(degrees);
  }

  /** Applies changes of the board. An object that is being dragged keeps its position. */
  apply(changes: BoardChanges): void {
    const { selection, editing } = this.layer ?? {};
    let touched = false;
    for (const object of changes.removed) {
      touched ||= selection?.has(object.id) ?? false;
      if (editing?.isEditing(object.id)) editing.markRemoved();
      selection?.markRemoved(object);
    }
    for (const object of changes.changed) touched ||= selection?.has(object.id) ?? false;
    this.applying = true;
    this.parts.content.apply(changes);
    this.applying = false;
    for (const list of [changes.added, changes.removed])
      for (const { id } of list) this.peers.presenceChanged(id);
    if (touched) selection?.refresh();
    this.guide.boardChanged(changes);
  }

  itemReplaced(item: Item): void {
    const { layer } = this;
    if (!layer) return;
    const { id } = item.object;
    if (layer.editing.isEditing(id)) layer.editing.replaceItem(item);
    else if (layer.selection.replaceItem(item)) layer.canvas.requestRenderAll();
    else if (!this.applying && layer.selection.has(id)) layer.selection.refresh();
  }

  /** Ends editing and dragging as changes of the visitor, and removes Fabric's canvas. */
  async dispose(): Promise<void> {
    this.listeners.abort();
    this.keyboard.dispose();
    this.ring.dispose();
    this.guide.dispose();
    this.peers.dispose();
    const { layer } = this;
    if (!layer) return;
    layer.editing.end();
    layer.canvas.cancelPress();
    this.layer = undefined;
    await layer.canvas.dispose();
  }

  /** Fabric's canvases cost memory, so the layer is made when something can be selected for the first time. */
  private openLayer(): SelectionLayer {
    this.layer ??= new SelectionLayer({ ...this.parts, hits: this.hits }, this.tool);
    return this.layer;
  }

  private updateZoom(): void {
    this.hits.zoom = scaleOf(this.parts.layers.viewport) || 1;
  }

  private editAt(event: MouseEvent): void {
    const at = this.parts.layers.toScene(event);
    const item = this.hits.at(at.x, at.y);
    if (item) this.openLayer().edit(item, event as TPointerEvent);
    else if (this.tool?.mode === "select") this.addText(at);
  }

  private moveByKey(cross: Point): void {
    const at = this.parts.layers.fromHost(cross);
    this.parts.live.pointer(at);
    this.parts.pen.extend([at]);
  }

  private pressByKey(cross: Point): void {
    const { hits } = this;
    const { pen, layers, scene } = this.parts;
    const at = layers.fromHost(cross);
    if (this.tool?.mode === "freehand") {
      if (pen.drawing) pen.finish();
      else pen.begin(at);
      return;
    }
    const [only, ...rest] = this.selected;
    const single = only !== undefined && rest.length === 0 ? scene.get(only) : undefined;
    if (single && isHittable(single)) {
      this.openLayer().edit(single);
      return;
    }
    const item = hits.at(at.x, at.y, TOUCH_REACH);
    if (item) this.pick(item);
  }

  private pick({ object }: Item): void {
    this.select([object.id]);
    this.parts.onPicked(object.id);
  }

  private cycle(step: -1 | 1): void {
    if (this.tool?.mode === "freehand") return;
    const items = inStackOrder(this.parts.scene.all(), isHittable);
    if (items.length === 0) return;
    const now = items.findIndex((item) => item.object.id === this.selected[0]);
    const next = now < 0 ? (step > 0 ? 0 : items.length - 1) : now + step;
    const item = items[(next + items.length) % items.length];
    if (item) this.pick(item);
  }
}
