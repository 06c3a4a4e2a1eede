/** The controls that the handle of a selection shows, and the way its corners scale. */

/**
 * The scaling of objects under a handle: `free`, the sides apart unless Shift is pressed; `stretched`, in their ratio
 * by the corners and apart by the sides; `whole`, in their ratio always.
 */
export type Scaling = "free" | "stretched" | "whole";

/** CSS pixels of the shorter side below which the controls of the sides, or all corners but one, are left out. */
const SMALL = 60;
const TINY = 30;

/** CSS pixels between the control and the corner of a tiny object, so that the object itself can be pressed. */
const TINY_OFFSET = 8;

const SHAPES: ReadonlySet<string> = new Set([
  ...["Rect", "Circle", "Ellipse", "Triangle", "Line", "Polyline", "Polygon"],
]);

/** Returns the way in which objects of these types are scaled together. */
export function scalingOf(types: readonly string[]): Scaling {
  const [type, another] = types;
  if (type === undefined || another !== undefined) return "whole";
  if (type === "Path") return "stretched";
  return SHAPES.has(type) ? "free" : "whole";
}

/**
 * The controls by Fabric's names: sides and corners by their letters, `mtr` for the rotation; `from` and `to` are the
 * ends of a line.
 */
export interface ShownControls {
  readonly visible: Readonly<Record<string, boolean>>;
  /** CSS pixels between the object's corner and the control there. */
  readonly offset: number;
}

/**
 * Returns the controls of a handle whose shorter side has so many CSS pixels, so that they do not hide the object.
 * `ends`: the selection is a line, which only has controls at its ends.
 */
export function controlsFor(side: number, scaling: Scaling | "ends"): ShownControls {
  const isLine = scaling === "ends";
  const sides = !isLine && scaling !== "whole" && side >= SMALL;
  const corners = !isLine && side >= TINY;
  return {
    visible: {
      ...{ ml: sides, mr: sides, mt: sides, mb: sides },
      ...{ tl: corners, tr: corners, bl: corners, br: !isLine, mtr: !isLine },
      ...{ from: isLine, to: isLine },
    },
    offset: corners ? 0 : TINY_OFFSET,
  };
}
