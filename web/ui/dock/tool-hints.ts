/** The hints of the tools that are not chosen at first. */

import type { DEFAULT_TOOL, Tool } from "../../../board/tools.ts";
import { translate, type Text } from "../language/text.ts";

type OtherTool = Exclude<Tool, typeof DEFAULT_TOOL>;

/** The hint of each tool, in one line on the narrowest phone. */
const HINTS: Readonly<Record<OtherTool, Text>> = {
  select: "Press an object to move or resize it",
  rectangle: "Drag a corner to resize it",
  circle: "Drag a corner to resize it",
  eraser: "Paint over what is there, in white",
  stickers: "Double-click a sticker to write on it",
  text: "Press where the text begins",
  line: "Press, move and release; Shift for steps of 15°",
  arrow: "Press, move and release; Shift for steps of 15°",
  highlighter: "Draw over what everybody should see",
  fading: "Draw to point: it disappears by itself",
};

/** The hints on a touch screen, where a new object is first moved away from where the next one will be added. */
const TOUCH_HINTS: Readonly<Partial<Record<Tool, Text>>> = {
  rectangle: "Drag it away; a corner resizes it",
  circle: "Drag it away; a corner resizes it",
  stickers: "Drag it away; double tap to write on it",
};

/** Returns the hint of a tool. */
export function toolHint(tool: OtherTool): string {
  const isTouch = matchMedia("(pointer: coarse)").matches;
  return translate((isTouch && TOUCH_HINTS[tool]) || HINTS[tool]);
}
