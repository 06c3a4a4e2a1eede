/**
 * A proxy between real browsers and a real server that behaves like a bad network, at random:
 * it drops, doubles, delays and reorders broadcasts, delays and cuts requests, and cuts sockets.
 * Frames that control the channel (joins, replies, presence, heartbeats) keep their order and arrive,
 * as TCP would have it, unless the socket is cut.
 */

import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer, type RawData } from "ws";
import type { Random } from "../random/random.ts";

/** The faults: probabilities from 0 to 1, times in milliseconds. */
export interface Faults {
  /** The probability that a broadcast never arrives. */
  readonly drop: number;
  /** The probability that a broadcast arrives twice. */
  readonly double: number;
  /** The greatest delay of a broadcast, so that later ones overtake it. */
  readonly delay: number;
  /** The probability that the socket is cut after a frame, both ways. */
  readonly cutSocket: number;
  /** The greatest delay of a request. */
  readonly requestDelay: number;
  /** The probability that a request never reaches the server. */
  readonly loseRequest: number;
  /** The probability that the server has handled a request and its response never arrives. */
  readonly loseResponse: number;
}

export const NO_FAULTS: Faults = {
  drop: 0,
  double: 0,
  delay: 0,
  cutSocket: 0,
  requestDelay: 0,
  loseRequest: 0,
  loseResponse: 0,
};

/** The counts of its actions so far; a chaos test that met no chaos proves nothing. */
export interface ProxyCounts {
  forwarded: number;
  dropped: number;
  doubled: number;
  delayed: number;
  cut: number;
  lost: number;
}

export interface Proxy {
  /** The origin that browsers open. */
  readonly url: string;
  readonly counts: Readonly<ProxyCounts>;
  /** Sets the faults from now on. They apply only to the table API and the channel: the page itself always loads. */
  setFaults(faults: Faults): void;
  /** Cuts every socket and refuses new ones and requests until `restore`. */
  sever(): void;
  restore(): void;
  close(): Promise<void>;
}

interface NetworkConditions {
  faults: Faults;
  severed: boolean;
  readonly random: Random;
  readonly counts: ProxyCounts;
}

/** @param target The server's origin. @param at The port; 0 picks a free one. */
export async function startProxy(target: string, random: Random, at = 0): Promise<Proxy> {
  const counts: ProxyCounts = { forwarded: 0, dropped: 0, doubled: 0, delayed: 0, cut: 0, lost: 0 };
  const conditions: NetworkConditions = { faults: NO_FAULTS, severed: false, random, counts };
  const server = createServer((incoming, outgoing) =>
    passRequest(target, conditions, incoming, outgoing),
  );
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on("upgrade", (incoming, socket, head) => {
    socket.on("error", () => {});
    if (conditions.severed) return void socket.destroy();
    sockets.handleUpgrade(incoming, socket, head, (browser) =>
      passSocket(target, conditions, incoming, browser),
    );
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    setFaults: (faults) => void (conditions.faults = faults),
    sever() {
      conditions.severed = true;
      for (const socket of sockets.clients) socket.terminate();
    },
    restore: () => void (conditions.severed = false),
    close: () => closeProxy(server, sockets),
  };
}

async function closeProxy(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

function passRequest(
  target: string,
  conditions: NetworkConditions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { faults, random, counts } = conditions;
  const suffers = incoming.url?.startsWith("/rest/") ?? false;
  if ((suffers && random.boolean(faults.loseRequest)) || conditions.severed) {
    counts.lost++;
    return void incoming.socket.destroy();
  }
  const loseResponse = suffers && random.boolean(faults.loseResponse);
  const wait = suffers ? random.next() * faults.requestDelay : 0;
  incoming.pause();
  setTimeout(() => {
    // Host is the proxy, so that the server names it as the page's backend.
    const { method = "GET", headers, url = "/" } = incoming;
    const onward = request(new URL(url, target), { method, headers }, (response) => {
      if (loseResponse) {
        counts.lost++;
        response.resume();
        return void incoming.socket.destroy();
      }
      counts.forwarded++;
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on("error", () => incoming.socket.destroy());
    incoming.pipe(onward);
  }, wait);
}

function passSocket(
  target: string,
  conditions: NetworkConditions,
  incoming: IncomingMessage,
  browser: WebSocket,
): void {
  const url = new URL(incoming.url ?? "/", target.replace(/^http/, "ws"));
  const server = new WebSocket(url, { perMessageDeflate: false });
  const cut = (): void => {
    browser.terminate();
    server.terminate();
  };
  const open = new Promise<void>((resolve) => server.once("open", resolve));
  passFrames(browser, server, { conditions, ready: open, cut });
  passFrames(server, browser, { conditions, ready: Promise.resolve(), cut });
  for (const socket of [browser, server]) {
    socket.on("error", cut);
    socket.on("close", cut);
  }
}

interface Direction {
  readonly conditions: NetworkConditions;
  /** Resolves when the receiving side can be written to. */
  readonly ready: Promise<void>;
  readonly cut: () => void;
}

function passFrames(from: WebSocket, to: WebSocket, { conditions, ready, cut }: Direction): void {
  const { random, counts } = conditions;
  const deliver = async (data: RawData, binary: boolean): Promise<void> => {
    await ready;
    if (to.readyState === WebSocket.OPEN) to.send(data, { binary });
  };
  from.on("message", (data, binary) => {
    const { faults } = conditions;
    counts.forwarded++;
    if (random.boolean(faults.cutSocket)) {
      counts.cut++;
      return cut();
    }
    if (!isBroadcast(data, binary)) return void deliver(data, binary);
    if (random.boolean(faults.drop)) return void counts.dropped++;
    const copies = random.boolean(faults.double) ? 2 : 1;
    if (copies === 2) counts.doubled++;
    for (let copy = 0; copy < copies; copy++) {
      const wait = random.next() * faults.delay;
      if (wait > 0) counts.delayed++;
      setTimeout(() => void deliver(data, binary), wait);
    }
  });
}

/**
 * Whether a frame is a broadcast: of kinds 3 and 4 of protocol version 2, or a text frame with the event `broadcast`
 * in either version.
 */
function isBroadcast(data: RawData, binary: boolean): boolean {
  const bytes = data as Buffer;
  if (binary) return bytes[0] === 3 || bytes[0] === 4;
  return /"event":"broadcast"|^\[[^{]*"broadcast",/.test(bytes.toString("utf8", 0, 400));
}
