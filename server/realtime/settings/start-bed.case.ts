import { afterEach } from "vitest";
import { startRealtime, type RealtimeServer } from "../../../testing/servers/realtime.ts";

/** Returns what starts a server with settings of its own; each is stopped after its test. */
export function startsServers(): (
  env: Record<string, string>,
  clock?: () => number,
) => Promise<RealtimeServer> {
  const servers: RealtimeServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  return async (env, clock) => {
    const server = await startRealtime({ env, ...(clock === undefined ? {} : { clock }) });
    servers.push(server);
    return server;
  };
}
