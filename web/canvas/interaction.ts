/** Everything that a person does with objects that are there: select, move, edit, remove; by pointer and keys. */

import type { TPointerEvent } from "fabric";
import type { BoardChanges, BoardEditor, ObjectId } from "../../board/drawing.ts";
import type { LiveSink } from "../../board/live.ts";
import type { Tool } from "../../board/spec.ts";
import type { Content } from "./content.ts";
import { type HitTest, inReadingOrder } from "./hit.ts";
import type { Item } from "./item.ts";
import { Keyboard } from "./keyboard.ts";
import type { Matrix, Point } from "./matrix.ts";
import type { Painter } from "./paint.ts";
import type { Pen } from "./pen.ts";
import type { Scene } from "./scene.ts";
import { openStage, type Stage } from "./stage.ts";
import type { Press } from "./surface.ts";
import { isDrawing, isSelecting } from "./tools.ts";

/** How far from the ink a press takes an object, in canvas pixels. */
const REACH = 6;
const TOUCH_REACH = 14;

export interface InteractionParts {
  readonly host: HTMLElement;
  /** Holds Fabric's canvases. */
  readonly layer: HTMLElement;
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly scene: Scene;
  readonly painter: Painter;
  readonly content: Content;
  readonly hits: HitTest;
  readonly pen: Pen;
  readonly wake: () => void;
  readonly size: () => { readonly width: number; readonly height: number };
  readonly viewport: () => Matrix;
  readonly toScene: (event: { readonly clientX: number; readonly clientY: number }) => Point;
  readonly onSelection: (count: number) => void;
}

export class Interaction {
  private readonly parts: InteractionParts;
  private readonly keyboard: Keyboard;
  private readonly listeners = new AbortController();
  private stage: Stage | undefined;
  private tool: Tool = "draw";
  /** Changes are being taken in; the selection follows once, at the end. */
  private applying = false;
  /** What was selected when a rubber band that adds to it began. */
  private bandBase: readonly ObjectId[] = [];

  constructor(parts: InteractionParts) {
    this.parts = parts;
    this.keyboard = new Keyboard({
      host: parts.host,
      size: parts.size,
      busy: () => this.editingText,
      arrowsTaken: () => !parts.pen.drawing && this.selected.length > 0,
      moved: (at) => this.moveByKey(at),
      press: (at) => this.pressByKey(at),
      cycle: (step) => this.cycle(step),
    });
    const { signal } = this.listeners;
    const { host, layer } = parts;
    host.addEventListener("pointercancel", (event) => this.stage?.surface.cancelPress(event), {
      signal,
    });
    layer.addEventListener("dblclick", (event) => this.editAt(event), { signal });
  }

  get crosshair(): HTMLElement {
    return this.keyboard.element;
  }

  get editingText(): boolean {
    return this.stage?.editing.active ?? false;
  }

  get selected(): readonly ObjectId[] {
    return this.stage?.selection.list() ?? [];
  }

  /** True while this person has the object in the hand. */
  holds(id: ObjectId): boolean {
    const { stage, parts } = this;
    if (!stage) return false;
    const item = parts.scene.get(id);
    if (item && stage.editing.isEditing(item)) return true;
    return stage.selection.holding && stage.selection.has(id);
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.keyboard.hide();
    if (isDrawing(tool)) this.clear();
    else this.onStage();
    this.showStage();
  }

  resize(): void {
    const { width, height } = this.parts.size();
    this.stage?.surface.setDimensions({ width, height });
    this.stage?.surface.requestRenderAll();
  }

  setViewport(viewport: Matrix): void {
    this.stage?.surface.setViewportTransform([...viewport]);
    this.stage?.selection.place();
  }

  work(settled: boolean): void {
    const { stage } = this;
    if (!stage) return;
    if (settled && stage.selection.settle()) stage.surface.requestRenderAll();
    stage.surface.work();
  }

  select(ids: Iterable<ObjectId>): void {
    const { editing, selection } = this.onStage();
    editing.end();
    selection.set(ids);
  }

  clear(): void {
    if (!this.stage) return;
    this.stage.editing.end();
    this.stage.surface.cancelPress();
    this.stage.selection.set([]);
  }

  selectAll(): void {
    if (this.editingText) return;
    this.select(inReadingOrder([...this.parts.scene.all()]).map((item) => item.object.id));
  }

  removeSelection(): number {
    const { stage } = this;
    if (!stage || stage.editing.active || stage.selection.size === 0) return 0;
    stage.surface.cancelPress();
    const ids = stage.selection.list();
    this.parts.editor.remove(ids);
    return ids.length;
  }

  nudge(dx: number, dy: number): void {
    if (!this.editingText) this.stage?.selection.nudge(dx, dy);
  }

