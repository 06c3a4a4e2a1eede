import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { discardRefusedBodies } from "./refused-bodies.ts";

const LENGTH = 3_000_000;

/** Returns a connection on which a body that is too large was announced, and half of it sent. */
async function startBody(): Promise<{ readonly socket: Socket; readonly received: () => string }> {
  const app = Fastify({ bodyLimit: 1_000 });
  onTestFinished(() => app.close());
  discardRefusedBodies(app);
  app.post("/", async () => "too small");
  app.get("/", async () => "next");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (data) => (text += String(data)));
  const head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length:";
  socket.write(`${head} ${LENGTH}\r\n\r\n${"x".repeat(LENGTH / 2)}`);
  await expect.poll(() => text).toContain(" 413 ");
  return { socket, received: () => text };
}

test("SRV-19 a client that sends a body which is too large gets the refusal, and its connection goes on after that body", async () => {
  const { socket, received } = await startBody();
  socket.write("x".repeat(LENGTH / 2));
  socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  await once(socket, "close");
  expect(received().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});

test("SRV-19 the rest of a refused body may take 10 s", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket } = await startBody();
  const closed = once(socket, "close");
  vi.advanceTimersByTime(10_000);
  await closed;
});
