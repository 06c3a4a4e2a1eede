/** A WebSocket connection: reads frames, carries out the decisions of `dispatch.ts`, and replies. */

import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { VisitorKeys } from "../../access/port.ts";
import type { TokenCheck } from "../../keys/port.ts";
import { fullBucket, take, type Bucket } from "../../limits/token-bucket.ts";
import type { Channel, ChannelConnection } from "./channel.ts";
import { Channels } from "./channels.ts";
import { authentication, stillValid, type Authentication, type Credential } from "./credential.ts";
import { decide } from "./dispatch.ts";
import type { Environment } from "./environment.ts";
import {
  CLOSES,
  REPLY_FAULTS,
  STOP_MESSAGES,
  closeName,
  countReason,
  type Close,
} from "../payloads/faults.ts";
import { SocketWriter, type Wire } from "./socket-writer.ts";
import { decodePush } from "../wire/push.ts";
import { TextReader } from "../wire/text-reader.ts";
import type { Address, Message, Refusal } from "../wire/wire.ts";

/** The facts about the client that the handshake found. */
export interface Admitted {
  readonly visitor: VisitorKeys;
  readonly credential: Credential;
}

interface ReceivedFrame {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

type ConnectionState =
  | { readonly at: "open" }
  /** A token is being checked. Frames that arrive meanwhile wait, so that none overtakes a join. */
  | { readonly at: "checking"; readonly backlog: ReceivedFrame[] }
  | { readonly at: "closed" };

/** Bad frames of one connection that are logged one by one; further ones are only counted. */
const LOGGED_FAULTS = 5;
/** Greatest number of frames that wait while a token is checked. */
const BACKLOG_FRAMES = 1_000;

export class Connection implements ChannelConnection {
  readonly environment: Environment;
  readonly visitor: VisitorKeys;
  readonly writer: SocketWriter;
  readonly #socket: Socket;
  readonly #webSocket: WebSocket;
  /** The key that the handshake presented. */
  readonly #credential: Credential;
  readonly channels: Channels;
  readonly #messages: Bucket;
  readonly #bytes: Bucket;
  readonly #faults: Bucket;
  #faultCount = 0;
  readonly #texts: TextReader;
  #state: ConnectionState = { at: "open" };
  /** The time of `performance.now()`, so that no clock that leaps makes a connection idle. */
  #receivedAt: number;
  #receivedBytes = 0;
  /** Bytes that had arrived when the last frame was complete. */
  #completeBytes = 0;

  constructor(environment: Environment, wire: Wire, { visitor, credential }: Admitted) {
    const { rates, clock } = environment;
    const now = clock();
    this.environment = environment;
    this.visitor = visitor;
    this.writer = new SocketWriter(environment, wire, () => this.close(CLOSES.slow));
    this.#socket = wire.socket;
    this.#webSocket = wire.webSocket;
    this.#credential = credential;
    this.#messages = fullBucket(rates.messages, now);
    this.#bytes = fullBucket(rates.bytes, now);
    this.#faults = fullBucket(rates.faults, now);
    this.#receivedAt = performance.now();
    this.channels = new Channels(this);
    this.#texts = new TextReader(wire.version, this.#refusal);
  }

  readonly #refusal: Refusal = (address, bytes) => {
    if (address === null) return this.channels.refusal(bytes);
    const channel = this.channels.get(address.topic);
    if (channel === undefined) return REPLY_FAULTS.unmatchedTopic;
    return address.event === "broadcast" ? channel.refusal(bytes) : REPLY_FAULTS.messageTooLarge;
  };

