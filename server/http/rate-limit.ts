/** Requests per address: a fixed window, counted in one map that is emptied when the window ends. */

export interface RateLimit {
  /** Counts one request. Answers 0 when it may pass, else the seconds until the next window. */
  hit(address: string): number;
}

export interface RateLimitOptions {
  /** Requests in one window; 0 is no limit. */
  readonly limit: number;
  /** In milliseconds. */
  readonly window: number;
  readonly clock: () => number;
}

export function createRateLimit({ limit, window, clock }: RateLimitOptions): RateLimit {
  const counts = new Map<string, number>();
  let ends = 0;
  return {
    hit: (address) => {
      if (limit === 0) return 0;
      const now = clock();
      // A clock that was set back must not hold a window open for longer than it is.
      if (now >= ends || ends - now > window) {
        counts.clear();
        ends = now + window;
      }
      const key = addressKey(address);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= limit ? 0 : Math.max(1, Math.ceil((ends - now) / 1000));
    },
  };
}

/** An IPv6 customer has a whole /64: its addresses count as one. IPv4 stands for itself, mapped or not. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]?.toLowerCase().split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
