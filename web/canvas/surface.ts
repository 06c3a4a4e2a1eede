/**
 * Fabric's canvas, transparent and above the picture. It holds one handle, which stands for whatever is
 * selected, or the text being edited; the objects themselves are painted by the scene. What lies under the
 * pointer is answered from outside, so nothing here costs as much as the board is large.
 */

import { Canvas, Point, Rect, type FabricObject, type TPointerEvent } from "fabric";
import { showLayer } from "./host.ts";
import type { Box, Point as At } from "./matrix.ts";

/** What a press on the canvas means. */
export type Press = "handle" | "nothing";

export interface SurfaceParts {
  /** The pointer in canvas pixels. */
  toScene(event: TPointerEvent): At;
  /** A press at a point that is not on a control: selects what is there. */
  press(at: At, event: TPointerEvent, insideHandle: boolean): Press;
  /** True when something can be selected there. */
  hover(at: At): boolean;
  /** A rubber band was drawn. */
  band(box: Box, event: TPointerEvent): void;
  /** Paints the objects that the handle holds while it is being transformed. */
  paintHeld(context: CanvasRenderingContext2D): void;
  /** The handle moved, or was let go. */
  transforming(): void;
  transformed(): void;
  /** A repaint of this canvas is wanted in the next frame. */
  wake(): void;
}

const ACCENT = "#2563eb";

/** Stands for the selected objects: shows borders and controls, and what it holds while it moves. */
export class Handle extends Rect {
  paintHeld: ((context: CanvasRenderingContext2D) => void) | undefined;

  override render(context: CanvasRenderingContext2D): void {
    this.paintHeld?.(context);
  }
}

function makeHandle(): Handle {
  return new Handle({
    originX: "left",
    originY: "top",
    fill: "",
    stroke: null,
    strokeWidth: 0,
    objectCaching: false,
    transparentCorners: false,
    cornerColor: "#ffffff",
    cornerStrokeColor: ACCENT,
    borderColor: ACCENT,
    cornerSize: 10,
    touchCornerSize: 28,
    borderScaleFactor: 1.5,
  });
}

export class Surface extends Canvas {
  readonly handle: Handle = makeHandle();
  private readonly parts: SurfaceParts;
  private pressed: Press | undefined;
  /** A repaint was asked for. */
  private wanted = false;

  constructor(element: HTMLCanvasElement, parts: SurfaceParts) {
    super(element, {
      enablePointerEvents: true,
      renderOnAddRemove: false,
      preserveObjectStacking: true,
      enableRetinaScaling: true,
      stopContextMenu: false,
      fireRightClick: false,
      uniformScaling: true,
      selectionColor: "rgba(37, 99, 235, 0.08)",
      selectionBorderColor: ACCENT,
      selectionLineWidth: 1,
      defaultCursor: "default",
      hoverCursor: "move",
    });
    this.parts = parts;
    this.handle.paintHeld = (context) => parts.paintHeld(context);
    this.add(this.handle);
    for (const name of [
      "object:moving",
      "object:scaling",
      "object:rotating",
      "object:skewing",
      "object:resizing",
    ] as const)
      this.on(name, ({ target }) => {
        if (target === this.handle) parts.transforming();
      });
    this.on("object:modified", ({ target }) => {
      if (target === this.handle) parts.transformed();
    });
  }

  get transformingHandle(): boolean {
    return this._currentTransform?.target === this.handle;
  }

  /** The repaint that was asked for, if one was. */
  work(): void {
    if (!this.wanted || this.destroyed) return;
    this.wanted = false;
    this.renderAll();
    this.showLayers();
  }

  /** Of Fabric's two canvases the upper one has something to show for a rubber band or a caret only. */
  private showLayers(): void {
    const active = this.getActiveObject() !== undefined;
    showLayer(this.lowerCanvasEl, active);
    const editing = active && !this.isHandleActive();
    showLayer(this.upperCanvasEl, editing || this._groupSelector !== null);
  }

  override renderTop(): void {
    super.renderTop();
    this.showLayers();
  }

