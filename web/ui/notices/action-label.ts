/** Describes this visitor's actions in sentences for screen readers. */

import type { BoardObject } from "../../../board/drawing.ts";
import { areTwins } from "../../../board/twin.ts";
import { nameOf } from "../../../board/peer-label.ts";
import { objectName } from "../language/object-name.ts";
import { plural, t } from "../language/text.ts";
import type { Action } from "../board/open-board.ts";

/** An action on objects, as a noun after "Undone:" and "Redone:". */
type Deed =
  | "addition"
  | "deletion"
  | "move"
  | "resize"
  | "turn"
  | "shape"
  | "text"
  | "text size"
  | "outline"
  | "colour"
  | "order"
  | "change";

/**
 * Returns the sentence for an action. `objects`: the board's, in the order of the stack. `selected`: the number of
 * selected ones.
 */
export function actionLabel(
  action: Action,
  objects: readonly BoardObject[],
  selected: number,
): string {
  switch (action.kind) {
    case "joined":
      return t("{name} joined.", { name: nameOf(action.by) });
    case "picked": {
      const object = objects.find(({ id }) => id === action.id);
      if (object && action.held !== undefined) return endLabel(object, action.held);
      return object
        ? t("{object}, at {x}, {y}, selected. {position} of {total}.", {
            ...positionOf(object),
            ...orderOf(object, objects),
          })
        : "";
    }
    case "refused":
    case "cut":
      // A dialog or a notice says it.
      return "";
    case "cancelled":
      return t("Cancelled.");
    case "edit":
      return editLabel(action, objects, selected);
  }
}

/** Returns the kind of an action: sentences of one kind replace each other while they wait. */
export function actionKind(action: Action): string {
  if (action.kind === "edit") return deedOf(action);
  // The new position of the end says more than that the shape has changed.
  return action.kind === "picked" && action.held !== undefined ? "shape" : action.kind;
}

type Picked = Extract<Action, { readonly kind: "picked" }>;

function endLabel(object: BoardObject, held: NonNullable<Picked["held"]> | null): string {
  if (!held) return t("End let go.");
  const { end, at, hasMoved } = held;
  const position = { x: number(at.x), y: number(at.y) };
  if (hasMoved)
    return end === 0 ? t("Start at {x}, {y}.", position) : t("End at {x}, {y}.", position);
  const values = { ...position, object: objectName(object) };
  return end === 0
    ? t(
        "Start of {object}, at {x}, {y}. Arrow keys move it, Enter takes the other end, Escape lets go.",
        values,
      )
    : t(
        "End of {object}, at {x}, {y}. Arrow keys move it, Enter takes the other end, Escape lets go.",
        values,
      );
}

type Edit = Extract<Action, { readonly kind: "edit" }>;

function editLabel(edit: Edit, objects: readonly BoardObject[], selected: number): string {
  const { added, changed, removed } = edit.changes;
  const deed = deedOf(edit);
  if (edit.origin === "undo") return t("Undone: {deed}.", { deed: t(UNDONE[deed] ?? deed) });
  if (edit.origin === "redo") return t("Redone: {deed}.", { deed: t(deed) });
  if (deed === "deletion") return MANY.deletion(removed.length);
  const object = added[0] ?? changed[0];
  if (!object) return "";
  if (added.length + changed.length > 1) return MANY[deed](added.length + changed.length);
  if (deed === "addition") {
    const position = positionOf(object);
    // No stroke is just like another one.
    if (object.type === "Path") return t("{object}, added at {x}, {y}.", position);
    const covers = objects.some((one) => areTwins(one, object));
    if (selected !== 1)
      return covers
        ? t("{object}, added at {x}, {y}, on top of another like it.", position)
        : t("{object}, added at {x}, {y}.", position);
    const values = { ...position, ...orderOf(object, objects) };
    return covers
      ? t(
          "{object}, added at {x}, {y}, on top of another like it, selected. {position} of {total}.",
          values,
        )
      : t("{object}, added at {x}, {y}, selected. {position} of {total}.", values);
  }
  return oneLabel(object, deed);
}

