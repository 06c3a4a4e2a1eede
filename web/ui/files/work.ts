/** The work in progress, for as long as it takes (`WorkBar.tsx`), and the result of an import (`ImportDialog.tsx`). */

import { createSignal } from "../../sync/environment/signal.ts";
import type { StartTimer } from "../kit/announcer.ts";

export interface Work {
  /** The name of the work, as the progress bar shows it. */
  readonly name: string;
  readonly cancel: () => void;
}

export interface ImportReport {
  readonly title: string;
  /** Introduces the sentences, or is the only one; empty where they need no introduction. */
  readonly text: string;
  /** One sentence for each kind of object that was left out, or for each of several files that were refused. */
  readonly sentences: readonly string[];
  /** Adds the file as a picture in place of what was added; undefined for what is no SVG. */
  readonly addPicture?: () => void;
}

/** Milliseconds after which the page shows that it is working. */
const PATIENCE = 300;

/** The work that takes long, in the order in which it began to. */
let waitedFor: Work[] = [];

/** The work that the page shows, the last of those; null while there is nothing to wait for. */
export const work = createSignal<Work | null>(null);

/** The report that the dialog shows; null while there is none. */
export const importReport = createSignal<ImportReport | null>(null);

/** The objects that this page copied last, since a menu can read nothing but the text from the clipboard. */
export const copied = createSignal<{ readonly json: string; readonly text: string } | null>(null);

/**
 * Runs a task, which ends without an error when its signal is aborted. While it takes long, the page shows that and
 * offers to cancel it.
 */
export async function runWork<T>(
  name: string,
  startTimer: StartTimer,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const running = new AbortController();
  const own: Work = { name, cancel: () => running.abort() };
  const stop = startTimer(() => {
    waitedFor.push(own);
    work.set(own);
  }, PATIENCE);
  try {
    return await task(running.signal);
  } finally {
    stop();
    waitedFor = waitedFor.filter((one) => one !== own);
    work.set(waitedFor.at(-1) ?? null);
  }
}
