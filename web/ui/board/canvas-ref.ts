/** The canvas, once its code has arrived; earlier calls wait for it. */

import type { Tool } from "../../../board/tools.ts";
import type { BoardCanvas } from "../../canvas/port.ts";

/** The visitor's choice of tool, colour and width. */
export interface ToolChoice {
  readonly tool: Tool;
  /** A CSS colour (#rrggbb). */
  readonly color: string;
  /** The pen width in canvas pixels. */
  readonly penWidth: number;
}

export interface CanvasRef {
  readonly canvas: BoardCanvas | null;
  /** The size in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Calls the canvas now, or as soon as it exists. */
  readonly call: (work: (canvas: BoardCanvas) => void) => void;
  readonly resize: (width: number, height: number) => void;
  /** Takes over a new canvas: it gets the present size and choice, then the calls that waited. */
  readonly attach: (canvas: BoardCanvas) => void;
  /** Releases the canvas, which is about to be disposed of. */
  readonly detach: () => void;
}

/** Makes a reference without a canvas. `choice` returns the choice with which a new canvas begins. */
export function createCanvasRef(choice: () => ToolChoice): CanvasRef {
  let current: BoardCanvas | null = null;
  let size = { width: 0, height: 0 };
  let waiting: ((canvas: BoardCanvas) => void)[] = [];

  return {
    get canvas() {
      return current;
    },
    get size() {
      return size;
    },
    call(work) {
      if (current) work(current);
      else waiting.push(work);
    },
    resize(width, height) {
      size = { width, height };
      current?.view.resize(width, height);
    },
    attach(canvas) {
      current = canvas;
      const { tool, color, penWidth } = choice();
      canvas.view.resize(size.width, size.height);
      canvas.tools.setColor(color);
      canvas.tools.setPenWidth(penWidth);
      canvas.tools.choose(tool);
      const works = waiting;
      waiting = [];
      for (const work of works) work(canvas);
    },
    detach() {
      current = null;
    },
  };
}
