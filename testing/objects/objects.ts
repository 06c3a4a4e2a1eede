/** An object of each kind that the tools make, by the code that makes it in the page, and how a visitor edits it. */

import { compactObject } from "../../board/compact-object.ts";
import type { BoardObject, NewObject, ObjectChange, ObjectId } from "../../board/drawing.ts";
import { MORE_TOOLS, type ToolRow, TOOLS } from "../../board/tools.ts";
import { penStyle, shapeObject, stickerObject } from "../../web/canvas/input/new-objects.ts";
import { pathObject, strokeObject } from "../../web/canvas/input/stroke-object.ts";
import { moveEnd } from "../../web/canvas/lines/straight.ts";
import { PressureInk } from "../../web/canvas/painting/pressure-ink.ts";
import { straightFrom } from "../../web/canvas/recognition/held-shape.ts";
import { makePlainItem } from "../../web/canvas/scene/item.ts";
import { textObject } from "../../web/canvas/selection/text-layout.ts";

/** A picture of one pixel, or another one of that size: all of them are valid headers. */
const PNG = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";

const CHOICE = { color: "#ff6b6b", width: 6 };

const toolOf = (row: ToolRow, value: number): NewObject | null => {
  const style = penStyle(row, CHOICE);
  if (row.mode === "shape") return shapeObject(row, "#4ecdc4") ?? null;
  if (!style || style.look === "fading") return null;
  const from = { x: value, y: 10 + value };
  if (style.straight) {
    const held = straightFrom(from, style.straight);
    held.moveTo({ x: value + 120, y: 40 });
    return pathObject(held.path, style);
  }
  return strokeObject([from.x, from.y, value + 20, 30, value + 45, 5, value + 60, 50], style);
};

function pressed(value: number): NewObject | null {
  const ink = new PressureInk("#9b59b6", 12);
  for (let i = 0; i < 12; i++) ink.add(value + 6 * i, 20 + 9 * Math.sin(i), 1, i / 12);
  ink.finish();
  const style = { color: "#9b59b6", width: 12, eraser: false };
  return ink.outline === null ? null : pathObject(ink.outline, style, true);
}

/** By what it is; each takes a number that tells one from another. */
const KINDS: Readonly<Record<string, (value: number) => NewObject | null>> = {
  ...Object.fromEntries(
    [...TOOLS, ...MORE_TOOLS]
      .filter((row) => toolOf(row, 0) !== null)
      .map((row) => [row.tool, (value: number) => toolOf(row, value)]),
  ),
  pressure: pressed,
  text: (value) => textObject({ x: value, y: 60 }, "#000000", `Word ${value}`),
  sticker: () => stickerObject("🚀"),
  picture: (value) => ({
    ...{ type: "Image", src: `${PNG}${btoa(`picture ${value}`)}`, width: 200, height: 100 },
    ...{ originX: "left", originY: "top", left: value, top: 10, alt: `picture ${value}` },
  }),
};

/** Returns an object as a drawing contains it: each number gives another one, and the next is of the next kind. */
export function anyObject(value: number): NewObject {
  const kinds = Object.values(KINDS);
  return compactObject(kinds[value % kinds.length]?.(value));
}

/** Returns a visitor's change of the content: an end of a line is moved, a text is rewritten. Undefined where nothing can be. */
export function editOf(object: BoardObject, value: number): ObjectChange | undefined {
  const id: ObjectId = object.id;
  if (object.type === "IText") return { id, props: { text: `Other ${value}` } };
  const item = object.type === "Path" ? makePlainItem(object) : null;
  const moved = item && moveEnd(item, value % 2 === 0 ? 0 : 1, { x: 7 * value, y: 300 });
  return moved ? { id, props: moved.props } : undefined;
}
