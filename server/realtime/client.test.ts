/** Tests the real client, unchanged, in both protocol versions. */

import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startRealtime, type RealtimeServer } from "../../testing/servers/realtime.ts";

const servers: RealtimeServer[] = [];
const clients: SupabaseClient[] = [];
const start = async (port = 0): Promise<RealtimeServer> => {
  const server = await startRealtime({ port });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

function makeClient(server: RealtimeServer, vsn: "1.0.0" | "2.0.0" = "2.0.0"): SupabaseClient {
  const client = createClient(server.origin, server.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never, vsn, heartbeatIntervalMs: 200 },
  });
  clients.push(client);
  return client;
}

function subscribed(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === "SUBSCRIBED") resolve(channel);
      else if (error !== undefined) reject(error);
    });
  });
}

test("RT-15 three clients of both versions see each other come and go", async () => {
  const server = await start();
  const watched: { channel: RealtimeChannel; counts: number[] }[] = [];
  for (const vsn of ["2.0.0", "1.0.0", "2.0.0"] as const) {
    const counts: number[] = [];
    const channel = makeClient(server, vsn).channel("canvas-room");
    for (const event of ["sync", "join", "leave"] as const)
      channel.on("presence", { event: event as "sync" }, () =>
        counts.push(Object.keys(channel.presenceState()).length),
      );
    await subscribed(channel);
    expect(await channel.track({ online_at: new Date().toISOString() })).toBe("ok");
    watched.push({ channel, counts });
  }
  for (const { counts } of watched) await expect.poll(() => counts.at(-1)).toBe(3);
  await clients[1]!.removeAllChannels();
  for (const { counts } of [watched[0]!, watched[2]!])
    await expect.poll(() => counts.at(-1)).toBe(2);
  await watched[2]!.channel.untrack();
  await expect.poll(() => watched[0]!.counts.at(-1)).toBe(1);
});

test.each(["one after the other", "at once"])(
  "RT-15 two presences under one key that leave %s do not stay in the client",
  async (how) => {
    const server = await start();
    const watcher = makeClient(server).channel("canvas-room");
    watcher.on("presence", { event: "sync" }, () => {});
    await subscribed(watcher);
    const metas = (): number => watcher.presenceState()["ann"]?.length ?? 0;
    const tabs: SupabaseClient[] = [];
    for (let tab = 1; tab <= 2; tab++) {
      const client = makeClient(server);
      const config = { presence: { key: "ann" } };
      const channel = await subscribed(client.channel("canvas-room", { config }));
      await channel.track({ online_at: new Date().toISOString() });
      await expect.poll(metas).toBe(tab);
      tabs.push(client);
    }
    if (how === "at once") await Promise.all(tabs.map((client) => client.removeAllChannels()));
    else {
      await tabs[0]!.removeAllChannels();
      await expect.poll(metas).toBe(1);
      await tabs[1]!.removeAllChannels();
    }
    await expect.poll(() => Object.keys(watcher.presenceState())).toEqual([]);
  },
);

test("RT-7 broadcasts pass between clients of both versions, with ack and self", async () => {
  const server = await start();
  const got: Record<string, unknown[]> = { one: [], two: [] };
  const listen = (name: "one" | "two", vsn: "1.0.0" | "2.0.0") => {
    const config = { broadcast: { ack: true, self: name === "two" } };
    const channel = makeClient(server, vsn).channel("canvas-room", { config });
    channel.on("broadcast", { event: "canvas-update" }, ({ payload }) => got[name]!.push(payload));
    return subscribed(channel);
  };
  const one = await listen("one", "1.0.0");
  const two = await listen("two", "2.0.0");
  const payload = { json: { objects: [{ text: "ü 😀" }] }, clientId: "a" };
  const send = (channel: RealtimeChannel, content: unknown) =>
    channel.send({ type: "broadcast", event: "canvas-update", payload: content });
  expect(await send(one, payload)).toBe("ok");
  expect(await send(two, { ...payload, clientId: "b" })).toBe("ok");
  await expect.poll(() => got["one"]).toEqual([{ ...payload, clientId: "b" }]);
  await expect.poll(() => got["two"]).toEqual([payload, { ...payload, clientId: "b" }]);
});

