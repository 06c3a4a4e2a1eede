/** A gate to the one connection: shared work may run together, and exclusive work alone; in the order of arrival. */
export interface Gate {
  /** Runs `work` beside other shared work, after all exclusive work that was requested earlier. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while nothing runs that was requested later. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Makes a gate. Exclusive work does not wait for shared work that has started: the statements of that are already in
 * the worker's queue, ahead of its own.
 */
export function createGate(): Gate {
  let busy: Promise<void> | null = null;
  return {
    shared: (work) => (busy === null ? work() : busy.then(work)),
    exclusive: (work) => {
      const result = busy === null ? work() : busy.then(work);
      const over = result.then(ignore, ignore).then(() => {
        if (busy === over) busy = null;
      });
      busy = over;
      return result;
    },
  };
}

function ignore(): void {}
