/** Tests that changes of the row reach the real client, whoever writes them. */

import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { createClient as createClient239 } from "supabase-js-2.39";
import { createClient as createClient280 } from "supabase-js-2.80";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { createTestRedis, findRedis, type TestRedis } from "../../testing/servers/redis.ts";
import { startServer, type TestServer } from "../../testing/servers/server.ts";

const found = await openTestPostgres();
/** The server on the embedded database. */
let embedded: TestServer;
beforeAll(async () => {
  embedded = await startServer();
});
afterAll(async () => {
  await embedded.stop();
  if (found.ok) await found.postgres.stop();
});

interface Listener {
  readonly changes: any[];
  readonly system: any[];
  readonly channel: RealtimeChannel;
}

interface Asked {
  readonly event?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly filter?: string;
}

const clients: { removeAllChannels(): Promise<unknown> }[] = [];

async function removeClients(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));
}

const auth = { persistSession: false, autoRefreshToken: false };
const transport = WebSocket as never;

/** Makes a client of the library, in the version that the page uses. */
function makeClient(
  server: TestServer,
  vsn: "1.0.0" | "2.0.0" = "2.0.0",
  key = server.anonKey,
): SupabaseClient {
  const client = createClient(server.url, key, { auth, realtime: { transport, vsn } });
  clients.push(client);
  return client;
}

/** Makes clients of the present library, in both versions of the protocol, and of an older one. */
function everyClient(server: TestServer): SupabaseClient[] {
  const { url, anonKey } = server;
  // With a transport of the caller's, 2.39 (realtime-js 2.9.3) opens the socket and listens to nothing on it:
  // `connect` returns before `setupConnection`. Without one it uses its own.
  const old = createClient239(url, anonKey, { auth });
  const middle = createClient280(url, anonKey, { auth, realtime: { transport } });
  clients.push(old, middle);
  const former = [old, middle] as unknown as SupabaseClient[];
  return [makeClient(server, "1.0.0"), makeClient(server, "2.0.0"), ...former];
}

/** Subscribes, and resolves when the server has said whether it serves the subscription. */
async function listen(client: SupabaseClient, ...asked: Asked[]): Promise<Listener> {
  const listener: Listener = { changes: [], system: [], channel: client.channel("canvas-room") };
  for (const one of asked)
    listener.channel.on(
      "postgres_changes",
      { event: "*", schema: "public", table: "canvas_state", ...one } as never,
      (change) => listener.changes.push(change),
    );
  listener.channel.on("system" as never, {} as never, (message: unknown) =>
    listener.system.push(message),
  );
  listener.channel.subscribe();
  await expect.poll(() => listener.system.length, { timeout: 10_000 }).toBe(1);
  return listener;
}

const TIMEOUT = { timeout: 10_000 };

async function examine(servers: readonly TestServer[]): Promise<void> {
  const [first] = servers as readonly [TestServer];
  const last = servers.at(-1)!;
  const listeners: Listener[] = [];
  for (const server of servers)
    for (const client of everyClient(server)) listeners.push(await listen(client, {}));
  const updates = await listen(makeClient(first), { event: "UPDATE", filter: "version=gte.3" });
  const filtered = await Promise.all(
    everyClient(last).map((client) => listen(client, { filter: "version=gte.2" })),
  );
  expect(listeners).toHaveLength(4 * servers.length);
  expect(filtered).toHaveLength(4);
  for (const one of listeners)
    expect(one.system[0]).toEqual({
      extension: "postgres_changes",
      status: "ok",
      message: "Subscribed to PostgreSQL",
      channel: "canvas-room",
    });
  const writer = makeClient(last).from("canvas_state");
  const settled = (count: number): Promise<void[]> =>
    Promise.all(
      listeners.map(({ changes }) => expect.poll(() => changes.length, TIMEOUT).toBe(count)),
    );
  const inserted = await writer
    .insert({ canvas_json: { objects: [{ a: "é" }] } })
    .select("id")
    .single();
  const id: string = inserted.data!.id;
  await settled(1);
  const removals = await listen(makeClient(first), { event: "DELETE", filter: `id=eq.${id}` });
  await writer.update({ canvas_json: { objects: [] } }).eq("id", id);
  await settled(2);
  const large = { objects: ["x".repeat(70_000)] };
  await writer.update({ canvas_json: large }).eq("id", id);
  await settled(3);
  const service = makeClient(first, "2.0.0", first.serviceKey);
  await service.from("canvas_state").delete().eq("id", id);
  await settled(4);
  for (const { changes } of listeners) {
    expect(changes.map((change) => [change.eventType, change.errors])).toEqual([
      ["INSERT", null],
      ["UPDATE", null],
      ["UPDATE", ["Error 413: Payload Too Large: canvas_json has more than 65536 bytes"]],
      ["DELETE", null],
    ]);
    expect(changes[0].new).toMatchObject({
      id,
      version: 1,
      canvas_json: { objects: [{ a: "é" }] },
    });
    expect(changes[1].new).toMatchObject({ id, version: 2, canvas_json: { objects: [] } });
    expect(changes[1].old).toEqual({ id });
    expect(changes[2].new).toEqual({ id, version: 3, updated_at: expect.any(String) });
    expect(changes[3].old).toEqual({ id });
    expect(changes[3].new).toEqual({});
  }
  await expect.poll(() => updates.changes.length, TIMEOUT).toBe(1);
  expect(updates.changes[0].new.version).toBe(3);
  await expect.poll(() => removals.changes.length, TIMEOUT).toBe(1);
  expect(removals.changes[0].eventType).toBe("DELETE");
  for (const { changes } of filtered)
    expect(changes.map((change) => change.new.version)).toEqual([2, 3]);
  const refused = await listen(makeClient(first), { table: "auth_users" });
  expect(refused.system[0]).toMatchObject({ extension: "postgres_changes", status: "error" });
  expect(refused.system[0].message).toContain("table: auth_users");
  await removeClients();
}

