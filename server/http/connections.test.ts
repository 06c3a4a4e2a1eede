import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { limitConnections } from "./connections.ts";

/** A server that allows one client two connections, and answers each request. */
async function open(proxies: number) {
  const server = createServer((_request, response) => response.end("ok"));
  const limit = limitConnections(server, proxies, 2);
  server.on("upgrade", (_request, socket) => {
    limit.release(socket);
    socket.once("end", () => socket.end()).resume();
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  /** Opens a connection; returns whether a request on it is answered. */
  const ask = async (upgrade = ""): Promise<readonly [Socket, boolean]> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {});
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${upgrade}\r\n`);
    const answered = await Promise.race([
      once(socket, "data").then(() => true),
      once(socket, "close").then(() => false),
    ]);
    return [socket, answered];
  };
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { limit, ask, connections };
}

test("SRV-20 a connection beyond those that one client may have is closed at once, and counted", async () => {
  const { limit, ask } = await open(0);
  const [[first, one], [, two], [, three]] = [await ask(), await ask(), await ask()];
  expect([one, two, three]).toEqual([true, true, false]);
  expect(limit.refused).toBe(1);
  first.destroy();
  await expect.poll(async () => (await ask())[1]).toBe(true);
  expect((await ask())[1]).toBe(false);
});

test("SRV-20 a WebSocket's connection is not counted, and behind a proxy none is", async () => {
  const { ask, connections } = await open(0);
  const upgraded: Socket[] = [];
  for (let n = 0; n < 3; n++) {
    const [socket, answered] = await ask("connection: upgrade\r\nupgrade: x\r\n");
    expect(answered).toBe(true);
    upgraded.push(socket);
  }
  expect((await ask())[1]).toBe(true);
  // Their end frees nothing: they were released when they became WebSockets.
  for (const socket of upgraded) socket.destroy();
  await expect.poll(connections).toBe(1);
  expect([(await ask())[1], (await ask())[1]]).toEqual([true, false]);
  const behind = await open(1);
  for (let n = 0; n < 4; n++) expect((await behind.ask())[1]).toBe(true);
});
