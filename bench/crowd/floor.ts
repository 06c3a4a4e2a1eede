/** The least cost of an arrival: a bare server that serves a small document and replies to each WebSocket message. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const http = createServer((request, response) => {
  if (request.url !== "/metrics") return response.end("{}");
  const { user, system } = process.cpuUsage();
  return response.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
});
new WebSocketServer({ server: http, perMessageDeflate: false }).on("connection", (socket) => {
  let ref = 0;
  socket.on("message", () =>
    socket.send(JSON.stringify(["1", String(++ref), "realtime:canvas-room", "phx_reply", {}])),
  );
});
http.listen(0, "127.0.0.1", () => process.send?.({ port: (http.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit(0));
