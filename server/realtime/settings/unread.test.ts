/** Clients that read nothing, and what the server holds for them. */

import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openClient, type RealtimeServer } from "../../../testing/servers/realtime.ts";
import { startsServers } from "./start-bed.case.ts";

const TOPIC = "realtime:canvas-room";

const start = startsServers();

test("RT-32 connections of one address that hold more bytes than it may are closed", async () => {
  const server = await start({ REALTIME_HELD_BYTES_PER_ADDRESS: "1048576" });
  const half = await openSocket(server);
  const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0]);
  const closed = new Promise((resolve) => half.once("close", resolve));
  half.resume();
  half.write(Buffer.concat([head, Buffer.alloc(2_000_000)]));
  await closed;
  expect(server.log.some((line) => line.includes("Too many bytes waiting"))).toBe(true);
}, 30_000);

test("RT-32 connections of one address whose channels take more bytes than they may are closed", async () => {
  const server = await start({ REALTIME_HELD_BYTES_PER_ADDRESS: "1048576" });
  const few = await openClient(server);
  await few.join(TOPIC);
  const many = await openClient(server);
  const filter = Array.from({ length: 100 }, () => "version=lt.9").join();
  const config = { postgres_changes: [{ table: "canvas_state", filter }] };
  // It may be closed before the last reply.
  for (let n = 0; n < 40; n++) many.push(`realtime:${n}`, "phx_join", { config });
  expect((await many.closed).code).toBe(1006);
  expect(server.log.some((line) => line.includes("Too many bytes waiting"))).toBe(true);
  await few.settled();
});

/** A socket after the handshake, without a client's code. */
async function openSocket({ port, keys }: RealtimeServer): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `GET /realtime/v1/websocket?apikey=${keys.anonKey}&vsn=2.0.0 HTTP/1.1\r\nHost: x\r\n` +
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  await new Promise((resolve) => socket.once("data", resolve));
  return socket;
}

/** A text frame as a client sends it: masked with zeros, up to 65,535 bytes. */
function makeFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const short = payload.length < 126;
  const header = Buffer.alloc(short ? 6 : 8);
  header[0] = 0x81;
  header[1] = 0x80 | (short ? payload.length : 126);
  if (!short) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

test.each([
  [900, false],
  [1_500, true],
])(
  "RT-22 of %i frames that come with a join, while its token is checked, more than 1,000 close the connection: %s",
  async (count, closes) => {
    const server = await start({ REALTIME_MESSAGES_BURST: "10000" });
    const socket = await openSocket(server);
    const received: Buffer[] = [];
    socket.on("data", (data) => received.push(data));
    const text = (): string => Buffer.concat(received).toString("latin1");
    const until = async (part: string): Promise<void> => {
      while (!text().includes(part)) await new Promise((resolve) => socket.once("data", resolve));
    };
    const join = ["1", "1", TOPIC, "phx_join", { access_token: await server.token("anon", 60) }];
    const beat = makeFrame('[null,"2","phoenix","heartbeat",{}]');
    socket.write(
      Buffer.concat([
        makeFrame(JSON.stringify(join)),
        ...Array.from({ length: count }, () => beat),
      ]),
    );
    await until(closes ? "Too many malformed or unexpected frames" : "phx_reply");
    expect(text().includes("Too many malformed or unexpected frames")).toBe(closes);
    socket.destroy();
  },
);

test("RT-32 a client that reads none of the replies to its own messages is disconnected", async () => {
  const server = await start({
    REALTIME_MESSAGES_BURST: "1000000",
    REALTIME_BYTES_BURST: "100000000",
    REALTIME_QUEUE_BYTES: "100000",
  });
  const socket = await openSocket(server);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  // The longest ref makes the longest replies, so that the fewest frames are enough.
  const beat = makeFrame(JSON.stringify([null, "2".repeat(255), "phoenix", "heartbeat", {}]));
  const beats = Buffer.concat(Array.from({ length: 1_000 }, () => beat));
  socket.pause();
  // The kernel keeps some megabytes of replies before the server's queue grows.
  for (let sent = 0; sent < 250 && socket.writable; sent++)
    await new Promise<void>((resolve) => {
      if (!socket.writable) return resolve();
      socket.write(beats, () => resolve());
    });
  socket.resume();
  await closed;
}, 60_000);
