/** Tests the bytes sent against the bytes received, where clients make the server send presences. */

import { createClient } from "@supabase/supabase-js";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  openClient,
  startRealtime,
  type BareClient,
  type RealtimeServer,
} from "../../../testing/servers/realtime.ts";

const TOPIC = "realtime:canvas-room";

let server: RealtimeServer | undefined;
afterEach(() => server?.stop());

interface TcpSocket {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Returns the TCP socket under a client's WebSocket. */
const tcp = (client: BareClient): TcpSocket =>
  (client.socket as unknown as { _socket: TcpSocket })._socket;

async function track(client: BareClient, joinRef: string, payload: object): Promise<void> {
  const message = { type: "presence", event: "track", payload };
  expect((await client.reply(client.push(TOPIC, "presence", message, joinRef))).status).toBe("ok");
}

/** Returns the number of presences that a client was sent. */
const known = ({ frames }: BareClient): number =>
  new Set(
    frames
      .filter(({ event }) => event.startsWith("presence_"))
      .flatMap(({ event, payload }) =>
        Object.keys(event === "presence_diff" ? payload.joins : payload),
      ),
  ).size;

/** Opens connections that track so many bytes each, under keys of their own. */
async function fill(
  to: RealtimeServer,
  count: number,
  bytes: number,
): Promise<readonly BareClient[]> {
  const tracking: BareClient[] = [];
  for (let n = 0; n < count; n++) {
    const client = await openClient(to);
    const joinRef = await client.join(TOPIC, { presence: { key: `k${n}` } });
    await track(client, joinRef, { text: "x".repeat(bytes) });
    tracking.push(client);
  }
  return tracking;
}

test("RT-2 five sockets that join again and again among 60 presences of 20 KB are sent each state once", async () => {
  const now = Date.now();
  // The clock stands still, so no limit of a connection refills.
  server = await startRealtime({
    clock: () => now,
    env: { REALTIME_PRESENCE_OUT_BURST: "1000000000", REALTIME_PRESENCE_BYTES: "24000" },
  });
  const tracking = await fill(server, 60, 20_000);
  await expect.poll(() => tracking.every((one) => known(one) === 60)).toBe(true);
  const clients = await Promise.all(Array.from({ length: 5 }, () => openClient(server!)));
  const before = server.app.realtimeStats();
  const rejoin = async (client: BareClient): Promise<void> => {
    for (let n = 0; n < 56; n++) await client.join(TOPIC, { presence: { enabled: true } });
    await client.settled();
  };
  await Promise.all(clients.map(rejoin));
  const bytesIn = clients.reduce((sum, client) => sum + tcp(client).bytesWritten, 0);
  const bytesOut = clients.reduce((sum, client) => sum + tcp(client).bytesRead, 0);
  const states = clients.flatMap(({ frames }) =>
    frames.filter((f) => f.event === "presence_state"),
  );
  const after = server.app.realtimeStats();
  expect(states.length).toBe(5);
  expect(Object.keys(states[0]!.payload).length).toBe(60);
  const state = (after.presenceBytes - before.presenceBytes) / 5;
  expect(state).toBeGreaterThan(1_200_000);
  expect(after.presenceEncodes - before.presenceEncodes).toBe(1);
  // These are the states, and a reply and a close for each join.
  expect(bytesOut).toBeLessThan(5 * state + 4 * bytesIn);
  for (const client of [...clients, ...tracking]) client.close();
});

test("RT-2 a state that had to wait is the newest one, and comes for the last join only", async () => {
  server = await startRealtime({
    env: { REALTIME_PRESENCE_STATE_BURST: "1000", REALTIME_PRESENCE_STATE_PER_SECOND: "20000" },
  });
  const [first] = await fill(server, 1, 4000);
  const client = await openClient(server);
  const states = () => client.frames.filter((frame) => frame.event === "presence_state");
  await client.join(TOPIC);
  expect(states().length).toBe(1);
  await client.join(TOPIC);
  const last = await client.join(TOPIC);
  const [second] = [await openClient(server)];
  await track(second, await second.join(TOPIC, { presence: { key: "late" } }), { n: 1 });
  await expect.poll(() => states().length).toBe(2);
  expect(states()[1]!.joinRef).toBe(last);
  expect(Object.keys(states()[1]!.payload).toSorted()).toEqual(["k0", "late"]);
  for (const one of [first!, second, client]) one.close();
});

test("RT-13 the client library sees sync, join and leave, also when its state had to wait", async () => {
  server = await startRealtime({
    env: { REALTIME_PRESENCE_STATE_BURST: "1000", REALTIME_PRESENCE_STATE_PER_SECOND: "10000" },
  });
  const [other] = await fill(server, 1, 4000);
  const library = createClient(server.origin, server.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
  const events: string[] = [];
  const open = async (): Promise<ReturnType<typeof library.channel>> => {
    const channel = library.channel("canvas-room", { config: { presence: { key: "me" } } });
    channel
      .on("presence", { event: "sync" }, () => events.push("sync"))
      .on("presence", { event: "join" }, ({ key }) => events.push(`join ${key}`))
      .on("presence", { event: "leave" }, ({ key }) => events.push(`leave ${key}`));
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => status === "SUBSCRIBED" && resolve());
    });
    await channel.track({ online_at: "now" });
    return channel;
  };
  await library.removeChannel(await open());
  const channel = await open();
  await expect.poll(() => Object.keys(channel.presenceState()).toSorted()).toEqual(["k0", "me"]);
  other!.close();
  await expect.poll(() => events).toContain("leave k0");
  expect(Object.keys(channel.presenceState())).toEqual(["me"]);
  expect(events).toContain("sync");
  expect(events).toContain("join me");
  await library.removeAllChannels();
});
