/**
 * A WebSocket server that sends messages to everybody, one by one through `ws` or as prepared frames. Its parent says
 * which, how many together and how often; it returns its CPU time in microseconds.
 */

import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { importBundled } from "../bundle.ts";

const { writeHeader, headerLength, OPCODE_BINARY } = await importBundled<
  typeof import("../../server/realtime/wire/websocket-frame.ts")
>("server/realtime/wire/websocket-frame.ts");

/** Returns the TCP socket below, to which `ws` gives no access. */
const rawSocket = (client: WebSocket) => (client as unknown as { _socket: Socket })._socket;

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });

const WAYS: Readonly<Record<string, (contents: readonly Buffer[]) => void>> = {
  send(contents) {
    for (const content of contents) for (const client of server.clients) client.send(content);
  },
  frame(contents) {
    const frames = Buffer.concat(contents.flatMap((content) => [headOf(content), content]));
    for (const client of server.clients) rawSocket(client).write(frames);
  },
};

function headOf({ length }: Buffer) {
  const head = Buffer.alloc(headerLength(length));
  writeHeader(head, OPCODE_BINARY, length);
  return head;
}

async function drained() {
  const full = () => [...server.clients].some((client) => rawSocket(client).writableLength > 0);
  while (full()) await new Promise((resolve) => setTimeout(resolve, 5));
}

interface Order {
  way: string;
  bytes: number;
  batch: number;
  rounds: number;
}

process.on("message", async ({ way, bytes, batch, rounds }: Order) => {
  const contents = Array.from({ length: batch }, () => Buffer.alloc(bytes, "x"));
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n++) {
    WAYS[way]?.(contents);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await drained();
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpu: user + system });
});
process.on("disconnect", () => process.exit(0));
server.on("listening", () => process.send?.({ port: (server.address() as AddressInfo).port }));
