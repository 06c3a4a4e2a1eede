/** A topic that a connection has joined, from the reply to its join until it leaves. */

import { SUMMARY_EVENT } from "../../../board/presence-summary.ts";
import type { VisitorKeys } from "../../access/port.ts";
import type { PresenceMeta } from "../../cluster/port.ts";
import { fullBucket, take, type Bucket } from "../../limits/token-bucket.ts";
import { isExpired, mayEnter, type Authentication, type Credential } from "./credential.ts";
import { TOPIC_PREFIX } from "./dispatch.ts";
import type { Environment } from "./environment.ts";
import type { SocketWriter } from "./socket-writer.ts";
import {
  REPLY_FAULTS,
  STOP_MESSAGES,
  TOKEN_FAULTS,
  countReason,
  payloadReason,
  reasonName,
} from "../payloads/faults.ts";
import { AROUND } from "../settings/limits.ts";
import type { Member } from "../wire/member.ts";
import { BOARD_TOPIC, mayAdd, refusedEvent, settingsJson } from "../topic/drawing-guard.ts";
import { topicKey } from "../topic/hub.ts";
import type { BroadcastContent } from "../wire/outgoing.ts";
import { accessToken, type JoinRequest, type PostgresBinding } from "../payloads/join.ts";
import { parsePresence } from "../payloads/presence.ts";
import type { StateReceiver } from "../topic/presence-out.ts";
import { makeMeta } from "../topic/presence.ts";
import type { Topic } from "../topic/topic.ts";
import type { Address, Message, Ref } from "../wire/wire.ts";

/** The part of its connection that a channel needs. */
export interface ChannelConnection {
  readonly environment: Environment;
  readonly visitor: VisitorKeys;
  readonly writer: SocketWriter;
  /** Checks a token, or for null the connection's own key. It calls `done` immediately or later, unless the connection closes. */
  authenticate(token: string | null, done: (result: Authentication) => void): void;
}

/** A join that was accepted. */
export interface AcceptedJoin {
  readonly message: Message;
  readonly request: JoinRequest;
  readonly credential: Credential;
}

/** Bytes of memory that a channel takes, and those for each byte of the changes that it asks for: measured. */
const CHANNEL_BYTES = 8_192;
const CHANGES_FACTOR = 24;

export class Channel implements Member, StateReceiver {
  readonly receiver: SocketWriter;
  readonly self: boolean;
  readonly joinRef: Ref;
  readonly wantsSummary: boolean;
  /** The approximate number of bytes that the channel has in memory. */
  readonly held: number;
  index = 0;
  stamp = 0;
  readonly #connection: ChannelConnection;
  readonly #topic: Topic;
  readonly #ack: boolean;
  readonly #private: boolean;
  readonly #presenceKey: string;
  readonly #presenceCalls: Bucket;
  readonly #onLeave: () => void;
  #credential: Credential;
  /** The tracked presence: the payload as it was sent, and the meta that was made of it. */
  #presence: { readonly json: string; readonly meta: PresenceMeta } | null = null;
  readonly #requestedChanges: readonly PostgresBinding[];
  /** Ends the subscription to changes of the row. */
  #stopChanges: () => void = () => {};
  /** Whether the client was sent that it has subscribed to them. */
  #hasSubscribed = false;
  /** The refusal of drawings about which this client was last notified. */
  #notified: string | null = null;
  #hasLeft = false;

  /** Enters the topic. `onLeave` is called once, when the channel has left it. */
  constructor(connection: ChannelConnection, join: AcceptedJoin, onLeave: () => void) {
    const { hub, rates, clock, names } = connection.environment;
    const { message, request, credential } = join;
    this.#connection = connection;
    this.receiver = connection.writer;
    this.self = request.self;
    this.joinRef = message.joinRef;
    this.wantsSummary = request.presence.summary;
    this.#ack = request.ack;
    this.#private = request.private;
    this.#presenceKey = request.presence.key === "" ? names.uuid() : request.presence.key;
    this.#presenceCalls = fullBucket(rates.presence, clock());
    this.#onLeave = onLeave;
    this.#credential = credential;
    this.#requestedChanges = request.postgresChanges;
    this.held = CHANNEL_BYTES + CHANGES_FACTOR * JSON.stringify(request.postgresChanges).length;
    this.#topic = hub.enter(topicKey(message.topic, request.private), this);
  }

