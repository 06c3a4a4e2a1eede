import { describe, expect, test } from "vitest";
import { keepShell, PAGE_PREFIX, type ShellHost } from "./keep-shell.ts";
import { buildBelow, createShell, SHELL_PREFIX, type Build } from "./shell.ts";

const ORIGIN = "https://draw.example";
const FIRST: Build = {
  ...{ entry: "/assets/index-1.js", id: "one" },
  files: ["/assets/index-1.js", "/assets/same.js"],
  languages: ["/assets/language-de-11111111.js", "/assets/language-pt-BR-11111111.js"],
};
const SECOND: Build = {
  ...{ entry: "/assets/index-2.js", id: "two" },
  files: ["/assets/index-2.js", "/assets/same.js"],
  languages: ["/assets/language-de-22222222.js", "/assets/language-pt-BR-22222222.js"],
};

/** The browser's caches, in memory. */
function createCaches() {
  const all = new Map<string, Map<string, Response>>();
  const match = async (path: string, { cacheName = "" } = {}): Promise<Response | undefined> => {
    for (const [name, one] of all)
      if (one.has(path) && name.includes(cacheName)) return one.get(path)?.clone();
    return undefined;
  };
  let isFull = false;
  let looks = 0;
  const caches = {
    match,
    keys: async () => [...all.keys()],
    has: async (name: string) => {
      looks++;
      return all.has(name);
    },
    delete: async (name: string) => all.delete(name),
    async open(name: string) {
      const one = all.get(name) ?? new Map<string, Response>();
      all.set(name, one);
      return {
        async keys() {
          return [...one.keys()].map((path) => new Request(new URL(path, ORIGIN)));
        },
        async put(path: string, response: Response) {
          if (isFull) throw new DOMException("no space", "QuotaExceededError");
          one.set(path, response);
        },
      };
    },
  };
  return {
    caches: caches as unknown as CacheStorage,
    all,
    fill: () => (isFull = true),
    /** The number of checks for a new build. */
    looks: () => looks,
  };
}

const text = (body: string, type: string, status = 200): Response =>
  new Response(body, { status, headers: { "content-type": type } });

/** A server, of which each path can be replaced; undefined: it never responds. */
function createServer(build: Build) {
  const paths = new Map<string, () => Response | undefined>();
  const asked: string[] = [];
  const serve = (path: string, answer: () => Response | undefined): void =>
    void paths.set(path, answer);
  const deploy = ({ entry, files, languages }: Build): void => {
    paths.clear();
    for (const file of [...files, ...languages]) serve(file, () => text(file, "text/javascript"));
    serve("/", () => text(`<script src="${entry}">`, "text/html"));
    serve("/config.json", () => text(`{"of":"${entry}"}`, "application/json"));
  };
  deploy(build);
  return {
    ...{ serve, deploy, asked },
    fetch: async (input: Request | string): Promise<Response> => {
      const { pathname } = new URL(typeof input === "string" ? input : input.url, ORIGIN);
      asked.push(pathname);
      const answer = paths.get(pathname);
      if (!answer) return text("no such path", "text/html", 404);
      return answer() ?? new Promise(() => undefined);
    },
    cut(): void {
      for (const path of paths.keys())
        serve(path, () => {
          throw new TypeError("no network");
        });
    },
  };
}

function createBed(build = FIRST, basePath = "/") {
  const { caches, all, fill, looks } = createCaches();
  const server = createServer(build);
  let locks: readonly string[] | null = [];
  const open = (one: Build) =>
    createShell(buildBelow(one, basePath), {
      ...{ origin: ORIGIN, basePath, caches, fetch: server.fetch },
      heldLocks: async () => locks,
      wait: () => new Promise((resolve) => setTimeout(resolve)),
    });
  return {
    server,
    all,
    fill,
    looks,
    open,
    hold: (names: readonly string[] | null) => (locks = names),
  };
}

type Bed = ReturnType<typeof createBed>;

const request = (path: string, mode = "cors", method = "GET"): Request =>
  ({ url: new URL(path, ORIGIN).href, mode, method }) as unknown as Request;

async function read(bed: Bed, path: string, build = FIRST, mode = "navigate"): Promise<string> {
  const response = await bed.open(build).respond(request(path, mode));
  return response ? response.text() : "not the worker's";
}

