/** Loads versions of the drawing one at a time: each may be 10 MB, and no more than is needed is kept in memory. */

import type { Drawing } from "../../../board/drawing.ts";

export interface LoadOptions {
  /** Goes before the loads that wait. */
  readonly urgent?: boolean;
  /** A load that still waits is dropped. */
  readonly signal: AbortSignal;
}

export interface VersionLoader {
  /**
   * Loads a version and gives its drawing to `use`, null when it is gone or cannot be read. The next load begins
   * when `use` is done. Resolves with what `use` returns, or with undefined when the load was dropped.
   * @throws what the load or `use` throws.
   */
  readonly run: <T>(
    id: string,
    use: (drawing: Drawing | null) => T | Promise<T>,
    options: LoadOptions,
  ) => Promise<T | undefined>;
}

/** Nothing is loaded yet. */
export function createVersionLoader(load: (id: string) => Promise<Drawing | null>): VersionLoader {
  const waiting: (() => Promise<void>)[] = [];
  let isBusy = false;

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job();
    isBusy = false;
  }

  return {
    run(id, use, { urgent = false, signal }) {
      return new Promise((resolve, reject) => {
        const job = async (): Promise<void> => {
          if (signal.aborted) return resolve(undefined);
          try {
            const drawing = await load(id);
            resolve(signal.aborted ? undefined : await use(drawing));
          } catch (error) {
            reject(error);
          }
        };
        if (urgent) waiting.unshift(job);
        else waiting.push(job);
        void work();
      });
    },
  };
}
