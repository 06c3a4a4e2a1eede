/** Puts a canvas on the page, and everything that a test needs within reach of `window.bench`. */

import type { ObjectId } from "../../board/drawing.ts";
import { createBoardCanvas, inspectCanvas } from "../../web/canvas/create.ts";
import { strokeObject } from "../../web/canvas/pen.ts";
import { Desk, LiveLog } from "./desk.ts";
import { compareRepaint, playHistory, playSteps, settled } from "./history.ts";
import { compare, inked, pictureOf, pixelsOf } from "./pixels.ts";

function open(width: number, height: number): Bench {
  const host = document.querySelector<HTMLElement>("#host");
  if (!host) throw new Error("The page has no host");
  const desk = new Desk();
  const live = new LiveLog();
  const selections: number[] = [];
  const faults: string[] = [];
  const canvas = createBoardCanvas({
    host,
    width,
    height,
    editor: desk,
    live,
    onSelection: (count) => selections.push(count),
    onFault: (id: ObjectId, reason) => faults.push(`${id} ${reason}`),
  });
  desk.canvas = canvas;
  return { canvas, desk, live, selections, faults, inside: inspectCanvas(canvas) };
}

/** What a test finds on the page. */
export interface Bench {
  readonly canvas: ReturnType<typeof createBoardCanvas>;
  readonly desk: Desk;
  readonly live: LiveLog;
  readonly selections: number[];
  readonly faults: string[];
  readonly inside: ReturnType<typeof inspectCanvas>;
}

/** Within reach of tests. */
const tools = {
  compare,
  compareRepaint,
  inked,
  pictureOf,
  pixelsOf,
  playHistory,
  playSteps,
  settled,
  strokeObject,
};

declare global {
  interface Window {
    bench: Bench;
    openBench: (width: number, height: number) => Bench;
    tools: typeof tools;
  }
}

window.openBench = open;
window.tools = tools;
const query = new URLSearchParams(location.search);
if (!query.has("closed"))
  window.bench = open(Number(query.get("width") ?? 800), Number(query.get("height") ?? 500));
