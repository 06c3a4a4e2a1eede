import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import {
  makePush,
  openClient,
  startRealtime,
  type RealtimeServer,
} from "../../testing/servers/realtime.ts";

let server: RealtimeServer;
beforeAll(async () => {
  server = await startRealtime();
});
afterAll(() => server.stop());

const TOPIC = "realtime:canvas-room";
const deep = "[".repeat(200_000) + "]".repeat(200_000);

/** Returns the status and the JSON of a refused handshake. */
function refused(query: string, path = "/realtime/v1/websocket"): Promise<[number, unknown]> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}?${query}`);
    socket.on("error", () => {});
    socket.on("open", () => reject(new Error("it was let in")));
    socket.on("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk) => (body += String(chunk)));
      response.on("end", () => resolve([response.statusCode ?? 0, JSON.parse(body)]));
    });
  });
}

test("RT-11 a refused handshake is an HTTP response with the reason", async () => {
  const { keys } = server;
  const error = (text: string) => ({ error: text });
  const expired = await server.token("anon", -10);
  const roleless = await keys.sign({ exp: 4_000_000_000 } as never);
  const forged = `${keys.anonKey.slice(0, -10)}AAAAAAAAAA`;
  expect(await refused("vsn=2.0.0")).toEqual([401, error("API key is missing")]);
  expect(await refused(`apikey=${expired}`)).toEqual([401, error("Token has expired")]);
  expect(await refused(`apikey=${roleless}`)).toEqual([
    401,
    error("Fields `role` and `exp` are required in JWT"),
  ]);
  expect(await refused("apikey=nonsense")).toEqual([
    401,
    error("The token provided is not a valid JWT"),
  ]);
  expect(await refused(`apikey=${forged}`)).toEqual([
    401,
    error("Failed to validate JWT signature"),
  ]);
  expect(await refused(`apikey=${keys.anonKey}&vsn=3.0.0`)).toEqual([
    400,
    error("Unsupported vsn; expected 1.0.0 or 2.0.0"),
  ]);
  expect(await refused(`apikey=${keys.anonKey}`, "/elsewhere")).toEqual([404, error("Not found")]);
});

test("a peer that goes away in the middle of a handshake, or sends rubbish, harms no other client", async () => {
  for (const text of [
    "GET /realtime/v1/websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    `GET /realtime/v1/websocket?apikey=${server.keys.anonKey} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    "GET //[::/?% HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  ]) {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    await new Promise((resolve) => socket.write(text, resolve));
    socket.resetAndDestroy();
  }
  const client = await openClient(server);
  const heartbeat = client.push("phoenix", "heartbeat", {});
  expect(await client.reply(heartbeat)).toMatchObject({ status: "ok" });
  client.close();
});

