/**
 * A fair queue for something scarce: of the clients that wait, the one whose requests have taken the least time is
 * served next, however many or slow the requests of the others are (start-time fair queueing).
 */

export interface FairQueue {
  /**
   * Runs `work` when the client is served.
   * @throws what `refuse` returns when that is not in time
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
  /** How many wait now. */
  readonly waiting: number;
}

export interface FairQueueOptions {
  /** Requests that are served at the same time. */
  readonly atOnce: number;
  /** Requests of one client that are served at the same time. */
  readonly perClient: number;
  /** What is scarce serves one after the other: a request costs the time since the one before it was done. */
  readonly serial: boolean;
  /** Milliseconds until a request has to be served. */
  readonly wait: number;
  readonly refuse: () => Error;
  /** Milliseconds from any moment on. */
  readonly now?: () => number;
}

interface Client {
  /** Milliseconds that its requests have taken, above where it began. */
  charge: number;
  running: number;
  /** Called, in the order of arrival, when a request is served. */
  readonly waiting: Set<() => void>;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, perClient, serial, wait, refuse, now = () => performance.now() } = options;
  const clients = new Map<string, Client>();
  let running = 0;
  let waiting = 0;
  let lastDone = 0;
  /** The charge with which the last request began. A client that comes begins there: it has saved up nothing. */
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
  /** One request is done: at most one can begin. */
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
