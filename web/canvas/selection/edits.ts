/** Changes of the board that the selection's toolbar makes. */

import type { BoardObject, Json, NewObject, ObjectChange } from "../../../board/drawing.ts";
import { propsOf } from "../../../board/groups.ts";
import { numberOr } from "../geometry/transform.ts";

/** An edit of all selected objects, each as one undo step. */
export type SelectionEdit = "color" | "duplicate" | "front" | "back";

/** Canvas pixels by which a copy lies to the right of its original and below it. */
const OFFSET = 20;

type Props = Readonly<Record<string, unknown>>;

/**
 * Returns the properties of an object in another colour (CSS): the fill of what is filled, else the outline; in a
 * group those of all parts.
 */
export function colored(object: Props, color: string): ObjectChange["props"] {
  const { objects } = object;
  if (Array.isArray(objects)) {
    const parts = objects as readonly Props[];
    return { objects: parts.map((part) => ({ ...part, ...colored(part, color) })) as Json };
  }
  return isFilled(object) ? { fill: color } : { stroke: color };
}

/** True for an object that is filled: Fabric fills what does not say otherwise with black. */
function isFilled({ type, fill }: Props): boolean {
  if (type === "Line") return false;
  return fill !== null && fill !== "" && fill !== "transparent";
}

/** Returns an object as no board knows it yet. */
export function asNew(object: BoardObject): NewObject {
  const { z: _z, ...props } = propsOf(object);
  return { ...props, type: object.type };
}

/** Returns copies of objects, in their order, to be added to the board. */
export function copiesOf(objects: readonly BoardObject[]): NewObject[] {
  return objects.map((object) => {
    const left = numberOr(object.left, 0) + OFFSET;
    const top = numberOr(object.top, 0) + OFFSET;
    return { ...asNew(object), left, top };
  });
}

/**
 * Returns the changes that bring objects above or below all the rest of the board, in their order. None when they are there
 * already. `all`: the objects of the board, bottom first.
 */
export function restacked(
  all: readonly BoardObject[],
  chosen: ReadonlySet<BoardObject>,
  edge: "front" | "back",
): ObjectChange[] {
  const moved = all.filter((object) => chosen.has(object));
  const rest = all.filter((object) => !chosen.has(object));
  const end = edge === "front" ? rest.at(-1) : rest[0];
  if (!end) return [];
  const there = edge === "front" ? all.slice(rest.length) : all.slice(0, moved.length);
  if (there.every((object) => chosen.has(object))) return [];
  const first = edge === "front" ? Math.floor(end.z) + 1 : Math.ceil(end.z) - moved.length;
  return moved.map(({ id }, index) => ({ id, props: { z: first + index } }));
}
