import { BACKGROUND } from "../../../board/constants.ts";
import type { Drawing } from "../../../board/drawing.ts";
import type { Controller } from "./controller.ts";

/**
 * Returns what is exported and printed: the selected objects; with `part` "board" or without a selection, all objects;
 * in a preview, its. The objects lie bottom first.
 */
export function shownDrawing(
  { board, canvas, objects }: Pick<Controller, "board" | "canvas" | "objects">,
  part?: "board",
): Pick<Drawing, "objects" | "background"> {
  const { drawing } = board.preview.get();
  if (drawing) return drawing;
  const all = objects();
  const ids = new Set(part === "board" ? [] : canvas?.selection?.ids);
  return {
    objects: ids.size > 0 ? all.filter(({ id }) => ids.has(id)) : all,
    background: board.client()?.background() ?? BACKGROUND,
  };
}
