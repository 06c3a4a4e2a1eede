/** Tests AUTH=off: the auth API is left out, and everything else works with the two API keys. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openClient } from "../testing/servers/realtime.ts";
import { startServer, type TestServer } from "../testing/servers/server.ts";
import { callTable } from "../testing/servers/table-client.ts";

let server: TestServer;
let withAuth: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { AUTH: "off", GOTRUE_JWT_EXP: "600" } });
  withAuth = await startServer();
});
afterAll(async () => {
  await server.stop();
  await withAuth.stop();
});

test.each([
  ["GET", "/auth/v1/settings"],
  ["GET", "/auth/v1/.well-known/jwks.json"],
  ["GET", "/auth/v1/callback"],
  ["POST", "/auth/v1/signup"],
  ["POST", "/auth/v1/token?grant_type=password"],
  ["GET", "/auth/v1/admin/users"],
])("AUTH=off leaves the route out: %s %s", async (method, path) => {
  const headers = { apikey: server.serviceKey, accept: "text/html,*/*" };
  const answer = await fetch(server.url + path, { method, headers });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    404,
    "application/json; charset=utf-8",
  ]);
  expect(await answer.json()).toMatchObject({ code: "not_found" });
});

test("AUTH=off changes nothing of /config.json", async () => {
  const read = async ({ url }: TestServer): Promise<unknown> =>
    (await fetch(`${url}/config.json`)).json();
  expect(await read(server)).toEqual({
    ...((await read(withAuth)) as object),
    supabaseUrl: server.url,
    supabaseAnonKey: server.anonKey,
  });
});

test("AUTH=off: the table API works with the anonymous key and with the service key", async () => {
  const connect = (key: string) =>
    createClient(server.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
  const anon = connect(server.anonKey).from("canvas_state");
  const made = await anon
    .insert({ canvas_json: { objects: [] } })
    .select("id")
    .single();
  expect(made.error).toBeNull();
  const { id } = made.data as { id: string };
  const read = await connect(server.anonKey).from("canvas_state").select("canvas_json");
  expect(read.data).toEqual([{ canvas_json: { objects: [] } }]);
  const removed = await connect(server.serviceKey)
    .from("canvas_state")
    .delete()
    .eq("id", id)
    .select("id");
  expect(removed.data).toEqual([{ id }]);
  expect((await callTable({ url: server.url, anonKey: "wrong" }, "canvas_state")).status).toBe(401);
});

test("AUTH=off: the realtime channel works with both keys, private channels with the service key", async () => {
  const keys = { port: server.port, keys: { anonKey: server.anonKey } };
  const anon = await openClient(keys);
  const service = await openClient(keys, { apikey: server.serviceKey });
  const joinRef = await anon.join("realtime:canvas-room");
  await service.join("realtime:canvas-room");
  await service.join("realtime:secret", { private: true });
  await expect(anon.join("realtime:secret", { private: true })).rejects.toThrow("Unauthorized");
  anon.push("realtime:canvas-room", "broadcast", { event: "e", payload: { n: 1 } }, joinRef);
  const got = await service.next((frame) => frame.event === "broadcast");
  expect(got.payload).toMatchObject({ event: "e", payload: { n: 1 } });
  for (const client of [anon, service]) client.close();
});

/** Returns the files that are mapped into a process, as Linux lists them. */
const mapped = ({ pid }: TestServer): string => readFileSync(`/proc/${pid}/maps`, "utf8");

test.runIf(process.platform === "linux")(
  "AUTH=off: the libraries of the auth API are not loaded",
  async () => {
    // The thread that hashes passwords starts with the first one.
    await fetch(`${withAuth.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "nobody@example.org", password: "a guess" }),
    });
    expect(mapped(withAuth)).toContain("bcrypt");
    expect(mapped(server)).not.toContain("bcrypt");
  },
);

test("AUTH=off: the database has no tables of the auth API, and DATA_DIR no key of it", () => {
  const authTables = ({ dataDir }: TestServer): readonly string[] => {
    const database = new Database(join(dataDir, "inkpool.db"), { readonly: true });
    const rows = database.prepare("select name from sqlite_master where type = 'table'").all();
    database.close();
    const names = (rows as { name: string }[]).map(({ name }) => name);
    expect(names).toContain("canvas_state");
    return names.filter((name) => name.startsWith("auth_"));
  };
  expect(authTables(withAuth)).toContain("auth_users");
  expect(authTables(server)).toEqual([]);
  const hasKey = ({ dataDir }: TestServer): boolean => existsSync(join(dataDir, "auth.key"));
  expect([hasKey(withAuth), hasKey(server)]).toEqual([true, false]);
});
