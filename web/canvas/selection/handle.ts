/** The handle, which stands for the selected objects: it shows borders and controls, and paints the objects during a drag. */

import { Point, Rect } from "fabric";
import type { Matrix } from "../geometry/matrix.ts";
import { matrixOf, type ObjectTransform, transformOf } from "../geometry/transform.ts";
import { END_CONTROLS, endControl, type ControlledLine } from "../lines/end-controls.ts";
import { controlsFor, type Scaling } from "./controls.ts";

/** The colour that marks a selection. */
export const ACCENT = "#2563eb";

/** The objects for which the handle stands, and the reactions to its movements. */
export interface HandledObjects {
  /** The selected line or arrow, whose ends have controls instead of the corners. */
  readonly line: ControlledLine;
  /** Paints the objects that are dragged with the handle, with the viewport's transform. */
  paintDragged(context: CanvasRenderingContext2D): void;
  /** Called while the handle is moved, scaled or rotated. `copies`: it is moved with Alt. */
  transforming(copies: boolean): void;
  /** Called when the pointer released the handle, which was transformed. */
  transformed(): void;
}

export class Handle extends Rect {
  /** The way in which the selected objects are scaled. */
  scaling: Scaling = "whole";
  /** True while a press moves what it selected itself, although a control may have appeared below the pointer. */
  onlyMoves = false;
  /** CSS pixels between the object's last corner and the control there. */
  private cornerOffset = 0;

  private readonly objects: HandledObjects;

  constructor(objects: HandledObjects) {
    super({
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
    this.objects = objects;
    for (const end of [0, 1] as const)
      this.controls[END_CONTROLS[end]] = endControl(objects.line, end, ACCENT);
    const corner = this.controls["br"];
    if (!corner) return;
    // Fabric shows an offset in CSS pixels and subtracts it from the pointer in canvas pixels; here each uses its
    // own.
    corner.positionHandler = (size, matrix) => {
      const { cornerOffset } = this;
      return new Point(
        corner.x * size.x + cornerOffset,
        corner.y * size.y + cornerOffset,
      ).transform(matrix);
    };
  }

  override findControl(...at: Parameters<Rect["findControl"]>): ReturnType<Rect["findControl"]> {
    const control = super.findControl(...at);
    if (!this.onlyMoves) return control;
    delete this.__corner;
    return undefined;
  }

  override render(context: CanvasRenderingContext2D): void {
    this.objects.paintDragged(context);
  }

  toTransform(): ObjectTransform {
    return transformOf(this as unknown as Record<string, unknown>);
  }

  /** Returns the map from the handle's own plane, whose zero is its centre, to the canvas. */
  toMatrix(): Matrix {
    const { width, height, strokeWidth, strokeUniform } = this;
    return matrixOf(this.toTransform(), { width, height, strokeWidth, strokeUniform });
  }

  /** Shows the controls that leave the object visible and accessible to a press. */
  fitControls(zoom: number): void {
    const side = Math.min(this.getScaledWidth(), this.getScaledHeight()) * zoom;
    const isLine = this.objects.line.points() !== null;
    const { visible, offset } = controlsFor(side, isLine ? "ends" : this.scaling);
    this.setControlsVisibility(visible);
    this.hasBorders = !isLine || !this.hasControls;
    const corner = this.controls["br"];
    if (!corner || (this.cornerOffset === offset && corner.offsetX === offset / zoom)) return;
    this.cornerOffset = offset;
    corner.offsetX = corner.offsetY = offset / zoom;
    this.setCoords();
  }
}

/** The control of the handle that a selection has around its objects. */
export interface HandleControl {
  readonly handle: Handle;
  /** Shows the handle at its new position, or hides it. */
  readonly show: (shown: boolean) => void;
}
