import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { request, type IncomingHttpHeaders } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, expect, test } from "vitest";
import { createLogger } from "../process/log.ts";
import { createMetrics } from "../process/metrics.ts";
import { parseSettings } from "../settings/settings.ts";
import { registerConfig } from "./config.ts";
import { createHttp } from "./create.ts";
import { registerPage } from "./page.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-web-"));
const SCRIPT = "console.log('hello');\n".repeat(100);
mkdirSync(join(folder, "assets"));
const HEAD =
  '<title>Inkpool</title><meta property="og:title" content="Inkpool" /><meta property="og:image" content="/social.png" />';
writeFileSync(
  join(folder, "index.html"),
  `<!doctype html><html><head>${HEAD}</head><body></body></html>`,
);
writeFileSync(join(folder, "sw.js"), "addEventListener('fetch', () => {});");
writeFileSync(join(folder, "manifest.webmanifest"), '{"name":"Inkpool","start_url":"/"}');
writeFileSync(join(folder, "favicon.svg"), "<svg/>");
writeFileSync(join(folder, "assets/main-abc123.js"), SCRIPT);
writeFileSync(join(folder, "assets/main-abc123.js.br"), brotliCompressSync(SCRIPT));
writeFileSync(join(folder, "assets/main-abc123.js.gz"), gzipSync(SCRIPT));

const apps: FastifyInstance[] = [];
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  rmSync(folder, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Got>;

async function serve(env: Record<string, string> = {}): Promise<Get & { port: number }> {
  const parsed = parseSettings(env, "/");
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const app = createHttp(
    parsed.settings,
    createLogger("error", () => {}, Date.now),
    createMetrics(),
  );
  const page = await registerPage(app, parsed.settings, folder);
  registerConfig(app, parsed.settings, "the-anon-key");
  app.get("/address", async (got) => got.ip);
  app.post("/echo", async (got) => got.body);
  app.setNotFoundHandler((got, reply) => page.notFound(got, reply));
  apps.push(app);
  const host = "127.0.0.1";
  await app.listen({ port: 0, host });
  const { port } = app.server.address() as AddressInfo;
  const get: Get = (path, headers = {}, method = "GET") =>
    new Promise((resolve, reject) => {
      const sent = request({ host, port, path, method, headers, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      sent.once("error", reject).end();
    });
  return Object.assign(get, { port });
}

test("UI-40 / is the page, with the product's name as its title, escaped", async () => {
  const get = await serve({ PRODUCT_NAME: "<b>Tom & $& Co</b>" });
  const { status, headers, body } = await get("/");
  expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(body.toString()).toContain("<title>&lt;b&gt;Tom &amp; $&amp; Co&lt;/b&gt;</title>");
  const head = await get("/", {}, "HEAD");
  expect([head.status, head.headers["content-length"], head.body.length]).toEqual([
    200,
    String(body.length),
    0,
  ]);
});

test("UI-40 links and the installed app have the product's name, and an address of the picture on the origin that was asked", async () => {
  const name = `"><script>alert("1")</script> $& \\`;
  const get = await serve({ PRODUCT_NAME: name });
  const page = (await get("/", { host: "draw.example" })).body.toString();
  expect(page).toContain(
    '<meta property="og:title" content="&quot;&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; $&amp; \\" />',
  );
  expect(page).toContain('content="http://draw.example/social.png"');
  const manifest = await get("/manifest.webmanifest");
  expect(manifest.headers).toMatchObject({
    "content-type": "application/manifest+json; charset=utf-8",
    "cache-control": "no-cache",
  });
  expect(JSON.parse(manifest.body.toString())).toEqual({
    ...{ name, short_name: name, id: "/", start_url: "/", scope: "/" },
  });
  const proxied = await serve({ TRUST_PROXY: "1" });
  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "board.example" };
  expect((await proxied("/", forwarded)).body.toString()).toContain(
    'content="https://board.example/social.png"',
  );
  // Neither an invalid Host counts nor a forwarded one that nobody may set.
  const odd = (await get("/", { host: `a"><script>` })).body.toString();
  expect(odd).toContain('content="/social.png"');
  expect((await get("/", forwarded)).body.toString()).not.toContain("board.example");
});

test("UI-40 each origin has its own page, however many are asked for", async () => {
  const get = await serve();
  const tags = new Set<string>();
  for (let at = 0; at < 40; at += 1) {
    const host = `host-${at % 20}.example`;
    const { headers, body } = await get("/", { host, "accept-encoding": "br" });
    expect(brotliDecompressSync(body).toString()).toContain(`content="http://${host}/social.png"`);
    tags.add(headers.etag ?? "");
  }
  expect(tags.size).toBe(20);
});

test("UI-20 the page's worker is always revalidated; OFFLINE=off puts one in its place that removes it", async () => {
  const get = await serve();
  const worker = await get("/sw.js");
  expect(worker.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
  });
  expect(worker.body.toString()).toContain("fetch");
  expect((await get("/")).body.toString()).not.toContain('name="offline"');
  const off = await serve({ OFFLINE: "off" });
  const remover = await off("/sw.js");
  expect(remover.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
  });
  expect(remover.body.toString()).toContain("registration.unregister()");
  expect((await off("/")).body.toString()).toContain('<meta name="offline" content="off" />');
});

