/**
 * The page's shell on this device: the files of one build, its HTML and the last configuration, in one cache for each
 * build. A build is stored whole or not at all, and no file of one is ever served for another, since their names
 * contain hashes of their content. The page itself comes from the network whenever that responds.
 */

/** One build of the page. */
export interface Build {
  /** The page's first script, as index.html names it; any change of the code changes it. */
  readonly entry: string;
  /** A hash of all files, index.html included. */
  readonly id: string;
  /** Paths of scripts and styles. */
  readonly files: readonly string[];
  /** Paths of the texts of each language, which are stored when they are used: `/assets/language-de-1a2b3c4d.js`. */
  readonly languages: readonly string[];
}

/** The parts of the browser that the shell uses. */
export interface ShellEnvironment {
  readonly origin: string;
  /** The path of the page: `/`, or for example `/board/`. */
  readonly basePath: string;
  readonly caches: CacheStorage;
  readonly fetch: (input: Request | string, init?: RequestInit) => Promise<Response>;
  /** The names of the locks that pages hold; null where the browser has none. */
  readonly heldLocks: () => Promise<readonly string[] | null>;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

export interface Shell {
  /** Stores the whole build. Rejects, and leaves nothing, when a part of it cannot be fetched or stored. */
  install(): Promise<void>;
  /** Removes the builds that no open page was loaded from. */
  prune(): Promise<void>;
  /**
   * Returns the response to a request of a page; null for one that is not the shell's. `preloaded`: the browser's own
   * request for the page.
   */
  respond(request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> | null;
}

/**
 * The prefix of this page's caches and locks, since the origin may have others. The page has its own copy
 * (keep-shell.ts): the worker is one file.
 */
export const SHELL_PREFIX = "inkpool ";

/** Milliseconds for which a server may be silent before the copy is shown. */
const PATIENCE = 4_000;
/** The number of earlier builds that stay where the browser has no locks. */
const CACHED_BUILDS = 2;
/** Returns whether a proxy reports by this status that the server is away: 522 is Cloudflare's, 511 a network's sign-in. */
function isAway(status: number): boolean {
  return status >= 502 && status !== 511;
}

/** Returns a build, whose paths begin at the root, with the paths below which the page lies. */
export function buildBelow({ entry, id, files, languages }: Build, basePath: string): Build {
  const below = (path: string): string => basePath + path.slice(1);
  return { entry: below(entry), id, files: files.map(below), languages: languages.map(below) };
}

/** Makes the shell of one build, whose paths are those below which the page lies. */
export function createShell(build: Build, env: ShellEnvironment): Shell {
  const page = env.basePath;
  const config = `${page}config.json`;
  const name = `${SHELL_PREFIX}${build.entry} ${build.id}`;
  /**
   * Looks up a stored response; a device whose storage fails has none. It makes no cache, since this one may have
   * been removed.
   */
  const found = (path: string): Promise<Response | undefined> =>
    env.caches.match(path, { ...MATCH, cacheName: name }).catch(() => undefined);
  const keep = async (path: string, response: Response): Promise<void> =>
    (await env.caches.open(name)).put(path, response);

  const refresh = async (path: string, response: Response): Promise<void> => {
    const isFit = path === config ? hasType(response, "json") : await isPageOf(build, response);
    if (response.ok && isFit && (await env.caches.has(name))) await keep(path, response);
  };
  const fromNetwork = async (path: string, sent: Promise<Response>): Promise<Response> => {
    const slow = env.wait(PATIENCE).then(() => found(path));
    const answer = sent.then(async (response) => {
      if (isAway(response.status)) return (await found(path)) ?? response;
      // A device without space continues with its present copy.
      if (response.ok) void refresh(path, response.clone()).catch(() => undefined);
      return response;
    });
    try {
      return (await Promise.race([answer, slow])) ?? (await answer);
    } catch (fault) {
      const copy = await found(path);
      if (copy) return copy;
      throw fault;
    }
  };
  const fromCache = async (request: Request, path: string): Promise<Response> => {
    const copy = await env.caches.match(path, MATCH).catch(() => undefined);
    if (copy) return copy;
    const response = await env.fetch(request);
    const isTexts = build.languages.includes(path) && response.ok && !hasType(response, "html");
    if (isTexts && (await env.caches.has(name).catch(() => false)))
      await keep(path, response.clone()).catch(() => undefined);
    return response;
  };
  const store = async (path: string): Promise<void> => {
    const known = await env.caches.match(path, MATCH);
    const response = known ?? (await env.fetch(path));
    // A host that responds to everything with its page does not have this file.
    if (!response.ok || hasType(response, "html")) throw new Error(`${path} cannot be fetched`);
    await keep(path, response);
  };

  return {
    async install() {
      try {
        await Promise.all([...build.files, ...(await usedLanguages(build, env))].map(store));
        const [html, settings] = await Promise.all([
          env.fetch(page, { cache: "no-cache", headers: { accept: "text/html" } }),
          env.fetch(config, { cache: "no-cache" }).catch(() => null),
        ]);
        // Another process may still serve another build.
        if (!html.ok || !(await isPageOf(build, html)))
          throw new Error("the page is of another build");
        await keep(page, html);
        if (settings) await refresh(config, settings);
      } catch (fault) {
        await env.caches.delete(name);
        throw fault;
      }
    },
    prune: () => prune(env, name),
    respond(request, preloaded) {
      const { origin, pathname } = new URL(request.url);
      if (request.method !== "GET" || origin !== env.origin) return null;
      if (pathname.startsWith(`${page}assets/`) && !pathname.endsWith(".map"))
        return fromCache(request, pathname);
      if (pathname === config) return fromNetwork(config, env.fetch(request));
      if (pathname !== page || request.mode !== "navigate") return null;
      return fromNetwork(page, fetchPage(env, request, preloaded));
    },
  };
}

/** Removes the builds that no open page holds; those of other boards of the origin stay. */
async function prune(env: ShellEnvironment, name: string): Promise<void> {
  const builds = (await env.caches.keys()).filter(
    (one) => one.startsWith(`${SHELL_PREFIX}${env.basePath}assets/`) && one !== name,
  );
  const locks = await env.heldLocks();
  const unused = locks
    ? builds.filter((one) => !locks.some((lock) => one.startsWith(`${lock} `)))
    : builds.slice(0, -CACHED_BUILDS);
  await Promise.all(unused.map((one) => env.caches.delete(one)));
}

async function fetchPage(
  { fetch }: ShellEnvironment,
  request: Request,
  preloaded: Promise<Response | undefined> | undefined,
): Promise<Response> {
  const response = await preloaded;
  // Without a network the browser's own request rejects in Chromium, and resolves to an error in Firefox.
  return response && response.type !== "error" ? response : fetch(request);
}

/** Returns the texts of this build in the languages that the device has of another one. */
async function usedLanguages(
  { languages }: Build,
  { basePath, caches, origin }: ShellEnvironment,
): Promise<readonly string[]> {
  const used = new Set<string>();
  for (const name of await caches.keys()) {
    if (!name.startsWith(`${SHELL_PREFIX}${basePath}assets/`)) continue;
    for (const { url } of await (await caches.open(name)).keys())
      used.add(languageOf(new URL(url, origin).pathname));
  }
  return languages.filter((path) => used.has(languageOf(path)));
}

/** Returns the language whose texts are at a path; empty for another file. */
function languageOf(path: string): string {
  return /\/assets\/language-([A-Za-z-]+?)-[\w-]{8}\.js$/.exec(path)?.[1] ?? "";
}

/** The options by which the path alone identifies a file; it was stored as the browser decoded it. */
const MATCH = { ignoreVary: true, ignoreSearch: true } as const;

function hasType(response: Response, type: string): boolean {
  return response.headers.get("content-type")?.includes(type) ?? false;
}

/** Whether this is index.html of this build. */
async function isPageOf({ entry }: Build, response: Response): Promise<boolean> {
  return hasType(response, "html") && (await response.clone().text()).includes(entry);
}
