/** Makes connections to Redis or Valkey, and replaces them. */

import { readFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { AbstractConnector, Redis, type RedisOptions } from "ioredis";
import type { Logger } from "../process/log.ts";
import { reasonOf, StartFault } from "../process/start-fault.ts";
import {
  REDIS_FORMS,
  parseRedisUrl,
  type Endpoint,
  type RedisAddress,
} from "../settings/redis-address.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds of silence after which TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;
const MAX_RETRY_MS = 2_000;

/** The settings of Redis. */
export interface RedisTarget {
  /** The URL, in one of `REDIS_FORMS`. */
  readonly url: string;
  /** The file with the certificates of the authorities for Redis; without it, those that Node.js trusts. */
  readonly ca?: string | null;
  /** The password that the Sentinels themselves require. */
  readonly sentinelPassword?: string | null;
}

export interface RedisClusterOptions extends RedisTarget {
  /** The prefix of all channels' names, so that installations on one Redis do not mix. */
  readonly prefix: string;
  readonly log: Logger;
  /** Milliseconds between two heartbeats. */
  readonly heartbeat?: number;
}

/** Returns the name of the channel to which all processes listen. */
export function channelOfAll(prefix: string): string {
  return `${prefix}processes`;
}

/** Two connections: one publishes and one listens, since a connection that listens can do nothing else. */
export interface Connections {
  readonly publisher: Redis;
  readonly subscriber: Redis;
}

/**
 * Connects to Redis.
 * @param wait Milliseconds for the answer of a server.
 * @throws StartFault that names the setting when it is wrong, no server responds there, or it refuses what is needed.
 */
export async function connectRedis(
  target: RedisTarget & Pick<RedisClusterOptions, "prefix">,
  wait = CONNECT_TIMEOUT_MS,
): Promise<Connections> {
  const address = parseRedisUrl(target.url);
  if (address === null)
    throw new StartFault(`REDIS_URL is no address of Redis; expected ${REDIS_FORMS}`);
  const tls = readTls(address, target.ca ?? null);
  const publisher = connection(address, target, tls);
  const subscriber = connection(address, target, tls);
  const attempts = address.kind === "cluster" ? address.endpoints.length : 1;
  try {
    const limits = { attempts, wait: wait * attempts };
    await Promise.all([
      firstReady(publisher, limits, async () => {
        // Without the right to this command nothing could be published, see publisher.ts.
        await publisher.call("CLIENT", "REPLY", "ON");
        await publisher.publish(`${target.prefix}process:`, "");
      }),
      firstReady(subscriber, limits, () => subscriber.subscribe(channelOfAll(target.prefix))),
    ]);
  } catch (error) {
    for (const redis of [publisher, subscriber]) abandon(redis);
    throw new StartFault(
      `REDIS_URL cannot be used (${reasonOf(error)}); expected a Redis or Valkey that responds`,
    );
  }
  return { publisher, subscriber };
}

interface Tls {
  readonly ca?: string;
}

function readTls({ tls }: RedisAddress, file: string | null): Tls | null {
  if (file === null) return tls ? {} : null;
  if (!tls)
    throw new StartFault("REDIS_CA is set, but REDIS_URL has no TLS; expected a rediss address");
  try {
    return { ca: readFileSync(file, "utf8") };
  } catch (error) {
    throw new StartFault(
      `REDIS_CA cannot be read (${reasonOf(error)}); expected a file with certificates`,
    );
  }
}

/** Makes a connection. Messages are delivered at most once: while Redis is unavailable they are dropped, not queued. */
function connection(address: RedisAddress, target: RedisTarget, tls: Tls | null): Redis {
  const options = {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    keepAlive: KEEP_ALIVE_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: retryAfter,
    ...(tls !== null && { tls }),
  };
  if (address.kind === "server") return new Redis(address.url, options);
  const { username, password } = address;
  const user = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
  switch (address.kind) {
    case "socket":
      return new Redis({ ...options, ...user, path: address.path });
    case "sentinel": {
      const { sentinelPassword = null } = target;
      return new Redis({
        ...options,
        ...user,
        sentinels: address.endpoints.map((endpoint) => ({ ...endpoint })),
        name: address.name,
        sentinelRetryStrategy: retryAfter,
        ...(sentinelPassword !== null && { sentinelPassword }),
        ...(tls !== null && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
      });
    }
    case "cluster":
      return new Redis({ ...options, ...user, Connector: anyOf(address.endpoints, tls) });
  }
}

const retryAfter = (times: number): number => Math.min(times * 100, MAX_RETRY_MS);

type NetStream = Awaited<ReturnType<AbstractConnector["connect"]>>;

/**
 * Connects to the nodes of a cluster in rotation: each node passes messages on to all others, so any node that
 * responds is as good as another.
 */
function anyOf(
  nodes: readonly Endpoint[],
  tls: Tls | null,
): NonNullable<RedisOptions["Connector"]> {
  let next = 0;
  return class extends AbstractConnector {
    constructor() {
      super(CONNECT_TIMEOUT_MS);
    }

    override async connect(): Promise<NetStream> {
      const node = nodes[next++ % nodes.length]!;
      this.connecting = true;
      this.stream = tls === null ? connectTcp(node) : connectTls({ ...node, ...tls });
      this.stream.once("error", (error) => (this.firstError = error));
      return this.stream;
    }
  };
}

/**
 * Rejects with the error of the last attempt, also where a connection is made and stays silent: the library would
 * wait for ever.
 */
async function firstReady(
  redis: Redis,
  { attempts, wait }: { readonly attempts: number; readonly wait: number },
  tryRights: () => Promise<unknown>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${wait / 1000} s`)), wait);
    let failed = 0;
    const onError = (error: Error): void => {
      if (++failed >= attempts) reject(error);
    };
    redis.on("error", onError);
    redis.once("ready", () => {
      redis.off("error", onError);
      tryRights().then(() => resolve(), reject);
    });
    redis.connect().catch(() => {});
  }).finally(() => clearTimeout(timer));
}

/** Whether Redis itself has refused a command, as for lack of a right. */
export function isRefusal(error: Error): boolean {
  return error.name === "ReplyError";
}

/**
 * Replaces a connection on which nothing arrives any more, without waiting for the other side. One that is not open
 * is left alone, since it is tried again by itself.
 */
export function reconnect(redis: Redis): void {
  if (redis.status !== "ready" && redis.status !== "connect") return;
  abandon(redis, true);
  redis.stream?.destroy();
}

/** Replaces a connection that the library has given up, as it does when one is closed while it is being made. */
export function revive(redis: Redis): void {
  if (redis.status === "end") redis.connect().catch(() => {});
}

/**
 * Abandons a connection. An error while it closes (TLS reports some) would end the process, since the library listens
 * only once.
 */
function abandon(redis: Redis, anew = false): void {
  redis.stream?.on("error", () => {});
  redis.disconnect(anew);
}
