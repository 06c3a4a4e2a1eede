/**
 * The least cost of broadcasts over several processes: a server of `ws` that writes each binary message as one frame
 * to all other sockets and publishes it to the other processes, with one write to Redis and no replies. It reads
 * their messages into one buffer and writes them to all its sockets. It knows one topic and checks nothing.
 *
 * Arguments: the address of Redis (empty for one process), the prefix of channels, its own number, and how many
 * processes there are.
 */

import { connect, type AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { report } from "../fanout/report.ts";
import type { Duplex } from "node:stream";

const [, , redis = "", prefix = "", number = "0", count = "1"] = process.argv;
const READ_BYTES = 65_536;
/** The bytes that Redis sends before the name of a message's channel. */
const MESSAGE = "*3\r\n$7\r\nmessage\r\n";
const NOTHING = Buffer.alloc(0);

const sockets: Duplex[] = [];
let writes = 0;

function deliver(message: Buffer, sender: Duplex | null) {
  const long = message.length > 125;
  const frame = Buffer.allocUnsafe((long ? 4 : 2) + message.length);
  frame[0] = 0x82;
  frame[1] = long ? 126 : message.length;
  if (long) frame.writeUInt16BE(message.length, 2);
  message.copy(frame, frame.length - message.length);
  for (const socket of sockets)
    if (socket !== sender) {
      socket.write(frame);
      writes++;
    }
}

/** Returns the line's number after its first character, and where the next line begins; null when it is not complete. */
function readLength(bytes: Buffer, at: number) {
  const end = bytes.indexOf("\r\n", at);
  return end < 0 ? null : { length: Number(bytes.toString("latin1", at + 1, end)), next: end + 2 };
}

/** Delivers each whole message and returns the rest. */
function deliverAll(bytes: Buffer): Buffer {
  let from = 0;
  for (;;) {
    const start = bytes.indexOf(MESSAGE, from);
    if (start < 0) return bytes.subarray(from);
    const channel = readLength(bytes, start + MESSAGE.length);
    if (channel === null) return bytes.subarray(from);
    const content = readLength(bytes, channel.next + channel.length + 2);
    if (content === null || content.next + content.length + 2 > bytes.length)
      return bytes.subarray(from);
    from = content.next + content.length + 2;
    deliver(bytes.subarray(content.next, from - 2), null);
  }
}

function subscribe(port: number) {
  const buffer = Buffer.alloc(READ_BYTES);
  let rest: Buffer = NOTHING;
  const callback = (length: number) => {
    const bytes = buffer.subarray(0, length);
    const left = deliverAll(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]));
    rest = left.length === 0 ? NOTHING : Buffer.from(left);
    return true;
  };
  const socket = connect({ port, host: "127.0.0.1", onread: { buffer, callback } });
  socket.write(`SUBSCRIBE ${prefix}${number}\r\n`);
}

/** Returns a function that sends a message to the other processes. */
function publisher(port: number) {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.resume();
  socket.write("CLIENT REPLY OFF\r\n");
  const peers = Array.from({ length: Number(count) }, (_, n) => String(n)).filter(
    (peer) => peer !== number,
  );
  return (message: Buffer) =>
    socket.write(
      Buffer.concat(
        peers.flatMap((peer) => {
          const channel = prefix + peer;
          const head = `*3\r\n$7\r\nPUBLISH\r\n$${channel.length}\r\n${channel}\r\n$${message.length}\r\n`;
          return [Buffer.from(head), message, Buffer.from("\r\n")];
        }),
      ),
    );
}

let publish = (_message: Buffer): unknown => undefined;
if (redis !== "") {
  const port = Number(new URL(redis).port);
  subscribe(port);
  publish = publisher(port);
}
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (webSocket, { socket }) => {
  webSocket.on("message", (data, isBinary) => {
    const message = data as Buffer;
    if (isBinary) {
      publish(message);
      deliver(message, socket);
    } else {
      sockets.push(socket);
      webSocket.send('["1","1","","phx_reply",{"status":"ok"}]');
    }
  });
  webSocket.on("close", () => sockets.splice(sockets.indexOf(socket), 1));
});
server.on("listening", () => report((server.address() as AddressInfo).port, () => writes));
