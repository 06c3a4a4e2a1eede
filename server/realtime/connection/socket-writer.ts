/** The sending half of a WebSocket: writes replies and messages as frames of the version that the client speaks. */

import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { debt, fullBucket, spend, type Bucket } from "../../limits/token-bucket.ts";
import { countReason, reasonName } from "../payloads/faults.ts";
import type { Receiver } from "../wire/member.ts";
import { textFrame, textFrameAround } from "../wire/websocket-frame.ts";
import { encodeAround, encodeReply, encodeText, type Address, type Version } from "../wire/wire.ts";
import type { Environment } from "./environment.ts";

/** The two sides of an upgraded socket, and the protocol version that it speaks. */
export interface Wire {
  readonly version: Version;
  readonly socket: Socket;
  readonly webSocket: WebSocket;
}

/** The `readyState` of a WebSocket that may be written to. */
const OPEN = 1;

export class SocketWriter implements Receiver {
  readonly version: Version;
  readonly socket: Socket;
  readonly webSocket: WebSocket;
  /** Ends the connection of a client that reads too slowly. */
  readonly giveUp: () => void;
  readonly #environment: Environment;
  readonly #states: Bucket;

  constructor(environment: Environment, wire: Wire, giveUp: () => void) {
    this.version = wire.version;
    this.socket = wire.socket;
    this.webSocket = wire.webSocket;
    this.giveUp = giveUp;
    this.#environment = environment;
    this.#states = fullBucket(environment.rates.state, environment.clock());
  }

  /** Replies to a message. `responseJson` is JSON text. */
  reply(to: Address, status: "ok" | "error", responseJson = "{}"): void {
    this.#write(encodeReply(this.version, to, status, responseJson));
  }

  /** Replies with an error and its reason, which is counted. */
  refuse(to: Address, reason: string): void {
    countReason(this.#environment.reasons.refusals, reasonName(reason));
    this.reply(to, "error", JSON.stringify({ reason }));
  }

  /** Sends a message. `payloadJson` is JSON text. */
  send(address: Address, payloadJson: string): void {
    this.#write(encodeText(this.version, address, payloadJson));
  }

  /** Returns the milliseconds until a `presence_state` may be sent: a connection that joins again and again waits longer. */
  stateWait(): number {
    const { rates, clock } = this.#environment;
    return debt(this.#states, rates.state, clock());
  }

  /** Sends presences, all or a summary. Their payload (JSON in UTF-8) is shared with other receivers. */
  sendState(address: Address, payload: Buffer): void {
    const { rates, clock } = this.#environment;
    spend(this.#states, rates.state, clock(), payload.length);
    const [before, after] = encodeAround(this.version, address);
    if (!this.#mayWrite()) return;
    this.socket.cork();
    for (const piece of textFrameAround(before, payload, after)) this.socket.write(piece);
    this.socket.uncork();
  }

  #write(text: string): void {
    if (this.#mayWrite()) this.socket.write(textFrame(text));
  }

  /** Whether the socket may be written to. A receiver that reads nothing is disconnected. */
  #mayWrite(): boolean {
    if (this.webSocket.readyState !== OPEN) return false;
    if (this.socket.writableLength <= this.#environment.limits.queueBytes) return true;
    this.giveUp();
    return false;
  }
}
