/** Tests the time between the signal and the stop: sockets are closed one after the other, and their clients return. */

import { createClient } from "@supabase/supabase-js";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openClient, startRealtime, type RealtimeServer } from "../../testing/servers/realtime.ts";

const TOPIC = "realtime:canvas-room";

let server: RealtimeServer | undefined;
afterEach(() => server?.stop());

test("SRV-43 a drain closes the sockets one after the other, and lets new ones in", async () => {
  server = await startRealtime();
  const clients = await Promise.all(Array.from({ length: 10 }, () => openClient(server!)));
  const order: number[] = [];
  const closed = clients.map(async (client, n) => {
    expect(await client.closed).toEqual({ code: 1001, reason: "Server is stopping" });
    order.push(n);
  });
  const over = server.drain.begin(400);
  const fresh = await openClient(server);
  await fresh.join(TOPIC);
  await Promise.race(closed);
  expect(order.length).toBeLessThan(10);
  await Promise.all([...closed, over]);
  await expect.poll(() => server!.app.realtimeStats().connections).toBe(1);
  await fresh.settled();
  fresh.close();
});

test("SRV-43 a client of the library whose socket a drain closes joins again by itself", async () => {
  server = await startRealtime();
  const library = createClient(server.origin, server.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never, reconnectAfterMs: () => 50 },
  });
  let joins = 0;
  const channel = library.channel("canvas-room");
  channel.subscribe((status) => void (status === "SUBSCRIBED" && joins++));
  await expect.poll(() => joins).toBe(1);
  await server.drain.begin(100);
  await expect.poll(() => joins).toBe(2);
  expect(channel.state).toBe("joined");
  await library.removeAllChannels();
});
