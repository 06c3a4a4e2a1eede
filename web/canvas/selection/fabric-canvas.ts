/**
 * Fabric's canvas, transparent and above the base canvas. On it is one handle, which stands for all selected objects,
 * or the text that is being edited; the scene paints the objects themselves. Our own hit test finds the object under
 * the pointer, so the cost of an event does not depend on the size of the board.
 */

import { Canvas, Point, type FabricObject, type TPointerEvent, type Transform } from "fabric";
import type { Box } from "../geometry/box.ts";
import { showLayer } from "../view/host.ts";
import type { Point as At } from "../geometry/matrix.ts";
import { ACCENT, Handle, type HandledObjects } from "./handle.ts";

/** The effect of a press: it begins to transform the handle, or (with a rubber band) nothing yet. */
export type Press = "handle" | "nothing";

/** The owner of the canvas, which decides what is selected. */
export interface FabricCanvasOwner {
  /** Returns the position of an event, in canvas pixels. */
  toScene(event: TPointerEvent): At;
  /** Selects the object at a point that was pressed beside all controls. */
  press(at: At, event: TPointerEvent, insideHandle: boolean): Press;
  /** True when something can be selected at a point. */
  isSelectableAt(at: At): boolean;
  /** Selects the objects that a rubber band touches. */
  selectWithin(box: Box): void;
  /** The selected objects, for which the handle stands. */
  readonly selected: HandledObjects;
  /** Called when the pointer was released. */
  released(): void;
  /** Asks for a frame, in which `work` is called, to repaint this canvas. */
  wake(): void;
}

/** CSS pixels around the handle within which a pointer may be over one of its controls. */
const CONTROL_REACH = 60;

/** Degrees of the steps in which a rotation with Shift snaps. */
const SNAP = 15;

export class FabricCanvas extends Canvas {
  readonly handle: Handle;
  private readonly owner: FabricCanvasOwner;
  private pressed: Press | undefined;
  /** The way from the press to the middle of the pressed control, in canvas pixels. */
  private grip = new Point();
  /** True when a repaint was requested. */
  private wanted = false;
  /** True while the tool selects objects. */
  takesPresses = false;

  constructor(owner: FabricCanvasOwner) {
    super(document.createElement("canvas"), {
      enablePointerEvents: true,
      renderOnAddRemove: false,
      preserveObjectStacking: true,
      enableRetinaScaling: true,
      stopContextMenu: false,
      fireRightClick: false,
      // Fabric's own use of Shift at a side would skew.
      altActionKey: null,
      selectionColor: "rgba(37, 99, 235, 0.08)",
      selectionBorderColor: ACCENT,
      selectionLineWidth: 1,
      defaultCursor: "default",
      hoverCursor: "move",
    });
    this.owner = owner;
    this.handle = new Handle(owner.selected);
    this.add(this.handle);
    for (const name of [
      "object:moving",
      "object:scaling",
      "object:rotating",
      "object:skewing",
      "object:resizing",
    ] as const)
      this.on(name, ({ target, e }) => {
        if (target !== this.handle) return;
        const moves = name === "object:moving";
        if (moves && e.shiftKey) this.keepAxis();
        owner.selected.transforming(moves && e.altKey);
      });
    this.on("object:modified", ({ target }) => {
      if (target === this.handle) owner.selected.transformed();
    });
  }

  /** Repaints when a repaint was requested. */
  work(): void {
    if (!this.wanted || this.destroyed) return;
    this.wanted = false;
    this.fitControls();
    this.renderAll();
    this.showLayers();
  }

  private fitControls(): void {
    // A control that is being dragged stays.
    if (!this._currentTransform) this.handle.fitControls(this.getZoom());
  }

  /** Shows Fabric's two canvases while they have something to show: the upper one only for a rubber band or a caret. */
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

  // Fabric would ask for a frame of its own; the layers must change in the same one. Its constructor calls this.
  override requestRenderAll(): void {
    if (this.owner === undefined || this.disposed) return;
    this.wanted = true;
    this.owner.wake();
  }

  // The key of a tool may have chosen it with this very press.
  override _onMouseDown(event: TPointerEvent): void {
    if (!this.takesPresses) return;
    this.pressed = this.decidePress(event);
    super._onMouseDown(event);
    this.grip = this.gripOf(event);
  }

  // Fabric would move the middle of the control to the pointer with the first movement.
  override _performTransformAction(
    event: TPointerEvent,
    transform: Transform,
    pointer: Point,
  ): void {
    super._performTransformAction(event, transform, pointer.add(this.grip));
  }

  override _onMouseUp(event: TPointerEvent): void {
    super._onMouseUp(event);
    this.endPress();
    this.owner.released();
  }

  // Fabric searches its objects and fires a dozen events for each move of an idle pointer.
  override _onMouseMove(event: TPointerEvent): void {
    const editing = this.getActiveObject() !== undefined && !this.isHandleActive();
    this.handle.snapAngle = event.shiftKey ? SNAP : 0;
    if (this._currentTransform || this._groupSelector || this.pressed || editing) {
      super._onMouseMove(event);
      return;
    }
    const at = this.owner.toScene(event);
    if (this.isHandleActive() && this.isNearHandle(at))
      this._setCursorFromEvent(event, this.handle);
    else this.setCursor(this.owner.isSelectableAt(at) ? this.hoverCursor : this.defaultCursor);
  }

