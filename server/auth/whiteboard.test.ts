import { afterAll, beforeAll, expect, test } from "vitest";
import { person } from "../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ whole: true });
});

afterAll(() => server.close());

const DRAWING = { version: "7.4.0", objects: [] };

test("KEY-9 a user's token works in the table API and on the socket as authenticated, and the whiteboard stays open without one", async () => {
  const someone = await person(server);
  const saved = await someone.client
    .from("canvas_state")
    .insert({ canvas_json: DRAWING })
    .select()
    .single();
  expect(saved.error).toBeNull();
  const read = await server.client().from("canvas_state").select("*").limit(1).single();
  expect(read.data).toMatchObject({ canvas_json: DRAWING });
  const open = await server
    .client()
    .from("canvas_state")
    .update({ canvas_json: DRAWING })
    .eq("id", String(read.data?.["id"]));
  expect(open.error).toBeNull();

  const channel = someone.client.channel("canvas-room");
  const status = await new Promise<string>((resolve) => channel.subscribe((now) => resolve(now)));
  expect(status).toBe("SUBSCRIBED");
  await someone.client.removeAllChannels();
});

test("a forged or expired token opens neither", async () => {
  const someone = await person(server);
  const { access_token: token } = await someone.session();
  const ask = (bearer: string): Promise<Response> =>
    fetch(`${server.url}/rest/v1/canvas_state?select=id&limit=1`, {
      headers: { apikey: server.anonKey, authorization: `Bearer ${bearer}` },
    });
  expect((await ask(token)).status).toBe(200);
  const forged = `${token.slice(0, -8)}${token.endsWith("AAAAAAAA") ? "BBBBBBBB" : "AAAAAAAA"}`;
  expect((await ask(forged)).status).toBe(401);
  server.advance(3_601_000);
  expect((await ask(token)).status).toBe(401);
});
