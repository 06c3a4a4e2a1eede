import { expect, test } from "vitest";
import { parseRedisUrl } from "./redis-address.ts";

const at = (host: string, port: number) => ({ host, port });

test.each([
  ["redis://cache:6379/2", { kind: "server", url: "redis://cache:6379/2", tls: false }],
  ["rediss://u:p@cache", { kind: "server", url: "rediss://u:p@cache", tls: true }],
  ["/run/redis.sock", { kind: "socket", path: "/run/redis.sock", tls: false }],
  ["unix:/run/redis.sock", { kind: "socket", path: "/run/redis.sock", tls: false }],
  ["unix:///run/my%20redis.sock", { kind: "socket", path: "/run/my redis.sock", tls: false }],
  [
    "redis+sentinel://a,b:1,[::1]:2/board",
    {
      kind: "sentinel",
      tls: false,
      endpoints: [at("a", 26_379), at("b", 1), at("::1", 2)],
      name: "board",
    },
  ],
  [
    "rediss+sentinel://me:p%40ss@a/board",
    {
      kind: "sentinel",
      tls: true,
      endpoints: [at("a", 26_379)],
      name: "board",
      username: "me",
      password: "p@ss",
    },
  ],
  [
    "redis+cluster://:secret@a,b:7000",
    {
      kind: "cluster",
      tls: false,
      endpoints: [at("a", 6_379), at("b", 7_000)],
      password: "secret",
    },
  ],
])("SRV-6 REDIS_URL %s is read", (text, address) => {
  expect(parseRedisUrl(text)).toEqual(address);
});

test.each([
  "hunter2",
  "http://a",
  "redis://",
  "redis://a:port",
  "unix:",
  "unix://host/run/redis.sock",
  "redis+sentinel://a,b",
  "redis+sentinel:///board",
  "redis+sentinel://a:99999/board",
  "redis+sentinel://a,,b/board",
  "redis+sentinel://a/board?x=1",
  "redis+cluster://a/board",
  "redis+cluster://a b",
  "redis+cluster://%zz@a",
  "redis+other://a",
])("SRV-6 REDIS_URL %s is none", (text) => {
  expect(parseRedisUrl(text)).toBeNull();
});
