/** All WebSockets of this process: the upgrade, the regular search for idle ones, and the end. */

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { errorFields } from "../../process/error-fields.ts";
import type { VisitorKeys } from "../../access/port.ts";
import { deviceCookie, deviceOf, newDevice } from "../../limits/device.ts";
import { clientKey } from "../../limits/client-key.ts";
import { Admission } from "./admission.ts";
import { Connection, type Admitted } from "./connection.ts";
import type { Environment } from "./environment.ts";
import {
  CLOSES,
  HANDSHAKE_FAULTS,
  TOKEN_FAULTS,
  countReason,
  libraryCloseName,
} from "../payloads/faults.ts";
import { parseHandshake, refuseHandshake } from "./handshake.ts";
import type { Wire } from "./socket-writer.ts";

/** Milliseconds for which a client may delay its reply to a close frame before its socket is cut. */
const CLOSE_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 1_000;
const EXPIRY_MS = 1_000;
/** The part of a drain after which connections are closed, and milliseconds between two steps. */
const DRAIN_FROM = 0.5;
const DRAIN_TO = 0.95;
const DRAIN_STEP_MS = 50;
/** Bytes in memory below which a connection is not counted. */
const HELD_FROM = 65_536;

/** The address under which the server is reached. */
interface Site {
  /** The value of TRUST_PROXY. */
  readonly trustProxy: number;
  /** The value of BASE_PATH. */
  readonly basePath: string;
}

export class Sockets {
  readonly #environment: Environment;
  readonly #site: Site;
  readonly #admission: Admission;
  readonly #connections = new Set<Connection>();
  readonly #webSockets: WebSocketServer;
  readonly #expiry: NodeJS.Timeout;
  /** Devices to which the handshake gives a name. */
  readonly #newDevices = new WeakMap<IncomingMessage, string>();
  #stopping = false;

  constructor(environment: Environment, site: Site) {
    this.#environment = environment;
    this.#site = site;
    this.#admission = new Admission(environment.limits, environment.clock);
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // The fan-out writes frames of its own: it relies on frames that are neither compressed nor split.
      perMessageDeflate: false,
      maxPayload: environment.limits.frameBytes,
      ...{ closeTimeout: CLOSE_TIMEOUT_MS },
    });
    this.#webSockets.on("headers", (headers, request) => {
      const device = this.#newDevices.get(request);
      if (device !== undefined) headers.push(deviceCookie(device, site.basePath));
    });
    this.#expiry = setInterval(() => this.#expire(), EXPIRY_MS);
    this.#expiry.unref();
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Returns the connections of a page, by its presence key. */
  of(page: string): readonly VisitorKeys[] {
    const shown = [...this.#connections].filter(({ channels }) => channels.isOf(page));
    return shown.map(({ visitor }) => visitor);
  }

  attach(server: Server): void {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Without a listener, an error of the socket before `ws` listens to it would end the process.
      socket.on("error", ignore);
      this.#upgrade(request, socket as Socket, head).catch((error: unknown) => {
        this.#environment.log.error("realtime: a handshake failed", errorFields(error));
        socket.destroy();
      });
    });
  }

  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const handshake = parseHandshake(request.url ?? "", request.headers);
    if (!handshake.ok) return refuseHandshake(socket, handshake.fault);
    if (this.#stopping) return refuseHandshake(socket, HANDSHAKE_FAULTS.stopping);
    const client = clientKey(request, this.#site.trustProxy);
    const rejection = this.#admission.admit(client);
    if (rejection !== null) {
      const name = rejection === HANDSHAKE_FAULTS.rate ? "connectRate" : "connections";
      countReason(this.#environment.reasons.refusals, name);
      return refuseHandshake(socket, rejection);
    }
    socket.once("close", () => this.#admission.release(client));
    const result = await this.#environment.keys.check(handshake.apiKey);
    if (socket.destroyed) return;
    if (!result.ok)
      return refuseHandshake(socket, { status: 401, error: TOKEN_FAULTS[result.fault].text });
    const credential = { token: handshake.apiKey, claims: result.claims };
    const known = deviceOf(request);
    const device = known === "" ? newDevice() : known;
    if (known === "") this.#newDevices.set(request, device);
    const visitor = { client, device };
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.#open({ socket, webSocket, version: handshake.version }, { visitor, credential }),
    );
  }

  #open(wire: Wire, admitted: Admitted): void {
    const { webSocket } = wire;
    const connection = new Connection(this.#environment, wire, admitted);
    this.#connections.add(connection);
    webSocket.on("message", (data, isBinary) => connection.receive(data as Buffer, isBinary));
    for (const event of ["ping", "pong"] as const)
      webSocket.on(event, (data: Buffer) => connection.receiveControl(data.length));
    // For a frame that breaks the protocol or is too large, `ws` closes with the fitting code.
    webSocket.on("error", (error) => {
      this.#environment.log.warn(`realtime: a connection broke: ${error.message}`);
      const name = libraryCloseName(error);
      if (name !== null) countReason(this.#environment.reasons.closes, name);
    });
    webSocket.on("close", () => {
      this.#connections.delete(connection);
      connection.ended();
    });
    if (this.#stopping) connection.close(CLOSES.stopping);
  }

  #expire(): void {
    const held = new Map<string, number>();
    for (const connection of this.#connections) {
      connection.expire();
      const bytes = connection.held();
      if (bytes <= HELD_FROM) continue;
      const { client } = connection.visitor;
      const all = (held.get(client) ?? 0) + bytes;
      held.set(client, all);
      if (all > this.#environment.limits.heldBytesPerAddress) connection.close(CLOSES.held);
    }
  }

  /**
   * Moves the clients to other processes in the time before the stop: in the first half the balancer notices, in the
   * second the connections are closed one after the other, so that they do not all return at the same time. New ones
   * are admitted, and closed with the last.
   */
  drain(ms: number): void {
    const open = [...this.#connections];
    const begin = performance.now();
    let closed = 0;
    const timer = setInterval(() => {
      const passed = (performance.now() - begin) / ms;
      const due = Math.min(1, (passed - DRAIN_FROM) / (DRAIN_TO - DRAIN_FROM)) * open.length;
      while (closed < due) open[closed++]?.close(CLOSES.stopping);
      if (passed >= 1 || this.#stopping) clearInterval(timer);
    }, DRAIN_STEP_MS);
    timer.unref();
  }

  /** Closes every connection with a reason and cuts those that do not reply. Resolves when all are closed. */
  async close(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#expiry);
    this.#environment.hub.flush();
    const open = [...this.#connections];
    const gone = open.map(
      ({ writer }) => new Promise((resolve) => void writer.webSocket.once("close", resolve)),
    );
    for (const connection of open) connection.close(CLOSES.stopping);
    const cut = setTimeout(() => {
      for (const { writer } of open) writer.webSocket.terminate();
    }, STOP_TIMEOUT_MS);
    await Promise.all(gone);
    clearTimeout(cut);
  }
}

function ignore(): void {}
