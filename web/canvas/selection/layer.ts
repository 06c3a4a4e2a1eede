/** The selection layer: Fabric's canvas with the selection's handle and the text that is being edited. */

import { config, type TPointerEvent } from "fabric";
import type { BoardEditor, NewObject, ObjectId } from "../../../board/drawing.ts";
import type { LiveSink } from "../../../board/live.ts";
import { selectsObjects, type ToolRow } from "../../../board/tools.ts";
import type { SpaceLimit } from "../../../board/space.ts";
import { alignBox, type Box } from "../geometry/box.ts";
import type { PaintedBoard } from "../painting/content.ts";
import { type HitTest, inStackOrder, REACH, TOUCH_REACH } from "../scene/hit.ts";
import type { HostLayers } from "../view/host.ts";
import type { Item } from "../scene/item.ts";
import { applyMatrixToBox, type Point, scaleOf } from "../geometry/matrix.ts";
import type { SelectionEvents, SelectionFrame } from "./look.ts";
import { LineEnds } from "../lines/ends.ts";
import { Selection } from "./selection.ts";
import { addCopies, changesOf, copiesOf, restacked, type SelectionEdit } from "./edits.ts";
import type { Viewport } from "../view/viewport.ts";
import { type Press, FabricCanvas } from "./fabric-canvas.ts";
import type { HandledObjects } from "./handle.ts";
import { TextEditing } from "./text-editing.ts";

export interface SelectionLayerDependencies {
  readonly board: PaintedBoard;
  readonly viewport: Viewport;
  readonly hits: HitTest;
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  /** The visitor's colour (CSS). */
  readonly color: () => string;
  readonly events: SelectionEvents;
}

export class SelectionLayer {
  readonly canvas: FabricCanvas;
  readonly selection: Selection;
  readonly editing: TextEditing;
  /** The ends of the selected line or arrow. */
  readonly ends: LineEnds;
  private readonly deps: SelectionLayerDependencies;
  private readonly layers: HostLayers;
  private tool: ToolRow | null = null;
  /** The position that was reported last, as JSON. */
  private reportedFrame = "null";
  /** The selection to which a rubber band with Shift adds. */
  private bandBase: readonly ObjectId[] = [];
  /** Selects, at the release of a press that drags nothing, less than what a drag moves. */
  private atRelease: (() => void) | undefined;

  /** Nothing can be selected before the first call of `setTool`. */
  constructor(deps: SelectionLayerDependencies) {
    const { board, editor, live, viewport, color, events } = deps;
    this.deps = deps;
    this.layers = viewport.layers;
    this.ends = new LineEnds({
      ...{ ...board, editor, live },
      onHeld: (id, held) => events.onAction({ kind: "picked", id, held }),
      changed: () => this.endsChanged(),
    });
    this.canvas = this.makeCanvas();
    this.selection = new Selection({
      ...{ ...board, live },
      editor: {
        change: (changes) => editor.change(changes),
        addCopies: (copies) => this.addCopies(copies),
      },
      control: {
        handle: this.canvas.handle,
        show: (shown) => {
          this.followLine();
          this.canvas.showHandle(shown);
          this.show();
        },
      },
      changed: events.onSelection,
    });
    this.editing = new TextEditing({
      ...{ viewport, editor, color, content: board.content, canvas: this.canvas },
      cut: () => events.onAction({ kind: "cut" }),
      done: (id) => {
        if (board.scene.get(id)) this.selection.set([id]);
      },
    });
    this.resize();
    this.canvas.setViewportTransform([...this.layers.viewport]);
  }

  /** Takes over the visitor's tool; with null, nothing can be selected. With `fixed`, the handle cannot be moved. */
  setTool(tool: ToolRow | null, fixed: boolean): this {
    this.tool = tool;
    this.canvas.setFixed(fixed);
    this.show();
    return this;
  }

  /** Notes that the base canvas is fully painted, and may show now what this layer has shown. */
  settle(): void {
    const settled = [this.selection.settle(), this.ends.settle()];
    if (settled.includes(true)) this.canvas.requestRenderAll();
  }

