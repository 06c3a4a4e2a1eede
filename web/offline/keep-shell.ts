/** Registers the service worker, so that the page opens without a network, and notices a new build of the page. */

/** The parts of the browser that are needed; a page that was not served securely has neither worker nor caches. */
export interface ShellHost {
  readonly workers: ServiceWorkerContainer | undefined;
  readonly caches: CacheStorage | undefined;
  readonly locks: Pick<LockManager, "request"> | undefined;
  /** The path of the page on its origin, `/` or for example `/board/`. */
  readonly basePath: string;
  /** The page's first script with its path, `/assets/...`; null for a page that was not built. */
  readonly entry: string | null;
  /** Whether the operator wants no copy on the devices. */
  readonly isOff: boolean;
  /** Calls the listener when the network returns, and when the page becomes visible. Returns the function that ends it. */
  readonly onReturn: (listener: () => void) => () => void;
  /** Whether the server has the worker now: a browser complains on the console about one that it cannot fetch. */
  readonly isServed: () => Promise<boolean>;
  readonly now: () => number;
}

/** The worker's path below the page's. */
export const WORKER = "sw.js";
/** The prefix of caches and locks, as in shell.ts. */
export const PAGE_PREFIX = "inkpool ";
/** Milliseconds between two checks for a new build; the browser itself checks at each load, and once a day. */
const LOOK_AGAIN = 10 * 60_000;

/**
 * Calls `onNewBuild` once, when a build other than this page's is ready. Never throws: a browser that refuses (a
 * private window, no space) shows the page as before.
 */
export function keepShell(host: ShellHost, onNewBuild: () => void): void {
  const { workers, basePath, entry, isOff, isServed } = host;
  if (!workers || entry === null) return;
  const offered = new AbortController();
  const ignore = (): undefined => undefined;
  if (isOff) {
    removeShell(host).catch(ignore);
    return;
  }
  // It ends with the page, which needs the files of its build even after another one was offered.
  const whileOpen = new Promise<void>(ignore);
  host.locks?.request(PAGE_PREFIX + entry, { mode: "shared" }, () => whileOpen).catch(ignore);

  let registration: ServiceWorkerRegistration | null = null;
  let lookedAt = host.now();
  /**
   * Compares the builds when a worker of another build is active: either this page is old, or the worker has just
   * been replaced on the server.
   */
  const compare = async (other: unknown): Promise<void> => {
    if (other === entry || typeof other !== "string" || !registration) return;
    if (!(await isServed())) return;
    await registration.update();
    // A newer worker will report which build is ready.
    if (registration.installing || registration.waiting || offered.signal.aborted) return;
    onNewBuild();
    offered.abort();
  };
  const { signal } = offered;
  workers.addEventListener(
    "message",
    ({ data }: MessageEvent<{ readonly shell?: unknown } | null>) =>
      void compare(data?.shell).catch(ignore),
    { signal },
  );
  const register = async (): Promise<void> => {
    const known = await workers.getRegistration(basePath);
    if (!known && !(await isServed())) return;
    const worker = basePath + WORKER;
    registration = known ?? (await workers.register(worker, { updateViaCache: "none" }));
    registration.active?.postMessage("hello");
  };
  register().catch(ignore);
  const stop = host.onReturn(() => {
    if (host.now() - lookedAt < LOOK_AGAIN) return;
    lookedAt = host.now();
    const look = async (): Promise<void> => {
      if (await isServed()) await registration?.update();
    };
    look().catch(ignore);
  });
  signal.addEventListener("abort", stop);
}

/** Removes everything from this device that an earlier visit stored. */
async function removeShell({ workers, caches, basePath }: ShellHost): Promise<void> {
  const registration = await workers?.getRegistration(basePath);
  await registration?.unregister();
  for (const name of (await caches?.keys()) ?? [])
    if (name.startsWith(`${PAGE_PREFIX}${basePath}assets/`)) await caches?.delete(name);
}
