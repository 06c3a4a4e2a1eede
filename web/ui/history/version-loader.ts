/** Loads versions of the drawing one at a time: each may have 10 MB, and memory contains no more of them than necessary. */

import type { Drawing } from "../../../board/drawing.ts";

export interface LoadOptions {
  /** Whether it precedes the loads that wait. */
  readonly urgent?: boolean;
  /** Aborts a load that still waits. */
  readonly signal: AbortSignal;
}

export interface VersionLoader {
  /**
   * Loads a version and passes its drawing to `use`; null when it was removed or cannot be read. The next load begins
   * when `use` has finished. Resolves to the result of `use`, or to undefined when the load was dropped.
   * @throws the error of the load or of `use`.
   */
  readonly run: <T>(
    id: string,
    use: (drawing: Drawing | null) => T | Promise<T>,
    options: LoadOptions,
  ) => Promise<T | undefined>;
}

/** Makes a loader. */
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
