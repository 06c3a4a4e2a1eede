import { connect, type Socket } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import ws from "ws";
import {
  startInProcess,
  type InProcessServer,
  type ServerAddress,
} from "../../testing/servers/in-process.ts";
import { callTable } from "../../testing/servers/table-client.ts";

const SECRET = "a-secret-of-the-operator-with-more-than-32-characters";

/** The server that has no limit of requests, and a secret of the operator's. */
let shared: InProcessServer;
beforeAll(async () => {
  shared = await startInProcess({
    TABLE_RATE_LIMIT: "0",
    TRUST_PROXY: "1",
    GOTRUE_JWT_SECRET: SECRET,
  });
});
afterAll(async () => {
  await shared.stop();
});

/** Opens a server that ends with its test, whatever its result. */
async function openServer(env: Readonly<Record<string, string>>): Promise<InProcessServer> {
  const server = await startInProcess(env);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

test("SRV-20 more requests than TABLE_RATE_LIMIT in a minute get 429 and Retry-After", async () => {
  const server = await openServer({ TABLE_RATE_LIMIT: "3" });
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent++)
    statuses.push((await callTable(server, "canvas_state")).status);
  expect(statuses).toEqual([200, 200, 200]);
  const refused = await callTable(server, "canvas_state");
  expect([refused.status, refused.json]).toMatchObject([429, { code: "over_request_rate_limit" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("SRV-20 TABLE_RATE_LIMIT=0 is no limit", async () => {
  expect((await callTable(shared, "canvas_state")).status).toBe(200);
});

test("KEY-8 the key check guards every path of the table API, and a user's token has its role", async () => {
  const server = shared;
  const keyless = { url: server.url, anonKey: "" };
  for (const path of ["canvas_state", "nothing", "rpc/x", ""]) {
    const missing = await callTable(keyless, path);
    expect([path, missing.status, missing.json]).toEqual([
      path,
      401,
      {
        message: "No API key found in request",
        hint: "No `apikey` request header or url param was found.",
      },
    ]);
    const wrong = await callTable({ url: server.url, anonKey: "wrong" }, path);
    expect([wrong.status, wrong.json]).toEqual([
      401,
      { message: "Invalid API key", hint: "Double check your Supabase `apikey`" },
    ]);
  }
  const inQuery = await fetch(`${server.url}/rest/v1/canvas_state?apikey=${server.anonKey}`);
  expect([inQuery.status, await inQuery.json()]).toEqual([200, []]);
  const bad = await callTable(server, "canvas_state", {
    headers: { authorization: "Bearer nonsense" },
  });
  expect([bad.status, bad.json]).toMatchObject([401, { code: "PGRST301" }]);

  const token = await new SignJWT({ role: "authenticated", sub: "someone" })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(SECRET));
  const user = createClient(server.url, server.anonKey, {
    accessToken: async () => token,
    realtime: { transport: ws as never },
  });
  const inserted = await user
    .from("canvas_state")
    .insert({ canvas_json: {} })
    .select("id")
    .single();
  expect(inserted.error).toBeNull();
  const { id } = inserted.data as { id: string };
  expect((await user.from("canvas_state").delete().eq("id", id).select()).data).toEqual([]);
  const service = { method: "DELETE", headers: { apikey: server.serviceKey } };
  expect((await callTable(server, `canvas_state?id=eq.${id}`, service)).status).toBe(204);
});

test("TAB-19 bodies that were begun and do not arrive keep no save out, with or without a length", async () => {
  const server = shared;
  const idle: Socket[] = [];
  for (let open = 0; open < 64; open++)
    idle.push(await beginUpload(server, open % 2 === 0 ? null : 10_000_000, open % 16));
  const body = JSON.stringify({ canvas_json: "x".repeat(2 * 1024 * 1024) });
  const saved = await callTable(server, "canvas_state", { method: "POST", body });
  expect(saved.status).toBe(201);
  for (const socket of idle) socket.destroy();
});

const paths = (count: number): string =>
  Array.from({ length: count }, (_, at) => `f${at}:canvas_json->objects`).join();

test("TAB-7 a request that would read large JSON too often is refused with 54001", async () => {
  const server = shared;
  const pattern = (length: number): string => `canvas_json->>a=like.${"x".repeat(length)}`;
  const both = `or=(canvas_json->>a.ilike.${"x".repeat(26)},not.and(canvas_json->>b.like.${"x".repeat(25)}))`;
  const compared = (count: number): string =>
    Array.from({ length: count }, (_, at) => `canvas_json->>k${at}=eq.1`).join("&");
  for (const [query, status] of [
    [pattern(50), 200],
    [pattern(51), 400],
    [both, 400],
    ["select=*,again:canvas_json", 400],
    ["select=a:canvas_json,b:canvas_json", 400],
    [compared(5), 200],
    [compared(6), 400],
    [`select=${paths(2)}&${compared(2)}&order=canvas_json->>a,canvas_json->>b`, 400],
    [`select=${paths(5)}`, 200],
    [`select=${paths(6)}`, 400],
  ] as const) {
    const got = await callTable(server, `canvas_state?${query}`);
    expect([query, got.status, got.json]).toMatchObject([query, status, {}]);
    if (status === 400) expect(got.json).toMatchObject({ code: "54001" });
  }
  const service = { headers: { apikey: server.serviceKey } };
  for (const [query, status] of [
    [compared(20), 200],
    [compared(21), 400],
    [`select=${paths(10)}`, 200],
    [`select=${paths(11)}`, 400],
  ] as const)
    expect([query, (await callTable(server, `canvas_state?${query}`, service)).status]).toEqual([
      query,
      status,
    ]);
});

test("TAB-7 a write that would read large JSON too often is refused with 54001", async () => {
  const server = shared;
  const pattern = (length: number): string => `canvas_json->>a=like.${"x".repeat(length)}`;
  const compared = (count: number): string =>
    Array.from({ length: count }, (_, at) => `canvas_json->>k${at}=eq.1`).join("&");
  for (const method of ["PATCH", "DELETE"])
    for (const [query, status] of [
      [pattern(10), 200],
      [pattern(11), 400],
      [compared(4), 200],
      [compared(5), 400],
      [`id=not.is.null&select=${paths(4)}`, 200],
      [`id=not.is.null&select=${paths(5)}`, 400],
    ] as const) {
      const got = await callTable(server, `canvas_state?${query}`, {
        method,
        headers: { prefer: "return=representation" },
        ...(method === "PATCH" ? { body: '{"canvas_json":{}}' } : {}),
      });
      expect([query, got.status]).toEqual([query, status]);
      if (status === 400) expect(got.json).toMatchObject({ code: "54001" });
    }
});

test("TAB-19 answers that their client does not read are bounded, and end when nothing is read of them", async () => {
  const server = await openServer({ TABLE_READ_SECONDS: "2" });
  const drawing = { objects: ["x".repeat(10 * 1024 * 1024 - 100)] };
  const body = JSON.stringify({ canvas_json: drawing });
  expect((await callTable(server, "canvas_state", { method: "POST", body })).status).toBe(201);
  const ask = async (count: number): Promise<number> => {
    const headers = { apikey: server.serviceKey };
    const url = `${server.url}/rest/v1/canvas_state?select=${paths(count)}`;
    const response = await fetch(url, { headers });
    await response.body?.cancel();
    return response.status;
  };
  // These are 100 MB of which the client reads nothing; with 40 MB more they are over the limit.
  const idle = connect(server.port, "127.0.0.1").pause();
  idle.on("error", () => {});
  const ended = new Promise((resolve) => idle.once("close", resolve));
  idle.write(
    `GET /rest/v1/canvas_state?select=${paths(10)} HTTP/1.1\r\nhost: x\r\napikey: ${server.serviceKey}\r\n\r\n`,
  );
  await expect.poll(() => ask(4), { timeout: 20_000 }).toBe(503);
  expect(await ask(1)).toBe(200);
  await expect.poll(() => ask(4), { timeout: 20_000 }).toBe(200);
  idle.resume();
  await ended;
});

/** Begins a POST whose body was announced, with one byte of it; without a size it is sent in chunks. */
function beginUpload(
  { port, anonKey }: ServerAddress,
  bytes: number | null,
  network = 0,
): Promise<Socket> {
  const length = bytes === null ? "transfer-encoding: chunked" : `content-length: ${bytes}`;
  const from = `x-forwarded-for: 2001:db8:${network.toString(16)}::1`;
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", reject);
    socket.once("data", () => {
      socket.off("error", reject).on("error", () => {});
      socket.write(bytes === null ? "1\r\nx\r\n" : "x", () => resolve(socket));
    });
    socket.write(
      `POST /rest/v1/canvas_state HTTP/1.1\r\nhost: x\r\napikey: ${anonKey}\r\n${from}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n${length}\r\n\r\n`,
    );
  });
}
