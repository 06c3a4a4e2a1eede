/** The interface of each page to the runner. All boards are 1280 x 720; the address may name another size of the canvas. */

import type { BoardObject } from "../../../board/drawing.ts";
import type { View } from "../../../web/canvas/view/view.ts";

const query = new URLSearchParams(location.search);
export const WIDTH = Number(query.get("width") ?? 1280);
export const HEIGHT = Number(query.get("height") ?? 720);

export interface Subject {
  /** Resolves when the board is painted. */
  readonly ready: Promise<void>;
  /** Chooses the pen, or the tool that moves objects. */
  choose(tool: "draw" | "select"): void;
  /** Returns true when everything is painted; absent where nobody can say. */
  readonly settled?: () => boolean;
  /** Moves the view; absent where this is not measured. */
  readonly show?: (view: View) => void;
  /** Receives a stroke of a peer. */
  remote(object: BoardObject): void;
}

export interface Results {
  /** Milliseconds since the navigation began. */
  readyAt: number;
  /** The milliseconds of each stroke from pointerup until the frame that shows it was made. */
  commits: number[];
  /** The longest time between two frames since it was last set to 0. */
  worstFrame: number;
}

declare global {
  interface Window {
    subject: Subject;
    results: Results;
  }
}

export async function fetchBoard(): Promise<BoardObject[]> {
  const answer = await fetch(`./board.json${location.search}`);
  const drawing = (await answer.json()) as { objects: BoardObject[] };
  return drawing.objects;
}

/** Hands the page to the runner. */
export function present(subject: Subject): void {
  const results: Results = { readyAt: 0, commits: [], worstFrame: 0 };
  window.subject = subject;
  window.results = results;
  void subject.ready.then(() => {
    afterFrame(() => {
      results.readyAt = performance.now();
    });
  });
  window.addEventListener(
    "pointerup",
    () => {
      const start = performance.now();
      afterFrame(() => results.commits.push(performance.now() - start));
    },
    { capture: true },
  );
  let before = performance.now();
  const watch = (): void => {
    const now = performance.now();
    results.worstFrame = Math.max(results.worstFrame, now - before);
    before = now;
    requestAnimationFrame(watch);
  };
  if (query.has("frames")) watch();
}

/** Runs after the next frame was painted. */
function afterFrame(work: () => void): void {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = work;
    channel.port2.postMessage(null);
  });
}
