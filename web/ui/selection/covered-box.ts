import type { Box } from "../../canvas/geometry/box.ts";
import { HEADER_HEIGHT } from "../page/embed.ts";

/** Returns the area that an element covers, in CSS pixels of the canvas; null while it is hidden or absent. */
export function coveredBox(selector: string): Box | null {
  const rect = document.querySelector(selector)?.getBoundingClientRect();
  if (!rect || rect.height === 0) return null;
  const { left, right, top, bottom } = rect;
  return { left, right, top: top - HEADER_HEIGHT, bottom: bottom - HEADER_HEIGHT };
}