test("SRV-13 any other path has status 404 and the page, for browsers", async () => {
  const get = await serve();
  const page = (await get("/")).body;
  for (const path of [
    "/nope",
    "/a/b/c?x=1",
    "/index.html",
    "/assetsx",
    "/..%2f..%2fetc/passwd",
    "/%00",
  ]) {
    const got = await get(path, { accept: "text/html,*/*;q=0.8" });
    expect([path, got.status, got.body.equals(page)]).toEqual([path, 404, true]);
  }
  expect((await get("/nope", {}, "HEAD")).status).toBe(404);
});

test("SRV-13 JSON instead of the page for API paths, assets, other methods and clients that want no HTML", async () => {
  const get = await serve();
  const json = async (path: string, headers?: Record<string, string>, method?: string) => {
    const got = await get(path, headers, method);
    expect([path, got.status, got.headers["content-type"]]).toEqual([
      path,
      404,
      "application/json; charset=utf-8",
    ]);
    expect(JSON.parse(got.body.toString())).toMatchObject({ code: "not_found" });
  };
  await json("/rest/v2/x");
  await json("/storage/v1/object");
  await json("/assets/gone-123.js");
  await json("/nope", { accept: "application/json" });
  await json("/nope", {}, "DELETE");
});

test("SRV-14 /config.json has the name, the backend, the key, the live budget and what the backend can do, and is never stored", async () => {
  const get = await serve({ PRODUCT_NAME: "Board" });
  const { headers, body } = await get("/config.json", { host: "draw.example:8443" });
  expect(headers["cache-control"]).toBe("no-store");
  expect(JSON.parse(body.toString())).toEqual({
    productName: "Board",
    supabaseUrl: "http://draw.example:8443",
    supabaseAnonKey: "the-anon-key",
    liveBudget: 50_000,
    presenceSummary: true,
  });
});

test("SRV-15 X-Forwarded-Proto and -Host count only behind as many proxies as TRUST_PROXY says", async () => {
  const forwarded = {
    host: "internal:8080",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "draw.example",
  };
  const urlOf = async (get: Get): Promise<unknown> =>
    (JSON.parse((await get("/config.json", forwarded)).body.toString()) as { supabaseUrl: string })
      .supabaseUrl;
  expect(await urlOf(await serve())).toBe("http://internal:8080");
  expect(await urlOf(await serve({ TRUST_PROXY: "1" }))).toBe("https://draw.example");
});

test("SRV-15 X-Forwarded-For counts from the nearest proxy on: what a caller made up does not", async () => {
  const headers = { "x-forwarded-for": "1.1.1.1, 198.51.100.7, 10.0.0.1" };
  const addressOf = async (trusted: string): Promise<string> =>
    (await (await serve({ TRUST_PROXY: trusted }))("/address", headers)).body.toString();
  expect(await addressOf("0")).toBe("127.0.0.1");
  expect(await addressOf("1")).toBe("10.0.0.1");
  expect(await addressOf("2")).toBe("198.51.100.7");
});

test("SRV-15 a Host that is none reaches neither the config nor the policy", async () => {
  const get = await serve();
  const host = "x;script-src *";
  const { headers } = await get("/", { host });
  expect(headers["content-security-policy"]).toContain("connect-src 'self';");
  expect((await get("/config.json", { host })).body.toString()).not.toContain("script-src");
});

