/** What the page is at work on, for as long as it takes (`WorkBar.tsx`), and what came of a drawing (`ImportDialog.tsx`). */

import { createSignal } from "../../sync/environment/signal.ts";
import type { StartTimer } from "../kit/announcer.ts";

export interface Work {
  /** What is being done, as the progress bar names it. */
  readonly name: string;
  readonly cancel: () => void;
}

export interface ImportReport {
  readonly title: string;
  readonly text: string;
  /** One sentence for each kind of what was left out. */
  readonly sentences: readonly string[];
}

/** Milliseconds after which the page says that it is at work. */
const PATIENCE = 300;

/** Null while there is nothing to wait for. */
export const work = createSignal<Work | null>(null);

/** What the dialog shows; null while there is none. */
export const importReport = createSignal<ImportReport | null>(null);

/** What this page copied last; a menu can read nothing but the text from the clipboard. */
export const copied = createSignal<{ readonly json: string; readonly text: string } | null>(null);

/** Runs a task that ends, without an error, when its signal is aborted. While it takes long, the page says so and offers to cancel it. */
export async function runWork<T>(
  name: string,
  startTimer: StartTimer,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const running = new AbortController();
  const own: Work = { name, cancel: () => running.abort() };
  const stop = startTimer(() => work.set(own), PATIENCE);
  try {
    return await task(running.signal);
  } finally {
    stop();
    if (work.get() === own) work.set(null);
  }
}
