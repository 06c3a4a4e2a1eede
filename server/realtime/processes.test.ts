/** Tests two servers that share a Redis and act as one. */

import { expect, test } from "vitest";
import {
  makePush,
  openClient,
  startRealtime,
  type BareClient,
  type RealtimeServer,
} from "../../testing/servers/realtime.ts";
import { createTestRedis, findRedis } from "../../testing/servers/redis.ts";
import type { MeasuredDrawing } from "../access/port.ts";
import { openRedisCluster } from "../cluster/redis.ts";
import { createLogger } from "../process/log.ts";

const command = findRedis();
const TOPIC = "realtime:canvas-room";
const log = createLogger("error", () => {}, Date.now);

const present = (client: BareClient): string[] => {
  const keys = new Set<string>();
  for (const { event, payload } of client.frames) {
    if (event === "presence_state") {
      keys.clear();
      for (const key of Object.keys(payload)) keys.add(key);
    } else if (event === "presence_diff") {
      for (const key of Object.keys(payload.joins)) keys.add(key);
      for (const key of Object.keys(payload.leaves)) if (!(key in payload.joins)) keys.delete(key);
    }
  }
  return [...keys].toSorted();
};

const got = (client: BareClient): string[] =>
  client.frames.filter((frame) => frame.event === "broadcast").map((frame) => frame.payload.event);

/** Joins with a presence key and tracks; returns the reason of a refusal, or "ok". */
async function track(client: BareClient, key: string): Promise<string> {
  const joinRef = await client.join(TOPIC, { presence: { key, summary: true } });
  const message = { type: "presence", event: "track", payload: { online_at: key } };
  const { status, response } = await client.reply(client.push(TOPIC, "presence", message, joinRef));
  return status === "ok" ? "ok" : response.reason;
}

