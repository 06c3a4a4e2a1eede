/** What a connection does for its channels: join, leave, broadcast, presence, token, stop. */

import type { TokenCheck } from "../keys/port.ts";
import type { Connection } from "./connection.ts";
import { REPLY_FAULTS, STOP_MESSAGES, TOKEN_FAULTS, joinReason } from "./faults.ts";
import { roomKey } from "./hub.ts";
import { fullBucket, take } from "./limits.ts";
import type { BroadcastContent } from "./outgoing.ts";
import { isTopicName } from "./payloads/http-broadcast.ts";
import { accessToken, parseJoin } from "./payloads/join.ts";
import type { JoinRequest, PostgresBinding } from "./payloads/join.ts";
import { parsePresence } from "./payloads/presence.ts";
import { makeMeta, metasJson } from "./presence.ts";
import { TOPIC_PREFIX, isExpired, mayEnter } from "./session.ts";
import type { Channel, Credential } from "./session.ts";
import type { Address, Message } from "./wire.ts";

/** A `phx_join`. A channel of this topic that is there already is closed first, whatever comes of the new one. */
export function joinChannel(connection: Connection, message: Message): void {
  const { world, channels } = connection;
  const old = channels.get(message.topic);
  if (old !== undefined) closeChannel(connection, old);
  const refuse = (reason: string): void => connection.refuse(message, reason);
  if (!isTopicName(message.topic.slice(TOPIC_PREFIX.length)))
    return refuse(joinReason("TopicNameRequired"));
  if (!take(connection.joins, world.rates.joins, world.clock()))
    return refuse(joinReason("ClientJoinRateLimitReached"));
  if (channels.size >= world.limits.channelsPerConnection)
    return refuse(joinReason("ChannelRateLimitReached"));
  const parsed = parseJoin(message.payload);
  if (!parsed.ok) return refuse(joinReason("InvalidJoinPayload", parsed.reason));
  if (parsed.join.replay && !parsed.join.private)
    return refuse(joinReason("UnableToReplayMessages"));
  withCredential(connection, parsed.join.accessToken, (credential, fault) => {
    if (fault !== null) refuse(joinReason(fault.code, fault.text));
    else enter(connection, message, parsed.join, credential);
  });
}

type TokenProblem = (typeof TOKEN_FAULTS)[keyof typeof TOKEN_FAULTS];

/** The connection's own key was checked at the handshake; it may have expired since. */
function withCredential(
  connection: Connection,
  token: string | null,
  done: (credential: Credential, fault: TokenProblem | null) => void,
): void {
  const own = connection.credential;
  const settle = (credential: Credential): void =>
    done(
      credential,
      isExpired(credential.claims, connection.world.clock()) ? TOKEN_FAULTS.expired : null,
    );
  if (token === null || token === own.token) return settle(own);
  connection.check(token, (result: TokenCheck) => {
    if (result.ok) settle({ token, claims: result.claims });
    else done(own, TOKEN_FAULTS[result.fault]);
  });
}

function enter(
  connection: Connection,
  message: Message,
  join: JoinRequest,
  credential: Credential,
): void {
  const { world } = connection;
  const { topic, joinRef } = message;
  if (!mayEnter(join.private, credential.claims))
    return connection.refuse(
      message,
      joinReason(
        "Unauthorized",
        `You do not have permissions to read from this Channel topic: ${topic.slice(TOPIC_PREFIX.length)}`,
      ),
    );
  const key = roomKey(topic, join.private);
  if (world.hub.size(key) >= world.limits.roomMembers)
    return connection.refuse(message, joinReason("ConnectionRateLimitReached"));
  const member = { receiver: connection, self: join.self, slot: 0, stamp: 0 };
  const channel: Channel = Object.assign(member, {
    topic,
    joinRef,
    room: world.hub.enter(key, member),
    ack: join.ack,
    private: join.private,
    presenceKey: join.presence.key === "" ? world.uuid() : join.presence.key,
    presenceCalls: fullBucket(world.rates.presence, world.clock()),
    credential,
    presence: null,
  });
  connection.channels.set(topic, channel);
  connection.reply(message, "ok", JSON.stringify({ postgres_changes: echo(join.postgresChanges) }));
  if (join.presence.enabled)
    connection.send(
      { joinRef, ref: null, topic, event: "presence_state" },
      metasJson(channel.room.presences.told()),
    );
}

