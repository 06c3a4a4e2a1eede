import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openClient } from "../testing/servers/realtime.ts";
import { startServer, type TestServer } from "../testing/servers/server.ts";
import { callTable } from "../testing/servers/table-client.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-process-"));
let folders = 0;
const freshDir = (): string => join(folder, `data-${folders++}`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = async (server: TestServer, path: string): Promise<[number, string]> => {
  const response = await fetch(server.url + path);
  return [response.status, await response.text()];
};

describe("one server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { LOG_LEVEL: "debug", DRAIN_SECONDS: "600" } });
    const secret = "s3cret-drawing";
    const headers = { authorization: "Bearer not.a.token-s3cret" };
    await callTable(server, `canvas_state?id=eq.${secret}`, { headers });
    for (const body of [`{"canvas_json":"${secret}"`, `{"canvas_json":"${secret}"}`])
      await callTable(server, "canvas_state", { method: "POST", body });
  });
  afterAll(() => server.stop());

  test("SRV-4 /healthz, /readyz and /metrics respond", async () => {
    expect(await get(server, "/healthz")).toEqual([200, '{"status":"ok"}']);
    const [ready, body] = await get(server, "/readyz");
    const { logBytes, ...rest } = JSON.parse(body) as { logBytes: number };
    expect([ready, rest]).toEqual([200, { status: "ready" }]);
    expect(logBytes).toBe(statSync(join(server.dataDir, "inkpool.db-wal")).size);
    const [status, text] = await get(server, "/metrics");
    expect(status).toBe(200);
    expect(text).toContain(`\ninkpool_database_log_bytes ${logBytes}\n`);
    expect(text).toMatch(
      /^# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \d+$/m,
    );
    expect(text).toMatch(/^inkpool_http_requests_total\{status="2xx"\} \d+$/m);
  });

  test("SRV-41 /metrics has a help and a type for each metric, and a counter's name ends with _total", async () => {
    const client = await openClient({ port: server.port, keys: server });
    const joinRef = await client.join("realtime:canvas-room", { broadcast: { self: true } });
    client.push("realtime:canvas-room", "broadcast", { event: "e", payload: {} }, joinRef);
    await client.next((frame) => frame.event === "broadcast");
    const response = await fetch(`${server.url}/metrics`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
    );
    const helped = [...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name);
    expect(helped.toSorted()).toEqual([...types.keys()].toSorted());
    for (const [name, type] of types) {
      expect([name, ["counter", "gauge", "histogram"].includes(type)]).toEqual([name, true]);
      if (type === "counter") expect(name).toMatch(/_total$/);
    }
    const value = (name: string): number =>
      Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    expect(types.get("process_cpu_seconds_total")).toBe("counter");
    expect(value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect([
      value("inkpool_realtime_connections"),
      value("inkpool_realtime_topics"),
      value("inkpool_realtime_broadcasts_total"),
      value("inkpool_realtime_encodes_total"),
      value("inkpool_realtime_writes_total"),
      value("inkpool_realtime_dropped_total"),
    ]).toEqual([1, 1, 1, 1, 1, 0]);
    client.close();
  });

  test("SRV-43 with DRAIN_SECONDS the server is not ready after the signal and serves on, until a second signal", async () => {
    expect(await get(server, "/readyz?for=traffic")).toEqual([200, '{"status":"ready"}']);
    process.kill(server.pid, "SIGTERM");
    await expect.poll(() => server.log()).toContain("draining seconds=600");
    for (const path of ["/readyz", "/readyz?for=traffic"])
      expect(await get(server, path)).toEqual([503, '{"status":"stopping"}']);
    expect(await get(server, "/healthz")).toEqual([200, '{"status":"ok"}']);
    const answer = await fetch(`${server.url}/config.json`);
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(server.log()).not.toContain(" stopping");
    const { code, signal } = await server.stop();
    expect([code, signal]).toEqual([0, null]);
  });

  test("SRV-11 no key, token or drawing is in the log", async () => {
    // No other test follows: the last lines are those of the stop.
    const { stderr } = await server.stop();
    expect(stderr).toContain(" stopping");
    for (const text of ["s3cret", server.anonKey, server.serviceKey])
      expect(stderr).not.toContain(text);
  });
});

test("SRV-5 SIGTERM and SIGINT end idle connections and open sockets, a request that is open gets its response and its save is kept, the exit code is 0, and stdout has had the ready line and at the first start how to get the host link", async () => {
  const dataDir = freshDir();
  const start = async (): Promise<[TestServer, Promise<unknown>]> => {
    const server = await startServer({ env: { LOG_LEVEL: "debug" }, dataDir });
    expect(server.port).toBeGreaterThan(0);
    expect(await get(server, "/healthz")).toEqual([200, '{"status":"ok"}']);
    const open = [await openIdle(server.port), await openSocket(server)];
    return [server, Promise.all(open.map((one) => once(one, "close")))];
  };
  const [first, closed] = await start();
  const { upload, answer } = await beginSave(first);
  process.kill(first.pid, "SIGTERM");
  await expect.poll(() => first.log()).toContain("stopping");
  upload.end('"objects":[]}}');
  expect((await answer).statusCode).toBe(201);
  const ended = await first.stop();
  await closed;
  expect([ended.code, ended.signal]).toEqual([0, null]);
  expect(ended.stdout).toBe(
    `listening on ${first.url}\nnpm run host-link (inkpool host-link in the package) prints the host link\n`,
  );

  const [second, closedToo] = await start();
  expect((await callTable(second, "canvas_state?select=canvas_json")).json).toEqual([
    { canvas_json: { objects: [] } },
  ]);
  process.kill(second.pid, "SIGINT");
  const { stdout, code, signal } = await second.stop();
  await closedToo;
  expect([code, signal, stdout]).toEqual([0, null, `listening on ${second.url}\n`]);
});