  /** Shows changes of the board. What is in this person's hand keeps its place. */
  apply(changes: BoardChanges): void {
    const { content } = this.parts;
    const { selection, editing } = this.stage ?? {};
    let touched = false;
    for (const object of changes.removed) {
      touched ||= selection?.has(object.id) ?? false;
      const item = this.parts.scene.get(object.id);
      if (item && editing?.isEditing(item)) editing.lose();
      selection?.lose(object);
    }
    for (const object of changes.changed) touched ||= selection?.has(object.id) ?? false;
    this.applying = true;
    content.apply(changes);
    this.applying = false;
    if (touched) selection?.refresh();
  }

  /** An item was made anew for an object. */
  renewed(item: Item): void {
    const { stage } = this;
    if (!stage) return;
    if (stage.editing.isEditing(item)) stage.editing.take(item);
    else if (stage.selection.take(item)) stage.surface.requestRenderAll();
    else if (!this.applying && stage.selection.has(item.object.id)) stage.selection.refresh();
  }

  async dispose(): Promise<void> {
    this.listeners.abort();
    this.keyboard.dispose();
    const { stage } = this;
    if (!stage) return;
    stage.editing.end();
    stage.surface.cancelPress();
    this.stage = undefined;
    await stage.surface.dispose();
  }

  private onStage(): Stage {
    this.stage ??= openStage(this.parts, {
      press: (at, event, inside) => this.press(at, event, inside),
      hover: (at) => this.parts.hits.at(at.x, at.y, REACH) !== undefined,
      band: (found) => this.select([...this.bandBase, ...found]),
      activate: (active) => this.activate(active),
    });
    return this.stage;
  }

  /** Shows the handle where the selection is, or hides it. */
  private activate(active: boolean): void {
    const { stage } = this;
    if (!stage) return;
    const { surface } = stage;
    if (active && !surface.isHandleActive()) surface.setActiveObject(surface.handle);
    if (!active && surface.isHandleActive()) surface.discardActiveObject();
    this.showStage();
    surface.requestRenderAll();
  }

  /** Fabric's canvases cost memory and compositing; they are shown only when they have something to do. */
  private showStage(): void {
    const { stage, tool, parts } = this;
    const drawing = isDrawing(tool);
    const needed = stage !== undefined && (!drawing || stage.selection.size > 0);
    parts.layer.style.display = needed ? "block" : "none";
    parts.layer.style.pointerEvents = drawing ? "none" : "auto";
    parts.host.style.cursor = drawing ? "crosshair" : "";
    if (stage) stage.surface.selection = isSelecting(tool);
  }

  private press(at: Point, event: PointerEvent, inside: boolean): Press {
    const { editing, selection } = this.onStage();
    editing.end();
    const reach = event.pointerType === "touch" ? TOUCH_REACH : REACH;
    const id = this.parts.hits.at(at.x, at.y, reach)?.object.id;
    const several = event.shiftKey && isSelecting(this.tool);
    this.bandBase = several ? selection.list() : [];
    if (several && id !== undefined) {
      selection.toggle(id);
      return selection.size > 0 ? "handle" : "nothing";
    }
    const mine = id === undefined || selection.has(id) || selection.size > 1;
    if (inside && mine) return "handle";
    selection.set(id === undefined ? [] : [id]);
    return id === undefined ? "nothing" : "handle";
  }

  private editAt(event: MouseEvent): void {
    const at = this.parts.toScene(event);
    const item = this.parts.hits.at(at.x, at.y);
    if (item) this.edit(item, event as TPointerEvent);
  }

  private edit(item: Item, event?: TPointerEvent): void {
    if (item.object.type !== "IText" && item.object.type !== "Textbox") return;
    const { editing, selection } = this.onStage();
    if (editing.isEditing(item)) return;
    selection.set([]);
    void editing.begin(item, event);
  }

  private moveByKey(at: Point): void {
    this.parts.live.pointer(at);
    if (this.parts.pen.drawing) this.parts.pen.extend([at]);
  }

  private pressByKey(at: Point): void {
    const { pen, hits, scene } = this.parts;
    if (isDrawing(this.tool)) {
      if (pen.drawing) pen.finish();
      else pen.begin(at);
      return;
    }
    const [only, ...others] = this.selected;
    const single = only !== undefined && others.length === 0 ? scene.get(only) : undefined;
    const item = single ?? hits.at(at.x, at.y, TOUCH_REACH);
    if (!item) return;
    if (single) this.edit(single);
    else this.select([item.object.id]);
  }

  private cycle(step: -1 | 1): void {
    if (isDrawing(this.tool)) return;
    const items = inReadingOrder([...this.parts.scene.all()]);
    if (items.length === 0) return;
    const now = items.findIndex((item) => item.object.id === this.selected[0]);
    const next = now < 0 ? (step > 0 ? 0 : items.length - 1) : now + step;
    const item = items[(next + items.length) % items.length];
    if (item) this.select([item.object.id]);
  }
}
