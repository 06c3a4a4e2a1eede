/** Outgoing messages: each makes its frame for a protocol version once, when the first receiver needs it. */

import type { Member, Outgoing } from "./member.ts";
import { isJson } from "../payloads/json-scan.ts";
import { KIND_BROADCAST } from "./push.ts";
import {
  OPCODE_BINARY,
  OPCODE_TEXT,
  headerLength,
  textFrame,
  writeHeader,
} from "./websocket-frame.ts";
import { encodeText, type Version } from "./wire.ts";

/**
 * Bytes from which a payload is sent without a copy while few receive it: copying takes little time, but its garbage
 * does. In larger topics a frame is one buffer, since one write costs less than several.
 */
const LARGE_BYTES = 16_384;

/** The numbers of frames that were made. */
export interface EncodeCounts {
  encodes: number;
}

export interface BroadcastContent {
  readonly event: string;
  /** 1: JSON text in UTF-8; 0: binary. */
  readonly encoding: 0 | 1;
  readonly payload: Uint8Array;
  /** Whether the payload is known to be valid JSON in valid UTF-8. */
  readonly checked: boolean;
}

export class BroadcastOut implements Outgoing {
  readonly sender: Member | null;
  readonly droppable: boolean;
  readonly #topic: string;
  readonly #content: BroadcastContent;
  readonly #counts: EncodeCounts;
  #v1: readonly Buffer[] | null | undefined;
  #v2: readonly Buffer[] | undefined;

  constructor(
    to: { readonly topic: string; readonly counts: EncodeCounts },
    content: BroadcastContent,
    sender: Member | null,
    droppable: boolean,
  ) {
    this.#topic = to.topic;
    this.#counts = to.counts;
    this.#content = content;
    this.sender = sender;
    this.droppable = droppable;
  }

  get size(): number {
    return this.#content.payload.length;
  }

  frame(version: Version): readonly Buffer[] | null {
    if (version === 2) return (this.#v2 ??= this.#binary());
    if (this.#v1 === undefined) this.#v1 = this.#text();
    return this.#v1;
  }

  /** Makes a frame of kind 4, with the payload's bytes unchanged. */
  #binary(): readonly Buffer[] {
    this.#counts.encodes++;
    const { event, payload, encoding } = this.#content;
    return assemble(OPCODE_BINARY, binaryHead(this.#topic, event, encoding), payload, NOTHING);
  }

  /**
   * Makes a text frame, since 1.0.0 has no binary broadcasts. The payload becomes part of JSON text, so one that was
   * not checked yet is checked here: broken UTF-8 would cost every receiver its connection, and a payload that is
   * more than one JSON value could forge messages.
   */
  #text(): readonly Buffer[] | null {
    const { event, payload, encoding, checked } = this.#content;
    if (encoding === 0 || (!checked && !isJson(asBuffer(payload)))) return null;
    this.#counts.encodes++;
    return assemble(OPCODE_TEXT, textHead(this.#topic, event), payload, AFTER_PAYLOAD);
  }
}

/** Returns the JSON text that precedes the payload. */
const textHead = (topic: string, event: string): Buffer =>
  Buffer.from(
    `{"topic":${JSON.stringify(topic)},"event":"broadcast","payload":{"event":${JSON.stringify(event)},"payload":`,
  );

/** Returns kind 4, the lengths of topic, event and metadata, and the encoding; then the names. */
function binaryHead(topic: string, event: string, encoding: 0 | 1): Buffer {
  const lengths = [Buffer.byteLength(topic), Buffer.byteLength(event), 0];
  return Buffer.concat([
    Buffer.from([KIND_BROADCAST, ...lengths, encoding]),
    Buffer.from(topic),
    Buffer.from(event),
  ]);
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const NOTHING = Buffer.alloc(0);
const AFTER_PAYLOAD = Buffer.from(`,"type":"broadcast"},"ref":null}`);

/** Assembles one buffer, or a few around the payload's own bytes when it is large. */
function assemble(
  opcode: number,
  before: Buffer,
  payload: Uint8Array,
  after: Buffer,
): readonly Buffer[] {
  const length = before.length + payload.length + after.length;
  const large = payload.length >= LARGE_BYTES;
  const head = headerLength(length) + before.length;
  const frame = Buffer.allocUnsafe(large ? head : head + payload.length + after.length);
  frame.set(before, writeHeader(frame, opcode, length));
  if (!large) {
    frame.set(payload, head);
    frame.set(after, head + payload.length);
    return [frame];
  }
  const own = asBuffer(payload);
  return after.length === 0 ? [frame, own] : [frame, own, after];
}

/** A message of the server itself to all members of a topic, such as presence. It is never left out. */
export class TextOut implements Outgoing {
  readonly sender = null;
  readonly droppable = false;
  readonly #topic: string;
  readonly #event: string;
  readonly #payloadJson: string;
  readonly #frames: (readonly Buffer[] | undefined)[] = [];

  constructor(topic: string, event: string, payloadJson: string) {
    this.#topic = topic;
    this.#event = event;
    this.#payloadJson = payloadJson;
  }

  get size(): number {
    return this.#payloadJson.length;
  }

  frame(version: Version): readonly Buffer[] {
    const address = { joinRef: null, ref: null, topic: this.#topic, event: this.#event };
    return (this.#frames[version] ??= [textFrame(encodeText(version, address, this.#payloadJson))]);
  }
}
