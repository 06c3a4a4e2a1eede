/** Token buckets, which limit how often something may happen: one alone, or one for each key. */

export interface Rate {
  /** Tokens that are refilled in one second. */
  readonly perSecond: number;
  /** Tokens of a full bucket: what may happen in a burst. */
  readonly burst: number;
}

/** A bucket. `at` is the time when the tokens were counted, in milliseconds. */
export interface Bucket {
  tokens: number;
  at: number;
}

/** Makes an unused bucket. @param now The time in milliseconds. */
export const fullBucket = (rate: Rate, now: number): Bucket => ({ tokens: rate.burst, at: now });

/** Takes `cost` tokens, or takes nothing and returns false. A clock that is set back adds nothing. */
export function take(bucket: Bucket, rate: Rate, now: number, cost = 1): boolean {
  refill(bucket, rate, now);
  if (bucket.tokens < cost) return false;
  bucket.tokens -= cost;
  return true;
}

/** Takes `cost` tokens whether they are there or not, for something that is done already, or cannot be divided. */
export function spend(bucket: Bucket, rate: Rate, now: number, cost: number): void {
  refill(bucket, rate, now);
  bucket.tokens -= cost;
}

/** Returns the milliseconds until the excess that `spend` took has been refilled; 0 when nothing is missing. */
export function debt(bucket: Bucket, rate: Rate, now: number): number {
  refill(bucket, rate, now);
  return bucket.tokens >= 0 ? 0 : Math.ceil((-bucket.tokens * 1000) / rate.perSecond);
}

function refill(bucket: Bucket, rate: Rate, now: number): void {
  const passed = now - bucket.at;
  if (passed > 0)
    bucket.tokens = Math.min(rate.burst, bucket.tokens + (passed * rate.perSecond) / 1000);
  bucket.at = now;
}

export interface KeyedBuckets {
  /** Takes `cost` tokens (1 without it) of a key. Returns 0 when they were there, otherwise the milliseconds until they are. */
  take(key: string, cost?: number): number;
  /** Returns what `take` would return, and takes nothing. */
  wait(key: string): number;
  /** The number of keys that are remembered. */
  readonly size: number;
}

export interface KeyedBucketsOptions {
  readonly rate: Rate;
  /** The time in milliseconds. */
  readonly clock: () => number;
  /** Greatest number of keys that are remembered; beyond that the one that was idle longest is forgotten. */
  readonly maxKeys?: number;
}

/** The default number of keys. An attacker with many addresses cannot fill the memory: 10,000 keys take about 2 MB. */
const MAX_KEYS = 10_000;

/** Makes one bucket for each key. A key that was idle until its bucket is full again is forgotten. */
export function createKeyedBuckets(options: KeyedBucketsOptions): KeyedBuckets {
  const { rate, clock, maxKeys = MAX_KEYS } = options;
  const fullAfter = (rate.burst / rate.perSecond) * 1000;
  /** The buckets in the order of their last use. */
  const buckets = new Map<string, Bucket>();
  const forgetIdle = (now: number): void => {
    for (const [key, { at }] of buckets) {
      if (buckets.size <= maxKeys && now - at < fullAfter) return;
      buckets.delete(key);
    }
  };
  const untilNext = (bucket: Bucket, cost = 1): number =>
    ((cost - bucket.tokens) / rate.perSecond) * 1000;
  return {
    take: (key, cost = 1) => {
      const now = clock();
      const bucket = buckets.get(key) ?? fullBucket(rate, now);
      const taken = take(bucket, rate, now, cost);
      buckets.delete(key);
      buckets.set(key, bucket);
      forgetIdle(now);
      return taken ? 0 : untilNext(bucket, cost);
    },
    wait: (key) => {
      const bucket = { ...(buckets.get(key) ?? fullBucket(rate, clock())) };
      return take(bucket, rate, clock()) ? 0 : untilNext(bucket);
    },
    get size() {
      return buckets.size;
    },
  };
}