test("SRV-16 assets are immutable and come compressed as the browser accepts it", async () => {
  const get = await serve();
  const path = "/assets/main-abc123.js";
  const cases: readonly [string | undefined, string | undefined, (bytes: Buffer) => Buffer][] = [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip;q=0.5", "gzip", gunzipSync],
    ["*", "br", brotliDecompressSync],
    ["identity", undefined, (bytes) => bytes],
    [undefined, undefined, (bytes) => bytes],
  ];
  const tags = new Set<string>();
  for (const [accept, encoding, decode] of cases) {
    const got = await get(path, accept === undefined ? {} : { "accept-encoding": accept });
    expect([accept, got.headers["content-encoding"]]).toEqual([accept, encoding]);
    expect(decode(got.body).toString()).toBe(SCRIPT);
    expect(got.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      vary: "accept-encoding",
    });
    tags.add(String(got.headers.etag));
  }
  expect(tags.size).toBe(3);
});

test("SRV-16 a browser that has a file already gets 304; the page is always revalidated", async () => {
  const get = await serve();
  for (const path of ["/", "/favicon.svg", "/assets/main-abc123.js"]) {
    const first = await get(path, { "accept-encoding": "br" });
    const again = await get(path, {
      "accept-encoding": "br",
      "if-none-match": `W/"x", ${String(first.headers.etag)}`,
    });
    expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
    const other = await get(path, { "if-none-match": '"x"' });
    expect([path, other.status]).toEqual([path, 200]);
  }
  expect((await get("/")).headers["cache-control"]).toBe("no-cache");
});

test("SRV-16 a new build is served without a restart, its source maps too; compressed forms have no path of their own", async () => {
  const get = await serve();
  writeFileSync(join(folder, "assets/later-def456.css"), "a{}");
  writeFileSync(join(folder, "assets/later-def456.css.map"), "{}");
  const { status, headers } = await get("/assets/later-def456.css", { "accept-encoding": "br" });
  expect([status, headers["content-type"], headers["content-encoding"]]).toEqual([
    200,
    "text/css; charset=utf-8",
    undefined,
  ]);
  const map = await get("/assets/later-def456.css.map");
  expect([map.status, map.headers["content-type"], map.body.toString()]).toEqual([
    200,
    "application/json; charset=utf-8",
    "{}",
  ]);
  for (const path of [
    "/assets/main-abc123.js.br",
    "/assets/main-abc123.js.gz",
    "/assets/..%2findex.html",
    "/assets/%00",
    "/assets/",
    "/assets",
  ]) {
    const got = await get(path, { accept: "text/html" });
    expect([path, got.status, got.headers["content-type"]]).toEqual([
      path,
      404,
      "application/json; charset=utf-8",
    ]);
  }
  const page = join(folder, "index.html");
  const old = readFileSync(page, "utf8");
  writeFileSync(page, old.replace("<body>", "<body>new"));
  utimesSync(page, new Date(), new Date(Date.now() + 10_000));
  const again = await get("/", { "accept-encoding": "br" });
  expect(brotliDecompressSync(again.body).toString()).toContain("<body>new");
  writeFileSync(page, old);
});

test("SRV-16 files that were asked for once come from memory: they do not wait for libuv's threads", async () => {
  const get = await serve();
  const paths = ["/", "/favicon.svg", "/manifest.webmanifest", "/assets/main-abc123.js"];
  const before = await Promise.all(paths.map((path) => get(path)));
  // A FIFO is opened in one of libuv's four threads, which waits until somebody writes.
  const fifo = join(folder, "..", `inkpool-fifo-${process.pid}`);
  execFileSync("mkfifo", [fifo]);
  const opened = Array.from({ length: 4 }, () => open(fifo, "r"));
  try {
    const during = await Promise.all(paths.map((path) => get(path)));
    expect(during.map((got) => got.body)).toEqual(before.map((got) => got.body));
  } finally {
    const writer = openSync(fifo, "r+");
    await Promise.all(opened.map(async (handle) => (await handle).close()));
    closeSync(writer);
    rmSync(fifo);
  }
});

test("SRV-16 every file of the page has the headers that isolate it", async () => {
  const get = await serve();
  for (const path of ["/", "/favicon.svg", "/assets/main-abc123.js"]) {
    const { headers } = await get(path);
    expect([path, headers]).toMatchObject([
      path,
      {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
        vary: "accept-encoding",
      },
    ]);
    expect([path, headers["last-modified"], headers["accept-ranges"]]).toEqual([
      path,
      undefined,
      undefined,
    ]);
  }
  expect((await get("/favicon.svg")).headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "no-cache",
  });
});

