/** The selection layer: Fabric's canvas with the selection's handle and the text that is being edited. */

import type { TPointerEvent } from "fabric";
import type { BoardEditor, NewObject, ObjectId } from "../../../board/drawing.ts";
import type { LiveSink } from "../../../board/live.ts";
import type { ToolRow } from "../../../board/tools.ts";
import { alignBox, type Box } from "../geometry/box.ts";
import type { Content } from "../painting/content.ts";
import { type HitTest, inStackOrder, REACH, TOUCH_REACH } from "../scene/hit.ts";
import type { HostLayers } from "../view/host.ts";
import type { Item } from "../scene/item.ts";
import { applyMatrixToBox, type Point } from "../geometry/matrix.ts";
import type { Painter } from "../painting/paint.ts";
import type { SelectionFrame } from "./frame.ts";
import type { Scene } from "../scene/scene.ts";
import { Selection } from "./selection.ts";
import { colored, copiesOf, restacked, type SelectionEdit } from "./edits.ts";
import { type Press, FabricCanvas } from "./fabric-canvas.ts";
import { TextEditing } from "./text-editing.ts";

export interface SelectionLayerDependencies {
  readonly layers: HostLayers;
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly scene: Scene;
  readonly painter: Painter;
  readonly content: Content;
  readonly hits: HitTest;
  /** The visitor's colour (CSS). */
  readonly color: () => string;
  /** Asks for a frame. */
  readonly wake: () => void;
  /** Called when the number of selected objects changed. */
  readonly onSelection: (count: number) => void;
  readonly onSelectionFrame: (frame: SelectionFrame | null) => void;
}

export class SelectionLayer {
  readonly canvas: FabricCanvas;
  readonly selection: Selection;
  readonly editing: TextEditing;
  private readonly deps: SelectionLayerDependencies;
  private tool: ToolRow | null;
  /** The position that was reported last, as JSON. */
  private reportedFrame = "null";
  /** The selection to which a rubber band with Shift adds. */
  private bandBase: readonly ObjectId[] = [];

  constructor(deps: SelectionLayerDependencies, tool: ToolRow | null) {
    this.deps = deps;
    this.tool = tool;
    this.canvas = this.makeCanvas();
    this.selection = new Selection({
      ...deps,
      handle: this.canvas.handle,
      showHandle: (shown) => {
        this.canvas.showHandle(shown);
        this.show();
      },
      changed: deps.onSelection,
    });
    this.editing = new TextEditing({
      host: deps.layers.host,
      canvas: this.canvas,
      editor: deps.editor,
      content: deps.content,
      color: deps.color,
      done: (id) => {
        if (deps.scene.get(id)) this.selection.set([id]);
      },
    });
    this.resize();
    this.canvas.setViewportTransform([...deps.layers.viewport]);
    this.show();
  }

  /** Takes over the visitor's tool; with null, nothing can be selected. */
  setTool(tool: ToolRow | null): void {
    this.tool = tool;
    this.show();
  }

  /** Changes the selected objects in one undo step. `color`: a CSS colour, for `color`. */
  change(edit: SelectionEdit, color: string): void {
    const { editor, scene } = this.deps;
    this.canvas.cancelPress();
    const all = inStackOrder(scene.all(), () => true).map(({ object }) => object);
    const chosen = all.filter(({ id }) => this.selection.has(id));
    if (chosen.length === 0) return;
    switch (edit) {
      case "color":
        return editor.change(chosen.map((one) => ({ id: one.id, props: colored(one, color) })));
      case "duplicate":
        if (editor.accepts(chosen.length))
          this.select(editor.add(copiesOf(chosen)).map(({ id }) => id));
        return;
      case "front":
      case "back":
        return editor.change(restacked(all, new Set(chosen), edit));
    }
  }

  /** Reports where the selection is shown, if that changed. */
  reportFrame(): void {
    const frame = this.frame();
    const text = JSON.stringify(frame);
    if (text === this.reportedFrame) return;
    this.reportedFrame = text;
    this.deps.onSelectionFrame(frame);
  }

  /** Takes over the size of the layers. */
  resize(): void {
    const { width, height } = this.deps.layers.size;
    this.canvas.setDimensions({ width, height });
    this.canvas.requestRenderAll();
  }

