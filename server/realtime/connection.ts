/** One WebSocket: reads frames, carries out what `session.ts` decides, and answers. */

import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { KeyRing } from "../keys/port.ts";
import type { Logger } from "../log.ts";
import {
  broadcastOn,
  detachChannel,
  joinChannel,
  leaveChannel,
  presenceOn,
  refreshToken,
  stopChannel,
  stopExpired,
} from "./channel.ts";
import { CLOSES, REPLY_FAULTS, STOP_MESSAGES } from "./faults.ts";
import type { Close } from "./faults.ts";
import type { Receiver } from "./fanout.ts";
import type { Hub } from "./hub.ts";
import { decodeWithHead, learnHead } from "./known-head.ts";
import type { KnownHead } from "./known-head.ts";
import { fullBucket, take } from "./limits.ts";
import type { Bucket, Limits, Rate } from "./limits.ts";
import { decodePush } from "./push.ts";
import { decide } from "./session.ts";
import type { Channel, Credential, ReceivedFrame, SessionState } from "./session.ts";
import { textFrame } from "./websocket-frame.ts";
import { decodeText, encodeReply, encodeText } from "./wire.ts";
import type { Address, Message, Version } from "./wire.ts";

/** What all connections share. */
export interface ConnectionWorld {
  readonly hub: Hub;
  readonly keys: KeyRing;
  readonly limits: Limits;
  readonly rates: Rates;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Unique among all processes. */
  readonly uniqueRef: () => string;
  readonly uuid: () => string;
}

/** What the upgrade made. */
export interface Wire {
  readonly version: Version;
  readonly socket: Socket;
  readonly webSocket: WebSocket;
}

export interface Rates {
  readonly messages: Rate;
  readonly bytes: Rate;
  readonly joins: Rate;
  readonly faults: Rate;
  readonly presence: Rate;
}

export function makeRates(limits: Limits): Rates {
  return {
    messages: { perSecond: limits.messagesPerSecond, burst: limits.messagesBurst },
    bytes: { perSecond: limits.bytesPerSecond, burst: limits.bytesBurst },
    joins: { perSecond: limits.joinsPerSecond, burst: limits.joinsBurst },
    faults: { perSecond: limits.faultsPerSecond, burst: limits.faultsBurst },
    presence: { perSecond: limits.presenceCallsPerSecond, burst: limits.presenceCallsBurst },
  };
}

/** Further bad frames of one connection are counted, not logged one by one. */
const LOGGED_FAULTS = 5;
/** Frames that may wait while a token is checked. */
const BACKLOG_FRAMES = 1_000;
const OPEN = 1;

export class Connection implements Receiver {
  readonly version: Version;
  readonly socket: Socket;
  readonly webSocket: WebSocket;
  readonly channels = new Map<string, Channel>();
  readonly world: ConnectionWorld;
  readonly credential: Credential;
  readonly joins: Bucket;
  readonly #messages: Bucket;
  readonly #bytes: Bucket;
  readonly #faults: Bucket;
  #faultCount = 0;
  /** How the last broadcast that came as text began. */
  #head: KnownHead | null = null;
  #state: SessionState = { at: "open" };
  #heardAt: number;
  #heardBytes = 0;

  constructor(world: ConnectionWorld, wire: Wire, credential: Credential) {
    const now = world.clock();
    this.world = world;
    this.version = wire.version;
    this.socket = wire.socket;
    this.webSocket = wire.webSocket;
    this.credential = credential;
    this.joins = fullBucket(world.rates.joins, now);
    this.#messages = fullBucket(world.rates.messages, now);
    this.#bytes = fullBucket(world.rates.bytes, now);
    this.#faults = fullBucket(world.rates.faults, now);
    this.#heardAt = now;
  }

  /** A frame from the peer. Never throws for what a peer sent. */
  receive(data: Buffer, isBinary: boolean): void {
    if (this.#state.at === "closed") return;
    if (!take(this.#bytes, this.world.rates.bytes, this.world.clock(), data.length))
      this.close(CLOSES.bytes);
    else this.#route({ data, isBinary });
  }

  #route(frame: ReceivedFrame): void {
    const state = this.#state;
    if (state.at === "closed") return;
    if (state.at === "open") this.#handle(frame.data, frame.isBinary);
    else if (state.backlog.length >= BACKLOG_FRAMES) this.close(CLOSES.faults);
    else state.backlog.push(frame);
  }

  #handle(data: Buffer, isBinary: boolean): void {
    const inTime = take(this.#messages, this.world.rates.messages, this.world.clock());
    if (isBinary) this.#handleBinary(data, inTime);
    else this.#handleText(data, inTime);
  }

  #handleBinary(data: Buffer, inTime: boolean): void {
    const push = this.version === 2 ? decodePush(data) : "a binary frame in vsn 1.0.0";
    if (typeof push === "string") return this.fault(push);
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
      broadcastOn(this, decision.channel, address, { ...push, checked: false });
    else if (decision.do !== "ignore") this.#unmatched(address);
  }

  #handleText(data: Buffer, inTime: boolean): void {
    const message = this.#decode(data);
    if (message === null) return;
    const channel = this.channels.get(message.topic);
    if (!inTime) return this.#exceeded(channel);
    const decision = decide(message, channel);
    switch (decision.do) {
      case "heartbeat":
      case "acknowledge":
        return this.reply(message, "ok");
      case "join":
        return joinChannel(this, message);
      case "leave":
        return leaveChannel(this, decision.channel, message);
      case "token":
        return refreshToken(this, decision.channel, message.payload);
      case "presence":
        return presenceOn(this, decision.channel, message);
      case "broadcast":
        return this.#textBroadcast(decision.channel, message);
      case "unmatched":
        return this.#unmatched(message);
      case "ignore":
        return;
    }
  }

