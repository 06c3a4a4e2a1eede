/** Turns a peer's editor into a page that the runner of the canvas controls (bench/canvas). */

import { present } from "../canvas/pages/subject.ts";

/** A stroke of the board, before any format. */
export interface BenchStroke {
  readonly id: string;
  /** Flat points: x0, y0, x1, y1 ... in canvas pixels. */
  readonly points: readonly number[];
  /** The colour, #rrggbb. */
  readonly color: string;
}

/** The interface of each editor. */
export interface PeerEditor {
  /** Shows a whole board; resolves when it is painted. */
  load(strokes: readonly BenchStroke[]): Promise<void>;
  /** Receives a finished stroke of somebody else. */
  remoteStroke(stroke: BenchStroke): void;
  setTool(tool: "draw" | "select"): void;
}

/** Resolves after the next frame was painted. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
  });
}

let connected = false;

/** Hands the page to the runner. An editor may announce itself more than once: the first time counts. */
export function connect(editor: PeerEditor): void {
  if (connected) return;
  connected = true;
  let strokes = new Map<string, BenchStroke>();
  let arrivals = 0;
  const start = async (): Promise<void> => {
    const answer = await fetch(`./strokes.json${location.search}`);
    const board = (await answer.json()) as BenchStroke[];
    strokes = new Map(board.map((stroke) => [stroke.id, stroke]));
    await editor.load(board);
    editor.setTool("draw");
  };
  present({
    ready: start(),
    choose: (tool) => editor.setTool(tool),
    remote(object) {
      const stroke = strokes.get(object.id);
      if (!stroke) throw new Error(`no stroke ${object.id} on this board`);
      arrivals++;
      editor.remoteStroke({ ...stroke, id: `${stroke.id}-${arrivals}` });
    },
  });
}
