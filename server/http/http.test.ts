import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { type Get, makePage } from "./page-bed.case.ts";

const { serve, close } = makePage();
afterAll(close);

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
    "/100%",
    "/a%zz?b=%20",
    "/%ff",
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
  await json("/host/v1/");
  await json("/assets/gone-123.js");
  await json("/nope", { accept: "application/json" });
  await json("/nope", {}, "DELETE");
});

test("SRV-14 /config.json has the name, the backend, the key, the live budget and the backend's features, and is never stored", async () => {
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

test("SRV-14 for a request without a host /config.json names the address to listen on, IPv6 in brackets", async () => {
  for (const [HOST, shown] of Object.entries({ "127.0.0.2": "127.0.0.2", "::1": "[::1]" })) {
    const { port } = await serve({ HOST, PORT: "8081" });
    const answer = await exchange(port, "GET /config.json HTTP/1.0\r\n\r\n");
    expect(answer).toContain(`"supabaseUrl":"http://${shown}:8081"`);
  }
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

test("SRV-15 X-Forwarded-For counts from the nearest proxy on: a forged address does not", async () => {
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

/** Sends bytes, and returns everything that the server has sent when it ends the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (got += chunk));
    socket.once("close", () => resolve(got));
    socket.once("error", () => {});
    socket.write(text);
  });
}

test("SRV-92 a request that offers h2c is served, with its body, as is the next one of its connection, and a handshake where there are no sockets", async () => {
  const { port } = await serve();
  const offer =
    "host: x\r\nupgrade: h2c\r\nhttp2-settings: AA\r\nconnection: http2-settings, upgrade";
  const got = await exchange(port, `GET /address HTTP/1.1\r\n${offer}, close\r\n\r\n`);
  expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]+\r\n\r\n127\.0\.0\.1$/);
  const posted = `content-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}`;
  const echoed = await exchange(port, `POST /echo HTTP/1.1\r\n${offer}, close\r\n${posted}`);
  expect(echoed).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]+\r\n\r\n\{"a":1\}$/);
  // This server has no sockets, as the page alone.
  const handshake = "host: x\r\nupgrade: websocket\r\nconnection: upgrade, close";
  expect(await exchange(port, `GET /address HTTP/1.1\r\n${handshake}\r\n\r\n`)).toContain(" 200 ");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports: unknown[] = [];
  for (const headers of [{ upgrade: "h2c", connection: "upgrade" }, {}]) {
    const sent = request({ port, host: "127.0.0.1", path: "/address", headers, agent }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    ports.push(answer.statusCode, answer.socket.localPort);
    await once(answer.resume(), "end");
  }
  expect(ports).toEqual([200, expect.any(Number), 200, ports[1]]);
  agent.destroy();
});

test("SRV-19 malformed requests, great headers and great bodies are refused, and the server goes on", async () => {
  const get = await serve();
  const raw = async (text: string): Promise<string> =>
    (await exchange(get.port, text)).split("\r\n")[0] ?? "";
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
  expect((await get("/rest/%zz")).status).toBe(400);
  expect((await get("/")).status).toBe(200);
});
