/** Adds many objects to the board in slices, so that the page responds to input and paints meanwhile. */

import type { NewObject, ObjectId } from "../../../board/drawing.ts";
import type { Slices } from "../../canvas/scheduling/slices.ts";
import type { Controller } from "../controller/controller.ts";

/** Objects that are added in one task. */
const ADDED_PER_SLICE = 200;

/** Adds objects as one undo step, and returns their ids: fewer when the board accepts no more, or the work has to end. */
export async function addSlices(
  { addObjects, objects: onBoard }: Pick<Controller, "addObjects" | "objects">,
  objects: readonly NewObject[],
  slices: Pick<Slices, "rest">,
): Promise<ObjectId[]> {
  const ids: ObjectId[] = [];
  for (let from = 0; from < objects.length; from += ADDED_PER_SLICE) {
    if (from > 0 && !(await slices.rest())) break;
    const before = onBoard().length;
    addObjects(objects.slice(from, from + ADDED_PER_SLICE), from > 0);
    const added = onBoard().slice(before);
    if (added.length === 0) break;
    for (const { id } of added) ids.push(id);
  }
  return ids;
}

/** True where several of the first part of these objects are selected and nothing else, as they were when they arrived: a press selects one. */
export function isFirstPart(selected: readonly ObjectId[], ids: readonly ObjectId[]): boolean {
  const first = new Set(ids.slice(0, ADDED_PER_SLICE));
  return selected.length > 1 && selected.every((id) => first.has(id));
}
