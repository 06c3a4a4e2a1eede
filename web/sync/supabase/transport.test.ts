import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { transport } from "../../../testing/sync/real-client.ts";
import { type Transport, withPromptEnd } from "./transport.ts";

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

/** A socket whose handshake is answered by hand. It notes when it is closed. */
class Handshake extends EventTarget {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 3;
  #state: number = this.CONNECTING;
  onclose: (() => void) | null = null;
  readonly closedIn: number[] = [];

  get readyState(): number {
    return this.#state;
  }

  answer(): void {
    this.#state = this.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  close(): void {
    this.closedIn.push(this.#state);
  }
}

test("SYN-3 a socket that is closed in its handshake says so at once, and is closed when it opens instead of broken off", () => {
  const Socket = withPromptEnd(Handshake as unknown as Transport);
  const socket = new Socket("") as unknown as Handshake;
  let ends = 0;
  socket.onclose = () => void ends++;
  socket.close();
  socket.close();
  expect([socket.readyState, ends, socket.closedIn]).toEqual([socket.CLOSED, 0, []]);
  socket.answer();
  expect([ends, socket.closedIn]).toEqual([0, [socket.OPEN]]);
});