  /** Replies to the join; the presences of the topic follow if the client wants them. */
  welcome({ message, request }: AcceptedJoin): void {
    const bindings = confirm(request.postgresChanges);
    this.receiver.reply(message, "ok", JSON.stringify({ postgres_changes: bindings }));
    // A client that reads too slowly is disconnected by it.
    if (this.#hasLeft) return;
    if (request.presence.enabled) this.#topic.presenceOut.welcome(this);
    if (request.postgresChanges.length > 0) void this.#subscribe();
    if (request.replicationReady) void this.#announceReplication();
    const { access } = this.#connection.environment.drawers;
    if (access.locked && this.#topic.key === BOARD_TOPIC)
      this.#send("broadcast", null, settingsJson(true));
  }

  /** Reports that changes of the row will be sent from now on, or stops the channel, as the hosted service does. */
  async #announceReplication(): Promise<void> {
    const isReady = await this.#connection.environment.changes.ready();
    if (this.#hasLeft) return;
    if (isReady) this.#system("system", "ok", "Replication connection established");
    else this.stop(STOP_MESSAGES.replication);
  }

  /** Subscribes to the changes that the join requested, in the role of the credential. */
  async #subscribe(): Promise<void> {
    this.#stopChanges();
    this.#stopChanges = () => {};
    const { role } = this.#credential.claims;
    const subscriber = { topic: this.#topic, member: this, role };
    const { changes } = this.#connection.environment;
    const result = await changes.subscribe(subscriber, this.#requestedChanges);
    if (this.#hasLeft || role !== this.#credential.claims.role) {
      if (result.ok) result.stop();
      return;
    }
    if (!result.ok) return this.#system("postgres_changes", "error", result.message);
    this.#stopChanges = result.stop;
    if (!this.#hasSubscribed) this.#system("postgres_changes", "ok", "Subscribed to PostgreSQL");
    this.#hasSubscribed = true;
  }

  #system(extension: string, status: "ok" | "error", message: string): void {
    const channel = this.#topic.name.slice(TOPIC_PREFIX.length);
    this.#send("system", null, JSON.stringify({ extension, status, message, channel }));
  }

  /** Whether the channel has this presence key. */
  isOf(page: string): boolean {
    return this.#presenceKey === page;
  }

  stateWait(): number {
    return this.receiver.stateWait();
  }

  sendState(payload: Buffer): void {
    this.receiver.sendState(this.#address("presence_state", null), payload);
  }

  sendSummary(payload: Buffer): void {
    this.receiver.sendState(this.#address(SUMMARY_EVENT, null), payload);
  }

  /** Handles a `phx_leave`: first the reply, then the close. */
  leave(message: Message): void {
    this.receiver.reply(message, "ok");
    this.close();
  }

  /** Leaves the topic; the client is sent `phx_close`. */
  close(): void {
    this.detach();
    this.#send("phx_close", this.joinRef, "{}");
  }

  /** Ends the channel from the server's side: the client is sent the reason, and does not join again by itself. */
  stop(reason: string): void {
    this.#system("system", "error", reason);
    this.close();
  }

  /** Leaves the topic without a message to the client. */
  detach(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const presence = this.#presence;
    this.#presence = null;
    this.#stopChanges();
    const { hub } = this.#connection.environment;
    this.#topic.presenceOut.forget(this);
    hub.leave(this.#topic, this, presence === null ? null : [this.#presenceKey, presence.meta]);
    this.#onLeave();
  }

  /**
   * Returns the reason why a broadcast as a text frame is not read, or null. @param bytes from its payload's first
   * byte to its last, and what follows
   */
  refusal(bytes: number): string | null {
    const { payloadBytes } = this.#connection.environment.limits;
    return bytes > payloadBytes + AROUND ? payloadReason(bytes) : null;
  }

  broadcast(address: Address, content: BroadcastContent): void {
    const { environment, visitor } = this.#connection;
    const { hub, limits, drawers } = environment;
    const { client, device } = visitor;
    const who = { client, device, claims: this.#credential.claims };
    const refused = refusedEvent(drawers.access, who, content.event);
    if (refused !== null) return this.#drop(address, refused);
    if (content.payload.length > limits.payloadBytes)
      return this.receiver.refuse(address, payloadReason(content.payload.length));
    if (!mayAdd(drawers.newcomers, who, content))
      return this.#drop(address, REPLY_FAULTS.newcomerLimit);
    if (!hub.broadcast(this.#topic, content, this))
      return this.receiver.refuse(address, REPLY_FAULTS.broadcastsLarge);
    if (this.#ack) this.receiver.reply(address, "ok");
  }

  /**
   * Drops a broadcast that this client may not send. A notice says so once for each lock or minute, and a reply each
   * time if the client asked for replies.
   */
  #drop(address: Address, reason: string): void {
    const { environment } = this.#connection;
    const minute = Math.floor(environment.clock() / 60_000);
    const isLock = reason === REPLY_FAULTS.boardLocked;
    const notice = `${reason} ${isLock ? environment.drawers.access.locks : minute}`;
    if (this.#ack) this.receiver.refuse(address, reason);
    else countReason(environment.reasons.refusals, reasonName(reason));
    if (this.#notified === notice) return;
    this.#notified = notice;
    this.#system("broadcast", "error", reason);
  }

  /** Handles a `presence` message: track, update or untrack. */
  presence(message: Message): void {
    const { limits, rates, clock } = this.#connection.environment;
    const request = parsePresence(message.payload, limits.presenceBytes);
    if (request.kind === "refused") return this.receiver.refuse(message, request.reason);
    if (request.kind === "track" && this.#presence?.json === request.json)
      return this.receiver.reply(message, "ok");
    if (!take(this.#presenceCalls, rates.presence, clock()))
      return this.receiver.refuse(message, REPLY_FAULTS.presenceRate);
    if (request.kind === "untrack") this.#untrack();
    else if (!this.#track(request.json))
      return this.receiver.refuse(message, REPLY_FAULTS.presenceFull);
    this.receiver.reply(message, "ok");
  }

  /** Tracks a presence. Returns false when the topic already has as many presence keys as it may have. */
  #track(json: string): boolean {
    const { hub, limits, names } = this.#connection.environment;
    const { present } = this.#topic.presences;
    if (!present.has(this.#presenceKey) && present.size >= limits.presenceKeys) return false;
    const previous = this.#presence?.meta ?? null;
    const meta = makeMeta(json, names.ref(), previous?.ref ?? null);
    this.#presence = { json, meta };
    hub.presence(this.#topic, this.#presenceKey, previous, meta);
    return true;
  }

  #untrack(): void {
    const previous = this.#presence;
    if (previous === null) return;
    this.#presence = null;
    this.#connection.environment.hub.presence(this.#topic, this.#presenceKey, previous.meta, null);
  }

  /** Takes over a new token for the channel. There is no reply; an invalid token stops the channel. */
  refreshToken(payload: unknown): void {
    const token =
      typeof payload === "object" && payload !== null
        ? accessToken((payload as { access_token?: unknown }).access_token)
        : null;
    if (token === null || token === this.#credential.token) return;
    this.#connection.authenticate(token, (result) => {
      // The old token may have expired while the new one was checked.
      if (this.#hasLeft) return;
      if (!result.ok) this.stop(result.problem.text);
      else if (!mayEnter(this.#private, result.credential.claims))
        this.stop(STOP_MESSAGES.unauthorized);
      else {
        const { role } = this.#credential.claims;
        this.#credential = result.credential;
        if (this.#requestedChanges.length > 0 && result.credential.claims.role !== role)
          void this.#subscribe();
      }
    });
  }

  /** Stops when the token has expired or belongs to links that were renewed. @param now milliseconds since 1970 */
  stopIfExpired(now: number): void {
    const { claims } = this.#credential;
    if (isExpired(claims, now) || this.#connection.environment.drawers.access.isVoid(claims))
      this.stop(TOKEN_FAULTS.expired.text);
  }

  #send(event: string, ref: Ref, payloadJson: string): void {
    this.receiver.send(this.#address(event, ref), payloadJson);
  }

  #address(event: string, ref: Ref): Address {
    return { joinRef: this.joinRef, ref, topic: this.#topic.name, event };
  }
}

/**
 * Gives each binding an integer id: the client gives up a channel whose bindings are not confirmed, even if they are
 * refused later.
 */
function confirm(bindings: readonly PostgresBinding[]): readonly object[] {
  return bindings.map((binding, index) => ({ id: index + 1, ...binding }));
}
