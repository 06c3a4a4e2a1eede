/**
 * `npm run dev`: serves the page by Vite with hot reload, before a server that is built and started again when its
 * sources change. PORT is the page's (5173), DATA_DIR the server's (data/dev).
 */

import "../node-version.mjs";
import { join } from "node:path";
import { createLogger, createServer } from "vite";
import { stopChildren } from "../process.mjs";
import { ROOT } from "../root.mjs";
import { openWatchedServer } from "./dev-server.ts";

/** The paths that the server serves; everything else is Vite's. */
const SERVED = [
  "/rest/v1",
  "/auth/v1",
  "/realtime/v1",
  "/host/v1",
  "/config.json",
  "/healthz",
  "/readyz",
  "/metrics",
];
/** The folders of the server's sources. */
const SOURCES = ["server", "board", "supabase"].map((folder) => join(ROOT, folder));
/** Milliseconds after a change within which further ones count with it: an editor writes several files together. */
const SETTLE = 100;

const backend = await openWatchedServer(process.env.DATA_DIR ?? join(ROOT, "data/dev"));
const vite = await createServer({
  configFile: join(ROOT, "web/vite.config.ts"),
  customLogger: quietLogger(),
  server: {
    port: Number(process.env.PORT ?? 5173),
    proxy: Object.fromEntries(
      SERVED.map((path) => [path, { target: backend.url, ws: path.startsWith("/realtime") }]),
    ),
  },
});

await vite.listen();
vite.printUrls();

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);

async function stop() {
  if (stopping) return;
  stopping = true;
  stopChildren();
  await Promise.all([vite.close(), backend.stop()]);
  process.exit(0);
}

let timer: NodeJS.Timeout | undefined;
vite.watcher.add(SOURCES).on("all", (_event, path) => {
  if (!SOURCES.some((folder) => path.startsWith(folder))) return;
  clearTimeout(timer);
  timer = setTimeout(() => void backend.refresh(), SETTLE);
});

/** Returns a logger without the page's requests that failed while the server started again, since the page repeats them. */
function quietLogger() {
  const logger = createLogger("info", { allowClearScreen: false });
  const error = logger.error.bind(logger);
  logger.error = (text, options) => {
    const code = (options?.error as NodeJS.ErrnoException | null | undefined)?.code;
    if (code !== "ECONNREFUSED" && code !== "ECONNRESET") error(text, options);
  };
  return logger;
}
