/** The round controls at both ends of a line, on Fabric's canvas. */

import { Control, controlsUtils, Point } from "fabric";
import type { Point as At } from "../geometry/matrix.ts";
import type { End } from "./straight.ts";

/** The line at whose ends the controls are. */
export interface ControlledLine {
  /** The line's ends in canvas pixels; null when no line is selected. */
  readonly points: () => readonly [At, At] | null;
  /** The end that keys move. */
  readonly held: () => End | null;
  /** Called while the pointer moves an end, with the movement so far. */
  readonly drag: (end: End, by: At, stepped: boolean) => void;
}

/** Size of a control in CSS pixels. */
const SIZE = 12;
const TOUCH_SIZE = 44;

/** CSS pixels between the controls of a short line, so that each of them, and the line itself, can be pressed. */
const APART = 56;

/** The names of the controls. */
export const END_CONTROLS = ["from", "to"] as const;

/** Returns the control of an end. */
export function endControl(line: ControlledLine, end: End, color: string): Control {
  const control = new Control({
    actionName: "line-end",
    cursorStyle: "move",
    sizeX: SIZE,
    sizeY: SIZE,
    touchSizeX: TOUCH_SIZE,
    touchSizeY: TOUCH_SIZE,
    positionHandler: (_size, _matrix, { canvas }) => {
      const ends = line.points();
      const viewport = canvas?.viewportTransform;
      if (!ends || !viewport) return new Point(0, 0);
      const [here, there] = [ends[end], ends[end === 0 ? 1 : 0]].map(({ x, y }) =>
        new Point(x, y).transform(viewport),
      ) as [Point, Point];
      return spread(here, there);
    },
    actionHandler: (event, { ex, ey }, x, y) => {
      line.drag(end, { x: x - ex, y: y - ey }, event.shiftKey);
      return true;
    },
  });
  control.render = (...[context, left, top, , object]) => {
    const cornerColor = line.held() === end ? color : "#ffffff";
    const style = { cornerColor, cornerStrokeColor: color, transparentCorners: false };
    controlsUtils.renderCircleControl.call(control, context, left, top, style, object);
  };
  return control;
}

/** Moves a point away from another one that is too near, in the plane of the screen. */
export function spread(here: At, there: At): Point {
  const [dx, dy] = [here.x - there.x, here.y - there.y];
  const length = Math.hypot(dx, dy);
  const by = Math.max(0, (APART - length) / 2) / (length || 1);
  return new Point(here.x + dx * by, here.y + dy * by);
}
