/**
 * Tests that each protocol counts by the same key: two addresses of one /64 are one client, an IPv4 address is one in
 * both notations.
 */

import { afterEach, expect, test } from "vitest";
import { startAuthServer } from "../../testing/auth/server.ts";
import { openClient, startRealtime, type RealtimeServer } from "../../testing/servers/realtime.ts";

/** The clients: the first and second are the same one, the third is another. */
const NETWORKS = [
  ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"],
  ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
] as const;

/** Returns the header as a trusted proxy writes it: an invented address of the caller, then the one that the proxy saw. */
const from = (address: string): Record<string, string> => ({
  "x-forwarded-for": `203.0.113.9, ${address}`,
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** Starts a server whose clock stands still, so that no token is refilled. */
async function realtime(env: Record<string, string>): Promise<RealtimeServer> {
  const started = Date.now();
  const server = await startRealtime({ env: { TRUST_PROXY: "1", ...env }, clock: () => started });
  stops.push(server.stop);
  return server;
}

/** Whether a socket from this address is admitted; it stays open. */
async function isLetIn(server: RealtimeServer, address: string): Promise<boolean> {
  return openClient(server, { headers: from(address) }).then(
    () => true,
    (error: Error) => {
      expect(error.message).toContain("429");
      return false;
    },
  );
}

test.each(NETWORKS)(
  "RT-19 connections of one client are counted together: %s and %s, not %s",
  async (first, second, other) => {
    const server = await realtime({ REALTIME_CONNECTIONS_PER_ADDRESS: "1" });
    expect(await isLetIn(server, first)).toBe(true);
    expect(await isLetIn(server, second)).toBe(false);
    expect(await isLetIn(server, other)).toBe(true);
  },
);

test.each(NETWORKS)(
  "RT-19 new connections per second are counted for one client: %s and %s, not %s",
  async (first, second, other) => {
    const server = await realtime({ REALTIME_CONNECTS_BURST: "1" });
    expect(await isLetIn(server, first)).toBe(true);
    expect(await isLetIn(server, second)).toBe(false);
    expect(await isLetIn(server, other)).toBe(true);
  },
);

test.each(NETWORKS)(
  "RT-28 broadcasts over HTTP are counted for one client: %s and %s, not %s",
  async (first, second, other) => {
    const server = await realtime({ REALTIME_POST_BURST: "1" });
    const post = async (address: string): Promise<number> => {
      const answer = await fetch(`${server.origin}/realtime/v1/api/broadcast`, {
        method: "POST",
        body: '{"messages":[]}',
        headers: {
          ...from(address),
          "content-type": "application/json",
          apikey: server.keys.anonKey,
        },
      });
      return answer.status;
    };
    expect(await post(first)).toBe(202);
    expect(await post(second)).toBe(429);
    expect(await post(other)).toBe(202);
  },
);

test.each(NETWORKS)(
  "SRV-20 requests to the table API are counted for one client: %s and %s, not %s",
  async (first, second, other) => {
    const server = await startAuthServer({
      env: { TRUST_PROXY: "1", TABLE_RATE_LIMIT: "1" },
      whole: true,
      still: true,
    });
    stops.push(server.close);
    const read = async (address: string): Promise<number> => {
      const headers = { ...from(address), apikey: server.anonKey };
      return (await fetch(`${server.url}/rest/v1/canvas_state`, { headers })).status;
    };
    expect(await read(first)).toBe(200);
    expect(await read(second)).toBe(429);
    expect(await read(other)).toBe(200);
  },
);

test.each(NETWORKS)(
  "AUTH-41 requests to the auth API are counted for one client: %s and %s, not %s",
  async (first, second, other) => {
    const server = await startAuthServer({
      env: { TRUST_PROXY: "1", GOTRUE_RATE_LIMIT_HEADER: "", GOTRUE_RATE_LIMIT_VERIFY: "1" },
      still: true,
    });
    stops.push(server.close);
    const verify = async (address: string): Promise<number> => {
      const headers = { ...from(address), "content-type": "application/json" };
      return (await server.call("/verify", { method: "POST", body: "{}", headers })).status;
    };
    expect(await verify(first)).toBe(400);
    expect(await verify(second)).toBe(429);
    expect(await verify(other)).toBe(400);
  },
);