  /** Moves the controls of a line's ends to the only selected object. */
  private followLine(): void {
    const only = this.selection.dragging ? undefined : this.selection.only;
    this.ends.follow(only === undefined ? undefined : this.deps.board.scene.get(only));
    this.canvas.handle.setCoords();
  }

  private endsChanged(): void {
    this.canvas.handle.setCoords();
    this.canvas.requestRenderAll();
  }

  /** Changes the selected objects in one undo step. */
  change(edit: SelectionEdit): void {
    const { board, editor } = this.deps;
    this.canvas.cancelPress();
    const all = inStackOrder(board.scene.all(), () => true).map(({ object }) => object);
    const chosen = all.filter(({ id }) => this.selection.has(id));
    if (chosen.length === 0) return;
    if (typeof edit === "object") return editor.change(changesOf(chosen, edit));
    if (edit !== "duplicate") return editor.change(restacked(all, new Set(chosen), edit));
    const ids = this.addCopies(copiesOf(chosen));
    if (ids.length > 0) this.select(ids);
  }

  private addCopies(copies: readonly NewObject[]): ObjectId[] {
    const { board, editor, events } = this.deps;
    const refused = (limit: SpaceLimit): void => events.onAction({ kind: "refused", limit });
    return addCopies({ scene: board.scene, editor, refused }, copies);
  }

  /** Reports that an object was picked. */
  private pick(id: ObjectId): void {
    this.deps.events.onAction({ kind: "picked", id });
  }

  /** Reports the position in which the selection is shown, if that changed. */
  reportFrame(): void {
    const frame = this.frame();
    const text = JSON.stringify(frame);
    if (text === this.reportedFrame) return;
    this.reportedFrame = text;
    this.deps.events.onSelectionFrame(frame);
  }

  /** Takes over the size of the layers, and their ratio, which Fabric reads only once. */
  resize(): void {
    const { width, height } = this.layers.size;
    config.devicePixelRatio = this.layers.ratio;
    this.canvas.setDimensions({ width, height });
    this.canvas.requestRenderAll();
  }

  /** Takes over the viewport of the layers. */
  updateViewport(): void {
    this.canvas.setViewportTransform([...this.layers.viewport]);
    this.canvas.handle.setCoords();
    this.editing.moveField();
    this.canvas.requestRenderAll();
  }

  /** Cancels what the pointer began; dragged objects return to their former position. */
  abandonPress(): void {
    this.atRelease = undefined;
    this.selection.abandonDrag();
    this.ends.abandon();
    this.canvas.cancelPress();
  }

  /** Takes a drag back, and releases the chosen end of a line. Returns false when there was neither. */
  letGo(): boolean {
    const isDragged = this.selection.dragging || this.ends.dragging;
    this.selection.abandonDrag();
    const hadEnd = this.ends.letGo();
    if (isDragged) this.deps.events.onAction({ kind: "cancelled" });
    if (isDragged || hadEnd) this.canvas.cancelPress();
    return isDragged || hadEnd;
  }

  /** Ends editing and dragging, and selects nothing. */
  clear(): void {
    if (this.selection.copying) this.abandonPress();
    this.select([]);
  }

  /** Selects these objects and no others; editing a text ends, and so does what the pointer began. */
  select(ids: Iterable<ObjectId>): void {
    this.editing.end();
    this.atRelease = undefined;
    this.canvas.cancelPress();
    this.selection.set(ids);
  }

  /** Edits a text, with the caret at `event`; objects that are no editable text are ignored. */
  edit(item: Item, event?: TPointerEvent): void {
    if (item.object.type !== "IText" && item.object.type !== "Textbox") return;
    if (this.editing.isEditing(item.object.id)) return;
    this.select([]);
    void this.editing.begin(item, event);
  }

  /** Begins a new text, unless the board is full. */
  write(draft: NewObject): void {
    if (!this.deps.editor.accepts(1)) return;
    this.select([]);
    this.editing.beginNew(draft);
  }

