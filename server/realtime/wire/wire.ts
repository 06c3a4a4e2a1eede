/** The text frames of both protocol versions: 1.0.0 is an object, 2.0.0 an array. */

import { REPLY_FAULTS } from "../payloads/faults.ts";
import {
  isName,
  makeText,
  readMembers,
  readString,
  skipSpace,
  type Members,
  type Span,
  type Text,
} from "../payloads/json-scan.ts";
import { refAtEnd } from "./frame-tail.ts";
import { parseTextBroadcast, type TextBroadcast } from "../payloads/broadcast.ts";

/** The version of the protocol: 1 is vsn 1.0.0, 2 is vsn 2.0.0. */
export type Version = 1 | 2;

/** A client's name for one of its messages. The protocol has a text; some clients send a number, which Phoenix takes. */
export type Ref = string | number | null;

/** The fields that give a frame's destination. */
export interface Address {
  readonly joinRef: Ref;
  readonly ref: Ref;
  readonly topic: string;
  readonly event: string;
}

export interface Message extends Address {
  /** The payload; undefined for a broadcast. */
  readonly payload: unknown;
  /** The broadcast; null where it is none, or malformed. */
  readonly broadcast: TextBroadcast | null;
}

export type DecodedText =
  | { readonly ok: true; readonly message: Message }
  /** A malformed frame, which is dropped. */
  | { readonly ok: false; readonly fault: string }
  /** A well-formed frame that is refused with a reason. */
  | { readonly ok: false; readonly address: Address; readonly reason: string };

/**
 * Returns the reason why a frame of more than `SMALL_BYTES` is not read to its end, or null when it is.
 * @param address null where the payload comes before it
 * @param bytes from the payload's first byte to the frame's last
 */
export type Refusal = (address: Address | null, bytes: number) => string | null;

/** Greatest number of bytes of a message that is no broadcast, and of members at any depth in its payload, since it is parsed. */
export const SMALL_BYTES = 65_536;
const SMALL_MEMBERS = 4_096;

const VERSIONS: ReadonlyMap<string, Version> = new Map([
  ["1.0.0", 1],
  ["2.0.0", 2],
]);

/** Parses the version. A client that names none speaks 1.0.0, as with Phoenix. */
export function parseVersion(text: string | null): Version | undefined {
  return VERSIONS.get(text ?? "1.0.0");
}

const REF_LENGTH = 255;
const REF_DIGITS = 15;

/** The positions of the fields: names in an object, indexes in an array. */
const FIELDS = {
  1: { joinRef: "join_ref", ref: "ref", topic: "topic", event: "event", payload: "payload" },
  2: { joinRef: 0, ref: 1, topic: 2, event: 3, payload: 4 },
} as const;

const ARRAY_LENGTH = 5;

const bad = (fault: string): DecodedText => ({ ok: false, fault });

/**
 * Decodes a frame; never throws. A broadcast's payload is not parsed, only found: its bytes are passed on unchanged.
 * For a large frame `refusal` is called as soon as its topic and event are known. `frame` is valid UTF-8.
 */
export function decodeText(version: Version, frame: Buffer, refusal: Refusal): DecodedText {
  const names = FIELDS[version];
  const json = makeText(frame);
  let payload: Members | null = null;
  let refused: DecodedText | null = null;
  const root = readMembers(json, skipSpace(json, 0), (name, from, before) => {
    if (name !== names.payload) return undefined;
    refused = refuseLarge(json, names, { before, from, refusal });
    if (refused !== null) return -1;
    json.passed = 0;
    payload = readMembers(json, from);
    return (payload as Members | null)?.end;
  });
  if (refused !== null) return refused;
  if (root === null || skipSpace(json, root.end) !== frame.length)
    return bad("a frame that is not JSON, or has too many members");
  if (root.spans.has(0) !== (version === 2) || (version === 2 && root.spans.size !== ARRAY_LENGTH))
    return bad("a frame of another form than its vsn");
  const address = readAddress(json, names, root.spans);
  if (typeof address === "string") return bad(address);
  if (address.event === "broadcast")
    return {
      ok: true,
      message: { ...address, payload: undefined, broadcast: parseTextBroadcast(json, payload) },
    };
  if (frame.length > SMALL_BYTES || json.passed > SMALL_MEMBERS)
    return { ok: false, address, reason: REPLY_FAULTS.messageTooLarge };
  const span = root.spans.get(names.payload);
  const value = span === undefined ? "null" : frame.toString("utf8", span.from, span.to);
  return { ok: true, message: { ...address, payload: JSON.parse(value), broadcast: null } };
}