  // Fabric would ask for a frame of its own; the layers must change in the same one.
  override requestRenderAll(): void {
    if (this.parts === undefined || this.disposed) return;
    this.wanted = true;
    this.parts.wake();
  }

  override _onMouseDown(event: TPointerEvent): void {
    this.pressed = this.takePress(event);
    super._onMouseDown(event);
  }

  override _onMouseUp(event: TPointerEvent): void {
    super._onMouseUp(event);
    this.pressed = undefined;
  }

  // Fabric searches its objects and fires a dozen events for each move of an idle pointer.
  override _onMouseMove(event: TPointerEvent): void {
    const editing = this.getActiveObject() !== undefined && !this.isHandleActive();
    if (this._currentTransform || this._groupSelector || this.pressed || editing) {
      super._onMouseMove(event);
      return;
    }
    const at = this.parts.toScene(event);
    if (this.isHandleActive() && this.nearHandle(at)) this._setCursorFromEvent(event, this.handle);
    else this.setCursor(this.parts.hover(at) ? this.hoverCursor : this.defaultCursor);
  }

  // The same value again would cost a style computation for each move.
  override setCursor(value: string): void {
    if (this.upperCanvasEl.style.cursor !== value) super.setCursor(value);
  }

  /** Ends what the pointer began, where it is now. */
  cancelPress(event?: PointerEvent): void {
    this.pressed = undefined;
    this._groupSelector = null;
    if (this._currentTransform) this.endCurrentTransform(event);
    this.requestRenderAll();
  }

  override findTarget(event: TPointerEvent): ReturnType<Canvas["findTarget"]> {
    const target = this.targetAt(event);
    const none: FabricObject[] = [];
    return {
      subTargets: none,
      currentSubTargets: none,
      ...(target && { target, container: target, currentTarget: target, currentContainer: target }),
    };
  }

  protected override handleMultiSelection(): boolean {
    return false;
  }

  protected override handleSelection(event: TPointerEvent): boolean {
    const selector = this._groupSelector;
    if (!selector) return false;
    this._groupSelector = null;
    const { x, y, deltaX, deltaY } = selector;
    this.parts.band(
      {
        left: Math.min(x, x + deltaX),
        top: Math.min(y, y + deltaY),
        right: Math.max(x, x + deltaX),
        bottom: Math.max(y, y + deltaY),
      },
      event,
    );
    return true;
  }

  isHandleActive(): boolean {
    return this.getActiveObject() === this.handle;
  }

  private targetAt(event: TPointerEvent): FabricObject | undefined {
    const active = this.getActiveObject();
    if (!active) return undefined;
    if (this.pressed === "nothing") return undefined;
    if (this.pressed === "handle" && active === this.handle) return active;
    const at = this.parts.toScene(event);
    if (this.onControl(event, active) || this.inside(active, at)) return active;
    return undefined;
  }

  /** Decides, before Fabric does, what a press takes hold of. */
  private takePress(event: TPointerEvent): Press | undefined {
    const active = this.getActiveObject();
    if ((event as PointerEvent).button > 0 || (event as PointerEvent).isPrimary === false)
      return undefined;
    if (this._currentTransform) return this.pressed;
    const at = this.parts.toScene(event);
    if (active && active !== this.handle) {
      if (this.inside(active, at)) return undefined;
      return this.parts.press(at, event, false);
    }
    if (active && this.onControl(event, active)) return "handle";
    return this.parts.press(at, event, active !== undefined && this.inside(active, at));
  }

  private onControl(event: TPointerEvent, active: FabricObject): boolean {
    this._resetTransformEventData();
    const touch = (event as PointerEvent).pointerType === "touch";
    return active.findControl(this.getViewportPoint(event), touch) !== undefined;
  }

  private inside(object: FabricObject, at: At): boolean {
    return object.containsPoint(new Point(at.x, at.y));
  }

  private nearHandle(at: At): boolean {
    const { left, top, width, height } = this.handle.getBoundingRect();
    const margin = 60;
    return (
      at.x > left - margin &&
      at.x < left + width + margin &&
      at.y > top - margin &&
      at.y < top + height + margin
    );
  }
}
