import { linksOf } from "../../server/access/links.ts";
import { startAuthServer, type AuthServer } from "../auth/server.ts";
import { ensureBuilt } from "./build-server.ts";
import type { TestServer } from "./server.ts";

/** The parts of a server that its clients need. */
export type ServerAddress = Pick<TestServer, "url" | "port" | "anonKey" | "serviceKey">;

/** The whole server in the process of its tests. */
export interface InProcessServer extends ServerAddress, Pick<TestServer, "dataDir" | "log"> {
  /** Returns the present secret of the host link. */
  readonly hostSecret: () => string;
  /** The server itself, with its database. */
  readonly running: AuthServer;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the whole server in this process, which takes a fraction of the time of a process of its own. What
 * `server/start.ts` does (signals, output, files of other users) needs `startServer`.
 * @param env the settings beside DATA_DIR
 * @param beside another server, on whose folder and database this one starts
 */
export async function startInProcess(
  env: Readonly<Record<string, string>>,
  beside?: InProcessServer,
): Promise<InProcessServer> {
  // The threads of the database cannot run the sources.
  await ensureBuilt();
  const on = beside === undefined ? {} : { beside: beside.running };
  const server = await startAuthServer({ env, whole: true, plain: true, ...on });
  const { url, anonKey, serviceKey, dataDir, access } = server;
  return {
    url,
    port: Number(new URL(url).port),
    anonKey,
    serviceKey,
    dataDir,
    log: () => server.log.join(""),
    hostSecret: () => (access.links && linksOf(access.links, access.key))?.host ?? "",
    running: server,
    stop: server.close,
  };
}
