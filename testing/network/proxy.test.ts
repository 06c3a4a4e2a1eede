import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { NO_FAULTS, startProxy, type Proxy } from "./proxy.ts";
import { createRandom } from "../random/random.ts";

/** A server that answers requests with their own content, and sends every frame back. */
async function startEcho() {
  let requests = 0;
  const server = createServer((incoming, answer) => {
    requests++;
    incoming.pipe(answer);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) =>
    socket.on("message", (data, binary) => socket.send(data, { binary })),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
  };
}

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(seed: number): Promise<{ proxy: Proxy; requests: () => number }> {
  const echo = await startEcho();
  const proxy = await startProxy(echo.url, createRandom(seed));
  closers.push(() => proxy.close());
  return { proxy, requests: echo.requests };
}

async function connect(proxy: Proxy): Promise<{ socket: WebSocket; received: string[] }> {
  const socket = new WebSocket(proxy.url.replace("http", "ws"));
  const received: string[] = [];
  socket.on("message", (data) => received.push((data as Buffer).toString()));
  socket.on("error", () => {});
  closers.push(() => socket.terminate());
  await new Promise((resolve) => socket.once("open", resolve));
  return { socket, received };
}

const broadcast = (n: number): string =>
  JSON.stringify([null, null, "realtime:a", "broadcast", { n }]);

test("without faults everything passes, in order", async () => {
  const { proxy } = await start(1);
  const answer = await fetch(`${proxy.url}/rest/v1/x`, { method: "POST", body: "hello" });
  expect(await answer.text()).toBe("hello");
  const { socket, received } = await connect(proxy);
  const sent = Array.from({ length: 20 }, (_, n) => broadcast(n));
  for (const frame of sent) socket.send(frame);
  await expect.poll(() => received).toEqual(sent);
});

test("broadcasts are dropped, doubled and reordered; messages that control the channel are not", async () => {
  const { proxy } = await start(2);
  proxy.setFaults({ ...NO_FAULTS, drop: 0.2, double: 0.2, delay: 40 });
  const { socket, received } = await connect(proxy);
  const joins = Array.from({ length: 60 }, (_, n) =>
    JSON.stringify(["1", String(n), "t", "phx_join", {}]),
  );
  for (const [n, join] of joins.entries()) {
    socket.send(join);
    socket.send(broadcast(n));
  }
  await expect.poll(() => received.filter((frame) => frame.includes("phx_join"))).toEqual(joins);
  socket.send('["1","end","t","heartbeat",{}]');
  await expect.poll(() => received.some((frame) => frame.includes('"end"'))).toBe(true);
  const { counts } = proxy;
  const broadcastsOf = () => received.filter((frame) => frame.includes("broadcast"));
  await expect.poll(() => broadcastsOf().length).toBe(60 - counts.dropped + counts.doubled);
  const broadcasts = broadcastsOf();
  expect(proxy.counts.dropped).toBeGreaterThan(0);
  expect(proxy.counts.doubled).toBeGreaterThan(0);
  expect(new Set(broadcasts).size).toBeLessThan(60);
  expect(broadcasts.length).toBeGreaterThan(new Set(broadcasts).size);
  const numbers = [...new Set(broadcasts)].map((frame) => Number(/"n":(\d+)/.exec(frame)?.[1]));
  expect(numbers).not.toEqual(numbers.toSorted((a, b) => a - b));
});

test("a lost request does not reach the server, a lost response does; the page itself always loads", async () => {
  const { proxy, requests } = await start(3);
  proxy.setFaults({ ...NO_FAULTS, loseRequest: 1 });
  await expect(fetch(`${proxy.url}/rest/v1/x`)).rejects.toThrow();
  expect(requests()).toBe(0);
  proxy.setFaults({ ...NO_FAULTS, loseResponse: 1 });
  await expect(fetch(`${proxy.url}/rest/v1/x`)).rejects.toThrow();
  expect(requests()).toBe(1);
  expect((await fetch(`${proxy.url}/index.html`)).status).toBe(200);
});

test("a severed network closes the sockets and refuses all; a restored one works again", async () => {
  const { proxy } = await start(4);
  const { socket } = await connect(proxy);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  proxy.sever();
  await closed;
  await expect(fetch(proxy.url)).rejects.toThrow();
  proxy.restore();
  expect((await fetch(proxy.url)).status).toBe(200);
});
