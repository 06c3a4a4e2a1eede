/** Tests Redis in the forms in which it is run: behind TLS, at a unix socket, watched by Sentinel, as a cluster. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import {
  createTestRedis,
  findRedis,
  knowsTls,
  startSentinel,
  type TestRedis,
} from "../../testing/servers/redis.ts";
import { createLogger } from "../process/log.ts";
import type { RedisTarget } from "./connection.ts";
import { TOPIC, joined, listen, refs } from "./contract.case.ts";
import { openRedisCluster } from "./redis.ts";

const log = createLogger("error", () => {}, Date.now);
const PREFIX = "inkpool:forms:";
const LONG = { timeout: 20_000 };

type Listener = Awaited<ReturnType<typeof listen>>;

const open = async (target: RedisTarget): Promise<Listener> =>
  listen(await openRedisCluster({ ...target, prefix: PREFIX, log, heartbeat: 200 }));

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "inkpool-redis-"));
  closing.push(async () => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function start(
  command: string,
  options: (port: number) => readonly string[] = () => [],
): Promise<TestRedis> {
  const redis = await createTestRedis(command, options);
  closing.push(() => redis.stop());
  await redis.start();
  return redis;
}

function admin(port: number): Redis {
  const redis = new Redis(port, "127.0.0.1");
  redis.on("error", () => {});
  closing.push(async () => redis.disconnect());
  return redis;
}

/** Opens two processes that know each other's presences, and get each other's broadcasts. */
async function pair(one: RedisTarget, two = one): Promise<readonly [Listener, Listener]> {
  const both = [await open(one), await open(two)] as const;
  for (const { cluster } of both) closing.push(() => cluster.close());
  for (const { cluster } of both) cluster.join(TOPIC);
  both[0].cluster.presence(TOPIC, joined("a", "1"));
  both[1].cluster.presence(TOPIC, joined("b", "2"));
  await connected(both);
  return both;
}

async function connected([one, two]: readonly [Listener, Listener]): Promise<void> {
  await expect.poll(() => refs(two.cluster.remotePresence(TOPIC)), LONG).toEqual(["a/1"]);
  await expect.poll(() => refs(one.cluster.remotePresence(TOPIC)), LONG).toEqual(["b/2"]);
  await crosses(one, two);
  await crosses(two, one);
}

async function crosses(from: Listener, to: Listener): Promise<void> {
  const before = to.broadcasts.length;
  const message = { topic: TOPIC, event: "e", encoding: 1 as const, payload: Buffer.from("{}") };
  await expect
    .poll(() => {
      from.cluster.broadcast(message.topic, [message]);
      return to.broadcasts.length;
    }, LONG)
    .toBeGreaterThan(before);
}

const command = findRedis();

