/** Connections to Redis or Valkey: how they are made, and how they are made anew. */

import { Redis } from "ioredis";
import { StartFault } from "../start-fault.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Of silence, until TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;
const MAX_RETRY_MS = 2_000;

/** One publishes, one listens: a connection that listens can do nothing else. */
export interface Connections {
  readonly publisher: Redis;
  readonly subscriber: Redis;
}

/**
 * @param wait Milliseconds for an answer.
 * @throws StartFault that names REDIS_URL when no server responds there.
 */
export async function connectRedis(url: string, wait = CONNECT_TIMEOUT_MS): Promise<Connections> {
  const publisher = connection(url);
  const subscriber = connection(url);
  try {
    await Promise.all([publisher, subscriber].map((redis) => firstReady(redis, wait)));
  } catch (error) {
    publisher.disconnect();
    subscriber.disconnect();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFault(
      `REDIS_URL cannot be used (${reason}); expected a Redis or Valkey that responds`,
    );
  }
  return { publisher, subscriber };
}

/** Messages are at most once: while Redis is away they are dropped, not queued. */
function connection(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    keepAlive: KEEP_ALIVE_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS),
  });
}

/** Also ends where a connection is made and says nothing: the library would wait for ever. */
async function firstReady(redis: Redis, wait: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${wait / 1000} s`)), wait);
    redis.once("error", reject);
    redis.connect().then(() => {
      redis.off("error", reject);
      resolve();
    }, reject);
  }).finally(() => clearTimeout(timer));
}

/**
 * Closes a connection on which nothing comes any more, without waiting for the other side, and makes a new one. One that
 * is not open is left alone: it is tried again by itself.
 */
export function reconnect(redis: Redis): void {
  if (redis.status !== "ready" && redis.status !== "connect") return;
  redis.disconnect(true);
  redis.stream?.destroy();
}
