/** The baseline: a bare relay that copies each frame to everybody else. */

import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { report } from "./report.ts";

const server = new WebSocketServer({
  host: "127.0.0.1",
  port: 0,
  perMessageDeflate: false,
  maxPayload: 5_000_000,
});

server.on("connection", (socket) => {
  socket.on("message", (data, isBinary) => {
    for (const client of server.clients)
      if (client !== socket && client.readyState === 1) client.send(data, { binary: isBinary });
  });
});

server.on("listening", () => report((server.address() as AddressInfo).port));
