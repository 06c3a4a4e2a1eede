/** Starts and stops the process: reads the environment, prints the ready line, and ends cleanly on SIGTERM and SIGINT. */

import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { openAccess, respectLinks, type OpenAccess } from "./access/access.ts";
import { openNewcomers } from "./access/newcomers.ts";
import { hostLinkLine } from "./access/host-link.ts";
import { readAllSettings, type AllSettings } from "./all-settings.ts";
import { openCluster } from "./cluster/open.ts";
import { checkDatabaseFile, restrictToOwner, lockDataDir, prepareDataDir } from "./data-dir.ts";
import type { ServerEnvironment } from "./port.ts";
import { createDrain } from "./process/drain.ts";
import { errorFields } from "./process/error-fields.ts";
import { listeningOrigin } from "./http/origin.ts";
import { openKeys } from "./keys/open.ts";
import { installationName } from "./keys/stored.ts";
import { createLogger, type Logger } from "./process/log.ts";
import { giveIdleMemoryBack } from "./process/idle-memory.ts";
import { keepFreedMemory } from "./process/memory.ts";
import { openFilesLimit, warnOfFewFiles } from "./process/open-files.ts";
import { redact } from "./process/redact.ts";
import type { Settings } from "./settings/settings.ts";
import { StartFault, errorCode } from "./process/start-fault.ts";
import { DatabaseUnavailable } from "./storage/faults.ts";
import { openDatabase } from "./storage/setup/open.ts";

/**
 * Milliseconds after the signal. Open requests have until the first one. Then the database is closed, which takes as
 * long as the running statement of SQLite, a second or so. Anything else has until the second one, and whatever hangs
 * for good until the last.
 */
const GRACE = { inFlight: 3000, all: 4800, last: 30_000 } as const;

interface Running {
  readonly app: FastifyInstance;
  /** The lock and the links; null for the page alone. */
  readonly access: OpenAccess | null;
  /** Closes the app's dependencies in reverse order. */
  readonly close: () => Promise<void>;
  /** Resolves when the process may end: during a statement of SQLite its end would be an abort. */
  readonly settle: () => Promise<void>;
}

/** Starts the server, or prints the reason and ends the process with 1. */
export async function start(): Promise<void> {
  // A program that reads the log and ends must not take the server with it: its lines are dropped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const read = await readAllSettings(process.env, process.cwd());
  if (!read.ok) return fail(read.problems);
  const { settings } = read.all;
  const log = createLogger(
    settings.logLevel,
    (line) => process.stderr.write(line),
    Date.now,
    settings.logFormat,
  );
  logUnexpected(log);
  const signals = receiveSignals();
  try {
    const drain = createDrain();
    const deps = { settings, log, drain };
    // PostgreSQL undoes a migration whose process ends; SQLite first opens its file.
    if (settings.databaseUrl !== null || settings.supabase !== null)
      signals.handle(endAfter(async () => {}, log));
    const running =
      settings.supabase === null
        ? await startBackend(deps, signals, read.all)
        : await startPage(deps);
    if (signals.arrived) return;
    warnOfFewFiles(running.app.server, openFilesLimit(), log);
    const sockets = trackSockets(running.app);
    signals.handle(onSignal(onceStopped(running, sockets, log), deps));
    await listen(running, settings);
  } catch (error) {
    // A part that is started while the database is closed fails, and the process is about to end.
    if (signals.arrived) return;
    if (error instanceof StartFault) return fail(error.message.split("\n"));
    if (error instanceof DatabaseUnavailable) return fail([unavailable(settings, error)]);
    log.error("the server did not start", errorFields(error));
    fail([redact(error instanceof Error ? error.message || errorCode(error) : String(error))]);
  }
}

/** Returns the line for a database that was there, and could not be written then. */
function unavailable({ databaseUrl, dataDir }: Settings, error: DatabaseUnavailable): string {
  const [name, expected] =
    databaseUrl === null
      ? [`DATA_DIR ${JSON.stringify(dataDir)}`, "a folder with free space"]
      : ["DATABASE_URL", "a PostgreSQL server"];
  return `${name} cannot be written (${redact(error.message)}); expected ${expected} that may be written`;
}

/**
 * Logs errors that no part has handled, and warnings of Node.js and of libraries. Node.js itself would print the whole
 * message, whatever it quotes, on several lines.
 */
function logUnexpected(log: Logger): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ message }) => log.warn("Node.js warns", { warning: redact(message) }));
  // A promise that no part waited for is a fault of ours, but no reason to disconnect every client.
  process.on("unhandledRejection", (reason) =>
    log.error("a rejected promise was not handled", errorFields(reason)),
  );
  process.on("uncaughtException", (error) => {
    log.error("an exception was not handled", errorFields(error));
    process.exit(1);
  });
}

type StartDeps = Pick<ServerEnvironment, "settings" | "log" | "drain">;

async function startPage(deps: StartDeps): Promise<Running> {
  const { createPageApp } = await import("./app.ts");
  const app = await createPageApp(deps);
  return { app, access: null, close: async () => {}, settle: async () => {} };
}