  /** Handles a frame from the peer. Never throws because of its content. */
  receive(data: Buffer, isBinary: boolean): void {
    if (this.#state.at === "closed") return;
    this.#completeBytes = this.#socket.bytesRead;
    const { rates, clock } = this.environment;
    if (!take(this.#bytes, rates.bytes, clock(), data.length)) this.close(CLOSES.bytes);
    else this.#route({ data, isBinary });
  }

  /** Counts a ping or pong as a message. A peer that goes on after the close for too many of them is cut. */
  receiveControl(length: number): void {
    const { rates, clock } = this.environment;
    const now = clock();
    if (take(this.#messages, rates.messages, now) && take(this.#bytes, rates.bytes, now, length))
      return;
    if (this.#state.at === "closed") this.#webSocket.terminate();
    else this.close(CLOSES.faults);
  }

  #route(frame: ReceivedFrame): void {
    const state = this.#state;
    if (state.at === "closed") return;
    if (state.at === "open") this.#handle(frame.data, frame.isBinary);
    else if (state.backlog.length >= BACKLOG_FRAMES) this.close(CLOSES.faults);
    else state.backlog.push(frame);
  }

  #handle(data: Buffer, isBinary: boolean): void {
    const { rates, clock } = this.environment;
    const inTime = take(this.#messages, rates.messages, clock());
    if (isBinary) this.#handleBinary(data, inTime);
    else this.#handleText(data, inTime);
  }

  #handleBinary(data: Buffer, inTime: boolean): void {
    const push = this.writer.version === 2 ? decodePush(data) : "a binary frame in vsn 1.0.0";
    if (typeof push === "string") return this.#fault(push);
    const address = {
      joinRef: push.joinRef === "" ? null : push.joinRef,
      ref: push.ref === "" ? null : push.ref,
      topic: push.topic,
      event: "broadcast",
    };
    const channel = this.channels.get(push.topic);
    if (!inTime) return this.#exceeded(channel);
    const decision = decide(address, channel);
    if (decision.do === "broadcast")
      decision.channel.broadcast(address, { ...push, checked: false });
    else this.#unmatched(address, decision.do === "stale");
  }

  #handleText(data: Buffer, inTime: boolean): void {
    const decoded = this.#texts.read(data);
    if (!decoded.ok) {
      if ("fault" in decoded) return this.#fault(decoded.fault);
      if (decoded.reason === REPLY_FAULTS.unmatchedTopic) return this.#unmatched(decoded.address);
      return this.writer.refuse(decoded.address, decoded.reason);
    }
    const { message } = decoded;
    const channel = this.channels.get(message.topic);
    if (!inTime) return this.#exceeded(channel);
    const decision = decide(message, channel);
    switch (decision.do) {
      case "heartbeat":
      case "acknowledge":
        return this.writer.reply(message, "ok");
      case "join":
        return this.channels.join(message);
      case "leave":
        return decision.channel.leave(message);
      case "token":
        return decision.channel.refreshToken(message.payload);
      case "presence":
        return decision.channel.presence(message);
      case "broadcast":
        return this.#textBroadcast(decision.channel, message);
      case "unmatched":
      case "stale":
        return this.#unmatched(message, decision.do === "stale");
    }
  }

  #textBroadcast(channel: Channel, message: Message): void {
    const { broadcast } = message;
    if (broadcast === null) return this.writer.refuse(message, REPLY_FAULTS.broadcastMalformed);
    const content = { ...broadcast, encoding: 1, checked: true } as const;
    channel.broadcast(message, content);
  }

  #exceeded(channel: Channel | undefined): void {
    if (channel === undefined) this.#fault("too many messages");
    else {
      countReason(this.environment.reasons.refusals, "messageRate");
      channel.stop(STOP_MESSAGES.messageRate);
    }
  }

  /**
   * Handles a message for a topic that is not joined.
   * @param isStale Whether it belongs to an earlier join: the client could not know, so it is no fault.
   */
  #unmatched(address: Address, isStale = false): void {
    this.writer.refuse(address, REPLY_FAULTS.unmatchedTopic);
    if (!isStale) this.#fault("a message to a topic that was not joined");
  }

  /** Drops a bad frame and keeps the connection, unless many arrive. */
  #fault(what: string): void {
    const { log, rates, clock } = this.environment;
    if (++this.#faultCount <= LOGGED_FAULTS) log.warn(`realtime: dropped ${what}`);
    if (!take(this.#faults, rates.faults, clock())) this.close(CLOSES.faults);
  }

  authenticate(token: string | null, done: (result: Authentication) => void): void {
    const { clock } = this.environment;
    // The connection's own key was checked at the handshake.
    if (token === null || token === this.#credential.token)
      return done(stillValid(this.#credential, clock()));
    this.#check(token, (checked) => done(authentication(token, checked, clock())));
  }

  /**
   * Checks a token while frames wait, then calls `done` unless the connection has closed. There is at most one check
   * at a time: only `receive` starts one, and not while another one runs.
   */
  #check(token: string, done: (checked: TokenCheck) => void): void {
    const backlog: ReceivedFrame[] = [];
    this.#state = { at: "checking", backlog };
    this.#webSocket.pause();
    void this.environment.keys.check(token).then((checked) => {
      if (this.#state.at === "closed") return;
      this.#state = { at: "open" };
      done(checked);
      this.#webSocket.resume();
      for (const frame of backlog) this.#route(frame);
    });
  }

  /** Closes an idle connection, and stops channels whose token has expired. */
  expire(): void {
    const now = performance.now();
    if (this.#socket.bytesRead !== this.#receivedBytes) {
      this.#receivedBytes = this.#socket.bytesRead;
      this.#receivedAt = now;
    } else if (now - this.#receivedAt > this.environment.limits.idleSeconds * 1000) {
      return this.close(CLOSES.idle);
    }
    this.channels.stopExpired(this.environment.clock());
  }

  /**
   * Returns the approximate number of bytes that this connection has in memory: its channels, unread replies, and a half
   * received frame.
   */
  held(): number {
    const { writableLength, bytesRead } = this.#socket;
    return this.channels.held() + writableLength + bytesRead - this.#completeBytes;
  }

  /** Leaves every channel and closes the socket, with a reason. */
  close(close: Close): void {
    if (this.#state.at === "closed") return;
    const { code, reason } = close;
    countReason(this.environment.reasons.closes, closeName(close));
    this.ended();
    if (code !== CLOSES.stopping.code)
      this.environment.log.info(`realtime: closing a connection: ${reason}`, {
        queued: this.#socket.writableLength,
        faults: this.#faultCount,
      });
    this.#webSocket.resume();
    // A close frame would wait behind the queue, which would stay in memory.
    if (reason === CLOSES.held.reason) this.#webSocket.terminate();
    else this.#webSocket.close(code, reason);
  }

  /** Ends the connection, whose socket is closed or about to be. */
  ended(): void {
    this.#state = { at: "closed" };
    this.channels.detachAll();
  }
}
