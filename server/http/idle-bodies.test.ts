import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { IncomingMessage } from "node:http";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { endIdleBodies } from "./idle-bodies.ts";

const PAUSE = 5_000;

/** A server whose time passes when the test decides. */
async function start() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const app = Fastify();
  onTestFinished(async () => {
    vi.useRealTimers();
    await app.close();
  });
  endIdleBodies(app, PAUSE);
  let received: IncomingMessage | null = null;
  app.addHook("onRequest", async ({ raw }) => void (received = raw));
  app.post("/", async ({ body }) => ({ length: String(body).length }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  let sent = 0;
  const write = async (socket: Socket, text: string): Promise<void> => {
    socket.write(text);
    sent += text.length;
    await expect.poll(() => received?.socket.bytesRead).toBe(sent);
  };
  const open = async (length: string, body: string): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    received = null;
    sent = 0;
    const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
    await write(socket, head + body);
    await expect.poll(() => received?.readableFlowing).toBe(true);
    return socket;
  };
  const pass = async (): Promise<void> => {
    vi.advanceTimersByTime(PAUSE);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { open, write, pass };
}

test("SRV-19 a body of which next to nothing arrives ends its connection, in chunks or announced", async () => {
  const { open, pass } = await start();
  for (const [length, body] of [
    ["transfer-encoding: chunked", "1\r\n{\r\n"],
    ["content-length: 100", "{"],
    ["content-length: 100", ""],
  ] as const) {
    const socket = await open(length, body);
    const closed = once(socket.resume(), "close");
    await pass();
    await closed;
  }
});

test("SRV-19 a body that makes progress is received, however slowly", async () => {
  const { open, write, pass } = await start();
  const socket = await open("content-length: 20002", '"');
  const answered = once(socket, "data");
  for (let n = 0; n < 10; n++) {
    await write(socket, "x".repeat(2_000));
    await pass();
  }
  socket.write('"');
  expect(String((await answered)[0])).toContain('{"length":20000}');
});
