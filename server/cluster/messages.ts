/** The messages between processes, through Redis: one byte for the kind, the sender's id, the rest. */

import { fromPlain, toPlain } from "./entries.ts";
import type { ClusterBroadcast, PresenceChange, PresenceMetas } from "./port.ts";

/** Characters of a process's id, all ASCII. */
export const PROCESS_ID_LENGTH = 16;

export type ClusterMessage =
  | { readonly kind: "broadcast"; readonly content: Omit<ClusterBroadcast, "topic"> }
  /** A change of the sender's presences of the topic; `version` counts them. */
  | { readonly kind: "change"; readonly version: number; readonly change: PresenceChange }
  /** All of the sender's presences of the topic. */
  | { readonly kind: "snapshot"; readonly version: number; readonly metas: PresenceMetas }
  /** Every process that has the topic sends a snapshot. */
  | { readonly kind: "ask" }
  /** A heartbeat, with the topics in which the sender has presences and their versions. */
  | { readonly kind: "alive"; readonly topics: ReadonlyMap<string, number> }
  | { readonly kind: "bye" };

const KINDS = ["broadcast", "change", "snapshot", "ask", "alive", "bye"] as const;
const START = 1 + PROCESS_ID_LENGTH;
const BROADCAST_HEADER = 3;

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
      const { event, encoding, payload } = message.content;
      const name = Buffer.from(event);
      const head = Buffer.from([encoding, name.length >> 8, name.length & 0xff]);
      return Buffer.concat([head, name, payload]);
    }
    case "change": {
      const { joins, leaves } = message.change;
      return json([message.version, toPlain(joins), toPlain(leaves)]);
    }
    case "snapshot":
      return json([message.version, toPlain(message.metas)]);
    case "alive":
      return json([...message.topics]);
    case "ask":
    case "bye":
      return Buffer.alloc(0);
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

export interface Received {
  readonly sender: string;
  readonly message: ClusterMessage;
}

/** Null for what no process of this version writes. */
export function decodeMessage(bytes: Buffer): Received | null {
  const kind = KINDS[bytes[0] ?? 255];
  if (kind === undefined || bytes.length < START) return null;
  try {
    return {
      sender: bytes.toString("latin1", 1, START),
      message: decodeBody(kind, bytes.subarray(START)),
    };
  } catch {
    return null;
  }
}

function decodeBody(kind: (typeof KINDS)[number], body: Buffer): ClusterMessage {
  switch (kind) {
    case "broadcast": {
      const payload = BROADCAST_HEADER + body.readUInt16BE(1);
      if (payload > body.length) throw new RangeError("too short");
      return {
        kind,
        content: {
          event: body.toString("utf8", BROADCAST_HEADER, payload),
          encoding: body[0] === 1 ? 1 : 0,
          payload: body.subarray(payload),
        },
      };
    }
    case "change": {
      const [version, joins, leaves] = JSON.parse(body.toString());
      return {
        kind,
        version: Number(version),
        change: { joins: fromPlain(joins), leaves: fromPlain(leaves) },
      };
    }
    case "snapshot": {
      const [version, metas] = JSON.parse(body.toString());
      return { kind, version: Number(version), metas: fromPlain(metas) };
    }
    case "alive":
      return { kind, topics: new Map(JSON.parse(body.toString())) };
    case "ask":
    case "bye":
      return { kind };
  }
}
