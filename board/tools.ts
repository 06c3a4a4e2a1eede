/**
 * The tools as data: one row for each. Canvas, toolbar and keyboard read the rows, and none of them asks which
 * tool it is. A new tool is a new row.
 */

import { ERASER_COLOR, LIMITS } from "./constants.ts";
import type { NewObject } from "./drawing.ts";

interface ToolBase {
  /** The tool's id in code. */
  readonly tool: string;
  /** The accessible name of its button. */
  readonly name: string;
  /** The shortcut: one lower-case letter, without modifiers. */
  readonly key: string;
  /** The CSS cursor over the canvas. */
  readonly cursor: "crosshair" | "default";
  /** The panel that opens when the tool is chosen; null for none. */
  readonly panel: Panel | null;
}

/** A tool that draws freehand strokes. */
interface FreehandTool extends ToolBase {
  readonly mode: "freehand";
  readonly pen: {
    /** In canvas pixels. */
    readonly width: number;
    /** A CSS colour; null for the colour that the visitor chose. */
    readonly color: string | null;
    /** Its strokes can neither be selected nor moved. */
    readonly eraser: boolean;
  };
}

/** A tool that adds a shape each time it is chosen. With it, a press selects one object. */
interface ShapeTool extends ToolBase {
  readonly mode: "shape";
  /** Type and measures. All shapes get the same position, and the colour that the visitor chose. */
  readonly shape: NewObject;
}

/** A tool that selects: a press selects one object, a rubber band or Shift several. */
interface SelectTool extends ToolBase {
  readonly mode: "select";
  /** Ctrl+A selects all objects. */
  readonly selectAll: boolean;
}

/** A panel of the page that belongs to a tool. */
export type Panel = "stickers";

/** What a tool is. A row's mode says which other properties it has. */
export type ToolRow = FreehandTool | ShapeTool | SelectTool;

const ROWS = [
  {
    tool: "select",
    name: "Select",
    key: "v",
    cursor: "default",
    panel: null,
    mode: "select",
    selectAll: true,
  },
  {
    tool: "draw",
    name: "Draw",
    key: "d",
    cursor: "crosshair",
    panel: null,
    mode: "freehand",
    pen: { width: LIMITS.brushWidth, color: null, eraser: false },
  },
  {
    tool: "rectangle",
    name: "Rectangle",
    key: "r",
    cursor: "default",
    panel: null,
    mode: "shape",
    shape: { type: "Rect", width: LIMITS.rectangleWidth, height: LIMITS.rectangleHeight },
  },
  {
    tool: "circle",
    name: "Circle",
    key: "c",
    cursor: "default",
    panel: null,
    mode: "shape",
    shape: { type: "Circle", radius: LIMITS.circleRadius },
  },
  {
    tool: "eraser",
    name: "Eraser",
    key: "e",
    cursor: "crosshair",
    panel: null,
    mode: "freehand",
    pen: { width: LIMITS.eraserWidth, color: ERASER_COLOR, eraser: true },
  },
  {
    tool: "stickers",
    name: "Stickers",
    key: "s",
    cursor: "default",
    panel: "stickers",
    mode: "select",
    selectAll: false,
  },
] as const satisfies readonly ToolRow[];

/** The id of a tool. */
export type Tool = (typeof ROWS)[number]["tool"];

/** All tools, in the order of the toolbar. */
export const TOOLS: readonly (ToolRow & { readonly tool: Tool })[] = ROWS;

/** The tool that is chosen when the page opens. */
export const DEFAULT_TOOL: Tool = "draw";

/** Returns the row of a tool. Throws for an id that is not in the table. */
export function toolRow(tool: Tool): ToolRow {
  const row = TOOLS.find((one) => one.tool === tool);
  if (!row) throw new Error(`There is no tool ${tool}`);
  return row;
}

/**
 * The tool for a canvas that takes over a choice made earlier: the chosen one, or Select when choosing it again
 * would add another shape.
 */
export function toolToRestore(tool: Tool): Tool {
  return toolRow(tool).mode === "shape" ? "select" : tool;
}
