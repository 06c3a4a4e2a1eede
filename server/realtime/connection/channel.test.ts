import { expect, test } from "vitest";
import { openClient, startRealtime } from "../../../testing/servers/realtime.ts";
import { createLocalCluster } from "../../cluster/local.ts";
import { parseJoin } from "../payloads/join.ts";
import { parseRealtimeSettings } from "../settings/settings.ts";
import { Hub } from "../topic/hub.ts";
import { Channel, type AcceptedJoin, type ChannelConnection } from "./channel.ts";
import { makeRates } from "./environment.ts";

test("RT-50 a channel whose role changes while it subscribes learns when it has subscribed", async () => {
  let release = (): void => {};
  const asked = new Promise<void>((resolve) => (release = resolve));
  const server = await startRealtime({ readable: () => asked.then(() => ["id"]) });
  const client = await openClient(server);
  const topic = "realtime:canvas-room";
  const changes = { event: "*", schema: "public", table: "canvas_state" };
  const joinRef = await client.join(topic, { postgres_changes: [changes] });
  const token = await server.token("authenticated");
  client.push(topic, "access_token", { access_token: token }, joinRef);
  await client.settled();
  release();
  const said = () =>
    client.frames.filter(({ event }) => event === "system").map(({ payload }) => payload.message);
  await expect.poll(said).toEqual(["Subscribed to PostgreSQL"]);
  client.push(topic, "access_token", { access_token: server.keys.anonKey }, joinRef);
  await client.settled();
  await client.settled();
  expect(said()).toHaveLength(1);
  client.close();
  await server.stop();
});

test("RT-32 a channel whose client is disconnected by the reply to its join waits for no presences", () => {
  const parsed = parseRealtimeSettings({});
  const parsedJoin = parseJoin({ config: { presence: { summary: true } } });
  if (!parsed.ok || !parsedJoin.ok) throw new Error("the defaults are wrong");
  const { settings } = parsed;
  const asked: string[] = [];
  const connection = {
    environment: {
      hub: new Hub({ settings, cluster: createLocalCluster() }),
      rates: makeRates(settings.limits),
      clock: () => 0,
      names: { uuid: () => "a page", ref: () => "a ref" },
      drawers: { access: { locked: false } },
    },
    writer: {
      // As where more waits for the client than it may leave unread.
      reply: () => channel.detach(),
      stateWait: () => asked.push("state"),
      send: (address: { readonly event: string }) => asked.push(address.event),
    },
  };
  const message = { topic: "realtime:a", event: "phx_join", joinRef: "1", ref: "1" };
  const join = { message, request: parsedJoin.join, credential: { token: null, claims: {} } };
  const accepted = join as unknown as AcceptedJoin;
  const channel = new Channel(connection as unknown as ChannelConnection, accepted, () =>
    asked.push("left"),
  );
  channel.welcome(accepted);
  expect(asked).toEqual(["left"]);
});
