/**
 * Sends messages in one way, in a process of its own: `node send.ts <way> <url> <key>`. For each name of a value that
 * its parent sends, the message is sent once; the process reports when the server has handled it.
 */

import { once } from "node:events";
import { WebSocket } from "ws";
import { WAYS, messageOf } from "./shapes.ts";

const [name = "", url = "", key = ""] = process.argv.slice(2);
const way = WAYS[name];
if (way === undefined) throw new Error(`no way ${name}`);
const { path } = way;
const version = name.endsWith("1.0.0") ? "1.0.0" : "2.0.0";
const JOIN = '["1","1","realtime:canvas-room","phx_join",{}]';
const HEARTBEATS = {
  "1.0.0": '{"topic":"phoenix","event":"heartbeat","ref":"h","payload":{}}',
  "2.0.0": '[null,"h","phoenix","heartbeat",{}]',
};

async function post(body: string) {
  const headers = { apikey: key, "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "POST", headers, body });
  await answer.arrayBuffer();
}

/** Resolves with the reply to a heartbeat behind the message, or with the end of the connection. */
async function push(text: string) {
  const address = `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=${version}`;
  const socket = new WebSocket(address);
  await once(socket, "open");
  const closed = once(socket, "close");
  if (version === "2.0.0") {
    socket.send(JOIN);
    await once(socket, "message");
  }
  const replied = new Promise<void>((resolve) =>
    socket.on("message", (data: Buffer) => void (data.includes('"h"') && resolve())),
  );
  socket.send(text);
  socket.send(HEARTBEATS[version]);
  await Promise.race([replied, closed]);
  socket.terminate();
}

process.on("message", async (value: string) => {
  const text = messageOf(way, value);
  process.send?.("begin");
  await (path === null ? push(text) : post(text)).catch(() => {});
  process.send?.("done");
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
