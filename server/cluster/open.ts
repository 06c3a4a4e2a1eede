import type { Logger } from "../log.ts";
import type { Settings } from "../settings.ts";
import { createLocalCluster } from "./local.ts";
import type { Cluster } from "./port.ts";
import { openRedisCluster } from "./redis.ts";

/** @throws StartFault that names REDIS_URL when it is set and no server responds there. */
export async function openCluster(settings: Settings, log: Logger): Promise<Cluster> {
  return settings.redisUrl === null
    ? createLocalCluster()
    : openRedisCluster({ url: settings.redisUrl, log });
}