/** The effect of an undo is the opposite of the action. */
const UNDONE: Partial<Record<Deed, Deed>> = { addition: "deletion", deletion: "addition" };

const MANY: Readonly<Record<Deed, (count: number) => string>> = {
  addition: (count) => plural(count, "1 object added.", "{count} objects added."),
  deletion: (count) => plural(count, "1 object deleted.", "{count} objects deleted."),
  move: (count) => plural(count, "1 object moved.", "{count} objects moved."),
  resize: (count) => plural(count, "1 object resized.", "{count} objects resized."),
  turn: (count) => plural(count, "1 object turned.", "{count} objects turned."),
  shape: (count) =>
    plural(count, "1 object changed in its shape.", "{count} objects changed in their shape."),
  text: (count) => plural(count, "1 object changed.", "{count} objects changed."),
  "text size": (count) =>
    plural(
      count,
      "1 object set in another text size.",
      "{count} objects set in another text size.",
    ),
  outline: (count) =>
    plural(count, "1 object outlined or filled.", "{count} objects outlined or filled."),
  colour: (count) => plural(count, "1 object coloured.", "{count} objects coloured."),
  order: (count) =>
    plural(
      count,
      "1 object brought to another layer.",
      "{count} objects brought to another layer.",
    ),
  change: (count) => plural(count, "1 object changed.", "{count} objects changed."),
};

function oneLabel(object: BoardObject, deed: Deed): string {
  switch (deed) {
    case "move":
      return t("Moved to {x}, {y}.", { x: number(object.left), y: number(object.top) });
    case "resize":
      return t("Resized to {width} by {height}.", {
        width: percent(object["scaleX"]),
        height: percent(object["scaleY"]),
      });
    case "turn":
      return t("Turned to {angle} degrees.", { angle: (rounded(object["angle"]) + 360) % 360 });
    case "shape":
      return t("Shape changed.");
    case "text":
      return t("Text changed.");
    case "text size":
      return t("Text size {size}.", { size: number(object["fontSize"]) });
    case "outline":
      return object["stroke"] ? t("Outlined.") : t("Filled.");
    case "colour":
      return t("Colour changed.");
    case "order":
      return t("Brought to another layer.");
    default:
      return t("Changed.");
  }
}

function deedOf({ changes: { added, changed, removed, before } }: Edit): Deed {
  const [now, was] = [changed[0], before?.[0]];
  if (added.length > 0) return "addition";
  if (removed.length > 0) return "deletion";
  if (!now || !was) return "change";
  const differs = (name: string): boolean => now[name] !== was[name];
  if (differs("path")) return "shape";
  if (differs("text")) return "text";
  if (differs("fontSize")) return "text size";
  if (differs("scaleX") || differs("scaleY")) return "resize";
  if (differs("angle")) return "turn";
  if (differs("left") || differs("top")) return "move";
  if (differs("strokeWidth")) return "outline";
  if (differs("fill") || differs("stroke")) return "colour";
  return differs("z") ? "order" : "change";
}

function positionOf(object: BoardObject): Record<"object" | "x" | "y", string> {
  return { object: objectName(object), x: number(object.left), y: number(object.top) };
}

/** Returns the object's position in the stack, without strokes of the eraser. */
function orderOf(
  object: BoardObject,
  objects: readonly BoardObject[],
): Record<"position" | "total", string> {
  const all = objects.filter((one) => one["eraser"] !== true);
  const position = all.findIndex(({ id }) => id === object.id) + 1;
  return { position: String(position), total: String(all.length) };
}

/** Writes a coordinate, without marks between its digits. */
function number(value: unknown): string {
  return String(rounded(value));
}

function rounded(value: unknown): number {
  return typeof value === "number" ? Math.round(value) : 0;
}

function percent(scale: unknown): string {
  return t("{percent} %", { percent: Math.round(100 * (typeof scale === "number" ? scale : 1)) });
}