type FieldNames = (typeof FIELDS)[Version];

interface Begun {
  /** The fields before the payload. */
  readonly before: Members["spans"];
  /** The index where the payload begins. */
  readonly from: number;
  readonly refusal: Refusal;
}

/** Refuses a large frame; null for a small one and one that is accepted. */
function refuseLarge(json: Text, names: FieldNames, begun: Begun): DecodedText | null {
  const { before, from, refusal } = begun;
  const { bytes } = json;
  if (bytes.length <= SMALL_BYTES) return null;
  const read = readAddress(json, names, before);
  const address = typeof read === "string" ? null : read;
  const reason = refusal(address, bytes.length - from);
  if (reason === null) return null;
  if (address === null) return bad("a large frame whose topic and event come after its payload");
  return { ok: false, reason, address: { ...address, ref: address.ref ?? refAtEnd(bytes) } };
}

/** Reads the fields that give the frame's destination, or returns their fault. */
function readAddress(json: Text, names: FieldNames, spans: Members["spans"]): Address | string {
  const text = (name: string | number): string | undefined => {
    const span = spans.get(name);
    return span !== undefined && isName(json, span) ? readString(json, span) : undefined;
  };
  const topic = text(names.topic);
  const event = text(names.event);
  if (topic === undefined || event === undefined)
    return "a topic or event that is not a short text";
  const [joinRef, ref] = [names.joinRef, names.ref].map((name) => readRef(json, spans.get(name)));
  if (joinRef === undefined || ref === undefined)
    return "a ref that is neither a text nor a number";
  return { joinRef, ref, topic, event };
}

/** Reads a reference; undefined for anything but a short text, a whole number or null. */
function readRef(json: Text, span: Span | undefined): Ref | undefined {
  if (span === undefined || json.bytes[span.from] === NULL) return null;
  if (!isName(json, span)) {
    const { from, to } = span;
    const digits = to - from > REF_DIGITS ? "" : json.bytes.toString("latin1", from, to);
    return /^\d+$/.test(digits) ? Number(digits) : undefined;
  }
  const ref = readString(json, span);
  return ref.length <= REF_LENGTH ? ref : undefined;
}

/** The first byte of `null`. */
const NULL = 0x6e;

/** Encodes a text frame. `payloadJson` is JSON text and is inserted unchanged. */
export function encodeText(version: Version, address: Address, payloadJson: string): string {
  const [before, after] = encodeAround(version, address);
  return before + payloadJson + after;
}

/** Returns the text before and after the payload. */
export function encodeAround(version: Version, address: Address): readonly [string, string] {
  const topic = JSON.stringify(address.topic);
  const event = JSON.stringify(address.event);
  const ref = JSON.stringify(address.ref);
  const joinRef = JSON.stringify(address.joinRef);
  return version === 2
    ? [`[${joinRef},${ref},${topic},${event},`, "]"]
    : [`{"topic":${topic},"event":${event},"payload":`, `,"ref":${ref},"join_ref":${joinRef}}`];
}

/** Encodes the reply to `to`; `responseJson` is JSON text. */
export function encodeReply(
  version: Version,
  to: Address,
  status: "ok" | "error",
  responseJson: string,
): string {
  const address = { joinRef: to.joinRef, ref: to.ref, topic: to.topic, event: "phx_reply" };
  return encodeText(version, address, `{"status":"${status}","response":${responseJson}}`);
}