if (command === undefined) {
  test.skip("forms of Redis (skipped: no redis-server or valkey-server on this machine)", () => {});
} else {
  describe("CLU-9 forms of Redis", () => {
    test("a unix socket", async () => {
      const path = join(folder(), "redis.sock");
      await start(command, () => ["--unixsocket", path]);
      await pair({ url: `unix://${path}` }, { url: path });
    });

    test("a user with a password, and a wrong one is refused without being quoted", async () => {
      const { port } = await start(command, () => ["--requirepass", "p@ss"]);
      await pair({ url: `redis://:p%40ss@127.0.0.1:${port}` });
      const wrong = open({ url: `redis://:hunter2@127.0.0.1:${port}` });
      await expect(wrong).rejects.toThrow(/^REDIS_URL cannot be used \(.*WRONGPASS/);
      await expect(wrong).rejects.not.toThrow(/hunter2/);
    });

    test("a user with few rights is enough, and one with too few is refused", async () => {
      const { port } = await start(command);
      const root = admin(port);
      const rights = ["+publish", "+subscribe", "+client", "+info", "+hello", `&${PREFIX}*`];
      await root.call("ACL", "SETUSER", "board", "on", ">p", "resetchannels", ...rights);
      await pair({ url: `redis://board:p@127.0.0.1:${port}` });
      for (const right of ["client", "publish", "subscribe"]) {
        await root.call("ACL", "SETUSER", "board", `-${right}`);
        await expect(open({ url: `redis://board:p@127.0.0.1:${port}` })).rejects.toThrow(
          new RegExp(`^REDIS_URL cannot be used \\(.*${right}`),
        );
        await root.call("ACL", "SETUSER", "board", `+${right}`);
      }
    });

    const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
    const lacks = !hasOpenssl ? "no openssl" : knowsTls(command) ? "" : "Redis without TLS";
    test.skipIf(lacks !== "")(`TLS${lacks === "" ? "" : ` (skipped: ${lacks})`}`, async () => {
      const path = folder();
      const [key, certificate] = [join(path, "key.pem"), join(path, "certificate.pem")];
      const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
      const subject = ["-subj", "/CN=redis", "-addext", "subjectAltName=IP:127.0.0.1"];
      const made = [...request, ...subject, "-keyout", key, "-out", certificate];
      expect(spawnSync("openssl", made).status).toBe(0);
      const files = ["--tls-cert-file", certificate, "--tls-key-file", key];
      const trust = ["--tls-ca-cert-file", certificate, "--tls-auth-clients", "no"];
      const { port } = await start(command, (free) => [
        ...["--port", "0", "--tls-port", String(free)],
        ...files,
        ...trust,
      ]);
      const url = `rediss://127.0.0.1:${port}`;
      await pair({ url, ca: certificate });
      await expect(open({ url })).rejects.toThrow(/^REDIS_URL cannot be used \(.*self-signed/);
      await expect(open({ url, ca: join(path, "none") })).rejects.toThrow(
        /^REDIS_CA cannot be read/,
      );
      await expect(open({ url: `redis://127.0.0.1:${port}`, ca: certificate })).rejects.toThrow(
        /^REDIS_CA is set, but REDIS_URL has no TLS/,
      );
    });

    test("Sentinel: after a failover the processes are connected to the new primary", async () => {
      const primary = await start(command);
      const replica = await start(command, () => [
        "--replicaof",
        "127.0.0.1",
        String(primary.port),
      ]);
      const inside = admin(replica.port);
      await expect
        .poll(
          async () => (await inside.info("replication")).includes("master_link_status:up"),
          LONG,
        )
        .toBe(true);
      const watch = { folder: folder(), primary: primary.port, password: "sentinel" };
      const sentinel = await startSentinel(command, watch);
      closing.push(() => sentinel.stop());
      const watching = new Redis(sentinel.port, "127.0.0.1", { password: watch.password });
      closing.push(async () => watching.disconnect());
      await expect
        .poll(
          async () => ((await watching.call("SENTINEL", "replicas", "board")) as []).length,
          LONG,
        )
        .toBe(1);
      const both = await pair({ url: sentinel.url, sentinelPassword: watch.password });
      expect(await inside.pubsub("CHANNELS", `${PREFIX}*`)).toEqual([]);
      await primary.stop();
      await expect
        .poll(async () => (await inside.pubsub("CHANNELS", `${PREFIX}*`)).length, LONG)
        .toBe(3);
      expect(await inside.info("replication")).toContain("role:master");
      await connected(both);
    }, 60_000);

    test("a cluster: each node is as good as the others, and one that dies is left", async () => {
      const nodes: TestRedis[] = [];
      for (let n = 0; n < 3; n++)
        nodes.push(await start(command, () => ["--cluster-enabled", "yes", "--dir", folder()]));
      const [first, second, third] = nodes.map(({ port }) => admin(port));
      await first!.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      for (const { port } of nodes.slice(1))
        await first!.call("CLUSTER", "MEET", "127.0.0.1", port);
      for (const node of [second!, third!])
        await expect
          .poll(async () => String(await node.call("CLUSTER", "INFO")), LONG)
          .toContain("cluster_state:ok");
      const at = (...order: number[]): RedisTarget => ({
        url: `redis+cluster://${order.map((n) => `127.0.0.1:${nodes[n]!.port}`).join()}`,
      });
      const both = await pair(at(1, 2), at(2, 0));
      expect(await second!.pubsub("CHANNELS", `${PREFIX}*`)).toHaveLength(2);
      await nodes[1]!.stop();
      await expect
        .poll(async () => (await third!.pubsub("CHANNELS", `${PREFIX}*`)).length, LONG)
        .toBe(3);
      await connected(both);
      await (await open(at(1, 0))).cluster.close();
      await expect(open(at(1))).rejects.toThrow(/^REDIS_URL cannot be used \(.*ECONNREFUSED/);
    }, 60_000);

    test("SRV-6 an address that is none is refused by name", async () => {
      await expect(open({ url: "redis+sentinel://a" })).rejects.toThrow(
        /^REDIS_URL is no address of Redis/,
      );
    });
  });
}
