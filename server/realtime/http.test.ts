import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  openClient,
  startRealtime,
  type BareClient,
  type RealtimeServer,
} from "../../testing/servers/realtime.ts";

let server: RealtimeServer;
let listener: BareClient;
beforeAll(async () => {
  server = await startRealtime({ env: { REALTIME_PAYLOAD_BYTES: "5000" } });
  listener = await openClient(server);
  await listener.join("realtime:canvas-room");
});
afterAll(async () => {
  listener.close();
  await server.stop();
});

async function post(
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<[number, any]> {
  const answer = await fetch(`${server.origin}/realtime/v1/api/broadcast${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: { "content-type": "application/json", apikey: server.keys.anonKey, ...headers },
  });
  const text = await answer.text();
  return [answer.status, text === "" ? null : JSON.parse(text)];
}

const list = (...messages: unknown[]): string => JSON.stringify({ messages });
const message = { topic: "canvas-room", event: "e", payload: { n: 1 }, private: false };

describe("RT-28 broadcasts over HTTP", () => {
  test("RT-28 a list gets 202 and no body, and its messages are delivered", async () => {
    expect(await post("", list(message, { ...message, payload: "two" }))).toEqual([202, null]);
    const first = await listener.next((frame) => frame.event === "broadcast");
    expect(first.payload).toEqual({ type: "broadcast", event: "e", payload: { n: 1 } });
    const second = await listener.next((frame) => frame.event === "broadcast");
    expect(second.payload.payload).toBe("two");
  });

  test("RT-28 one message by its path passes the bytes on", async () => {
    const body = '{ "n": 1.0 }';
    expect(await post("/canvas-room/events/a%20b", body)).toEqual([202, null]);
    const frame = await listener.next((one) => one.event === "broadcast");
    expect([frame.payload.event, frame.bytes?.toString()]).toEqual(["a b", body]);
    const type = { "content-type": "application/octet-stream" };
    expect(await post("/canvas-room/events/raw", Buffer.from([0, 255]), type)).toEqual([202, null]);
    expect((await listener.next((one) => one.event === "broadcast")).bytes).toEqual(
      Buffer.from([0, 255]),
    );
  });

  test("RT-28 without a key or with a wrong one: 401", async () => {
    const unauthorized = [401, { message: "Unauthorized" }];
    expect(await post("", list(message), { apikey: "" })).toEqual(unauthorized);
    expect(await post("", list(message), { apikey: "wrong" })).toEqual(unauthorized);
    expect(await post("", list(message), { authorization: "Bearer a.b.c" })).toEqual(unauthorized);
    expect(await post("/a/events/b", "{}", { apikey: "" })).toEqual(unauthorized);
  });

  test("RT-28 malformed content gets a 422 that names the field", async () => {
    const blank = { errors: { messages: ["can't be blank"] } };
    const deep = `{"messages":[{"topic":"a","event":"b","payload":${"[".repeat(2_000_000)}`;
    for (const body of ["{", "null", "[]", "5", '{"messages":{}}'])
      expect(await post("", body)).toEqual([422, blank]);
    expect((await post("", deep.slice(0, 60_000)))[0]).toBe(422);
    expect(
      await post("", list(message, 5, {}, { topic: 5, event: "", payload: 1, private: "x" })),
    ).toEqual([
      422,
      {
        errors: {
          messages: [
            {},
            { message: ["is invalid"] },
            {
              topic: ["can't be blank"],
              event: ["can't be blank"],
              payload: ["can't be blank"],
            },
            { topic: ["is invalid"], event: ["can't be blank"], private: ["is invalid"] },
          ],
        },
      },
    ]);
    expect(await post("", list({ ...message, payload: "x".repeat(5000) }))).toEqual([
      422,
      { errors: { messages: [{ payload: ["Payload size exceeds the limit"] }] } },
    ]);
    expect(await post("", list(...Array.from({ length: 101 }, () => message)))).toEqual([
      422,
      { errors: { messages: ["should have at most 100 item(s)"] } },
    ]);
    expect(await post("/canvas-room/events/e", "{")).toEqual([
      422,
      { errors: { payload: ["is invalid"] } },
    ]);
    expect((await post("/%ff/events/b", "{}"))[0]).toBe(400);
    for (const path of ["/a", "/a/b/c", "/a/events/b/c"])
      expect((await post(path, "{}"))[0]).toBe(404);
    expect((await post(`/${"t".repeat(246)}/events/e`, "{}"))[0]).toBe(202);
    expect(await post(`/${"t".repeat(247)}/events/e`, "{}")).toEqual([
      422,
      { errors: { topic: ["is invalid"] } },
    ]);
  });

  test("RT-28 another content type: 415; a body beyond the limit: 413", async () => {
    const unsupported = [415, { message: "Unsupported Media Type" }];
    const text = { "content-type": "text/plain" };
    expect(await post("", list(message), text)).toEqual(unsupported);
    expect(await post("/canvas-room/events/e", "x", text)).toEqual(unsupported);
    const binary = { "content-type": "application/octet-stream" };
    expect(await post("", list(message), binary)).toEqual(unsupported);
    expect((await post("", "x".repeat(80_000)))[0]).toBe(413);
  });

  test("RT-28 a body of another content type does not hold up the next request of its connection", async () => {
    const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
    const body = "x".repeat(300_000);
    const head = ["Host: x", `apikey: ${server.keys.anonKey}`, "Content-Type: text/plain"];
    const post = ["POST /realtime/v1/api/broadcast HTTP/1.1", ...head];
    socket.write([...post, `Content-Length: ${body.length}`, "", body].join("\r\n"));
    socket.write("GET /realtime/v1/websocket HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let received = "";
    for await (const chunk of socket) received += String(chunk);
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 415", "HTTP/1.1 426"]);
  });

  test("RT-28 to a private channel only by those who may enter it, with the same response", async () => {
    const access_token = await server.token("authenticated");
    const inside = await openClient(server);
    await inside.join("realtime:canvas-room", { private: true }, { access_token });
    const secret = { ...message, private: true };
    expect(await post("", list({ ...secret, event: "anon" }))).toEqual([202, null]);
    expect(await post("/canvas-room/events/anon?private=true", "{}")).toEqual([202, null]);
    const authorization = `Bearer ${access_token}`;
    expect(await post("", list({ ...secret, event: "user" }), { authorization })).toEqual([
      202,
      null,
    ]);
    const first = await inside.next((frame) => frame.event === "broadcast");
    expect(first.payload.event).toBe("user");
    await listener.settled();
    expect(listener.frames.some((frame) => frame.payload?.event === "user")).toBe(false);
    inside.close();
  });

  test("RT-28 too many of one address: 429", async () => {
    const strict = await startRealtime({
      env: { REALTIME_POST_BURST: "2" },
      clock: () => 1_800_000_000_000,
    });
    const statuses = [];
    for (let n = 0; n < 3; n++) {
      const answer = await fetch(`${strict.origin}/realtime/v1/api/broadcast`, {
        method: "POST",
        body: list(message),
        headers: { "content-type": "application/json", apikey: strict.keys.anonKey },
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([202, 202, 429]);
    await strict.stop();
  });
});

test("a plain request to the socket's path gets a 426 that asks for a handshake", async () => {
  const answer = await fetch(`${server.origin}/realtime/v1/websocket`);
  expect([answer.status, await answer.json()]).toEqual([
    426,
    { error: "Expected a WebSocket handshake" },
  ]);
});

test("SRV-5 when the server stops, sockets are closed with code 1001, and one that does not reply is cut", async () => {
  const stopping = await startRealtime();
  const polite = await openClient(stopping);
  const deaf = await openClient(stopping);
  deaf.socket.pause();
  await polite.join("realtime:canvas-room");
  await stopping.stop();
  expect(await polite.closed).toEqual({ code: 1001, reason: "Server is stopping" });
  deaf.socket.resume();
  await deaf.closed;
});
