/** The reports of a selection to the page: its position, its look, and the visitor's actions on it. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { SpaceLimit } from "../../../board/space.ts";
import type { Box } from "../geometry/box.ts";
import type { HeldEnd } from "../lines/ends.ts";
import { BLACK, isFilled } from "../scene/fill.ts";
import { isOutlined, isShape, isText, textSizeOf } from "./edits.ts";

/** The look of the selected objects, as a toolbar shows it. */
export interface SelectionLook {
  /** The number of selected objects. */
  readonly count: number;
  /** The objects' colours (CSS); at most two, since more are shown alike. Null for pictures alone, which keep theirs. */
  readonly colors: readonly string[] | null;
  /** True when all selected rectangles and circles are outlines; null without any. */
  readonly outlined: boolean | null;
  /** The sizes of their texts, in canvas pixels, at most two; none without a text. */
  readonly textSizes: readonly number[];
}

/** The box in which the selection is shown, in CSS pixels of the canvas. */
export interface SelectionFrame extends Box, SelectionLook {
  /** True when the handle that rotates the selection is at its lower side. */
  readonly upsideDown: boolean;
  /** The number of selected objects that lie wholly outside the view. */
  readonly outside: number;
}

/** A visitor's action on objects of the board, of which the visitor is notified. */
export type CanvasAction =
  /**
   * A key or a pointer selected an object, and no other is selected. With `held`, keys have chosen an end of this
   * line, have moved it, or (null) have released it.
   */
  | { readonly kind: "picked"; readonly id: ObjectId; readonly held?: HeldEnd | null | undefined }
  /** Copies were not added, since the board would exceed a limit. */
  | { readonly kind: "refused"; readonly limit: SpaceLimit }
  /** Words were left out, since a text would exceed its limit. */
  | { readonly kind: "cut" }
  /** Escape took back what the visitor was drawing or dragging. */
  | { readonly kind: "cancelled" };

/** The events that a selection reports to the page. */
export interface SelectionEvents {
  /** Called with the number of selected objects when it changed. */
  readonly onSelection: (count: number) => void;
  /** Called when the selection is shown at another position; null while there is none, or while it is dragged. */
  readonly onSelectionFrame: (frame: SelectionFrame | null) => void;
  readonly onAction: (action: CanvasAction) => void;
}

type Props = Readonly<Record<string, unknown>>;

/** The greatest number of distinct values that are listed. */
const DISTINCT = 2;

/** Returns the look of objects. */
export function lookOf(objects: readonly Props[]): SelectionLook {
  const colors = new Set<string>();
  const sizes = new Set<number>();
  let outlined: boolean | null = null;
  for (const object of objects) {
    addColors(colors, object);
    if (isShape(object)) outlined = outlined !== false && isOutlined(object);
    if (isText(object) && sizes.size < DISTINCT)
      sizes.add(Math.round(textSizeOf(object) * 10) / 10);
  }
  const isColored = objects.some(({ type }) => type !== "Image");
  const textSizes = [...sizes];
  return { count: objects.length, colors: isColored ? [...colors] : null, outlined, textSizes };
}

/** Adds the colour that recolouring would replace; in a group those of all parts. */
function addColors(colors: Set<string>, object: Props): void {
  if (colors.size >= DISTINCT) return;
  const { objects } = object;
  if (Array.isArray(objects)) {
    for (const part of objects as readonly Props[]) addColors(colors, part);
    return;
  }
  const paint = isFilled(object) ? (object["fill"] ?? BLACK) : object["stroke"];
  if (typeof paint === "string" && paint !== "") colors.add(paint.toLowerCase());
}
