/**
 * A fair queue for something scarce: of the clients that wait, the one whose requests have taken the least time is
 * served next, however many or slow the requests of the others are (start-time fair queueing).
 */

export interface FairQueue {
  /**
   * Runs `work` when the client is served.
   * @throws the error that `refuse` returns when it is not served in time
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
  /** The number of waiting requests. */
  readonly waiting: number;
}

export interface FairQueueOptions {
  /** The number of requests that are served at the same time. */
  readonly atOnce: number;
  /** The number of requests of one client that are served at the same time. */
  readonly perClient: number;
  /**
   * Whether the scarce thing serves one request after the other: a request then costs the time since the end of the
   * one before.
   */
  readonly serial: boolean;
  /** Milliseconds until a request has to be served. */
  readonly wait: number;
  readonly refuse: () => Error;
  /** Returns milliseconds from any moment on. */
  readonly now?: () => number;
}

interface Client {
  /** The milliseconds that its requests have taken, above the level at which it began. */
  charge: number;
  running: number;
  /** Functions to call, in the order of arrival, when a request is served. */
  readonly waiting: Set<() => void>;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, perClient, serial, wait, refuse, now = () => performance.now() } = options;
  const clients = new Map<string, Client>();
  let running = 0;
  let waiting = 0;
  let lastDone = 0;
  /** The charge with which the last request began. A new client begins there, so that it cannot save up anything. */
  let level = 0;

  const clientOf = (key: string): Client => {
    const known = clients.get(key) ?? { charge: level, running: 0, waiting: new Set() };
    if (known.running === 0 && known.waiting.size === 0)
      known.charge = Math.max(known.charge, level);
    clients.set(key, known);
    return known;
  };
  const canBegin = (client: Client): boolean => running < atOnce && client.running < perClient;
  const begin = (client: Client): void => {
    running++;
    client.running++;
    level = Math.max(level, client.charge);
  };
  const served = (client: Client): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        client.waiting.delete(serve);
        waiting--;
      };
      const serve = (): void => {
        leave();
        begin(client);
        resolve();
      };
      const timer = setTimeout(() => {
        leave();
        reject(refuse());
      }, wait);
      client.waiting.add(serve);
      waiting++;
    });
  /** Notes that one request is done, so that at most one can begin. */
  const serveNext = (): void => {
    let next: Client | null = null;
    for (const [key, client] of clients) {
      if (client.waiting.size > 0) {
        if (canBegin(client) && (next === null || client.charge < next.charge)) next = client;
      } else if (client.running === 0 && (waiting === 0 || client.charge <= level))
        clients.delete(key);
    }
    const [serve] = next?.waiting ?? [];
    serve?.();
  };
  return {
    run: async (key, work) => {
      const client = clientOf(key);
      if (canBegin(client)) begin(client);
      else await served(client);
      const began = now();
      try {
        return await work();
      } finally {
        const end = now();
        client.charge += end - (serial ? Math.max(began, lastDone) : began);
        lastDone = end;
        running--;
        client.running--;
        serveNext();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
