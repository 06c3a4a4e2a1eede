/** What stands before the payload in a topic's broadcasts: the same bytes for each event, so they are made once. */

import { KIND_BROADCAST } from "./push.ts";

interface BroadcastHead {
  /** vsn 1.0.0: JSON up to where the payload begins. */
  readonly text: Buffer;
  /** vsn 2.0.0, for a payload in binary and for one in JSON, as the encoding says. */
  readonly binary: readonly [Buffer, Buffer];
}

/** The page has a handful of events; a client that makes up new ones has their heads made again each time. */
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

  /** Kind 4, the lengths of topic, event and metadata, and the encoding; then the names. */
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