describe("the shell on this device", () => {
  test("UI-20 what was stored opens without a network: page, files and the last configuration", async () => {
    const bed = createBed();
    await bed.open(FIRST).install();
    bed.server.cut();
    expect(await read(bed, "/")).toContain(FIRST.entry);
    expect(await read(bed, "/?from=link")).toContain(FIRST.entry);
    expect(await read(bed, "/assets/same.js", FIRST, "cors")).toBe("/assets/same.js");
    expect(await read(bed, "/config.json", FIRST, "cors")).toContain(FIRST.entry);
  });

  test("LANG-4 the texts of a language are stored when they are used, and with the builds that follow", async () => {
    const bed = createBed();
    await bed.open(FIRST).install();
    const stored = (): string[] =>
      [...bed.all.values()]
        .flatMap((one) => [...one.keys()])
        .filter((path) => /language/.test(path));
    expect(stored()).toEqual([]);
    const [german = ""] = FIRST.languages;
    expect(await read(bed, german, FIRST, "cors")).toBe(german);
    expect(stored()).toEqual([german]);
    bed.server.deploy(SECOND);
    await bed.open(SECOND).install();
    expect(stored()).toEqual([german, SECOND.languages[0]]);
    bed.server.cut();
    expect(await read(bed, SECOND.languages[0] ?? "", SECOND, "cors")).toBe(SECOND.languages[0]);
    // No build is stored without its page: nothing is left of it.
    bed.all.clear();
    bed.server.deploy(FIRST);
    await read(bed, german, FIRST, "cors");
    expect(stored()).toEqual([]);
  });

  test("SRV-87 below a path the shell keeps what lies there, and leaves other boards of the origin alone", async () => {
    const below = buildBelow(FIRST, "/board/");
    const bed = createBed(below, "/board/");
    bed.server.serve("/board/", () => text(`<script src="${below.entry}">`, "text/html"));
    bed.server.serve("/board/config.json", () => text('{"of":"board"}', "application/json"));
    for (const name of ["inkpool /assets/index-0.js zero", "inkpool /other/assets/index-1.js one"])
      bed.all.set(name, new Map());
    await bed.open(FIRST).install();
    await bed.open(FIRST).prune();
    bed.server.cut();
    expect(await read(bed, "/board/")).toContain(below.entry);
    expect(await read(bed, "/board/config.json", FIRST, "cors")).toBe('{"of":"board"}');
    expect(await read(bed, "/board/assets/same.js", FIRST, "cors")).toBe("/board/assets/same.js");
    expect(await read(bed, "/")).toBe("not the worker's");
    expect([...bed.all.keys()]).toEqual([
      "inkpool /assets/index-0.js zero",
      "inkpool /other/assets/index-1.js one",
      "inkpool /board/assets/index-1.js one",
    ]);
  });

  test("UI-20 the network goes first for page and configuration; what it says is kept for later", async () => {
    const bed = createBed();
    await bed.open(FIRST).install();
    bed.server.serve("/", () => text(`<title>New name</title>${FIRST.entry}`, "text/html"));
    bed.server.serve("/config.json", () => text('{"new":1}', "application/json"));
    expect(await read(bed, "/")).toContain("New name");
    expect(await read(bed, "/config.json", FIRST, "cors")).toBe('{"new":1}');
    await new Promise((resolve) => setTimeout(resolve));
    bed.server.cut();
    expect(await read(bed, "/")).toContain("New name");
    expect(await read(bed, "/config.json", FIRST, "cors")).toBe('{"new":1}');
  });

  test("UI-105 a page that the browser preloads without a network is the copy, whether that rejects or resolves to an error", async () => {
    const bed = createBed();
    await bed.open(FIRST).install();
    bed.server.cut();
    for (const preloaded of [
      () => Promise.resolve(Response.error()),
      () => Promise.reject(new TypeError("no network")),
      () => Promise.resolve(undefined),
    ]) {
      const response = await bed.open(FIRST).respond(request("/", "navigate"), preloaded());
      expect(await response?.text()).toContain(FIRST.entry);
    }
  });

  test.each([
    ["a 404 page", () => text("gone", "text/html", 404), "gone"],
    ["the page of another build", () => text("index-9", "text/html"), "index-9"],
    ["a proxy's sign-in", () => text("sign in", "text/html", 401), "sign in"],
    ["a proxy without a server", () => text("bad gateway", "text/html", 502), FIRST.entry],
    ["a server that is silent", () => undefined, FIRST.entry],
  ])("UI-20 %s is shown, or the copy, and never stored", async (_what, answer, shown) => {
    const bed = createBed();
    await bed.open(FIRST).install();
    bed.server.serve("/", answer);
    expect(await read(bed, "/")).toContain(shown);
    await new Promise((resolve) => setTimeout(resolve));
    bed.server.cut();
    expect(await read(bed, "/")).toContain(FIRST.entry);
  });

  test("UI-20 nothing else is the worker's: no API, no other path, no other method, no other origin", async () => {
    const bed = createBed();
    const shell = bed.open(FIRST);
    for (const path of [
      ...["/rest/v1/canvas_state", "/realtime/v1/websocket", "/auth/v1/user", "/healthz"],
      ...["/metrics", "/sw.js", "/manifest.webmanifest", "/nope", "/assets/a.js.map"],
      "https://abc.supabase.co/rest/v1/canvas_state",
      "https://abc.supabase.co/assets/same.js",
    ])
      expect([path, shell.respond(request(path, "navigate"))]).toEqual([path, null]);
    expect(shell.respond(request("/", "cors"))).toBeNull();
    expect(shell.respond(request("/config.json", "cors", "HEAD"))).toBeNull();
    expect(shell.respond(request("/", "navigate", "POST"))).toBeNull();
  });

  test("UI-48 a build is stored whole or not at all", async () => {
    const broken: [string, (bed: Bed) => void][] = [
      ["a file is gone", ({ server }) => server.serve("/assets/same.js", () => text("", "", 404))],
      [
        "a host answers with its page",
        ({ server }) => server.serve("/assets/same.js", () => text("<html>", "text/html")),
      ],
      ["another build's page", ({ server }) => server.serve("/", () => text("x", "text/html"))],
      ["no space", ({ fill }) => fill()],
      ["no network", ({ server }) => server.cut()],
    ];
    for (const [what, damage] of broken) {
      const bed = createBed();
      damage(bed);
      await expect(bed.open(FIRST).install(), what).rejects.toThrow();
      expect([...bed.all.keys()], what).toEqual([]);
    }
    const bed = createBed();
    bed.server.serve("/config.json", () => text("<html>", "text/html"));
    await bed.open(FIRST).install();
    expect([...bed.all.values()].flatMap((one) => [...one.keys()])).not.toContain("/config.json");
  });

  test("UI-48 a page that is open keeps the files of its build; without one they go", async () => {
    const bed = createBed();
    await bed.open(FIRST).install();
    bed.all.set("somebody else's", new Map());
    bed.server.deploy(SECOND);
    bed.server.asked.length = 0;
    const second = bed.open(SECOND);
    await second.install();
    // A file that both builds have is not fetched again.
    expect(bed.server.asked.toSorted()).toEqual(["/", "/assets/index-2.js", "/config.json"]);
    bed.hold([SHELL_PREFIX + FIRST.entry, "another lock"]);
    await second.prune();
    expect(await read(bed, "/assets/index-1.js", SECOND, "cors")).toBe("/assets/index-1.js");
    expect(await read(bed, "/", SECOND)).toContain(SECOND.entry);
    bed.hold([SHELL_PREFIX + SECOND.entry]);
    await second.prune();
    expect([...bed.all.keys()]).toEqual(["somebody else's", `inkpool ${SECOND.entry} two`]);
    expect(await read(bed, "/assets/index-1.js", SECOND, "cors")).toBe("no such path");
    // A browser without locks keeps two builds before this one.
    for (const id of ["a", "b", "c"]) bed.all.set(`inkpool /assets/old-${id}.js ${id}`, new Map());
    bed.hold(null);
    await second.prune();
    expect([...bed.all.keys()].filter((name) => name.includes("old"))).toHaveLength(2);
  });

  test("UI-48 a build that was removed is not begun again by what is still to come", async () => {
    const bed = createBed();
    const shell = bed.open(FIRST);
    await shell.install();
    bed.all.clear();
    const before = bed.looks();
    for (const path of ["/", "/config.json"])
      expect((await shell.respond(request(path, "navigate")))?.status).toBe(200);
    // Both responses have been read, and checked for their build.
    await expect.poll(bed.looks).toBe(before + 2);
    await new Promise((resolve) => setTimeout(resolve));
    expect([...bed.all.keys()]).toEqual([]);
  });

  test("UI-20 a device whose storage fails shows the page from the network", async () => {
    const bed = createBed();
    await bed.open(FIRST).install();
    bed.fill();
    expect(await read(bed, "/")).toContain(FIRST.entry);
    const fails = new Proxy({} as CacheStorage, {
      get: () => () => Promise.reject(new Error("damaged")),
    });
    const shell = createShell(FIRST, {
      ...{ origin: ORIGIN, basePath: "/", caches: fails, fetch: bed.server.fetch },
      heldLocks: async () => null,
      wait: () => new Promise((resolve) => setTimeout(resolve)),
    });
    for (const path of ["/", "/config.json", "/assets/same.js"])
      expect((await shell.respond(request(path, "navigate")))?.status).toBe(200);
  });
});

