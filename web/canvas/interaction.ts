/** The interaction: visitors and peers act on objects that are on the board, by pointer and by keys. */

import type { TPointerEvent } from "fabric";
import { LIMITS } from "../../board/constants.ts";
import type { BoardChanges, BoardEditor, ObjectId } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { DEFAULT_TOOL, selectsObjects, toolRow, type ToolRow } from "../../board/tools.ts";
import { union } from "./geometry/box.ts";
import { type Point, scaleOf } from "./geometry/matrix.ts";
import { EraserRing } from "./input/eraser-ring.ts";
import { Hold } from "./input/hold.ts";
import { InkTrail } from "./input/ink-trail.ts";
import { Keyboard } from "./input/keyboard.ts";
import type { Pen } from "./input/pen.ts";
import { arrowProps } from "./lines/straight.ts";
import { createMenuTools } from "./menu-tools.ts";
import { PressureInk } from "./painting/pressure-ink.ts";
import { PanTiles } from "./painting/pan-tiles.ts";
import type { FadingInk } from "./peers/fading-ink.ts";
import { PeersLayer } from "./peers/layer.ts";
import { MarkedObjects } from "./peers/marked-objects.ts";
import type { CanvasEvents, MenuTools } from "./port.ts";
import { type ShapeMaker, straightFrom } from "./recognition/held-shape.ts";
import { shapeOfStroke } from "./recognition/recognize.ts";
import { HitTest, inStackOrder, TOUCH_REACH } from "./scene/hit.ts";
import { isHittable, type Item } from "./scene/item.ts";
import { BoardSelection } from "./selection/commands.ts";
import type { SelectionLayerDependencies } from "./selection/layer.ts";
import { textObject } from "./selection/text-layout.ts";
import type { HostLayers } from "./view/host.ts";
import { whenLeaving } from "./view/leaving.ts";
import { namePeer } from "./view/named-peer.ts";
import { ViewGuide } from "./view/guide.ts";

export interface InteractionDependencies extends Omit<SelectionLayerDependencies, "hits"> {
  readonly events: CanvasEvents;
  readonly pen: Pen;
}

export class Interaction {
  readonly guide: ViewGuide;
  readonly panTiles = new PanTiles();
  readonly menu: MenuTools;
  readonly selection: BoardSelection;
  readonly shapes: ShapeMaker = {
    recognize: (points) => shapeOfStroke(points, scaleOf(this.deps.viewport.layers.viewport)),
    straight: straightFrom,
    addHead: (id) => this.addHead(id),
  };
  readonly fadingInk: FadingInk;
  readonly marked: MarkedObjects;
  private readonly deps: InteractionDependencies;
  private readonly layers: HostLayers;
  private readonly peers: PeersLayer;
  private readonly hits: HitTest;
  private readonly ring: EraserRing;
  private readonly keyboard: Keyboard;
  private readonly listeners = new AbortController();
  /** The visitor's tool; null while the canvas is read-only. */
  private tool: ToolRow | null = toolRow(DEFAULT_TOOL);
  /** True while objects can be selected but not changed. */
  private looks = false;
  /** True when a text was being edited at the latest press of the pointer. */
  private wasEditing = false;
  /** True while the pen draws at the crosshair, and not under a pointer. */
  private drawsByKey = false;

