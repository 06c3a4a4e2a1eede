import type { Logger } from "../process/log.ts";
import type { Settings } from "../settings/settings.ts";
import { createLocalCluster } from "./local.ts";
import type { Cluster } from "./port.ts";

/**
 * Opens the cluster.
 * @param installation Returns a name that all processes of this installation share, and no other.
 * @throws StartFault that names the setting when REDIS_URL is set and no server responds there
 */
export async function openCluster(
  settings: Pick<Settings, "redisUrl" | "redisPrefix" | "redisCa" | "redisSentinelPassword">,
  log: Logger,
  installation: () => Promise<string>,
): Promise<Cluster> {
  const { redisUrl: url, redisPrefix, redisCa: ca, redisSentinelPassword } = settings;
  if (url === null) return createLocalCluster();
  const { openRedisCluster } = await import("./redis.ts");
  const prefix = redisPrefix ?? `inkpool:${await installation()}:`;
  return openRedisCluster({ url, ca, sentinelPassword: redisSentinelPassword, prefix, log });
}
