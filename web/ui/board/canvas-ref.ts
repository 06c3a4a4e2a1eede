/** The canvas, once its code is there; calls that come earlier wait for it. */

import type { Tool } from "../../../board/tools.ts";
import type { BoardCanvas } from "../../canvas/port.ts";

/** What the visitor draws with. */
export interface ToolChoice {
  readonly tool: Tool;
  /** A CSS colour (#rrggbb). */
  readonly color: string;
  /** In canvas pixels. */
  readonly penWidth: number;
}

export interface CanvasRef {
  readonly canvas: BoardCanvas | null;
  /** In CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Calls the canvas now, or as soon as there is one. */
  readonly call: (work: (canvas: BoardCanvas) => void) => void;
  readonly resize: (width: number, height: number) => void;
  /** A canvas was made: it gets the size and the choice as they are, then the calls that waited. */
  readonly attach: (canvas: BoardCanvas) => void;
  /** The canvas is about to go. */
  readonly detach: () => void;
}

/** Without a canvas. @param choice what a new canvas begins with */
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
