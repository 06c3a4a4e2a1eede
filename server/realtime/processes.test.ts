/** Two servers that share a Redis, as one. */

import { expect, test } from "vitest";
import {
  makePush,
  openClient,
  startRealtime,
  type BareClient,
  type RealtimeServer,
} from "../../testing/realtime.ts";
import { createTestRedis, findRedis } from "../../testing/redis.ts";
import { openRedisCluster } from "../cluster/redis.ts";
import { createLogger } from "../log.ts";

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
}
