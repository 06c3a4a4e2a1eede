/** The messages between processes, through Redis: one byte for the kind, the sender's id, the rest. */

import { fromPlain, text, toPlain } from "./entries.ts";
import type { ClusterBroadcast, PresenceChange, PresenceMetas } from "./port.ts";

/** Characters of a process's id, all ASCII. */
export const PROCESS_ID_LENGTH = 16;
const PROCESS_ID = /^[\w-]{16}$/;

export type ClusterMessage =
  | { readonly kind: "broadcast"; readonly content: ClusterBroadcast }
  /** A change of the sender's presences of the topic; `version` counts these changes. */
  | {
      readonly kind: "change";
      readonly topic: string;
      readonly version: number;
      readonly change: PresenceChange;
    }
  /** All presences of the sender in the topic. */
  | {
      readonly kind: "snapshot";
      readonly topic: string;
      readonly version: number;
      readonly metas: PresenceMetas;
    }
  /** Asks the receiver for a snapshot of the topic. */
  | { readonly kind: "ask"; readonly topic: string }
  /** All topics of the sender. `version` counts the changes of the list. */
  | { readonly kind: "topics"; readonly version: number; readonly topics: readonly string[] }
  /** The topics that the sender joined and left. */
  | {
      readonly kind: "moved";
      readonly version: number;
      readonly joined: readonly string[];
      readonly left: readonly string[];
    }
  /** Asks the receiver for all its topics. */
  | { readonly kind: "who" }
  /** A heartbeat: its number, and the version of the sender's list of topics. */
  | { readonly kind: "alive"; readonly beat: number; readonly version: number }
  | { readonly kind: "bye" };

const KINDS = [
  "broadcast",
  "change",
  "snapshot",
  "ask",
  "topics",
  "moved",
  "who",
  "alive",
  "bye",
] as const;
const START = 1 + PROCESS_ID_LENGTH;
/** Bytes of the encoding, and of the lengths of topic and event, which take two bytes each. */
const BROADCAST_HEADER = 5;
/** Greatest length of an event: it is one byte in the frames for clients. */
const EVENT_BYTES = 255;

export function encodeMessage(sender: string, message: ClusterMessage): Buffer {
  const body = encodeBody(message);
  const bytes = Buffer.allocUnsafe(START + body.length);
  bytes[0] = KINDS.indexOf(message.kind);
  bytes.write(sender, 1, "latin1");
  body.copy(bytes, START);
  return bytes;
}

function encodeBody(message: ClusterMessage): Buffer {
  switch (message.kind) {
    case "broadcast": {
      const { topic, event, encoding, payload } = message.content;
      const names = [Buffer.from(topic), Buffer.from(event)] as const;
      const head = Buffer.alloc(BROADCAST_HEADER, encoding);
      head.writeUInt16BE(names[0].length, 1);
      head.writeUInt16BE(names[1].length, 3);
      return Buffer.concat([head, ...names, payload]);
    }
    case "change": {
      const { joins, leaves } = message.change;
      return json([message.topic, message.version, toPlain(joins), toPlain(leaves)]);
    }
    case "snapshot":
      return json([message.topic, message.version, toPlain(message.metas)]);
    case "ask":
      return json([message.topic]);
    case "topics":
      return json([message.version, message.topics]);
    case "moved":
      return json([message.version, message.joined, message.left]);
    case "alive":
      return json([message.beat, message.version]);
    case "who":
    case "bye":
      return Buffer.alloc(0);
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

export interface Received {
  readonly sender: string;
  readonly message: ClusterMessage;
}

/** Decodes a message; null for one that no process of this version writes. */
export function decodeMessage(bytes: Buffer): Received | null {
  const kind = KINDS[bytes[0] ?? 255];
  const sender = bytes.toString("latin1", 1, START);
  if (kind === undefined || !PROCESS_ID.test(sender)) return null;
  try {
    return { sender, message: decodeBody(kind, bytes.subarray(START)) };
  } catch {
    return null;
  }
}

function decodeBody(kind: (typeof KINDS)[number], body: Buffer): ClusterMessage {
  if (kind === "broadcast") return { kind, content: decodeBroadcast(body) };
  if (kind === "who" || kind === "bye") return { kind };
  const parts: unknown = JSON.parse(body.toString());
  if (!Array.isArray(parts)) throw new TypeError("not a list");
  const [first, second, third, fourth] = parts as readonly unknown[];
  switch (kind) {
    case "change":
      return {
        kind,
        topic: text(first),
        version: Number(second),
        change: { joins: fromPlain(third), leaves: fromPlain(fourth) },
      };
    case "snapshot":
      return { kind, topic: text(first), version: Number(second), metas: fromPlain(third) };
    case "ask":
      return { kind, topic: text(first) };
    case "topics":
      return { kind, version: Number(first), topics: texts(second) };
    case "moved":
      return { kind, version: Number(first), joined: texts(second), left: texts(third) };
    case "alive":
      return { kind, beat: Number(first), version: Number(second) };
  }
}

function decodeBroadcast(body: Buffer): ClusterBroadcast {
  const event = BROADCAST_HEADER + body.readUInt16BE(1);
  const payload = event + body.readUInt16BE(3);
  if (payload > body.length) throw new RangeError("too short");
  if (payload - event > EVENT_BYTES || payload === event) throw new RangeError("no event");
  return {
    topic: body.toString("utf8", BROADCAST_HEADER, event),
    event: body.toString("utf8", event, payload),
    encoding: body[0] === 1 ? 1 : 0,
    payload: body.subarray(payload),
  };
}

function texts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new TypeError("not a list");
  return value.map(text);
}
