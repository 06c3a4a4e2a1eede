import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { makePage, SCRIPT } from "./page-bed.case.ts";

const { folder, serve, close } = makePage();
afterAll(close);

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
    `/assets/${"a".repeat(300)}.js`,
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
