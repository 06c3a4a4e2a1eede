import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCable } from "../../testing/network/cable.ts";
import { createTestRedis, findRedis, type TestRedis } from "../../testing/servers/redis.ts";
import { createLogger } from "../process/log.ts";
import { TOPIC, clusterContract, joined, left, listen, refs } from "./contract.case.ts";

import { decodeMessage, encodeMessage } from "./messages.ts";
import type { Cluster } from "./port.ts";
import { openRedisCluster } from "./redis.ts";

const command = findRedis();
const lines: string[] = [];
const log = createLogger("debug", (line) => void lines.push(line), Date.now);
const HEARTBEAT = 100;

if (command === undefined) {
  test.skip("cluster driver redis (skipped: no redis-server or valkey-server on this machine)", () => {});
} else {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await createTestRedis(command);
    await redis.start();
  });
  afterAll(() => redis.stop());

  const open = (url = redis.url, prefix = "inkpool:test:"): Promise<Cluster> =>
    openRedisCluster({ url, prefix, log, heartbeat: HEARTBEAT });

  clusterContract({
    name: "redis",
    open: (count) => Promise.all(Array.from({ length: count }, () => open())),
  });

  describe("cluster driver redis, when things break", () => {
    test("CLU-5 the presences of a process that dies go with it", async () => {
      const cable = await createCable(redis.port);
      const dying = await listen(await open(`redis://127.0.0.1:${cable.port}`));
      const staying = await listen(await open());
      for (const { cluster } of [dying, staying]) cluster.join(TOPIC);
      dying.cluster.presence(TOPIC, joined("a", "1"));
      await expect.poll(() => refs(staying.cluster.remotePresence(TOPIC))).toEqual(["a/1"]);
      await cable.cut();
      await expect.poll(() => refs(staying.cluster.remotePresence(TOPIC))).toEqual([]);
      expect(refs(staying.changes.at(-1)!.change.leaves)).toEqual(["a/1"]);
      await Promise.all([dying.cluster.close(), staying.cluster.close()]);
    });

    test("CLU-20 the presences of a process that was only silent return with it", async () => {
      const heartbeat = 8 * HEARTBEAT;
      const options = { url: redis.url, prefix: "inkpool:test:", log, heartbeat };
      const silent = await listen(await openRedisCluster(options));
      const staying = await listen(await open());
      for (const { cluster } of [silent, staying]) cluster.join(TOPIC);
      silent.cluster.presence(TOPIC, joined("a", "1"));
      const arrivals = (): number =>
        staying.changes.filter(({ change }) => change.joins.size).length;
      await expect.poll(arrivals).toBe(1);
      await expect.poll(() => refs(staying.cluster.remotePresence(TOPIC))).toEqual([]);
      await expect.poll(arrivals, { timeout: 10 * heartbeat }).toBeGreaterThan(1);
      expect(silent.changes).toEqual([]);
      await Promise.all([silent.cluster.close(), staying.cluster.close()]);
    });

    test.each([
      ["the open ones", false],
      ["and of new ones for a while", true],
    ])(
      "CLU-20 connections to Redis on which nothing comes any more are noticed by the own heartbeat and made anew: %s",
      async (_which, fresh) => {
        const cable = await createCable(redis.port);
        const one = await listen(await open(`redis://127.0.0.1:${cable.port}`));
        const two = await listen(await open());
        for (const { cluster } of [one, two]) cluster.join(TOPIC);
        one.cluster.presence(TOPIC, joined("a", "1"));
        await expect.poll(() => refs(two.cluster.remotePresence(TOPIC))).toEqual(["a/1"]);
        lines.length = 0;
        cable.swallow(fresh);
        await expect.poll(() => lines.join("")).toContain("no heartbeat of its own came back");
        if (fresh) {
          // Both connections are replaced meanwhile, and stay silent for ever.
          const before = cable.opened();
          await expect.poll(() => cable.opened() - before).toBeGreaterThan(1);
          cable.restore();
        }
        await expect.poll(() => lines.join(""), { timeout: 5_000 }).toContain("Redis is back");
        two.cluster.presence(TOPIC, joined("b", "2"));
        await expect.poll(() => refs(one.cluster.remotePresence(TOPIC))).toEqual(["b/2"]);
        await expect.poll(() => refs(two.cluster.remotePresence(TOPIC))).toEqual(["a/1"]);
        await Promise.all([one.cluster.close(), two.cluster.close()]);
        await cable.cut();
      },
    );

    test("CLU-20 after Redis was away, presences are exchanged again", async () => {
      const own = await createTestRedis(command);
      await own.start();
      const one = await listen(await open(own.url));
      const two = await listen(await open(own.url));
      for (const { cluster } of [one, two]) cluster.join(TOPIC);
      one.cluster.presence(TOPIC, joined("a", "1"));
      await expect.poll(() => refs(two.cluster.remotePresence(TOPIC))).toEqual(["a/1"]);
      await own.stop();
      await expect.poll(() => refs(two.cluster.remotePresence(TOPIC))).toEqual([]);
      // Changes made without Redis are not lost.
      two.cluster.presence(TOPIC, joined("b", "2"));
      one.cluster.presence(TOPIC, {
        joins: joined("a", "3").joins,
        leaves: joined("a", "1").joins,
      });
      one.cluster.broadcast(TOPIC, [broadcast("lost")]);
      await own.start();
      await expect
        .poll(() => refs(two.cluster.remotePresence(TOPIC)), { timeout: 15_000 })
        .toEqual(["a/3"]);
      await expect.poll(() => refs(one.cluster.remotePresence(TOPIC))).toEqual(["b/2"]);
      await expect
        .poll(() => {
          one.cluster.broadcast(TOPIC, [broadcast("kept")]);
          return two.broadcasts.length;
        })
        .toBeGreaterThan(0);
      expect(two.broadcasts.map(({ event }) => event)).not.toContain("lost");
      expect(lines.filter((line) => line.includes("Redis is away")).length).toBeGreaterThan(0);
      await Promise.all([one.cluster.close(), two.cluster.close()]);
      await own.stop();
    });

    test("CLU-20 Redis that accepts the connections and refuses to subscribe is away, with its reason, until a heartbeat comes back", async () => {
      const admin = new Redis(redis.url);
      const channel = "&inkpool:test:*";
      await admin.call("ACL", "SETUSER", "board", "on", ">p", "+@all", "resetchannels", channel);
      const cable = await createCable(redis.port);
      const one = await listen(await open(`redis://board:p@127.0.0.1:${cable.port}`));
      lines.length = 0;
      await admin.call("ACL", "SETUSER", "board", "resetchannels");
      await expect.poll(() => lines.join("")).toMatch(/Redis is away.*NOPERM/);
      // All connections that are made anew meanwhile are accepted.
      const before = cable.opened();
      await expect.poll(() => cable.opened() - before, { timeout: 10_000 }).toBeGreaterThan(3);
      expect(one.cluster.stats.up).toBe(0);
      expect(lines.join("")).not.toContain("Redis is back");
      await admin.call("ACL", "SETUSER", "board", channel);
      await expect.poll(() => one.cluster.stats.up, { timeout: 5_000 }).toBe(1);
      expect(
        lines
          .join("")
          .match(/Redis is (?:away|back)/g)
          ?.at(-1),
      ).toBe("Redis is back");
      admin.disconnect();
      await one.cluster.close();
      await cable.cut();
    });

    const broadcast = (event: string) => ({
      topic: TOPIC,
      event,
      encoding: 1 as const,
      payload: Buffer.from("{}"),
    });

    test("CLU-2 two installations on one Redis do not mix", async () => {
      const one = await listen(await open());
      const two = await listen(await open());
      const other = await listen(await open(redis.url, "inkpool:other:"));
      for (const { cluster } of [one, two, other]) cluster.join(TOPIC);
      one.cluster.presence(TOPIC, joined("a", "1"));
      await expect.poll(() => refs(two.cluster.remotePresence(TOPIC))).toEqual(["a/1"]);
      one.cluster.broadcast(TOPIC, [broadcast("e")]);
      await expect.poll(() => two.broadcasts.length).toBe(1);
      expect([other.broadcasts, other.changes]).toEqual([[], []]);
      expect([other.cluster.stats.peers, one.cluster.stats.peers]).toEqual([0, 1]);
      await Promise.all([one, two, other].map(({ cluster }) => cluster.close()));
    });

    test("CLU-4 the presences of an arriving crowd are a few messages, and a visitor who came and went meanwhile is in none", async () => {
      const [one, two] = [await listen(await open()), await listen(await open())];
      for (const { cluster } of [one, two]) cluster.join(TOPIC);
      one.cluster.presence(TOPIC, joined("first", "0"));
      await expect.poll(() => refs(two.cluster.remotePresence(TOPIC))).toEqual(["first/0"]);
      for (let n = 1; n <= 200; n++) one.cluster.presence(TOPIC, joined(`p${n}`, `${n}`));
      for (let n = 1; n <= 100; n++) one.cluster.presence(TOPIC, left(`p${n}`, `${n}`));
      await expect.poll(() => two.cluster.remotePresence(TOPIC).size).toBe(101);
      const joins = two.changes.flatMap(({ change }) => [...change.joins.keys()]);
      expect(new Set(joins).size).toBe(joins.length);
      expect(joins).toHaveLength(101);
      expect(two.changes.every(({ change }) => change.leaves.size === 0)).toBe(true);
      expect(two.changes.length).toBeLessThanOrEqual(3);
      // A process that joins meanwhile gets what was sent, and then the rest.
      one.cluster.presence(TOPIC, joined("a", "301"));
      one.cluster.presence(TOPIC, joined("b", "302"));
      const three = await listen(await open());
      three.cluster.join(TOPIC);
      await expect.poll(() => three.cluster.remotePresence(TOPIC).size).toBe(103);
      await Promise.all([one, two, three].map(({ cluster }) => cluster.close()));
    });

    test("CLU-2 only processes that have the topic are sent a broadcast, each one copy, and the sender none", async () => {
      const quiet = 3_600_000;
      const openQuiet = async () =>
        listen(
          await openRedisCluster({ url: redis.url, prefix: "inkpool:q:", log, heartbeat: quiet }),
        );
      const [one, two, without] = [await openQuiet(), await openQuiet(), await openQuiet()];
      one.cluster.broadcast(TOPIC, [broadcast("nobody")]);
      for (const { cluster } of [one, two]) cluster.join(TOPIC);
      await expect
        .poll(() => {
          two.cluster.broadcast(TOPIC, [broadcast("probe")]);
          one.cluster.broadcast(TOPIC, [broadcast("probe")]);
          return Math.min(one.broadcasts.length, two.broadcasts.length);
        })
        .toBeGreaterThan(0);
      const elsewhere = without.cluster.stats.received;
      const { published } = one.cluster.stats;
      for (let n = 0; n < 10; n++) one.cluster.broadcast(TOPIC, [broadcast("e")]);
      two.cluster.broadcast(TOPIC, [broadcast("last")]);
      await expect.poll(() => one.broadcasts.at(-1)?.event).toBe("last");
      await expect.poll(() => two.broadcasts.filter(({ event }) => event === "e").length).toBe(10);
      expect(one.cluster.stats.published - published).toBe(10);
      expect(one.broadcasts.some(({ event }) => event === "e")).toBe(false);
      expect([without.broadcasts, without.cluster.stats.received]).toEqual([[], elsewhere]);
      two.cluster.leave(TOPIC);
      await expect
        .poll(() => {
          const before = one.cluster.stats.published;
          one.cluster.broadcast(TOPIC, [broadcast("nobody")]);
          return one.cluster.stats.published - before;
        })
        .toBe(0);
      await Promise.all([one, two, without].map(({ cluster }) => cluster.close()));
    });

    test("CLU-20 broadcasts of a time in which a process stood still are dropped, later ones are not", async () => {
      const one = await listen(await open());
      const two = await listen(await open());
      for (const { cluster } of [one, two]) cluster.join(TOPIC);
      await expect
        .poll(() => {
          one.cluster.broadcast(TOPIC, [broadcast("before")]);
          return two.broadcasts.length;
        })
        .toBeGreaterThan(0);
      one.cluster.broadcast(TOPIC, [broadcast("old")]);
      const until = performance.now() + 5 * HEARTBEAT;
      while (performance.now() < until);
      await expect
        .poll(() => {
          one.cluster.broadcast(TOPIC, [broadcast("new")]);
          return two.broadcasts.at(-1)?.event;
        })
        .toBe("new");
      expect(two.broadcasts.map(({ event }) => event)).not.toContain("old");
      expect(two.cluster.stats.outdated).toBeGreaterThan(0);
      await Promise.all([one.cluster.close(), two.cluster.close()]);
    });

    test("CLU-2 a heartbeat does not grow with the topics", async () => {
      const one = await listen(await open(redis.url, "inkpool:many:"));
      const two = await listen(await open(redis.url, "inkpool:many:"));
      for (let n = 0; n < 500; n++) one.cluster.join(`${TOPIC}-${n}`);
      const message = { ...broadcast("e"), topic: `${TOPIC}-499` };
      two.cluster.join(message.topic);
      await expect
        .poll(() => {
          two.cluster.broadcast(message.topic, [message]);
          return one.broadcasts.length;
        })
        .toBeGreaterThan(0);
      const foreign = new Redis(redis.url);
      const sizes: number[] = [];
      foreign.on("messageBuffer", (_channel: Buffer, bytes: Buffer) => {
        if (decodeMessage(bytes)?.message.kind === "alive") sizes.push(bytes.length);
      });
      await foreign.subscribe("inkpool:many:processes");
      await expect.poll(() => sizes.length).toBeGreaterThan(5);
      expect(Math.max(...sizes)).toBeLessThan(40);
      foreign.disconnect();
      await Promise.all([one, two].map(({ cluster }) => cluster.close()));
    });

    test("CLU-20 messages that cannot be read are counted, and logged once", async () => {
      const one = await listen(await open(redis.url, "inkpool:foreign:"));
      const foreign = new Redis(redis.url);
      lines.length = 0;
      for (let n = 0; n < 100; n++) await foreign.publish("inkpool:foreign:processes", "rubbish");
      await expect.poll(() => one.cluster.stats.unreadable).toBe(100);
      expect(lines.filter((line) => line.includes("cannot be read")).length).toBe(1);
      foreign.disconnect();
      await one.cluster.close();
    });

    test("CLU-5 no message makes a sender that does not listen count as a process", async () => {
      const prefix = "inkpool:invented:";
      const one = await listen(await open(redis.url, prefix));
      one.cluster.join(TOPIC);
      const foreign = new Redis(redis.url);
      const published = one.cluster.stats.published;
      for (let n = 0; n < 99; n++) {
        const sender = `invented-peer-${10 + n}`.slice(0, 16).padEnd(16, "x");
        for (const message of [
          { kind: "alive", beat: 1, version: 1 },
          { kind: "topics", version: 1, topics: [TOPIC] },
          { kind: "snapshot", topic: TOPIC, version: 1, metas: joined(`p${n}`, "1").joins },
          { kind: "broadcast", content: { ...broadcast("invented") } },
        ] as const)
          await foreign.publish(`${prefix}processes`, encodeMessage(sender, message));
      }
      const two = await listen(await open(redis.url, prefix));
      two.cluster.join(TOPIC);
      two.cluster.presence(TOPIC, joined("real", "1"));
      await expect.poll(() => refs(one.cluster.remotePresence(TOPIC))).toEqual(["real/1"]);
      expect([one.cluster.stats.peers, one.broadcasts.length]).toEqual([1, 0]);
      expect(one.cluster.stats.published).toBeGreaterThan(published);
      foreign.disconnect();
      await Promise.all([one, two].map(({ cluster }) => cluster.close()));
    });
  });
}
