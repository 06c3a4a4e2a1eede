/**
 * The tools as data, one row for each, which canvas, toolbars and keyboard read. A new tool is a new row
 * (CONTRIBUTING.md).
 */

import { ERASER_COLOR, HIGHLIGHTER, LIMITS } from "./constants.ts";
import type { NewObject } from "./drawing.ts";
import type { InkLook } from "./live.ts";

interface ToolBase {
  /** The tool's id in code. */
  readonly tool: string;
  /** The accessible name of its button. */
  readonly name: string;
  /** The shortcut: one lower-case letter, without modifiers. */
  readonly key: string;
  /** A second shortcut, the one that other programs use. */
  readonly alias?: string;
  /** The CSS cursor over the canvas. */
  readonly cursor: "crosshair" | "default" | "text";
  /** The panel that opens when the tool is chosen; null for none. */
  readonly panel: Panel | null;
}

/** A tool that draws freehand strokes. */
interface FreehandTool extends ToolBase {
  readonly mode: "freehand";
  readonly pen: {
    /** Width in canvas pixels; null for the pen width that the visitor chose. */
    readonly width: number | null;
    /** A CSS colour; null for the colour that the visitor chose. */
    readonly color: string | null;
    /** Whether it erases: its strokes can neither be selected nor moved. */
    readonly eraser: boolean;
    readonly look: InkLook;
  };
}

/** A tool that draws a straight line from a press to its release, in the pen width. */
interface LineTool extends ToolBase {
  readonly mode: "line";
  /** Whether the line ends in the head of an arrow. */
  readonly arrow: boolean;
}

/** A tool with which a press on an empty area begins a text, and a press on an object selects it. */
interface TextTool extends ToolBase {
  readonly mode: "text";
}

/** A tool that adds a shape each time it is chosen. With it, a press selects one object. */
interface ShapeTool extends ToolBase {
  readonly mode: "shape";
  /** The type and measures of the shape. All shapes get the same position, and the colour that the visitor chose. */
  readonly shape: NewObject;
}

/** A tool that selects: a press selects one object, a rubber band or Shift several. */
interface SelectTool extends ToolBase {
  readonly mode: "select";
}

/** A panel of the page that belongs to a tool. */
type Panel = "stickers";

/** A row of the table. Its mode says which other properties it has. */
export type ToolRow = FreehandTool | ShapeTool | SelectTool | LineTool | TextTool;

const ROWS = [
  {
    tool: "select",
    name: "Select",
    key: "v",
    cursor: "default",
    panel: null,
    mode: "select",
  },
  {
    tool: "draw",
    name: "Draw",
    key: "d",
    alias: "p",
    cursor: "crosshair",
    panel: null,
    mode: "freehand",
    pen: { width: null, color: null, eraser: false, look: "ink" },
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
    alias: "o",
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
    pen: { width: LIMITS.eraserWidth, color: ERASER_COLOR, eraser: true, look: "ink" },
  },
  {
    tool: "stickers",
    name: "Stickers",
    key: "s",
    cursor: "default",
    panel: "stickers",
    mode: "select",
  },
] as const satisfies readonly ToolRow[];

const MORE_ROWS = [
  { tool: "text", name: "Text", key: "t", cursor: "text", panel: null, mode: "text" },
  {
    tool: "line",
    name: "Line",
    key: "l",
    cursor: "crosshair",
    panel: null,
    mode: "line",
    arrow: false,
  },
  {
    tool: "arrow",
    name: "Arrow",
    key: "a",
    cursor: "crosshair",
    panel: null,
    mode: "line",
    arrow: true,
  },
  {
    tool: "highlighter",
    name: "Highlighter",
    key: "h",
    cursor: "crosshair",
    panel: null,
    mode: "freehand",
    pen: { width: HIGHLIGHTER.width, color: null, eraser: false, look: "highlighter" },
  },
  {
    tool: "fading",
    name: "Fading ink",
    key: "f",
    cursor: "crosshair",
    panel: null,
    mode: "freehand",
    pen: { width: null, color: null, eraser: false, look: "fading" },
  },
] as const satisfies readonly ToolRow[];

/** The id of a tool of the toolbar. */
export type ToolbarTool = (typeof ROWS)[number]["tool"];

/** The id of a tool of the second toolbar. */
export type MoreTool = (typeof MORE_ROWS)[number]["tool"];

/** The id of a tool. */
export type Tool = ToolbarTool | MoreTool;

/** The tools of the toolbar, in its order. */
export const TOOLS: readonly (ToolRow & { readonly tool: ToolbarTool })[] = ROWS;

/** The tools of the second toolbar, in its order. */
export const MORE_TOOLS: readonly (ToolRow & { readonly tool: MoreTool })[] = MORE_ROWS;

/** The widths of pen, line and arrow, in canvas pixels, with the keys that choose them. */
export const PEN_WIDTHS = [
  { name: "Thin", width: LIMITS.brushWidth, key: "1" },
  { name: "Medium", width: 6, key: "2" },
  { name: "Thick", width: 12, key: "3" },
] as const;

/** The tool that is chosen when the page opens. */
export const DEFAULT_TOOL = "draw" satisfies Tool;

/** Returns the row of a tool. Throws an Error for an id that is not in the table. */
export function toolRow(tool: Tool): ToolRow {
  const row = [...TOOLS, ...MORE_TOOLS].find((one) => one.tool === tool);
  if (!row) throw new Error(`There is no tool ${tool}`);
  return row;
}

/**
 * The tool for a canvas that takes over an earlier choice: the chosen one, or Select where choosing it again would
 * add another shape.
 */
export function toolToRestore(tool: Tool): Tool {
  return toolRow(tool).mode === "shape" ? "select" : tool;
}

/** True for a tool with which a press selects an object; the others draw. */
export function selectsObjects({ mode }: ToolRow): boolean {
  return mode !== "freehand" && mode !== "line";
}
