import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { transport } from "../../../testing/sync/real-client.ts";
import { withPromptEnd } from "./transport.ts";

test("SYN-3 a socket that is closed says so at once, and what it sent before arrives", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  try {
    await once(server, "listening");
    const received = once(server, "connection").then(async ([socket]) => {
      const [data] = await once(socket, "message");
      const [code] = await once(socket, "close");
      return [String(data), code];
    });
    const Socket = withPromptEnd(transport);
    const socket = new Socket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await new Promise((resolve) => (socket.onopen = resolve));
    let ends = 0;
    socket.onclose = () => void ends++;
    socket.send("farewell");
    expect(socket.bufferedAmount).toBe(0);
    const isOver = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.close(1000, "bye");
    expect([ends, socket.readyState]).toEqual([1, socket.CLOSED]);
    await isOver;
    expect(await received).toEqual(["farewell", 1000]);
  } finally {
    server.close();
  }
});