  /** Returns the position in which the selection is shown; null without one, or while it is dragged. */
  private frame(): SelectionFrame | null {
    if (this.selection.size === 0 || this.selection.dragging || this.ends.dragging) return null;
    const { layers } = this;
    const { handle } = this.canvas;
    const { left, top, width, height } = handle.getBoundingRect();
    const box = { left, top, right: left + width, bottom: top + height };
    const upsideDown = Math.cos((handle.angle * Math.PI) / 180) < 0;
    const { x, y } = layers.fromHost({ x: 0, y: 0 });
    const end = layers.fromHost({ x: layers.size.width, y: layers.size.height });
    const outside = this.selection.shown.countOutside({
      left: x,
      top: y,
      right: end.x,
      bottom: end.y,
    });
    const { look } = this.selection.shown;
    return {
      ...alignBox(applyMatrixToBox(layers.viewport, box), 0),
      ...{ ...look, upsideDown, outside },
    };
  }

  private makeCanvas(): FabricCanvas {
    const { layers } = this;
    const { board, hits } = this.deps;
    const canvas = new FabricCanvas({
      toScene: (event) => layers.toScene(event as PointerEvent),
      press: (at, event, insideHandle) => this.press(at, event as PointerEvent, insideHandle),
      isSelectableAt: (at) => hits.at(at.x, at.y, REACH) !== undefined,
      selectWithin: (box) => this.selectWithin(box),
      selected: this.handledObjects(),
      released: () => {
        this.atRelease?.();
        this.atRelease = undefined;
      },
      wake: board.wake,
    });
    layers.selection.append(canvas.wrapperEl);
    // The target of a press that chose the tool lies below Fabric's canvas, which was not shown before it.
    layers.base.addEventListener("pointerdown", (event) => canvas._onMouseDown(event));
    return canvas;
  }

  private handledObjects(): HandledObjects {
    const { layers } = this;
    return {
      line: {
        points: () => this.ends.points,
        held: () => this.ends.held,
        drag: (end, by, stepped) => this.ends.dragBy(end, by, stepped),
      },
      paintDragged: (context) => {
        this.selection.paintDragged(context, 1 / (scaleOf(layers.viewport) || 1));
        this.ends.paint(context);
      },
      transforming: (copies) => {
        this.atRelease = undefined;
        this.selection.drag(copies);
      },
      transformed: () => {
        this.ends.endDrag();
        this.selection.endDrag();
      },
    };
  }

  private press(at: Point, event: PointerEvent, insideHandle: boolean): Press {
    const { editing, selection } = this;
    editing.end();
    const reach = event.pointerType === "touch" ? TOUCH_REACH : REACH;
    const id = this.deps.hits.at(at.x, at.y, reach)?.object.id;
    const several = event.shiftKey && this.tool?.mode === "select";
    this.bandBase = several ? selection.list() : [];
    this.atRelease = undefined;
    if (several && id !== undefined) {
      if (selection.has(id)) this.atRelease = () => selection.toggle(id);
      else selection.toggle(id);
      return "handle";
    }
    const stays = insideHandle && (id === undefined || selection.has(id) || selection.size > 1);
    if (!stays) this.selectPressed(id);
    else if (!several) this.atRelease = () => this.selectPressed(id);
    return stays || id !== undefined ? "handle" : "nothing";
  }

  private selectPressed(id: ObjectId | undefined): void {
    if (id !== undefined && id === this.selection.only) return;
    this.selection.set(id === undefined ? [] : [id]);
    if (id !== undefined) this.pick(id);
  }

  private selectWithin(box: Box): void {
    const found = this.deps.hits.within(box).map((item) => item.object.id);
    this.select([...this.bandBase, ...found]);
    const { only } = this.selection;
    if (only !== undefined) this.pick(only);
  }

  /** Shows Fabric's canvases only when they are needed, since composing them is costly. */
  private show(): void {
    const { style } = this.layers.selection;
    const { tool } = this;
    const selects = tool !== null && selectsObjects(tool);
    style.display = selects || this.selection.size > 0 ? "block" : "none";
    style.pointerEvents = selects ? "auto" : "none";
    this.canvas.takesPresses = selects;
    this.canvas.selection = tool?.mode === "select";
  }
}
