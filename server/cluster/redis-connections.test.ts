/** Connections to Redis: how they are opened, written to and made anew. */

import type { Socket } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createCable } from "../../testing/network/cable.ts";
import { createTestRedis, findRedis, type TestRedis } from "../../testing/servers/redis.ts";

import { connectRedis, revive } from "./connection.ts";

import { publish } from "./publisher.ts";

const command = findRedis();

if (command === undefined) {
  test.skip("connections to Redis (skipped: no redis-server or valkey-server on this machine)", () => {});
} else {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await createTestRedis(command);
    await redis.start();
  });
  afterAll(() => redis.stop());

  test("SRV-6 a REDIS_URL where no server responds is refused by name", async () => {
    const target = { url: "redis://127.0.0.1:1", prefix: "inkpool:none:" };
    await expect(connectRedis(target)).rejects.toThrow(/^REDIS_URL cannot be used/);
  });

  test("SRV-6 a REDIS_URL where a server takes connections and says nothing is refused by name", async () => {
    const cable = await createCable(redis.port);
    cable.swallow(true);
    const target = { url: `redis://127.0.0.1:${cable.port}`, prefix: "inkpool:silent:" };
    await expect(connectRedis(target, 200)).rejects.toThrow(
      "REDIS_URL cannot be used (no answer within 0.2 s)",
    );
    await cable.cut();
  });

  test("CLU-2 all copies of messages that go together are one write, to which Redis replies nothing", async () => {
    const [sender, receiver] = [new Redis(redis.url), new Redis(redis.url)];
    await expect.poll(() => sender.status).toBe("ready");
    await receiver.subscribe("copies:a", "copies:b", "copies:c");
    const came: [string, Buffer][] = [];
    receiver.on("messageBuffer", (channel: Buffer, bytes: Buffer) =>
      came.push([channel.toString(), bytes]),
    );
    await receiver.ping();
    const { stream } = sender as { stream: Socket };
    const { bytesRead } = stream;
    const writes = vi.spyOn(stream, "write");
    const content = Buffer.from([0, 13, 10, 36, 255]);
    const last = Buffer.from("last");
    publish(sender, ["copies:a", "copies:b"], [content, last]);
    publish(sender, ["copies:c"], [Buffer.alloc(0)]);
    await expect.poll(() => came).toHaveLength(5);
    expect(came).toEqual([
      ["copies:a", content],
      ["copies:b", content],
      ["copies:a", last],
      ["copies:b", last],
      ["copies:c", Buffer.alloc(0)],
    ]);
    expect(stream.bytesRead - bytesRead).toBe(0);
    // One more before the first message: that nothing is to be replied.
    expect(writes).toHaveBeenCalledTimes(3);
    for (const client of [sender, receiver]) client.disconnect();
  });

  test("CLU-20 a connection that was closed while it was made is made anew", async () => {
    const client = new Redis(redis.url, { lazyConnect: true });
    revive(client);
    expect(client.status).toBe("wait");
    const made = client.connect();
    client.disconnect();
    await expect(made).rejects.toThrow();
    await expect.poll(() => client.status).toBe("end");
    revive(client);
    await expect.poll(() => client.status).toBe("ready");
    client.disconnect();
  });
}