/** A browser with a worker's registration; the test sends its messages and updates. */
function createHost(overrides: Partial<ShellHost> = {}) {
  const workers = new EventTarget();
  const sent: unknown[] = [];
  const found = { installing: null as object | null, isServed: true, isKnown: false };
  const calls = { updates: 0, removed: 0, registered: 0 };
  const registration = {
    active: { postMessage: (message: unknown) => sent.push(message) },
    get installing() {
      return found.installing;
    },
    waiting: null,
    update: async () => void (calls.updates += 1),
    unregister: async () => (calls.removed += 1) > 0,
  };
  Object.assign(workers, {
    register: async () => {
      calls.registered += 1;
      return registration;
    },
    getRegistration: async () => (found.isKnown || calls.registered > 0 ? registration : undefined),
  });
  const { caches, all } = createCaches();
  let now = 0;
  let whenBack = (): void => undefined;
  const held: string[] = [];
  const host: ShellHost = {
    workers: workers as unknown as ServiceWorkerContainer,
    caches,
    locks: {
      request: (async (name: string, _options: object, run: () => Promise<void>) => {
        held.push(name);
        await run();
        held.splice(held.indexOf(name), 1);
      }) as unknown as LockManager["request"],
    },
    basePath: "/",
    entry: FIRST.entry,
    isOff: false,
    onReturn(listener) {
      whenBack = listener;
      return () => (whenBack = () => undefined);
    },
    isServed: async () => found.isServed,
    now: () => now,
    ...overrides,
  };
  return {
    ...{ host, sent, found, calls, held, all },
    say: async (shell: unknown) => {
      workers.dispatchEvent(new MessageEvent("message", { data: { shell } }));
      await new Promise((resolve) => setTimeout(resolve));
    },
    back: (ms: number) => {
      now += ms;
      whenBack();
    },
  };
}