  // Setting the same value again would cost a style computation for each move.
  override setCursor(value: string): void {
    if (this.upperCanvasEl.style.cursor !== value) super.setCursor(value);
  }

  /** True from a press that selects until its release. */
  get pressing(): boolean {
    return this.pressed !== undefined;
  }

  /** Sets whether the handle may be transformed; a fixed one has no controls, and the pointer does not move it. */
  setFixed(fixed: boolean): void {
    this.handle.set({ hasControls: !fixed, lockMovementX: fixed, lockMovementY: fixed });
    this.hoverCursor = fixed ? "pointer" : "move";
    this.requestRenderAll();
  }

  /** Ends what the pointer began; the handle stays in its new position. */
  cancelPress(event?: PointerEvent): void {
    this.endPress();
    this._groupSelector = null;
    if (this._currentTransform) this.endCurrentTransform(event);
    this.requestRenderAll();
  }

  /** Returns the grip of a press; zero where its control does not scale. */
  private gripOf(event: TPointerEvent): Point {
    const { target, action = "", corner = "" } = this._currentTransform ?? {};
    const scales = target === this.handle && action.startsWith("scale");
    const control = scales && this.handle.oCoords[corner];
    if (!control) return new Point();
    this._resetTransformEventData();
    return new Point(control).subtract(this.getViewportPoint(event)).scalarDivide(this.getZoom());
  }

  private endPress(): void {
    this.pressed = undefined;
    this.handle.onlyMoves = false;
  }

  /** Shows the handle in its position, or hides it. */
  showHandle(shown: boolean): void {
    const { scaling } = this.handle;
    this.uniformScaling = scaling !== "free";
    this.uniScaleKey = scaling === "free" ? "shiftKey" : null;
    // A press may arrive before the next frame.
    if (shown) this.fitControls();
    if (this._currentTransform) this.regrip(this._currentTransform);
    if (shown && !this.isHandleActive()) this.setActiveObject(this.handle);
    if (!shown && this.isHandleActive()) this.discardActiveObject();
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

  protected override handleSelection(_event: TPointerEvent): boolean {
    const selector = this._groupSelector;
    if (!selector) return false;
    this._groupSelector = null;
    const { x, y, deltaX, deltaY } = selector;
    this.owner.selectWithin({
      left: Math.min(x, x + deltaX),
      top: Math.min(y, y + deltaY),
      right: Math.max(x, x + deltaX),
      bottom: Math.max(y, y + deltaY),
    });
    return true;
  }

  /** Has a press move the handle from its present position, to which it followed a change of its objects. */
  private regrip(press: Transform): void {
    const { left, top, scaleX, scaleY } = this.handle;
    Object.assign(press, { offsetX: press.ex - left, offsetY: press.ey - top });
    Object.assign(press.original, { left, top, scaleX, scaleY });
  }

  /** Moves the handle along one axis only: that of the greater distance. */
  private keepAxis(): void {
    const original = this._currentTransform?.original;
    if (!original) return;
    const { left, top } = this.handle;
    const isAcross = Math.abs(left - original.left) >= Math.abs(top - original.top);
    this.handle.set(isAcross ? { top: original.top } : { left: original.left });
  }

  private isHandleActive(): boolean {
    return this.getActiveObject() === this.handle;
  }

  private targetAt(event: TPointerEvent): FabricObject | undefined {
    const active = this.getActiveObject();
    if (!active) return undefined;
    // What was pressed gets the release too: otherwise a text would go on selecting without a press.
    if (this._currentTransform?.target === active) return active;
    if (this.pressed === "nothing") return undefined;
    if (this.pressed === "handle" && active === this.handle) return active;
    const at = this.owner.toScene(event);
    if (this.isOnControl(event, active) || isInside(active, at)) return active;
    return undefined;
  }

  /** Decides, before Fabric does, what a press begins. */
  private decidePress(event: TPointerEvent): Press | undefined {
    const active = this.getActiveObject();
    if ((event as PointerEvent).button > 0 || (event as PointerEvent).isPrimary === false)
      return undefined;
    if (this._currentTransform) return this.pressed;
    this.handle.onlyMoves = false;
    const at = this.owner.toScene(event);
    if (active && active !== this.handle) {
      if (isInside(active, at)) return undefined;
      this.handle.onlyMoves = true;
      return this.owner.press(at, event, false);
    }
    if (active && this.isOnControl(event, active)) return "handle";
    this.handle.onlyMoves = true;
    return this.owner.press(at, event, active !== undefined && isInside(active, at));
  }

  private isOnControl(event: TPointerEvent, active: FabricObject): boolean {
    this._resetTransformEventData();
    const touch = (event as PointerEvent).pointerType === "touch";
    return active.findControl(this.getViewportPoint(event), touch) !== undefined;
  }

  private isNearHandle(at: At): boolean {
    const { left, top, width, height } = this.handle.getBoundingRect();
    const reach = CONTROL_REACH / this.getZoom();
    return (
      at.x > left - reach &&
      at.x < left + width + reach &&
      at.y > top - reach &&
      at.y < top + height + reach
    );
  }
}

function isInside(object: FabricObject, at: At): boolean {
  return object.containsPoint(new Point(at.x, at.y));
}