if (command === undefined) {
  test.skip("several processes (skipped: no redis-server or valkey-server on this machine)", () => {});
} else {
  test("CLU-9 people on two processes draw and are counted together; without Redis each process goes on", async () => {
    const redis = await createTestRedis(command);
    await redis.start();
    const start = async (): Promise<RealtimeServer> =>
      startRealtime({
        cluster: await openRedisCluster({ url: redis.url, prefix: "test:", log, heartbeat: 100 }),
      });
    const one = await start();
    const two = await start();
    const enter = async (server: RealtimeServer, key: string, vsn: 1 | 2): Promise<BareClient> => {
      const client = await openClient(server, { vsn });
      const joinRef = await client.join(TOPIC, { presence: { key } });
      const track = { type: "presence", event: "track", payload: { online_at: key } };
      await client.reply(client.push(TOPIC, "presence", track, joinRef));
      return client;
    };
    const a = await enter(one, "a", 2);
    const b = await enter(two, "b", 1);
    const c = await enter(two, "c", 2);
    for (const client of [a, b, c])
      await expect.poll(() => present(client)).toEqual(["a", "b", "c"]);
    const send = (event: string): void =>
      a.send(makePush({ topic: TOPIC, event, payload: '{"x":1}' }));
    send("together");
    for (const client of [b, c]) await expect.poll(() => got(client)).toEqual(["together"]);
    expect(got(a)).toEqual([]);
    const answer = await fetch(
      `${two.origin}/realtime/v1/api/broadcast/canvas-room/events/posted`,
      {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", apikey: two.keys.anonKey },
      },
    );
    expect(answer.status).toBe(202);
    await expect.poll(() => got(a)).toEqual(["posted"]);

    await redis.stop();
    await expect.poll(() => present(c)).toEqual(["b", "c"]);
    c.send(makePush({ topic: TOPIC, event: "alone", payload: "{}" }));
    await expect.poll(() => got(b)).toContain("alone");
    expect(got(a)).toEqual(["posted"]);

    await redis.start();
    for (const client of [a, b, c])
      await expect.poll(() => present(client), { timeout: 15_000 }).toEqual(["a", "b", "c"]);
    await two.stop();
    await expect.poll(() => present(a)).toEqual(["a"]);
    await one.stop();
    await redis.stop();
  });

  test("CLU-2 in a large topic of two processes each message arrives once and in its sender's order, and many share a write", async () => {
    const redis = await createTestRedis(command);
    await redis.start();
    const start = async (): Promise<RealtimeServer> =>
      startRealtime({ cluster: await openRedisCluster({ url: redis.url, prefix: "test:", log }) });
    const servers = [await start(), await start()] as const;
    const clients: BareClient[] = [];
    for (let n = 0; n < 40; n++) {
      const client = await openClient(servers[n % 2]!);
      await client.join(TOPIC);
      clients.push(client);
    }
    const [one, two] = clients as [BareClient, BareClient];
    const send = (from: BareClient, event: string): void =>
      from.send(makePush({ topic: TOPIC, event, payload: "{}" }));
    // The processes know each other's topics.
    await expect
      .poll(() => {
        send(one, "probe");
        send(two, "probe");
        return [got(one), got(two)].every((list) => list.includes("probe"));
      })
      .toBe(true);
    const writes = (): number =>
      servers.reduce((sum, { app }) => sum + app.realtimeStats().writes, 0);
    const before = writes();
    const messages = 200;
    for (let n = 0; n < messages; n++) {
      send(one, `one ${n}`);
      send(two, `two ${n}`);
    }
    const of = (client: BareClient, name: string): string[] =>
      got(client).filter((event) => event.startsWith(name));
    const all = (name: string): string[] =>
      Array.from({ length: messages }, (_, n) => `${name} ${n}`);
    for (const client of clients) {
      await expect.poll(() => of(client, "one")).toEqual(client === one ? [] : all("one"));
      await expect.poll(() => of(client, "two")).toEqual(client === two ? [] : all("two"));
    }
    expect(writes() - before).toBeLessThan((2 * messages * (clients.length - 1)) / 2);
    for (const client of clients) client.close();
    for (const server of servers) await server.stop();
    await redis.stop();
  });

  test("RT-15 the limit of presence keys and the size of a crowd count the keys of all processes", async () => {
    const redis = await createTestRedis(command);
    await redis.start();
    const env = { REALTIME_PRESENCE_KEYS: "4", REALTIME_PRESENCE_SUMMARY_KEYS: "3" };
    const start = async (): Promise<RealtimeServer> =>
      startRealtime({
        env,
        cluster: await openRedisCluster({ url: redis.url, prefix: "test:", log, heartbeat: 100 }),
      });
    const servers = [await start(), await start()] as const;
    const open = (n: number): Promise<BareClient> => openClient(servers[n % 2]!);
    const clients: BareClient[] = [];
    const count = (n: number): number | undefined =>
      clients[n]!.frames.findLast(({ event }) => event === "presence_summary")?.payload.online;
    for (let n = 0; n < 4; n++) {
      clients.push(await open(n));
      expect(await track(clients[n]!, `k${n}`)).toBe("ok");
      // The other process knows it.
      const other = clients[n - 1];
      if (other !== undefined && n < 3) await expect.poll(() => present(other)).toContain(`k${n}`);
    }
    for (const n of [0, 1, 2, 3]) await expect.poll(() => count(n)).toBe(4);
    const fifth = [await open(0), await open(1)] as const;
    for (const client of fifth)
      expect(await track(client, "k4")).toBe("Too many presences in this channel");
    clients[1]!.close();
    await expect.poll(() => count(0)).toBe(3);
    const next = await open(0);
    expect(await track(next, "k5")).toBe("ok");
    for (const n of [0, 2, 3]) await expect.poll(() => count(n)).toBe(4);
    for (const client of [...clients, ...fifth, next]) client.close();
    for (const server of servers) await server.stop();
    await redis.stop();
  });

  test("HOST-53 a process with limits receives updates that others let pass, with members of its own or without", async () => {
    const redis = await createTestRedis(command);
    await redis.start();
    const observed: string[] = [];
    const newcomers = {
      announce: () => true,
      observe: (drawing: MeasuredDrawing | null) =>
        void observed.push(...(drawing?.objects ?? []).map((one) => String(one.id))),
      charge: () => Promise.resolve(null),
    };
    const start = async (more: object): Promise<RealtimeServer> =>
      startRealtime({
        cluster: await openRedisCluster({ url: redis.url, prefix: "test:", log, heartbeat: 100 }),
        ...more,
      });
    const [one, two] = [await start({}), await start({ newcomers })];
    const sender = await openClient(one);
    const joinRef = await sender.join(TOPIC);
    const send = (id: string): boolean => {
      const payload = { clientId: "c", json: { objects: [{ id }] } };
      const message = { type: "broadcast", event: "canvas-update", payload };
      sender.push(TOPIC, "broadcast", message, joinRef);
      return observed.includes(id);
    };
    await expect.poll(() => send("alone"), { timeout: 10_000 }).toBe(true);
    const member = await openClient(two);
    const ref = await member.join(TOPIC);
    await member.reply(member.push(TOPIC, "phx_leave", {}, ref));
    await expect.poll(() => send("after"), { timeout: 10_000 }).toBe(true);
    for (const client of [sender, member]) client.close();
    for (const server of [one, two]) await server.stop();
    await redis.stop();
  });
}