test("RT-50 on the embedded database the real client of 2.39, 2.80 and now gets each change once, in both protocol versions", () =>
  examine([embedded]));

test("RT-61 a channel that asks for it gets a message when changes are reported", async () => {
  const system: unknown[] = [];
  const config = { broadcast: { replication_ready: true } };
  makeClient(embedded)
    .channel("canvas-room", { config })
    .on("system" as never, {} as never, (message: unknown) => system.push(message))
    .subscribe();
  await expect
    .poll(() => system, TIMEOUT)
    .toEqual([
      {
        extension: "system",
        status: "ok",
        message: "Replication connection established",
        channel: "canvas-room",
      },
    ]);
  await removeClients();
});

/** Subscribes as a page does, in frames: many of them cost a test less than as many clients. */
async function subscribe(
  server: TestServer,
): Promise<{ readonly changes: string[]; readonly close: () => void }> {
  const url = `${server.url.replace("http", "ws")}/realtime/v1/websocket`;
  const socket = new WebSocket(`${url}?apikey=${server.anonKey}&vsn=2.0.0`);
  const changes: string[] = [];
  const select = ["id", "updated_at", "version"];
  const binding = { event: "*", schema: "public", table: "canvas_state", select };
  const config = { presence: { enabled: false }, postgres_changes: [binding] };
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => {
      socket.send(JSON.stringify(["1", "1", "realtime:canvas-room", "phx_join", { config }]));
    });
    socket.on("message", (data: Buffer) => {
      const text = data.toString("utf8");
      const [, , , event] = JSON.parse(text) as readonly unknown[];
      if (event === "postgres_changes") changes.push(text);
      if (text.includes("Subscribed to PostgreSQL")) resolve();
    });
  });
  return { changes, close: () => socket.close() };
}

test("RT-53 60 channels that want three columns get one small message each of one large save", async () => {
  const channels = await Promise.all(Array.from({ length: 60 }, () => subscribe(embedded)));
  // A drawing over 64 KB would be left out whatever the channels want.
  const large = { objects: ["x".repeat(60_000)] };
  await makeClient(embedded).from("canvas_state").insert({ canvas_json: large });
  for (const { changes } of channels)
    await expect.poll(() => changes.length, { timeout: 60_000 }).toBe(1);
  for (const { changes, close } of channels) {
    expect(changes[0]!.length).toBeLessThan(700);
    close();
  }
}, 120_000);

if (found.ok) {
  const { postgres } = found;
  describe("on PostgreSQL", () => {
    const command = findRedis();
    const servers: TestServer[] = [];
    let url: string;
    let redis: TestRedis | undefined;
    beforeAll(async () => {
      url = await postgres.createDatabase();
      redis = command === undefined ? undefined : await createTestRedis(command);
      await redis?.start();
      const env = { DATABASE_URL: url, REDIS_URL: redis?.url };
      while (servers.length < (redis === undefined ? 1 : 3))
        servers.push(await startServer({ env }));
    });
    afterAll(async () => {
      for (const server of servers) await server.stop();
      await redis?.stop();
    });

    if (command === undefined)
      test.skip("changes on three processes (no redis-server or valkey-server on this machine)", () => {});
    else
      test("RT-50 three processes with Redis deliver each change of any writer once to the real client of 2.39, 2.80 and now", () =>
        examine(servers));

    test("RT-55 the columns are those that the role may select, and a hidden row reaches nobody of the role", async () => {
      const [server] = servers as [TestServer];
      const admin = new pg.Client({ connectionString: url });
      await admin.connect();
      await admin.query("insert into canvas_state (canvas_json) values ('{}')");
      await admin.query("revoke select on canvas_state from anon");
      const refused = await listen(makeClient(server), {});
      expect(refused.system[0].message).toMatch(/^Unable to subscribe to changes/);
      await admin.query("grant select (id, version) on canvas_state to anon");
      const visitor = await listen(makeClient(server), {});
      const service = await listen(makeClient(server, "2.0.0", server.serviceKey), {});
      await admin.query("update canvas_state set canvas_json = '[1]'");
      await expect.poll(() => visitor.changes.length, TIMEOUT).toBe(1);
      expect(visitor.changes[0].new).toEqual({ id: expect.any(String), version: 2 });
      await admin.query("alter policy canvas_state_select on canvas_state using (false)");
      await admin.query("update canvas_state set canvas_json = '[2]'");
      await expect.poll(() => service.changes.length, TIMEOUT).toBe(2);
      expect(service.changes[1].new.canvas_json).toEqual([2]);
      await admin.query("alter policy canvas_state_select on canvas_state using (true)");
      await admin.query("update canvas_state set canvas_json = '[3]'");
      await expect.poll(() => visitor.changes.length, TIMEOUT).toBe(2);
      expect(visitor.changes[1].new.version).toBe(4);
      // Whatever the listening connection misses while it is cut arrives as one change.
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'inkpool changes' and datname = current_database()",
      );
      await admin.query("update canvas_state set canvas_json = '[4]'");
      await expect.poll(() => service.changes.at(-1).new.version, TIMEOUT).toBe(5);
      await admin.end();
      await removeClients();
    });
  });
} else {
  test.skip(`changes on PostgreSQL (${found.reason})`, () => {});
}
