import { connect } from "node:net";
import type { Socket } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import ws from "ws";
import { startServer } from "../../testing/server.ts";
import { callTable } from "../../testing/table-client.ts";

const SECRET = "a-secret-of-the-operator-with-more-than-32-characters";

test("TAB-21 more requests than TABLE_RATE_LIMIT in a minute get 429 and Retry-After", async () => {
  const server = await startServer({ env: { TABLE_RATE_LIMIT: "3" } });
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent++)
    statuses.push((await callTable(server, "canvas_state")).status);
  expect(statuses).toEqual([200, 200, 200]);
  const refused = await callTable(server, "canvas_state");
  expect([refused.status, refused.json]).toMatchObject([429, { code: "over_request_rate_limit" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.stop();
});

test("TAB-22 the key check guards every path of the table API, and a user's token has its role", async () => {
  const server = await startServer({ env: { GOTRUE_JWT_SECRET: SECRET } });
  const nobody = { url: server.url, anonKey: "" };
  for (const path of ["canvas_state", "nothing", "rpc/x", ""]) {
    const missing = await callTable(nobody, path);
    expect([path, missing.status, missing.json]).toEqual([
      path,
      401,
      {
        message: "No API key found in request",
        hint: "No `apikey` request header or url param was found.",
      },
    ]);
    const wrong = await callTable({ url: server.url, anonKey: "wrong" }, path);
    expect([wrong.status, wrong.json]).toEqual([
      401,
      { message: "Invalid API key", hint: "Double check your Supabase `apikey`" },
    ]);
  }
  const inQuery = await fetch(`${server.url}/rest/v1/canvas_state?apikey=${server.anonKey}`);
  expect([inQuery.status, await inQuery.json()]).toEqual([200, []]);
  const bad = await callTable(server, "canvas_state", {
    headers: { authorization: "Bearer nonsense" },
  });
  expect([bad.status, bad.json]).toMatchObject([401, { code: "PGRST301" }]);

  const token = await new SignJWT({ role: "authenticated", sub: "someone" })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(SECRET));
  const user = createClient(server.url, server.anonKey, {
    accessToken: async () => token,
    realtime: { transport: ws as never },
  });
  const inserted = await user
    .from("canvas_state")
    .insert({ canvas_json: {} })
    .select("id")
    .single();
  expect(inserted.error).toBeNull();
  const { id } = inserted.data as { id: string };
  expect((await user.from("canvas_state").delete().eq("id", id).select()).data).toEqual([]);
  await server.stop();
});

test("TAB-23 one address may have four large bodies on their way; more get 503, small ones pass", async () => {
  const server = await startServer({ env: { TABLE_RATE_LIMIT: "0" } });
  const slow: Socket[] = [];
  for (let open = 0; open < 4; open++) slow.push(await beginUpload(server.port, server.anonKey));
  const large = JSON.stringify({ canvas_json: "x".repeat(2 * 1024 * 1024) });
  const refused = await callTable(server, "canvas_state", { method: "POST", body: large });
  expect([refused.status, refused.json]).toMatchObject([503, { code: "PGRST003" }]);
  const small = await callTable(server, "canvas_state", {
    method: "POST",
    body: '{"canvas_json":1}',
  });
  expect(small.status).toBe(201);
  for (const socket of slow) socket.destroy();
  const path = "canvas_state?canvas_json=not.is.null";
  const later = (): Promise<number> =>
    callTable(server, path, { method: "PATCH", body: large }).then(({ status }) => status);
  await expect.poll(later).toBe(204);
  await server.stop();
});

/** Announces 2 MB, waits until the server wants them, and sends nothing. */
function beginUpload(port: number, apikey: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", reject);
    socket.once("data", () => resolve(socket));
    socket.write(
      `POST /rest/v1/canvas_state HTTP/1.1\r\nhost: x\r\napikey: ${apikey}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2000000\r\n\r\n`,
    );
  });
}
