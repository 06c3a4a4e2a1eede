/** The bytes before the payload in a topic's broadcasts. They are the same for each event, so they are made once. */

import { KIND_BROADCAST } from "./push.ts";

interface BroadcastHead {
  /** The head in vsn 1.0.0: JSON up to the payload. */
  readonly text: Buffer;
  /** The head in vsn 2.0.0, for a payload in binary and for one in JSON, by encoding. */
  readonly binary: readonly [Buffer, Buffer];
}

/**
 * Greatest number of events with a stored head. The page has a handful; a client that invents new ones has their
 * heads made again each time.
 */
const MAX_EVENTS = 16;

export class BroadcastHeads {
  readonly #topic: string;
  readonly #made = new Map<string, BroadcastHead>();

  constructor(topic: string) {
    this.#topic = topic;
  }

  of(event: string): BroadcastHead {
    const known = this.#made.get(event);
    if (known !== undefined) return known;
    if (this.#made.size >= MAX_EVENTS) this.#made.clear();
    const head = { text: this.#text(event), binary: this.#binary(event) };
    this.#made.set(event, head);
    return head;
  }

  #text(event: string): Buffer {
    return Buffer.from(
      `{"topic":${JSON.stringify(this.#topic)},"event":"broadcast","payload":{"event":${JSON.stringify(event)},"payload":`,
    );
  }

  /** Makes a binary head: kind 4, the lengths of topic, event and metadata, and the encoding; then the names. */
  #binary(event: string): readonly [Buffer, Buffer] {
    const topic = Buffer.from(this.#topic);
    const name = Buffer.from(event);
    const make = (encoding: number): Buffer =>
      Buffer.concat([
        Buffer.from([KIND_BROADCAST, topic.length, name.length, 0, encoding]),
        topic,
        name,
      ]);
    return [make(0), make(1)];
  }
}
