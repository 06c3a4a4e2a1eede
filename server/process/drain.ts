/**
 * The drain: the time between the signal to stop and the stop itself, DRAIN_SECONDS, in which the balancer and the
 * clients move to other processes.
 */

export interface Drain {
  /** Whether the signal has arrived: the balancer no longer uses the process, which still serves everything that arrives. */
  readonly begun: boolean;
  /** Calls `listener` with the milliseconds of the drain when it begins. */
  onBegin(listener: (ms: number) => void): void;
  /** Begins, and resolves after `ms`, or when `cut` is called. */
  begin(ms: number): Promise<void>;
  /** Ends the drain immediately. */
  cut(): void;
}

export function createDrain(): Drain {
  const listeners: ((ms: number) => void)[] = [];
  let begun = false;
  let cut = (): void => {};
  return {
    get begun() {
      return begun;
    },
    onBegin: (listener) => void listeners.push(listener),
    begin: (ms) => {
      begun = true;
      for (const listener of listeners) listener(ms);
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        cut = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    cut: () => cut(),
  };
}