test("SRV-5 neither connections that never end nor a log that nobody reads any more delay the stop", async () => {
  const server = await startServer();
  server.stopReading();
  const socket = await openSocket(server);
  const closed = once(socket, "close");
  const stuck = connect(server.port, "127.0.0.1");
  stuck.resume();
  stuck.write(
    `POST /rest/v1/canvas_state HTTP/1.1\r\nhost: x\r\napikey: ${server.anonKey}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"`,
  );
  const gone = new Promise((resolve) => stuck.once("close", resolve).once("error", resolve));
  await new Promise((resolve) => stuck.once("connect", resolve));
  expect(await get(server, "/healthz")).toEqual([200, '{"status":"ok"}']);
  const { code, signal } = await server.stop();
  await gone;
  expect([code, signal]).toEqual([0, null]);
  expect((await closed)[0]).toBe(1001);
});

test("SRV-5 a stop while slow reads run and wait closes the database and ends with 0", async () => {
  const server = await startServer({ dataDir: freshDir() });
  const drawing = { objects: ["x".repeat(10 * 1024 * 1024 - 100)] };
  const body = JSON.stringify({ canvas_json: drawing });
  expect((await callTable(server, "canvas_state", { method: "POST", body })).status).toBe(201);
  const slow = `canvas_state?select=id&canvas_json->>objects=ilike.*${"x".repeat(46)}y*`;
  const reads = Array.from({ length: 20 }, () => callTable(server, slow).catch(() => null));
  await Promise.race(reads);
  const log = join(server.dataDir, "inkpool.db-wal");
  expect(existsSync(log)).toBe(true);
  const { code, signal } = await server.stop();
  expect([code, signal]).toEqual([0, null]);
  // The log is removed with the last connection that is closed.
  expect(existsSync(log)).toBe(false);
  await Promise.all(reads);
});

test("SRV-9 with SUPABASE_URL the server has the page and nothing else, and writes nothing", async () => {
  const dataDir = freshDir();
  const env = { SUPABASE_URL: "https://abc.supabase.co", SUPABASE_ANON_KEY: "sb_publishable_x" };
  const server = await startServer({ dataDir, env });
  const config = await get(server, "/config.json");
  expect([config[0], JSON.parse(config[1])]).toEqual([
    200,
    {
      productName: "Inkpool",
      supabaseUrl: "https://abc.supabase.co",
      supabaseAnonKey: "sb_publishable_x",
    },
  ]);
  expect(await get(server, "/readyz")).toEqual([200, '{"status":"ready"}']);
  const page = await fetch(server.url);
  expect(page.headers.get("content-security-policy")).toContain(
    "connect-src 'self' https://abc.supabase.co wss://abc.supabase.co;",
  );
  for (const path of ["/rest/v1/canvas_state", "/auth/v1/settings", "/realtime/v1/websocket"])
    expect((await get(server, path))[0]).toBe(404);
  expect((await server.stop()).code).toBe(0);
  expect(() => statSync(dataDir)).toThrow("ENOENT");
});

test("the compiled server starts from any working directory", () => {
  const main = join(import.meta.dirname, "../dist/server/server/main.js");
  const { status, stderr } = spawnSync(process.execPath, [main], {
    cwd: "/",
    env: { PATH: process.env["PATH"], PORT: "x" },
    encoding: "utf8",
  });
  expect([status, stderr.split(";")[0]]).toEqual([1, 'inkpool: PORT "x" is not a whole number']);
});

/** Sends the first part of a save, `{"canvas_json":{`; the server has begun to receive it. */
async function beginSave(server: TestServer) {
  const upload = request(`${server.url}/rest/v1/canvas_state`, {
    method: "POST",
    headers: {
      apikey: server.anonKey,
      "content-type": "application/json",
      "content-length": '{"canvas_json":{"objects":[]}}'.length,
      expect: "100-continue",
    },
  });
  upload.flushHeaders();
  await new Promise((resolve) => upload.once("continue", resolve));
  upload.write('{"canvas_json":{');
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    upload.once("response", resolve).once("error", reject),
  );
  return { upload, answer };
}

/** Opens a socket of the realtime channel. */
async function openSocket({ url, anonKey }: TestServer): Promise<WebSocket> {
  const address = `${url.replace("http", "ws")}/realtime/v1/websocket`;
  const socket = new WebSocket(`${address}?apikey=${anonKey}&vsn=2.0.0`);
  await once(socket, "open");
  return socket;
}

/** A connection that has had its response and stays open. */
function openIdle(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", reject);
    socket.once("data", () => resolve(socket));
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  });
}