async function startBackend(
  { settings, log, drain }: StartDeps,
  signals: Signals,
  { material, ...apis }: AllSettings,
): Promise<Running> {
  keepFreedMemory();
  giveIdleMemoryBack();
  prepareDataDir(settings.dataDir);
  for (const path of restrictToOwner(settings.dataDir))
    log.warn("a file can be read by other users, and its rights cannot be changed", { path });
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  try {
    if (settings.databaseUrl === null) {
      const lock = lockDataDir(settings.dataDir);
      closers.push(() => lock.release());
      checkDatabaseFile(settings.dataDir);
    }
    const database = await openDatabase(settings, log);
    closers.push(() => database.close());
    const settle = database.dialect === "sqlite" ? () => database.close() : async () => {};
    signals.handle(endAfter(settle, log));
    const sources = { dataDir: settings.dataDir, material, database };
    const ring = await openKeys({ ...sources, clock: Date.now });
    const { env, dataDir, boardLocked: lock } = settings;
    const access = await openAccess({ env, dataDir, database, lock });
    closers.push(() => access.stop());
    const keys = respectLinks(ring, access);
    const cluster = await openCluster(settings, log, () => installationName(database));
    closers.push(() => cluster.close());
    const clock = Date.now;
    const limits = settings.newcomerLimits;
    const now = (): number => performance.now();
    const newcomers = await openNewcomers({ limits, database, access, clock: now });
    if (newcomers !== null) closers.push(() => newcomers.stop());
    const given = { settings, keys, access, newcomers, database, cluster, log, drain };
    const deps: ServerEnvironment = { ...given, clock };
    // It is loaded once nothing keeps the server from starting, so that a wrong setting is reported immediately.
    const { createBackendApp } = await import("./app.ts");
    return { app: await createBackendApp(deps, apis), access, close, settle };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen({ app, access, close }: Running, settings: Settings): Promise<void> {
  const { host, port, metricsPort } = settings;
  try {
    if (metricsPort !== null) await listenForMetrics(app, metricsPort, host);
  } catch (error) {
    await close();
    throw listenFault(error, host, `METRICS_PORT ${metricsPort}`);
  }
  try {
    await app.listen({ host, port });
  } catch (error) {
    await close();
    throw listenFault(error, host, `PORT ${port}`);
  }
  const address = app.server.address() as AddressInfo;
  const origin = listeningOrigin(host, address.port);
  process.stdout.write(`listening on ${origin}\n`);
  const line =
    access === null ? null : hostLinkLine(access, origin + settings.basePath, process.stdout.isTTY);
  if (line !== null) process.stdout.write(`${line}\n`);
}

async function listenForMetrics(app: FastifyInstance, port: number, host: string): Promise<void> {
  const { createMetricsServer } = await import("./http/operations.ts");
  const server = createMetricsServer(app);
  server.listen(port, host);
  await once(server, "listening");
  app.addHook("onClose", async () => {
    server.close();
    server.closeAllConnections();
  });
}

const LISTEN_FAULTS: Readonly<Record<string, (host: string, port: string) => string>> = {
  EADDRINUSE: (_, port) => `${port} is taken; expected a free port`,
  EACCES: (_, port) => `${port} is not allowed for this user; expected a port that is`,
  EADDRNOTAVAIL: (host) => `HOST "${host}" is not an address of this machine; expected one that is`,
  EINVAL: (host) =>
    `HOST "${host}" belongs to one link alone, and browsers cannot open it; expected another address of this machine, or :: for all`,
  ENOTFOUND: (host) => `HOST "${host}" cannot be resolved; expected a host name or an IP address`,
};

/** Returns a StartFault for an error that the operator can correct, otherwise the error itself. */
function listenFault(error: unknown, host: string, port: string): unknown {
  const known = LISTEN_FAULTS[errorCode(error)];
  return known === undefined ? error : new StartFault(known(host, port));
}

/** Collects all sockets, since upgraded ones are in no list of Node.js. */
function trackSockets(app: FastifyInstance): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

interface Signals {
  /** Whether the process shall stop. */
  readonly arrived: boolean;
  /** Calls `handler` with each signal from now on, and immediately when one has arrived. */
  handle(handler: () => void): void;
}

/** Receives both signals from now on: without a listener the first process of a container would never see them. */
function receiveSignals(): Signals {
  let arrived = false;
  let current = (): void => {};
  const receive = (): void => {
    arrived = true;
    current();
  };
  process.on("SIGTERM", receive);
  process.on("SIGINT", receive);
  return {
    get arrived() {
      return arrived;
    },
    handle: (handler) => {
      current = handler;
      if (arrived) handler();
    },
  };
}

/** Handles a signal that arrives before the server listens. */
function endAfter(settle: Running["settle"], log: Logger): () => void {
  return () => {
    log.info("stopping");
    void settle().then(exit, exit);
  };
}

/**
 * Handles the signals: the first one begins the drain, the next one ends it; without DRAIN_SECONDS the stop begins
 * immediately.
 */
function onSignal(stop: () => void, { settings, log, drain }: StartDeps): () => void {
  return () => {
    if (drain.begun) return drain.cut();
    if (settings.drain > 0) log.info("draining", { seconds: settings.drain / 1000 });
    void drain.begin(settings.drain).then(stop);
  };
}

/** Returns a function that stops the server. A second call has no effect: the stop has begun, and has its time. */
function onceStopped(running: Running, sockets: ReadonlySet<Socket>, log: Logger): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    log.info("stopping");
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE.inFlight);
    setTimeout(() => void running.settle().then(exit, exit), GRACE.all).unref();
    setTimeout(exit, GRACE.last).unref();
    void running.app
      .close()
      .then(() => running.close())
      .then(exit, (error: unknown) => {
        log.error("the stop was not clean", errorFields(error));
        exit();
      })
      .finally(() => clearTimeout(cut));
  };
}

function exit(): void {
  process.exit(0);
}

/** Prints one line for each problem, without a stack, since the reader is an operator. */
function fail(problems: readonly string[]): void {
  process.stderr.write(problems.map((line) => `inkpool: ${line}\n`).join(""));
  process.exit(1);
}