  constructor(given: InteractionDependencies) {
    const deps = { ...given, editor: guardedEditor(given.editor, () => this.looks) };
    this.deps = deps;
    const { board, pen, viewport } = deps;
    const { layers } = viewport;
    this.layers = layers;
    pen.helpers = {
      trail: new InkTrail(layers.host),
      hold: new Hold(() => pen.becomeShape()),
      pressureInk: ({ color, width, eraser, look, straight }) =>
        eraser || look || straight ? undefined : new PressureInk(color, width),
    };
    // A pointer that was pressed before this code arrived may rest already, and then sends nothing.
    if (pen.drawing) pen.helpers.hold.moved();
    this.peers = new PeersLayer({ ...board, layers });
    this.fadingInk = this.peers.fadingInk;
    this.peers.resize();
    this.marked = new MarkedObjects({ ...board, layers });
    this.hits = new HitTest(board.scene, board.stats);
    this.updateZoom();
    const selection = new BoardSelection({ ...deps, hits: this.hits });
    this.selection = selection;
    const letGo = (): boolean => {
      const isDrawing = pen.abandon();
      if (isDrawing) deps.events.onAction({ kind: "cancelled" });
      return isDrawing || selection.letGo();
    };
    this.keyboard = new Keyboard({
      layers,
      busy: () => this.tool === null || selection.editingText,
      arrowsTaken: () => !pen.drawing && !this.looks && selection.ids.length > 0,
      moved: (at) => this.moveByKey(at),
      press: (at) => this.pressByKey(at),
      cycle: (step) => this.cycle(step),
      letGo,
    });
    layers.host.append(this.keyboard.element);
    this.keyboard.showFocus();
    this.ring = new EraserRing(layers);
    this.guide = new ViewGuide({
      ...{ layers, viewport, scene: board.scene },
      selected: () => selection.box(),
      report: deps.events.onView,
    });
    this.menu = createMenuTools({
      ...{ scene: board.scene, pen, hits: this.hits, selection, live: deps.live },
      addText: (at) => this.addText(at),
      letGo,
    });
    const { signal } = this.listeners;
    whenLeaving(() => pen.finish(), signal);
    const cancel = (event: PointerEvent): void => selection.cancelPress(event);
    layers.host.addEventListener("pointercancel", cancel, { signal });
    layers.selection.addEventListener("dblclick", (event) => this.editAt(event), { signal });
    const note = (): void => {
      this.wasEditing = selection.editingText;
      this.drawsByKey = false;
    };
    layers.host.addEventListener("pointerdown", note, { signal, capture: true });
    layers.selection.addEventListener("click", (event) => this.textAt(event), { signal });
    // A canvas that lost its graphics context is empty. The event does not bubble.
    const restored = (): void => this.resize();
    layers.host.addEventListener("contextrestored", restored, { signal, capture: true });
  }

  /** Takes over the visitor's tool. With null the visitor's activity ends, and pointer and keys have no effect. */
  setTool(tool: ToolRow | null): void {
    this.tool = tool;
    this.looks = false;
    if (tool === null) this.keyboard.hide();
    this.selection.setTool(tool);
    const erases = tool?.mode === "freehand" && tool.pen.eraser;
    this.ring.setWidth(erases ? LIMITS.eraserWidth : 0);
  }

  /** Ends the visitor's activity as changes; from then on objects can be selected, but not changed. */
  look(): void {
    if (this.looks) return;
    this.setTool(null);
    this.tool = toolRow("select");
    this.looks = true;
    this.selection.setTool(this.tool, true);
  }

  showPeers(peers: readonly PeerView[]): void {
    const named = peers.map(namePeer);
    this.peers.show(named);
    this.guide.showPeers(named, !this.isBusy);
  }

  /** Takes over the size of the layers. */
  resize(): void {
    this.peers.resize();
    this.marked.refresh();
    this.selection.updateSize();
    this.guide.schedule();
  }

  /** Takes over the viewport of the layers. */
  updateViewport(): void {
    this.updateZoom();
    this.peers.resize();
    this.marked.refresh();
    this.selection.updateViewport();
    this.ring.update();
  }

  /** Paints the changes on the layers of peers and selection. `settled`: the base canvas is fully painted. */
  work(settled: boolean): void {
    this.peers.work(settled);
    this.marked.work();
    this.selection.work(settled);
  }

  /** Selects an object that was added at the position of shapes and stickers, and shows it. */
  selectAdded(id: ObjectId): void {
    // A sticker has no size yet; no shape is smaller than one.
    const { insertLeft: left, insertTop: top, stickerSize } = LIMITS;
    const box = { left, top, right: left + stickerSize, bottom: top + stickerSize };
    const item = this.deps.board.scene.get(id);
    this.guide.reveal({ x: left, y: top }, item ? union(box, item.box) : box);
    this.selection.selectAdded(id);
  }

  /** Selects objects unless the visitor draws, drags or writes: those of a file may arrive meanwhile. */
  selectArrived(ids: readonly ObjectId[]): void {
    if (!this.isBusy) this.selection.select(ids);
  }

