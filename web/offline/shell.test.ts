import { describe, expect, test } from "vitest";
import { buildBelow, createShell, SHELL_PREFIX, type Build } from "./shell.ts";
import { FIRST, ORIGIN, SECOND, createCaches } from "./shell-bed.case.ts";

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
  test("UI-20 a stored build opens without a network: page, files and the last configuration", async () => {
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

  test("SRV-87 below a path the shell keeps the files there, and leaves other boards of the origin alone", async () => {
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

  test("UI-20 the network goes first for page and configuration; its answers are stored for later", async () => {
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
    ["a network's sign-in", () => text("sign in", "text/html", 511), "sign in"],
    ["a proxy without a server", () => text("bad gateway", "text/html", 502), FIRST.entry],
    ["Cloudflare without a server", () => text("timed out", "text/html", 522), FIRST.entry],
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

  test("UI-48 a removed build is not begun again by later responses", async () => {
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