  /** Takes over the viewport of the layers. */
  updateViewport(): void {
    this.canvas.setViewportTransform([...this.deps.layers.viewport]);
    this.canvas.handle.setCoords();
    this.canvas.requestRenderAll();
  }

  /** Ends what the pointer began; dragged objects return to where they were. */
  abandonPress(): void {
    this.selection.abandonDrag();
    this.canvas.cancelPress();
  }

  /** Removes the copies that are being dragged, as if they had not been made. */
  putBackCopies(): void {
    if (this.selection.copying) this.abandonPress();
  }

  /** Ends editing and dragging, and selects nothing. */
  clear(): void {
    this.editing.end();
    this.putBackCopies();
    this.canvas.cancelPress();
    this.selection.set([]);
  }

  /** Selects these objects and no others; editing a text ends. */
  select(ids: Iterable<ObjectId>): void {
    this.editing.end();
    this.selection.set(ids);
  }

  /** Edits a text, with the caret where `event` is; objects that are no editable text are ignored. */
  edit(item: Item, event?: TPointerEvent): void {
    if (item.object.type !== "IText" && item.object.type !== "Textbox") return;
    if (this.editing.isEditing(item.object.id)) return;
    this.selection.set([]);
    void this.editing.begin(item, event);
  }

  /** Begins a new text, unless the board is full. */
  write(draft: NewObject): void {
    if (!this.deps.editor.accepts(1)) return;
    this.selection.set([]);
    this.editing.beginNew(draft);
  }

  /** Returns where the selection is shown; null without one, or while it is dragged. */
  private frame(): SelectionFrame | null {
    if (this.selection.size === 0 || this.selection.dragging) return null;
    const { handle } = this.canvas;
    const { left, top, width, height } = handle.getBoundingRect();
    const box = { left, top, right: left + width, bottom: top + height };
    const turnedOver = Math.cos((handle.angle * Math.PI) / 180) < 0;
    return { ...alignBox(applyMatrixToBox(this.deps.layers.viewport, box), 0), turnedOver };
  }

  private makeCanvas(): FabricCanvas {
    const { layers, hits, wake } = this.deps;
    const element = document.createElement("canvas");
    layers.selection.append(element);
    return new FabricCanvas(element, {
      toScene: (event) => layers.toScene(event as PointerEvent),
      press: (at, event, insideHandle) => this.press(at, event as PointerEvent, insideHandle),
      isSelectableAt: (at) => hits.at(at.x, at.y, REACH) !== undefined,
      selectWithin: (box) => this.selectWithin(box),
      paintDragged: (context) => this.selection.paintDragged(context),
      transforming: (copies) => this.selection.drag(copies),
      transformed: () => this.selection.endDrag(),
      wake,
    });
  }

  private press(at: Point, event: PointerEvent, insideHandle: boolean): Press {
    const { editing, selection } = this;
    editing.end();
    const reach = event.pointerType === "touch" ? TOUCH_REACH : REACH;
    const id = this.deps.hits.at(at.x, at.y, reach)?.object.id;
    const several = event.shiftKey && this.tool?.mode === "select";
    this.bandBase = several ? selection.list() : [];
    if (several && id !== undefined) {
      selection.toggle(id);
      return selection.size > 0 ? "handle" : "nothing";
    }
    const stays = id === undefined || selection.has(id) || selection.size > 1;
    if (insideHandle && stays) return "handle";
    selection.set(id === undefined ? [] : [id]);
    return id === undefined ? "nothing" : "handle";
  }

  private selectWithin(box: Box): void {
    const found = this.deps.hits.within(box).map((item) => item.object.id);
    this.select([...this.bandBase, ...found]);
  }

  /** Shows Fabric's canvases only when they have something to do, since they cost compositing. */
  private show(): void {
    const { style } = this.deps.layers.selection;
    const { tool } = this;
    const selects = tool !== null && tool.mode !== "freehand";
    style.display = selects || this.selection.size > 0 ? "block" : "none";
    style.pointerEvents = selects ? "auto" : "none";
    this.canvas.selection = tool?.mode === "select";
  }
}
