import { expect, test } from "vitest";
import { openClient, startRealtime } from "../../../testing/servers/realtime.ts";

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