/**
 * No changes of tables are ever sent: the page reads the row itself. They are echoed all the same,
 * with an integer id each, since the client gives up a channel whose bindings are not confirmed.
 */
function echo(bindings: readonly PostgresBinding[]): readonly object[] {
  return bindings.map((binding, index) => ({ id: index + 1, ...binding }));
}

/** A `phx_leave`: first the reply, then the close. */
export function leaveChannel(connection: Connection, channel: Channel, message: Message): void {
  connection.reply(message, "ok");
  closeChannel(connection, channel);
}

function closeChannel(connection: Connection, channel: Channel): void {
  const { topic, joinRef } = channel;
  detachChannel(connection, channel);
  connection.send({ joinRef, ref: joinRef, topic, event: "phx_close" }, "{}");
}

/** The server ends a channel: the client is told why, and does not join again by itself. */
export function stopChannel(connection: Connection, channel: Channel, why: string): void {
  const { topic, joinRef } = channel;
  connection.send(
    { joinRef, ref: null, topic, event: "system" },
    JSON.stringify({
      extension: "system",
      status: "error",
      message: why,
      channel: topic.slice(TOPIC_PREFIX.length),
    }),
  );
  closeChannel(connection, channel);
}

/** Out of its room, without a word to the client. */
export function detachChannel(connection: Connection, channel: Channel): void {
  const { hub } = connection.world;
  if (!connection.channels.delete(channel.topic)) return;
  const { presence } = channel;
  channel.presence = null;
  hub.leave(channel.room, channel, presence === null ? null : [channel.presenceKey, presence.meta]);
}

export function broadcastOn(
  connection: Connection,
  channel: Channel,
  address: Address,
  content: BroadcastContent,
): void {
  const { hub, limits } = connection.world;
  if (content.payload.length > limits.payloadBytes)
    return connection.refuse(address, REPLY_FAULTS.broadcastTooLarge);
  hub.broadcast(channel.room, content, channel);
  if (channel.ack) connection.reply(address, "ok");
}

/** A `presence` message: track, update or untrack. */
export function presenceOn(connection: Connection, channel: Channel, message: Message): void {
  const { hub, limits, rates, clock, uniqueRef } = connection.world;
  const request = parsePresence(message.payload, limits.presenceBytes);
  const previous = channel.presence;
  if (request.kind === "refused") return connection.refuse(message, request.reason);
  if (request.kind === "track" && previous?.json === request.json)
    return connection.reply(message, "ok");
  if (!take(channel.presenceCalls, rates.presence, clock()))
    return connection.refuse(message, REPLY_FAULTS.presenceRate);
  const { room, presenceKey } = channel;
  if (request.kind === "track") {
    if (!room.presences.has(presenceKey) && room.presences.keys >= limits.presenceKeys)
      return connection.refuse(message, REPLY_FAULTS.presenceFull);
    const meta = makeMeta(request.json, uniqueRef(), previous?.meta.ref ?? null);
    channel.presence = { json: request.json, meta };
    hub.presence(room, presenceKey, previous?.meta ?? null, meta);
  } else if (previous !== null) {
    channel.presence = null;
    hub.presence(room, presenceKey, previous.meta, null);
  }
  connection.reply(message, "ok");
}

/** A new token for a channel. No reply; one that does not hold stops the channel. */
export function refreshToken(connection: Connection, channel: Channel, payload: unknown): void {
  const token =
    typeof payload === "object" && payload !== null
      ? accessToken((payload as { access_token?: unknown }).access_token)
      : null;
  if (token === null || token === channel.credential.token) return;
  withCredential(connection, token, (credential, fault) => {
    if (fault !== null) stopChannel(connection, channel, fault.text);
    else if (!mayEnter(channel.private, credential.claims))
      stopChannel(connection, channel, STOP_MESSAGES.unauthorized);
    else channel.credential = credential;
  });
}

/** `now` in milliseconds since 1970. */
export function stopExpired(connection: Connection, now: number): void {
  for (const channel of connection.channels.values())
    if (isExpired(channel.credential.claims, now))
      stopChannel(connection, channel, TOKEN_FAULTS.expired.text);
}
