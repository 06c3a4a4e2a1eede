/** What a selection reports to the page: where it is, how it looks, and what the visitor does with it. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { SpaceLimit } from "../../../board/space.ts";
import type { Box } from "../geometry/box.ts";
import type { HeldEnd } from "../lines/ends.ts";
import { isFilled, isOutlined, isShape, isText, textSizeOf } from "./edits.ts";

/** The look of the selected objects, as a toolbar shows it. */
export interface SelectionLook {
  /** The number of selected objects. */
  readonly count: number;
  /** Their colours (CSS); at most two, since more are shown alike. */
  readonly colors: readonly string[];
  /** True when all selected rectangles and circles are outlines; null without any. */
  readonly outlined: boolean | null;
  /** The sizes of their texts, in canvas pixels; none without a text, at most two. */
  readonly textSizes: readonly number[];
}

/** The box in which the selection is shown, in CSS pixels of the canvas. */
export interface SelectionFrame extends Box, SelectionLook {
  /** True when the handle that turns the selection is at its lower side. */
  readonly upsideDown: boolean;
  /** The number of selected objects that lie wholly outside of the view. */
  readonly outside: number;
}

/** What a visitor does with objects of the board, for what notifies the visitor of it. */
export type CanvasAction =
  /**
   * A key or a pointer selected an object, and no other is selected. With `held`: keys have taken an end of this line in
   * hand, have moved it, or (null) have let go of it.
   */
  | { readonly kind: "picked"; readonly id: ObjectId; readonly held?: HeldEnd | null | undefined }
  /** Copies were not added, since the board would exceed a limit. */
  | { readonly kind: "refused"; readonly limit: SpaceLimit };

/** What a selection reports to the page. */
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
  return { count: objects.length, colors: [...colors], outlined, textSizes: [...sizes] };
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

/** What Fabric fills with when nothing is said. */
const BLACK = "#000000";