describe.each([1, 2] as const)("hostile frames, vsn %d.0.0", (vsn) => {
  const rubbish: readonly (string | Buffer)[] = [
    "",
    "not json",
    "null",
    "5",
    '"text"',
    "{}",
    "[]",
    "[1,2,3,4,5]",
    '[null,null,"phoenix",5,{}]',
    '[null,{"a":1},"phoenix","heartbeat",{}]',
    '{"topic":"phoenix","event":["heartbeat"],"payload":{},"ref":"1"}',
    '{"topic":5,"event":"phx_join"}',
    '{"__proto__":{"topic":"phoenix"},"event":"heartbeat"}',
    "[null,null,null,null,null,null]",
    deep,
    Buffer.alloc(0),
    Buffer.from([3]),
    Buffer.from([9, 0, 0, 0, 0, 0, 0]),
    Buffer.from([3, 255, 255, 255, 255, 255, 1]),
    Buffer.from([3, 0, 0, 1, 0, 0, 1, 65]),
    makePush({ topic: TOPIC, event: "x", encoding: 7, payload: "{}" }),
  ];

  test("RT-12 a malformed frame is dropped and logged without its content, and the connection kept", async () => {
    const client = await openClient(server, { vsn });
    const logged = server.log.length;
    for (const frame of rubbish) client.send(frame);
    await client.settled();
    expect(client.frames.length).toBe(1);
    const lines = server.log.slice(logged).filter((line) => line.includes("dropped"));
    expect(lines.length).toBe(5);
    expect(lines.join("")).not.toContain("heartbeat");
    expect(({} as Record<string, unknown>)["topic"]).toBeUndefined();
    client.close();
  });

  test("RT-60 a join that wants broadcasts of before it is refused, in the words of the hosted service", async () => {
    const service = await openClient(server, { vsn, apikey: server.keys.serviceKey });
    const replayed = async (replay: object): Promise<string> => {
      const payload = { config: { private: true, broadcast: { replay } } };
      const { response } = await service.reply(service.push(TOPIC, "phx_join", payload));
      return response.reason;
    };
    const malformed = [{}, { since: "0" }, { since: 0, limit: "1" }];
    expect(await replayed({ since: 0 })).toBe(
      "UnableToReplayMessages: Realtime was unable to replay messages",
    );
    for (const replay of malformed)
      expect(await replayed(replay)).toBe("UnableToReplayMessages: Replay params are not valid");
    service.close();
  });

  test("RT-16 a join that is not as it should be is refused with its code", async () => {
    const client = await openClient(server, { vsn });
    const reason = async (topic: string, payload: unknown): Promise<string> => {
      const { status, response } = await client.reply(client.push(topic, "phx_join", payload));
      expect(status).toBe("error");
      return response.reason;
    };
    const name =
      "TopicNameRequired: You must provide a topic name of 1 to 246 bytes after realtime:";
    expect(await reason("realtime:", {})).toBe(name);
    expect(await reason(`realtime:${"é".repeat(124)}`, {})).toBe(name);
    expect(await reason(TOPIC, { config: { private: true } })).toBe(
      "Unauthorized: You do not have permissions to read from this Channel topic: canvas-room",
    );
    expect(await reason(TOPIC, { config: { broadcast: { replay: { since: 0 } } } })).toBe(
      "UnableToReplayMessages: Replay is not allowed for public channels",
    );
    for (const access_token of ["nonsense", ""])
      expect(await reason(TOPIC, { access_token })).toBe(
        "MalformedJWT: The token provided is not a valid JWT",
      );
    expect(await reason(TOPIC, { access_token: await server.token("anon", -5) })).toBe(
      "InvalidJWTToken: Token has expired",
    );
    expect(
      await reason(TOPIC, { access_token: `${server.keys.anonKey.slice(0, -9)}AAAAAAAAA` }),
    ).toBe("JwtSignatureError: Failed to validate JWT signature");
    for (const [payload, text] of [
      ["text", "payload must be a map"],
      [{ config: [] }, "config must be a map"],
      [{ config: { private: "maybe" } }, "private must be a boolean"],
      [{ config: { presence: { key: 5 } } }, "presence.key must be a text"],
      [
        { config: { presence: { key: "k".repeat(256) } } },
        "presence.key must have at most 255 bytes",
      ],
      [{ config: { postgres_changes: {} } }, "postgres_changes must be a list of at most 100"],
      [
        { config: { postgres_changes: [{ table: "canvas_state", filter: " ".repeat(4_096) }] } },
        "postgres_changes must have at most 4096 bytes",
      ],
      [{ config: { postgres_changes: [5] } }, "a postgres_changes entry must be a map"],
      [{ access_token: 5 }, "access_token must be a text"],
    ] as const)
      expect(await reason(TOPIC, payload)).toBe(`InvalidJoinPayload: ${text}`);
    await client.join(TOPIC, {}, { access_token: "sb_publishable_abc" });
    client.close();
  });

  test("a broadcast without an event, and one that is nested deeply, harm no client", async () => {
    const client = await openClient(server, { vsn });
    const other = await openClient(server, { vsn: 1 });
    await other.join(TOPIC);
    const joinRef = await client.join(TOPIC, { broadcast: { self: true } });
    const malformed = "A broadcast needs an event of 1 to 255 bytes and a payload";
    for (const payload of [null, 5, {}, { event: 5 }, { event: "" }, { event: "é".repeat(128) }])
      expect(await client.reply(client.push(TOPIC, "broadcast", payload, joinRef))).toEqual({
        status: "error",
        response: { reason: malformed },
      });
    const nested = (depth: number): string =>
      `{"event":"deep","payload":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    for (const depth of [100_000, 900])
      client.send(
        vsn === 2
          ? `["${joinRef}",null,"${TOPIC}","broadcast",${nested(depth)}]`
          : `{"topic":"${TOPIC}","event":"broadcast","payload":${nested(depth)}}`,
      );
    const got = await other.next((frame) => frame.event === "broadcast");
    expect(JSON.stringify(got.payload.payload).length).toBe(1_800);
    await client.settled();
    for (const one of [client, other]) one.close();
  });
});

test("RT-8 a v2 payload that is not valid JSON does not reach v1 clients, and forges nothing", async () => {
  const v1 = await openClient(server, { vsn: 1 });
  const sender = await openClient(server);
  await v1.join(TOPIC);
  const joinRef = await sender.join(TOPIC);
  const send = (event: string, payload: Buffer | string) =>
    sender.send(makePush({ topic: TOPIC, event, joinRef, payload }));
  send("a", '{}},"event":"system","payload":{"status":"error"}');
  send("b", '{"x":1} {"y":2}');
  send("c", Buffer.from([0x22, 0xff, 0xfe, 0x22]));
  send("d", "");
  send("last", "{}");
  const first = await v1.next(
    (frame) => frame.event !== "phx_reply" && frame.event !== "presence_state",
  );
  expect(first.payload).toEqual({ event: "last", payload: {}, type: "broadcast" });
  for (const client of [v1, sender]) client.close();
});

describe("RT-12 messages of 16 MB that would be many values", () => {
  const many = `[${"{},".repeat(5_000_000)}{}]`;

  /** Returns a function that counts the greatest number of characters in one call of JSON.parse. */
  function longestParsed(): () => number {
    let longest = 0;
    const { parse } = JSON;
    const spy = vi.spyOn(JSON, "parse").mockImplementation((text: string, reviver) => {
      longest = Math.max(longest, text.length);
      return parse(text, reviver);
    });
    onTestFinished(() => spy.mockRestore());
    return () => longest;
  }

  test.each([1, 2] as const)("RT-12 as a text of vsn %d.0.0: nothing is parsed", async (vsn) => {
    const client = await openClient(server, { vsn });
    const joinRef = await client.join(TOPIC);
    const longest = longestParsed();
    let refs = 0;
    const push = (topic: string, event: string): Promise<unknown> => {
      const ref = `r${++refs}`;
      const payload = `{"event":"e","payload":${many}}`;
      client.send(
        vsn === 2
          ? `["${joinRef}","${ref}","${topic}","${event}",${payload}]`
          : `{"topic":"${topic}","event":"${event}","payload":${payload},"ref":"${ref}","join_ref":"${joinRef}"}`,
      );
      return client.reply(ref);
    };
    for (const [topic, event, reason] of [
      ["realtime:x", "presence", "unmatched topic"],
      ["realtime:x", "broadcast", "unmatched topic"],
      [TOPIC, "presence", "A message that is no broadcast has at most 64 KB and 4096 members"],
      [
        TOPIC,
        "broadcast",
        "canvas_json_size_check: Canvas data too large (14.31MB). Maximum is 10MB.",
      ],
    ] as const)
      expect(await push(topic, event)).toEqual({ status: "error", response: { reason } });
    expect(longest()).toBeLessThanOrEqual(65_536);
    client.close();
  });

  test("RT-12 over HTTP: nothing is parsed, and without a key the body is not received", async () => {
    const longest = longestParsed();
    const post = async (path: string, body: string, apikey = server.keys.anonKey) => {
      const url = `${server.origin}/realtime/v1/api/broadcast${path}`;
      const headers = { apikey, "content-type": "application/json" };
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    expect(await post("/x/events/e", many)).toBe(422);
    expect(await post("", `{"messages":${many}}`)).toBe(422);
    expect(await post("", `{"messages":[${many.slice(0, 9_000_000)}]]}`)).toBe(422);
    expect(longest()).toBeLessThanOrEqual(65_536);
    expect(await unread("nonsense")).toBe(401);
    expect(await unread(server.keys.anonKey)).toBe("nothing yet");
  });

  /** Returns the status of a response to a body of which nothing is sent, which arrives once others were served. */
  async function unread(apikey: string): Promise<number | string> {
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    let text = "";
    const answered = new Promise((resolve) => socket.on("data", (data) => resolve((text += data))));
    const head = `POST /realtime/v1/api/broadcast/x/events/e HTTP/1.1\r\nHost: x\r\napikey: ${apikey}\r\ncontent-type: application/json\r\ncontent-length: 9000000\r\n\r\n`;
    await new Promise((resolve) => socket.write(head, resolve));
    if (apikey === "nonsense") await answered;
    else expect((await fetch(`${server.origin}/realtime/v1/websocket`)).status).toBe(426);
    return text === "" ? "nothing yet" : Number(text.split(" ")[1]);
  }
});

test("RT-21 a frame beyond the limit closes the connection with code 1009", async () => {
  const client = await openClient(server);
  client.send(Buffer.alloc(16_842_753));
  expect(await client.closed).toMatchObject({ code: 1009 });
  expect(server.app.realtimeStats().closes).toMatchObject({ frameTooLarge: 1 });
});

test("text that is not UTF-8 closes the connection with code 1007, and others go on", async () => {
  const client = await openClient(server);
  const other = await openClient(server);
  client.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
  expect(await client.closed).toMatchObject({ code: 1007 });
  expect(server.app.realtimeStats().closes).toMatchObject({ protocol: 1 });
  await other.settled();
  other.close();
});
