import { expect, test } from "vitest";
import { makePush, openClient, type BareClient } from "../../../testing/servers/realtime.ts";
import { startsServers } from "./start-bed.case.ts";

const start = startsServers();

const TOPIC = "realtime:canvas-room";

test("RT-26 a channel stops when its token expires, and when it is given a bad one", async () => {
  let now = 1_800_000_000_000;
  const server = await start({}, () => now);
  const stopped = async (client: BareClient): Promise<string> => {
    const system = await client.next((frame) => frame.event === "system");
    await client.next((frame) => frame.event === "phx_close");
    return system.payload.message;
  };
  const client = await openClient(server);
  const joinRef = await client.join(
    TOPIC,
    {},
    { access_token: await server.token("authenticated", 60) },
  );
  for (const access_token of [null, "sb_x", undefined, 5, await server.token("authenticated", 60)])
    client.push(TOPIC, "access_token", { access_token }, joinRef);
  await client.settled();
  expect(client.frames.some((frame) => frame.event === "system")).toBe(false);
  client.push(TOPIC, "access_token", { access_token: await server.token("anon", 100) }, joinRef);
  await client.settled();
  const witness = await openClient(server);
  await witness.join(TOPIC, {}, { access_token: await server.token("authenticated", 60) });
  now += 61_000;
  // Those whose token has expired are looked for together.
  expect(await stopped(witness)).toBe("Token has expired");
  await client.settled();
  expect(client.frames.some((frame) => frame.event === "system")).toBe(false);
  now += 40_000;
  await client.settled();
  expect(await stopped(client)).toBe("Token has expired");
  const again = await client.join(TOPIC);
  client.push(TOPIC, "access_token", { access_token: "nonsense" }, again);
  expect(await stopped(client)).toBe("The token provided is not a valid JWT");
});

test("RT-26 an empty token is a bad one", async () => {
  const server = await start({});
  const client = await openClient(server);
  const joinRef = await client.join(TOPIC);
  client.push(TOPIC, "access_token", { access_token: "" }, joinRef);
  const system = await client.next((frame) => frame.event === "system");
  expect(system.payload.message).toBe("The token provided is not a valid JWT");
  await client.next((frame) => frame.event === "phx_close");
});

test("RT-27 private channels are for signed-in users and the service key, apart from public ones", async () => {
  const server = await start({});
  const inside = await openClient(server);
  const service = await openClient(server, { apikey: server.keys.serviceKey });
  const outside = await openClient(server);
  const config = { private: true };
  const access_token = await server.token("authenticated");
  const joinRef = await inside.join(TOPIC, config, { access_token });
  const serviceRef = await service.join(TOPIC, config);
  await outside.join(TOPIC);
  service.push(TOPIC, "broadcast", { event: "secret", payload: {} }, serviceRef);
  await inside.next((frame) => frame.event === "broadcast");
  await outside.settled();
  expect(outside.frames.some((frame) => frame.event === "broadcast")).toBe(false);
  inside.push(TOPIC, "access_token", { access_token: server.keys.anonKey }, joinRef);
  const system = await inside.next((frame) => frame.event === "system");
  expect(system.payload.message).toBe(
    "You do not have permissions to read from this Channel topic",
  );
});

test("messages that come while a token is checked keep their order", async () => {
  const server = await start({});
  const client = await openClient(server);
  const other = await openClient(server);
  await other.join(TOPIC);
  const access_token = await server.token("authenticated");
  client.send(["1", "1", TOPIC, "phx_join", { access_token }]);
  for (let n = 0; n < 20; n++)
    client.send(makePush({ topic: TOPIC, event: "e", joinRef: "1", payload: String(n) }));
  await client.settled();
  const numbers = () =>
    other.frames
      .filter((frame) => frame.event === "broadcast")
      .map((frame) => frame.payload.payload);
  await expect.poll(() => numbers().length).toBe(20);
  expect(numbers()).toEqual(Array.from({ length: 20 }, (_, n) => n));
});