test("SRV-17 the page runs under a strict policy", async () => {
  const get = await serve();
  const { headers } = await get("/", { host: "draw.example" });
  expect(headers["content-security-policy"]).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' http://draw.example ws://draw.example; font-src 'self'; media-src 'none'; object-src 'none'; frame-src 'none'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
  });
  expect(headers["permissions-policy"]).toContain("camera=()");
  expect((await get("/nope")).headers["content-security-policy"]).toContain("script-src 'self'");
});

test("SRV-86 the pages of FRAME_ANCESTORS may show the page in a frame, and no others", async () => {
  const get = await serve({ FRAME_ANCESTORS: "https://school.example, http://wiki.example:8000" });
  const { headers } = await get("/");
  expect(headers["content-security-policy"]).toMatch(
    /; frame-ancestors https:\/\/school\.example http:\/\/wiki\.example:8000$/,
  );
  expect(headers["x-frame-options"]).toBeUndefined();
  expect((await get("/favicon.svg")).headers["x-frame-options"]).toBe("DENY");
});

test("SRV-18 a preflight allows the headers that it asks for, and nothing that is no header", async () => {
  const get = await serve();
  const asked = "X-Application, traceparent, apikey, x y, a:b, \u00e9";
  for (const api of ["rest/v1/canvas_state", "auth/v1/token", "realtime/v1/api/broadcast"]) {
    const { headers, status } = await get(
      `/${api}`,
      { origin: "https://elsewhere.example", "access-control-request-headers": asked },
      "OPTIONS",
    );
    expect(status, api).toBe(204);
    const allowed = headers["access-control-allow-headers"]?.split(", ") ?? [];
    expect(allowed, api).toEqual(
      expect.arrayContaining(["x-application", "traceparent", "apikey"]),
    );
    expect(allowed.filter((name) => /[^a-z0-9-]/.test(name))).toEqual([]);
    expect(new Set(allowed).size).toBe(allowed.length);
  }
});

for (const path of ["/storage/v1/bucket", "/functions/v1/hello"])
  test(`SRV-18 ${path}, which is not there, says so to other origins too`, async () => {
    const get = await serve();
    const { headers, status } = await get(path);
    expect(status).toBe(404);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["content-type"]).toContain("application/json");
    const asked = { "access-control-request-headers": "x-application" };
    const preflight = await get(path, asked, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toContain("x-application");
  });

test("SRV-18 any origin may call the APIs, and only them", async () => {
  const get = await serve();
  const preflight = await get(
    "/rest/v1/canvas_state",
    {
      origin: "https://elsewhere.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "apikey,authorization,prefer",
    },
    "OPTIONS",
  );
  expect(preflight.status).toBe(204);
  expect(preflight.headers["access-control-allow-origin"]).toBe("*");
  expect(preflight.headers["access-control-allow-methods"]).toContain("PATCH");
  for (const name of [
    "authorization",
    "apikey",
    "content-type",
    "prefer",
    "accept-profile",
    "content-profile",
    "range",
    "x-client-info",
    "x-supabase-api-version",
    "x-retry-count",
  ])
    expect(preflight.headers["access-control-allow-headers"]?.split(", ")).toContain(name);
  const answer = await get("/auth/v1/nothing");
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.headers["access-control-expose-headers"]).toContain("Content-Range");
  expect((await get("/config.json")).headers["access-control-allow-origin"]).toBeUndefined();
});

test("SRV-19 malformed requests, great headers and great bodies are refused, and the server goes on", async () => {
  const get = await serve();
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(get.port, "127.0.0.1");
      let got = "";
      socket.setEncoding("latin1").on("data", (chunk: string) => (got += chunk));
      socket.once("close", () => resolve(got.split("\r\n")[0] ?? ""));
      socket.once("error", () => {});
      socket.write(text);
    });
  expect(await raw("rubbish\r\n\r\n")).toContain(" 400 ");
  expect(await raw("\u0000\u0001\u0002\r\n\r\n")).toContain(" 400 ");
  expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(40_000)}\r\n\r\n`)).toContain(
    " 431 ",
  );
  expect(
    await raw(
      `POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 5000000\r\n\r\n`,
    ),
  ).toContain(" 413 ");
  expect(
    await raw(
      'POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{"',
    ),
  ).toContain(" 400 ");
  expect((await get("/%zz")).status).toBe(400);
  expect((await get("/")).status).toBe(200);
});
