/** Turns of clients at something scarce. Of those that wait, each client gets one before another gets its next. */

import { createConcurrencyLimit } from "./concurrency.ts";

export interface Turns {
  /**
   * Runs `work` in a turn of the client.
   * @throws what `refuse` returns when the turn has not come in time
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
  /** How many wait now. */
  readonly waiting: number;
}

export interface TurnOptions {
  /** Turns at the same time. */
  readonly atOnce: number;
  /** Turns of one client at the same time. */
  readonly perClient: number;
  /** Milliseconds until a turn has to come. */
  readonly wait: number;
  readonly refuse: () => Error;
}

/** Called when the turn has come. */
type Begin = () => void;

export function createTurns({ atOnce, perClient, wait, refuse }: TurnOptions): Turns {
  const running = createConcurrencyLimit({ inAll: atOnce, perKey: perClient });
  /** In the order in which their clients had a turn last. */
  const queues = new Map<string, Set<Begin>>();
  const leave = (client: string, begin: Begin): void => {
    const queue = queues.get(client);
    queue?.delete(begin);
    if (queue?.size === 0) queues.delete(client);
  };
  const turnOf = (client: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(client, begin);
        reject(refuse());
      }, wait);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const queue = queues.get(client) ?? new Set();
      queues.set(client, queue.add(begin));
    });
  /** One turn is over: at most one can begin. */
  const beginNext = (): void => {
    for (const [client, queue] of queues) {
      if (!running.enter(client)) continue;
      queues.delete(client);
      const [first] = queue;
      if (first !== undefined) queue.delete(first);
      if (queue.size > 0) queues.set(client, queue);
      first?.();
      return;
    }
  };
  return {
    run: async (client, work) => {
      if (!running.enter(client)) await turnOf(client);
      try {
        return await work();
      } finally {
        running.leave(client);
        beginNext();
      }
    },
    get waiting() {
      let sum = 0;
      for (const queue of queues.values()) sum += queue.size;
      return sum;
    },
  };
}
