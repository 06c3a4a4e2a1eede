/** Who may talk to the one connection: everybody together, or one transaction alone; in the order of arrival. */
export interface Gate {
  /** Runs `work` beside other shared work, after every exclusive turn that was asked for earlier. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while nobody else runs anything that was asked for later. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * An exclusive turn does not wait for shared work that has started: its statements are already in the
 * worker's queue, ahead of the turn's own.
 */
export function createGate(): Gate {
  let busy: Promise<void> | null = null;
  return {
    shared: (work) => (busy === null ? work() : busy.then(work)),
    exclusive: (work) => {
      const turn = busy === null ? work() : busy.then(work);
      const over = turn.then(ignore, ignore).then(() => {
        if (busy === over) busy = null;
      });
      busy = over;
      return turn;
    },
  };
}

function ignore(): void {}
