/** All WebSockets of this process: the upgrade, the sweep, and the end. */

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { Admission } from "./admission.ts";
import { Connection } from "./connection.ts";
import type { ConnectionWorld, Wire } from "./connection.ts";
import { CLOSES, HANDSHAKE_FAULTS, TOKEN_FAULTS } from "./faults.ts";
import { clientAddress, parseHandshake, refuseHandshake } from "./handshake.ts";
import type { Credential } from "./session.ts";

/** How long a peer has to answer a close frame before its socket is cut. */
const CLOSE_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 1_000;
const SWEEP_MS = 1_000;

export class Sockets {
  readonly #world: ConnectionWorld;
  readonly #proxies: number;
  readonly #admission: Admission;
  readonly #connections = new Set<Connection>();
  readonly #webSockets: WebSocketServer;
  readonly #sweeper: NodeJS.Timeout;
  #stopping = false;

  constructor(world: ConnectionWorld, proxies: number) {
    this.#world = world;
    this.#proxies = proxies;
    this.#admission = new Admission(world.limits);
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // The fan-out writes frames of its own: it relies on frames that are neither compressed nor split.
      perMessageDeflate: false,
      maxPayload: world.limits.frameBytes,
      ...{ closeTimeout: CLOSE_TIMEOUT_MS },
    });
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  get connections(): number {
    return this.#connections.size;
  }

  attach(server: Server): void {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Until `ws` listens to it, an error of the socket would end the process.
      socket.on("error", ignore);
      this.#upgrade(request, socket as Socket, head).catch((error: unknown) => {
        this.#world.log.error("realtime: a handshake failed", { error: String(error) });
        socket.destroy();
      });
    });
  }

  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const handshake = parseHandshake(request.url ?? "", request.headers);
    if (!handshake.ok) return refuseHandshake(socket, handshake.fault);
    if (this.#stopping) return refuseHandshake(socket, HANDSHAKE_FAULTS.stopping);
    const address = clientAddress(
      socket.remoteAddress,
      request.headers["x-forwarded-for"],
      this.#proxies,
    );
    const full = this.#admission.admit(address, this.#world.clock());
    if (full !== null) return refuseHandshake(socket, full);
    socket.once("close", () => this.#admission.release(address));
    const result = await this.#world.keys.check(handshake.apiKey);
    if (socket.destroyed) return;
    if (!result.ok)
      return refuseHandshake(socket, { status: 401, error: TOKEN_FAULTS[result.fault].text });
    const credential = { token: handshake.apiKey, claims: result.claims };
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.#open({ socket, webSocket, version: handshake.version }, credential),
    );
  }

  #open(wire: Wire, credential: Credential): void {
    const { webSocket } = wire;
    const connection = new Connection(this.#world, wire, credential);
    this.#connections.add(connection);
    webSocket.on("message", (data, isBinary) => connection.receive(data as Buffer, isBinary));
    // A frame that breaks the protocol or is too large: `ws` closes with the fitting code.
    webSocket.on("error", (error) =>
      this.#world.log.warn(`realtime: a connection broke: ${error.message}`),
    );
    webSocket.on("close", () => {
      this.#connections.delete(connection);
      connection.ended();
    });
    if (this.#stopping) connection.close(CLOSES.stopping);
  }

  #sweep(): void {
    const now = this.#world.clock();
    for (const connection of this.#connections) connection.sweep(now);
    this.#admission.sweep(now);
  }

  /** Closes every connection with a reason and cuts those that do not answer. Resolves when all are gone. */
  async close(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#sweeper);
    this.#world.hub.flush();
    const open = [...this.#connections];
    const gone = open.map(
      ({ webSocket }) => new Promise((resolve) => void webSocket.once("close", resolve)),
    );
    for (const connection of open) connection.close(CLOSES.stopping);
    const cut = setTimeout(() => {
      for (const { webSocket } of open) webSocket.terminate();
    }, STOP_TIMEOUT_MS);
    await Promise.all(gone);
    clearTimeout(cut);
  }
}

function ignore(): void {}