test("RT-8 a binary payload arrives as the bytes that were sent", async () => {
  const server = await start();
  const got: ArrayBuffer[] = [];
  const receiver = makeClient(server).channel("bytes");
  receiver.on("broadcast", { event: "raw" }, ({ payload }) => got.push(payload as ArrayBuffer));
  await subscribed(receiver);
  const sender = await subscribed(makeClient(server).channel("bytes"));
  const { buffer } = new Uint8Array([0, 1, 127, 128, 255]);
  await sender.send({ type: "broadcast", event: "raw", payload: buffer });
  await expect.poll(() => got.length).toBe(1);
  expect([...new Uint8Array(got[0]!)]).toEqual([0, 1, 127, 128, 255]);
});

test("SYN-3 after a restart of the server the clients come back and reach each other", async () => {
  const server = await start();
  const got: unknown[] = [];
  let joins = 0;
  const receiver = makeClient(server).channel("canvas-room");
  receiver.on("broadcast", { event: "e" }, ({ payload }) => got.push(payload));
  receiver.subscribe((status) => {
    if (status === "SUBSCRIBED") joins++;
  });
  await expect.poll(() => joins).toBe(1);
  await server.stop();
  servers.pop();
  const again = await start(server.port);
  await expect.poll(() => joins, { timeout: 20_000 }).toBe(2);
  const sender = await subscribed(makeClient(again).channel("canvas-room"));
  await sender.send({ type: "broadcast", event: "e", payload: { n: 1 } });
  await expect.poll(() => got).toEqual([{ n: 1 }]);
});

test("RT-2 bindings of table changes are confirmed, though no change is ever sent", async () => {
  const server = await start();
  const channel = makeClient(server).channel("changes");
  const filter = { event: "*", schema: "public", table: "canvas_state" } as const;
  channel.on("postgres_changes", filter, () => {});
  channel.on("postgres_changes", { event: "INSERT", schema: "public" }, () => {});
  await subscribed(channel);
  expect(channel.state).toBe("joined");
});

test("RT-28 broadcasts over HTTP by the client: with and without a subscription, as JSON and as bytes", async () => {
  const server = await start();
  const got: unknown[] = [];
  const receiver = makeClient(server).channel("a topic/with ü");
  receiver.on("broadcast", { event: "*" }, ({ event, payload }) => got.push([event, payload]));
  await subscribed(receiver);
  const outside = makeClient(server).channel("a topic/with ü");
  expect(await outside.httpSend("an event", { n: 1 })).toEqual({ success: true });
  const { buffer } = new Uint8Array([1, 255]);
  expect(await outside.httpSend("bytes", buffer)).toEqual({ success: true });
  const fallback = await outside.send({ type: "broadcast", event: "sent", payload: { n: 2 } });
  expect(fallback).toBe("ok");
  await expect.poll(() => got.length).toBe(3);
  expect(got[0]).toEqual(["an event", { n: 1 }]);
  expect([...new Uint8Array((got[1] as [string, ArrayBuffer])[1])]).toEqual([1, 255]);
  expect(got[2]).toEqual(["sent", { n: 2 }]);
});

test("RT-26 a forced stop ends in CLOSED, a refused join in CHANNEL_ERROR with the reason", async () => {
  const server = await start();
  const client = makeClient(server);
  const statuses: string[] = [];
  const channel = client.channel("canvas-room");
  const systems: unknown[] = [];
  channel.on("system", {}, (payload) => systems.push(payload));
  channel.subscribe((status) => void statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  await client.realtime.setAuth("header.payload.signature");
  await expect.poll(() => statuses.at(-1)).toBe("CLOSED");
  expect(systems).toMatchObject([{ extension: "system", status: "error", channel: "canvas-room" }]);
  const errors: string[] = [];
  const refused = makeClient(server).channel("secret", { config: { private: true } });
  refused.subscribe((status, error) => void errors.push(`${status} ${error?.message}`));
  await expect
    .poll(() => errors[0])
    .toBe(
      "CHANNEL_ERROR Unauthorized: You do not have permissions to read from this Channel topic: secret",
    );
});
