import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { addressKey, clientAddress, clientKey } from "./client-key.ts";
import { createConcurrencyLimit } from "./concurrency.ts";
import { deviceCookie, deviceOf, newDevice } from "./device.ts";
import { createKeyedBuckets, fullBucket, take } from "./token-bucket.ts";

test("a bucket gives its burst at once and then its rate; a clock that goes back gives nothing", () => {
  const rate = { perSecond: 10, burst: 3 };
  const bucket = fullBucket(rate, 0);
  const taken = (now: number) => take(bucket, rate, now);
  expect([taken(0), taken(0), taken(0), taken(0)]).toEqual([true, true, true, false]);
  expect([taken(50), taken(100), taken(100)]).toEqual([false, true, false]);
  expect([taken(-5000), taken(-5000)]).toEqual([false, false]);
  expect(taken(60_000) && taken(60_000) && taken(60_000) && !taken(60_000)).toBe(true);
});

test("HOST-57 the cookie of a device is random, for no script and no other site, and is not read in a long header", () => {
  const device = newDevice();
  expect(newDevice()).not.toBe(device);
  const [pair = "", ...flags] = deviceCookie(device, "/base").split(": ")[1]?.split("; ") ?? [];
  expect(flags).toEqual(["Path=/base/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"]);
  const read = (length: number): string =>
    deviceOf({ headers: { cookie: `${pair}; `.padEnd(length, "x") } });
  expect([read(8_192), read(8_193)]).toEqual([device, ""]);
});

test("SRV-20 each key has a bucket of its own, and says how long to wait", () => {
  let now = 0;
  const buckets = createKeyedBuckets({ rate: { perSecond: 2 / 60, burst: 2 }, clock: () => now });
  expect([buckets.take("a"), buckets.take("a"), buckets.take("b")]).toEqual([0, 0, 0]);
  expect(buckets.take("a")).toBeCloseTo(30_000);
  now = 15_000;
  expect(buckets.take("a")).toBeCloseTo(15_000);
  expect(buckets.take("c")).toBe(0);
  now = 30_000;
  expect(buckets.take("a")).toBe(0);
  expect(buckets.wait("b")).toBe(0);
  expect([buckets.take("b"), buckets.take("b")]).toEqual([0, 0]);
  expect(buckets.wait("b")).toBeCloseTo(30_000);
  expect(buckets.wait("nobody")).toBe(0);
  expect(buckets.take("a")).toBeGreaterThan(0);
});

test("SRV-20 a key is forgotten when its bucket is full again, and the idlest one when there are too many", () => {
  let now = 0;
  const rate = { perSecond: 1, burst: 10 };
  const buckets = createKeyedBuckets({ rate, clock: () => now, maxKeys: 100 });
  for (let n = 0; n < 1_000; n++) buckets.take(`2001:db8:0:${n.toString(16)}`);
  expect(buckets.size).toBe(100);
  for (let n = 0; n < 10; n++) buckets.take("busy");
  expect(buckets.take("busy")).toBeGreaterThan(0);
  now = 9_000;
  buckets.take("recent");
  expect(buckets.size).toBe(100);
  now = 10_000;
  buckets.take("recent");
  expect(buckets.size).toBe(1);
  expect(buckets.take("busy")).toBe(0);
});

test("SRV-20 IPv6 networks of 56 and 48 bits have twice and four times the limit of one of 64 bits", () => {
  const limit = createConcurrencyLimit({ inAll: 1_000, perKey: 3 });
  const entered = (keys: readonly string[]): number =>
    keys.flatMap((key) => [1, 2, 3, 4].map(() => limit.enter(key))).filter(Boolean).length;
  const networks = (count: number, step: number): string[] =>
    Array.from({ length: count }, (_, n) => addressKey(`2001:db8:5:${(n * step).toString(16)}::1`));
  expect(entered(networks(1, 1))).toBe(3);
  expect(entered(networks(16, 1))).toBe(3);
  expect(entered(networks(16, 0x1000))).toBe(6);
  expect(entered(["2001:db8:6:0", "192.0.2.1", "192.0.2.2", "a"])).toBe(12);
  for (const key of networks(16, 1)) for (let n = 0; n < 3; n++) limit.leave(key);
  expect(entered(networks(16, 1))).toBe(6);
});

test("concurrent entries are limited in all and for each key, and a departure admits another", () => {
  const limit = createConcurrencyLimit({ inAll: 3, perKey: 2 });
  expect([limit.enter("a"), limit.enter("a"), limit.enter("a")]).toEqual([true, true, false]);
  expect([limit.enter("b"), limit.enter("c")]).toEqual([true, false]);
  limit.leave("unknown");
  expect(limit.enter("c")).toBe(false);
  limit.leave("a");
  expect([limit.enter("c"), limit.enter("c")]).toEqual([true, false]);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:4711", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
  ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
  ["2001:db8:0:1::5", "2001:db8:0:1"],
  ["2001:0DB8:0000:0001:ffff:0:0:9", "2001:db8:0:1"],
  ["[2001:db8:0:1::5]:443", "2001:db8:0:1"],
  ["2001:db8:0:2::5", "2001:db8:0:2"],
  ["2001:db8::1:0:0:9", "2001:db8:0:0"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
  ["::", "0:0:0:0"],
  ["", ""],
  ["unknown", "unknown"],
  ["_Hidden:1", "_hidden:1"],
  ["1.2.3.4.5:6", "1.2.3.4.5:6"],
  ["1:2:3", "1:2:3"],
])("SRV-20 a network of IPv6 counts as one address, IPv4 stands for itself: %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test("SRV-20 the key of an address has a bounded length", () => {
  expect(addressKey("x".repeat(10_000)).length).toBe(64);
});

test("SRV-15 X-Forwarded-For counts as far as the proxies are trusted: a forged address does not", async () => {
  const found: string[] = [];
  const server = createServer((incoming, answer) => {
    for (const proxies of [0, 1, 2, 9]) found.push(clientAddress(incoming, proxies));
    found.push(clientKey(incoming, 2));
    answer.end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (forwarded: string | string[] | undefined): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      found.length = 0;
      const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
      request({ port, host: "127.0.0.1", headers, agent: false }, (answer) => {
        answer.resume().once("end", () => resolve([...found]));
      })
        .once("error", reject)
        .end();
    });
  const self = "127.0.0.1";
  expect(await ask(undefined)).toEqual([self, self, self, self, self]);
  expect(await ask(" , ")).toEqual([self, self, self, self, self]);
  const made = ["1.1.1.1", "2001:db8::7", "10.0.0.1"];
  const expected = [self, "10.0.0.1", "2001:db8::7", "1.1.1.1", "2001:db8:0:0"];
  expect(await ask(made.join(", "))).toEqual(expected);
  expect(await ask(made)).toEqual(expected);
  server.close();
});

test("a request whose socket has gone has an empty address", () => {
  const gone = { headers: {}, socket: { remoteAddress: undefined } } as unknown as IncomingMessage;
  expect([clientAddress(gone, 0), clientAddress(gone, 1), clientKey(gone, 1)]).toEqual([
    "",
    "",
    "",
  ]);
});
