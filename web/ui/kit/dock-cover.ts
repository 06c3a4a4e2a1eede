import type { Box } from "../../canvas/geometry/box.ts";
import { HEADER_HEIGHT } from "../page/embed.ts";

/** How much of the canvas the dock covers, from the bottom up, in CSS pixels. */
export function dockCover(): number {
  const dock = dockRect();
  return dock ? Math.max(0, Math.round(window.innerHeight - dock.top)) : 0;
}

/** What the dock covers, in CSS pixels of the canvas; null while it is hidden. */
export function dockBox(): Box | null {
  const dock = dockRect();
  if (!dock) return null;
  const { left, right, top, bottom } = dock;
  return { left, right, top: top - HEADER_HEIGHT, bottom: bottom - HEADER_HEIGHT };
}

function dockRect(): DOMRect | null {
  const dock = document.querySelector(".dock")?.getBoundingClientRect();
  return dock && dock.height > 0 ? dock : null;
}
