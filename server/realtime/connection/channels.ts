/** The channels of one connection, by topic, and the joins that create them. */

import { fullBucket, take, type Bucket } from "../../limits/token-bucket.ts";
import { Channel, type AcceptedJoin, type ChannelConnection } from "./channel.ts";
import { mayEnter } from "./credential.ts";
import { TOPIC_PREFIX } from "./dispatch.ts";
import { REPLY_FAULTS, joinReason, REPLAY_FAULTS } from "../payloads/faults.ts";
import { topicKey } from "../topic/hub.ts";
import { isTopicName } from "../payloads/http-broadcast.ts";
import { parseJoin } from "../payloads/join.ts";
import type { Message } from "../wire/wire.ts";

export class Channels {
  readonly #connection: ChannelConnection;
  readonly #joins: Bucket;
  readonly #byTopic = new Map<string, Channel>();

  constructor(connection: ChannelConnection) {
    const { rates, clock } = connection.environment;
    this.#connection = connection;
    this.#joins = fullBucket(rates.joins, clock());
  }

  /**
   * Returns the channel of a topic.
   * @param topic with `realtime:` in front
   */
  get(topic: string): Channel | undefined {
    return this.#byTopic.get(topic);
  }

  /** Returns the reason why a large frame is not read that does not name its destination at the beginning, or null. */
  refusal(bytes: number): string | null {
    for (const channel of this.#byTopic.values()) return channel.refusal(bytes);
    return REPLY_FAULTS.unmatchedTopic;
  }

  /** Handles a `phx_join`. An existing channel of this topic is closed first, also when the new one is refused. */
  join(message: Message): void {
    const { rates, limits, clock } = this.#connection.environment;
    this.#byTopic.get(message.topic)?.close();
    const refuse = (reason: string): void => this.#connection.writer.refuse(message, reason);
    if (!isTopicName(message.topic.slice(TOPIC_PREFIX.length)))
      return refuse(joinReason("TopicNameRequired"));
    if (!take(this.#joins, rates.joins, clock()))
      return refuse(joinReason("ClientJoinRateLimitReached"));
    if (this.#byTopic.size >= limits.channelsPerConnection)
      return refuse(joinReason("ChannelRateLimitReached"));
    const parsed = parseJoin(message.payload);
    if (!parsed.ok) return refuse(joinReason("InvalidJoinPayload", parsed.reason));
    const request = parsed.join;
    if (request.replay !== "none")
      return refuse(REPLAY_FAULTS[request.private ? request.replay : "public"]);
    this.#connection.authenticate(request.accessToken, (result) => {
      if (result.ok) this.#enter({ message, request, credential: result.credential });
      else refuse(joinReason(result.problem.code, result.problem.text));
    });
  }

  #enter(join: AcceptedJoin): void {
    const { hub, limits } = this.#connection.environment;
    const { message, request, credential } = join;
    const { topic } = message;
    if (!mayEnter(request.private, credential.claims))
      return this.#connection.writer.refuse(
        message,
        joinReason(
          "Unauthorized",
          `You do not have permissions to read from this Channel topic: ${topic.slice(TOPIC_PREFIX.length)}`,
        ),
      );
    if (hub.size(topicKey(topic, request.private)) >= limits.topicMembers)
      return this.#connection.writer.refuse(message, joinReason("ConnectionRateLimitReached"));
    const channel = new Channel(this.#connection, join, () => this.#byTopic.delete(topic));
    this.#byTopic.set(topic, channel);
    channel.welcome(join);
  }

  /** Whether one of the channels has this presence key. */
  isOf(page: string): boolean {
    return [...this.#byTopic.values()].some((channel) => channel.isOf(page));
  }

  /** Returns the approximate number of bytes that the channels have in memory. */
  held(): number {
    let bytes = 0;
    for (const channel of this.#byTopic.values()) bytes += channel.held;
    return bytes;
  }

  /** Stops the channels whose token has expired. @param now milliseconds since 1970 */
  stopExpired(now: number): void {
    for (const channel of this.#byTopic.values()) channel.stopIfExpired(now);
  }

  /** Leaves every topic without a message to the client. */
  detachAll(): void {
    for (const channel of this.#byTopic.values()) channel.detach();
  }
}