  /** Begins a text at a point of the board, with words that were typed already. */
  addText(at: Point, words = ""): void {
    this.selection.addText(textObject(at, this.deps.color(), words));
  }

  /** Applies changes of the board. An object that is being dragged keeps its position. */
  apply(changes: BoardChanges): void {
    this.selection.apply(changes);
    for (const list of [changes.added, changes.removed])
      for (const { id } of list) this.peers.presenceChanged(id);
    this.marked.apply(changes);
    this.guide.boardChanged(changes);
  }

  /** Ends editing and dragging as changes of the visitor, and removes Fabric's canvas. */
  async dispose(): Promise<void> {
    this.listeners.abort();
    this.keyboard.dispose();
    this.ring.dispose();
    this.guide.dispose();
    this.peers.dispose();
    this.marked.dispose();
    await this.selection.dispose();
  }

  /** True while the visitor draws, drags or writes. */
  private get isBusy(): boolean {
    return this.menu.isActing || this.selection.editingText;
  }

  private addHead(id: ObjectId): void {
    const item = this.deps.board.scene.get(id);
    const props = item && arrowProps(item);
    if (props) this.deps.editor.change([{ id, props }]);
  }

  private updateZoom(): void {
    this.hits.zoom = scaleOf(this.layers.viewport) || 1;
  }

  /** Edits the pressed text, or begins one; a double press in a text that is being written selects a word. */
  private editAt(event: MouseEvent): void {
    if (this.selection.editingText) return;
    const at = this.layers.toScene(event);
    const item = this.hits.at(at.x, at.y);
    if (item) this.selection.editText(item, event as TPointerEvent);
    else if (this.tool?.mode === "select") this.addText(at);
  }

  /** Begins a text with the tool Text on an empty area, unless the press ended one. */
  private textAt(event: MouseEvent): void {
    if (this.tool?.mode !== "text" || this.wasEditing) return;
    const at = this.layers.toScene(event);
    if (!this.hits.at(at.x, at.y)) this.addText(at);
  }

  private moveByKey(cross: Point): void {
    const at = this.layers.fromHost(cross);
    this.deps.live.pointer(at);
    if (this.drawsByKey) this.deps.pen.extend([at]);
  }

  private pressByKey(cross: Point): void {
    const { hits, layers } = this;
    const { board, pen } = this.deps;
    const at = layers.fromHost(cross);
    if (this.tool && !selectsObjects(this.tool)) {
      this.drawsByKey = !pen.drawing;
      if (pen.drawing) pen.finish();
      else pen.begin(at);
      return;
    }
    const [only, ...rest] = this.selection.ids;
    const single = only !== undefined && rest.length === 0 ? board.scene.get(only) : undefined;
    if (single && isHittable(single)) {
      if (!this.selection.takeEnd()) this.selection.editText(single);
      return;
    }
    const item = hits.at(at.x, at.y, TOUCH_REACH);
    if (item) this.pick(item);
  }

  private pick({ object }: Item): void {
    this.selection.select([object.id]);
    this.deps.events.onAction({ kind: "picked", id: object.id });
  }

  private cycle(step: -1 | 1): void {
    if (this.tool && !selectsObjects(this.tool)) return;
    const items = inStackOrder(this.deps.board.scene.all(), isHittable);
    if (items.length === 0) return;
    const now = items.findIndex((item) => item.object.id === this.selection.ids[0]);
    const next = now < 0 ? (step > 0 ? 0 : items.length - 1) : now + step;
    const item = items[(next + items.length) % items.length];
    if (item) this.pick(item);
  }
}

/** The editor, which accepts no change while the visitor may only look. */
function guardedEditor(editor: BoardEditor, looks: () => boolean): BoardEditor {
  return {
    accepts: (count) => !looks() && editor.accepts(count),
    add: (objects) => (looks() ? [] : editor.add(objects)),
    addChanged: (object, props) => (looks() ? undefined : editor.addChanged(object, props)),
    change: (changes) => (looks() ? undefined : editor.change(changes)),
    remove: (ids) => (looks() ? undefined : editor.remove(ids)),
  };
}
