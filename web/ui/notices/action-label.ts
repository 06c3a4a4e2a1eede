/** What this visitor did, as a sentence for screen readers. */

import type { BoardObject } from "../../../board/drawing.ts";
import { objectName } from "../../../board/object-name.ts";
import { areTwins } from "../../../board/twin.ts";
import { nameOf } from "../../../board/peer-label.ts";
import type { Action } from "../board/open-board.ts";

/** What was done to objects: as a noun after "Undone:" and "Redone:". */
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

/** `objects`: the board's, in the order of the stack. `selected`: how many of them are selected. */
export function actionLabel(
  action: Action,
  objects: readonly BoardObject[],
  selected: number,
): string {
  switch (action.kind) {
    case "joined":
      return `${nameOf(action.by)} joined.`;
    case "picked": {
      const object = objects.find(({ id }) => id === action.id);
      if (object && action.held !== undefined) return endLabel(object, action.held);
      return object
        ? `${positionLabel(object, ",")}, selected. ${orderLabel(object, objects)}`
        : "";
    }
    case "edit":
      return editLabel(action, objects, selected);
  }
}

/** Sentences of one kind replace each other while they wait. */
export function actionKind(action: Action): string {
  if (action.kind === "edit") return deedOf(action);
  // Where the end is now says more than that the shape has changed.
  return action.kind === "picked" && action.held !== undefined ? "shape" : action.kind;
}

type Picked = Extract<Action, { readonly kind: "picked" }>;

function endLabel(object: BoardObject, held: NonNullable<Picked["held"]> | null): string {
  if (!held) return "End let go.";
  const { end, at, hasMoved } = held;
  const name = end === 0 ? "Start" : "End";
  const position = `at ${number(at.x)}, ${number(at.y)}`;
  return hasMoved
    ? `${name} ${position}.`
    : `${name} of ${objectName(object)}, ${position}. Arrow keys move it, Enter takes the other end, Escape lets go.`;
}

type Edit = Extract<Action, { readonly kind: "edit" }>;

function editLabel(edit: Edit, objects: readonly BoardObject[], selected: number): string {
  const { added, changed, removed } = edit.changes;
  const deed = deedOf(edit);
  if (edit.origin === "undo") return `Undone: ${UNDONE[deed] ?? deed}.`;
  if (edit.origin === "redo") return `Redone: ${deed}.`;
  if (deed === "deletion") return `${countLabel(removed.length)} deleted.`;
  const object = added[0] ?? changed[0];
  if (!object) return "";
  if (added.length + changed.length > 1)
    return `${countLabel(added.length + changed.length)} ${MANY[deed]}.`;
  if (deed === "addition") {
    const covers = objects.some((one) => areTwins(one, object));
    const label = `${positionLabel(object, ", added")}${covers ? ", on top of another like it" : ""}`;
    return object.type !== "Path" && selected === 1
      ? `${label}, selected. ${orderLabel(object, objects)}`
      : `${label}.`;
  }
  return oneLabel(object, deed);
}

/** What undoing did is the opposite of what is undone. */
const UNDONE: Partial<Record<Deed, Deed>> = { addition: "deletion", deletion: "addition" };

const MANY: Readonly<Record<Deed, string>> = {
  addition: "added",
  deletion: "deleted",
  move: "moved",
  resize: "resized",
  turn: "turned",
  shape: "changed in their shape",
  text: "changed",
  "text size": "set in another text size",
  outline: "outlined or filled",
  colour: "coloured",
  order: "brought to another layer",
  change: "changed",
};

function oneLabel(object: BoardObject, deed: Deed): string {
  switch (deed) {
    case "move":
      return `Moved to ${number(object.left)}, ${number(object.top)}.`;
    case "resize":
      return `Resized to ${percent(object["scaleX"])} by ${percent(object["scaleY"])}.`;
    case "turn":
      return `Turned to ${(number(object["angle"]) + 360) % 360} degrees.`;
    case "shape":
      return "Shape changed.";
    case "text":
      return "Text changed.";
    case "text size":
      return `Text size ${number(object["fontSize"])}.`;
    case "outline":
      return object["stroke"] ? "Outlined." : "Filled.";
    case "colour":
      return "Colour changed.";
    case "order":
      return "Brought to another layer.";
    default:
      return "Changed.";
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

function positionLabel(object: BoardObject, done: string): string {
  return `${objectName(object)}${done} at ${number(object.left)}, ${number(object.top)}`;
}

function orderLabel(object: BoardObject, objects: readonly BoardObject[]): string {
  const all = objects.filter((one) => one["eraser"] !== true);
  return `${all.findIndex(({ id }) => id === object.id) + 1} of ${all.length}.`;
}

function countLabel(count: number): string {
  return count === 1 ? "1 object" : `${count} objects`;
}

function number(value: unknown): number {
  return typeof value === "number" ? Math.round(value) : 0;
}

function percent(scale: unknown): string {
  return `${Math.round(100 * (typeof scale === "number" ? scale : 1))} %`;
}