describe("the page and its worker", () => {
  test("UI-48 a new build is offered once, when it is ready and is not this page's", async () => {
    const { host, say, found, held, sent } = createHost();
    let offers = 0;
    keepShell(host, () => (offers += 1));
    await say(undefined);
    expect([PAGE_PREFIX, held, sent]).toEqual([
      SHELL_PREFIX,
      [SHELL_PREFIX + FIRST.entry],
      ["hello"],
    ]);
    await say(FIRST.entry);
    // The page was loaded from the network; the worker of the build before is about to be replaced.
    found.installing = {};
    await say(SECOND.entry);
    expect(offers).toBe(0);
    found.installing = null;
    await say(FIRST.entry);
    await say(SECOND.entry);
    await say(SECOND.entry);
    expect(offers).toBe(1);
  });

  test("UI-48 a page that comes back looks for a new build, at most every ten minutes", async () => {
    const { host, back, calls, held } = createHost();
    const end = keepShell(host, () => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    for (const ms of [1_000, 600_000, 1_000, 600_000]) back(ms);
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls.updates).toBe(2);
    end();
    await new Promise((resolve) => setTimeout(resolve));
    expect(held).toEqual([]);
  });

  test("UI-20 a browser without workers, one that refuses them, and a page that was not built go on without", async () => {
    for (const overrides of [{ workers: undefined }, { entry: null }]) {
      const { host, calls } = createHost(overrides);
      keepShell(host, () => undefined)();
      expect(calls.registered).toBe(0);
    }
    // A server that has no worker, or none that responds, is not asked for it.
    const without = createHost();
    without.found.isServed = false;
    keepShell(without.host, () => undefined);
    await without.say(SECOND.entry);
    expect([without.calls.registered, without.calls.updates]).toEqual([0, 0]);
    const { host, say } = createHost({ locks: undefined });
    Object.assign(host.workers!, { register: () => Promise.reject(new Error("refused")) });
    keepShell(host, () => {
      throw new Error("nothing is offered");
    });
    await say(SECOND.entry);
  });

  test("UI-20 with OFFLINE=off the worker goes, and what it stored", async () => {
    const { host, calls, all, found } = createHost({ isOff: true });
    found.isKnown = true;
    for (const name of [`inkpool ${FIRST.entry} one`, "somebody else's"]) all.set(name, new Map());
    keepShell(host, () => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    expect([calls.registered, calls.removed, [...all.keys()]]).toEqual([0, 1, ["somebody else's"]]);
  });
});