  #decode(data: Buffer): Message | null {
    const known = this.#head === null ? null : decodeWithHead(data, this.#head);
    if (known !== null) return known;
    const decoded = decodeText(this.version, data);
    if (!decoded.ok) {
      this.fault(decoded.fault);
      return null;
    }
    if (decoded.message.broadcast !== null) this.#head = learnHead(data, decoded.message);
    return decoded.message;
  }

  #textBroadcast(channel: Channel, message: Message): void {
    const { broadcast } = message;
    if (broadcast === null) return this.refuse(message, REPLY_FAULTS.broadcastMalformed);
    const content = { ...broadcast, encoding: 1, checked: true } as const;
    broadcastOn(this, channel, message, content);
  }

  #exceeded(channel: Channel | undefined): void {
    if (channel === undefined) this.fault("too many messages");
    else stopChannel(this, channel, STOP_MESSAGES.messageRate);
  }

  #unmatched(address: Address): void {
    this.refuse(address, REPLY_FAULTS.unmatchedTopic);
    this.fault("a message to a topic that was not joined");
  }

  /** A bad frame is dropped and the connection kept, unless they come in a flood. */
  fault(what: string): void {
    if (++this.#faultCount <= LOGGED_FAULTS) this.world.log.warn(`realtime: dropped ${what}`);
    if (!take(this.#faults, this.world.rates.faults, this.world.clock())) this.close(CLOSES.faults);
  }

  /**
   * Checks a token while frames wait, then calls `done` (unless the connection has closed).
   * At most one check at a time: only `receive` starts one, and it does not while one runs.
   */
  check(token: string, done: (result: Awaited<ReturnType<KeyRing["check"]>>) => void): void {
    const backlog: ReceivedFrame[] = [];
    this.#state = { at: "checking", backlog };
    this.webSocket.pause();
    void this.world.keys.check(token).then((result) => {
      if (this.#state.at === "closed") return;
      this.#state = { at: "open" };
      done(result);
      this.webSocket.resume();
      for (const frame of backlog) this.#route(frame);
    });
  }

  reply(to: Address, status: "ok" | "error", responseJson = "{}"): void {
    this.write(encodeReply(this.version, to, status, responseJson));
  }

  refuse(to: Address, reason: string): void {
    this.reply(to, "error", JSON.stringify({ reason }));
  }

  send(address: Address, payloadJson: string): void {
    this.write(encodeText(this.version, address, payloadJson));
  }

  write(text: string): void {
    if (this.webSocket.readyState !== OPEN) return;
    if (this.socket.writableLength > this.world.limits.queueBytes) this.giveUp();
    else this.socket.write(textFrame(text));
  }

  /** Called now and then: closes an idle connection and stops channels whose token has expired. */
  sweep(now: number): void {
    if (this.socket.bytesRead !== this.#heardBytes) {
      this.#heardBytes = this.socket.bytesRead;
      this.#heardAt = now;
    } else if (now - this.#heardAt > this.world.limits.idleSeconds * 1000) {
      return this.close(CLOSES.idle);
    }
    stopExpired(this, now);
  }

  giveUp(): void {
    this.close(CLOSES.slow);
  }

  /** Leaves every channel and closes the socket, with a reason. */
  close({ code, reason }: Close): void {
    if (this.#state.at === "closed") return;
    this.ended();
    if (code !== CLOSES.stopping.code)
      this.world.log.info(`realtime: closing a connection: ${reason}`, {
        queued: this.socket.writableLength,
        faults: this.#faultCount,
      });
    this.webSocket.resume();
    this.webSocket.close(code, reason);
  }

  /** The socket is closed or about to be. */
  ended(): void {
    this.#state = { at: "closed" };
    for (const channel of this.channels.values()) detachChannel(this, channel);
  }
}
