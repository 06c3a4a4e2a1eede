/** The text frames of both protocol versions: 1.0.0 is an object, 2.0.0 an array. */

import {
  isString,
  makeText,
  readMembers,
  readString,
  skipSpace,
  type Members,
  type Span,
  type Text,
} from "../payloads/json-scan.ts";
import { parseTextBroadcast, type TextBroadcast } from "../payloads/broadcast.ts";

/** 1 is vsn 1.0.0, 2 is vsn 2.0.0. */
export type Version = 1 | 2;

/** The fields that say where a frame goes. */
export interface Address {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
}

export interface Message extends Address {
  /** Undefined for a broadcast. */
  readonly payload: unknown;
  /** What a broadcast carries; null where it is none, or not as it should be. */
  readonly broadcast: TextBroadcast | null;
}

type DecodedText =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly fault: string };

const VERSIONS: ReadonlyMap<string, Version> = new Map([
  ["1.0.0", 1],
  ["2.0.0", 2],
]);

/** A client that names no version speaks 1.0.0, as with Phoenix. */
export function parseVersion(text: string | null): Version | undefined {
  return VERSIONS.get(text ?? "1.0.0");
}

const REF_LENGTH = 255;

/** Where the fields stand: the names in an object, the indexes in an array. */
const FIELDS = {
  1: { joinRef: "join_ref", ref: "ref", topic: "topic", event: "event", payload: "payload" },
  2: { joinRef: 0, ref: 1, topic: 2, event: 3, payload: 4 },
} as const;

const ARRAY_LENGTH = 5;

const bad = (fault: string): DecodedText => ({ ok: false, fault });

/**
 * Checks the whole frame; never throws. A broadcast's payload is not parsed, only found: its bytes go on
 * as they are. `frame` is valid UTF-8.
 */
export function decodeText(version: Version, frame: Buffer): DecodedText {
  const names = FIELDS[version];
  let payload: Members | null = null;
  const json = makeText(frame);
  const root = readMembers(json, skipSpace(json, 0), (name, from) => {
    if (name !== names.payload) return undefined;
    payload = readMembers(json, from);
    return (payload as Members | null)?.end;
  });
  if (root === null || skipSpace(json, root.end) !== frame.length)
    return bad("a frame that is not JSON");
  if (root.spans.has(0) !== (version === 2) || (version === 2 && root.spans.size !== ARRAY_LENGTH))
    return bad("a frame of another form than its vsn");
  const text = (name: string | number): string | undefined => {
    const span = root.spans.get(name);
    return span !== undefined && isString(json, span) ? readString(json, span) : undefined;
  };
  const topic = text(names.topic);
  const event = text(names.event);
  if (topic === undefined || event === undefined) return bad("a topic or event that is not a text");
  const refs = [names.joinRef, names.ref].map((name) => readRef(json, root.spans.get(name)));
  const [joinRef, ref] = refs;
  if (joinRef === undefined || ref === undefined) return bad("a ref that is not a text");
  const address = { joinRef, ref, topic, event };
  if (event === "broadcast")
    return {
      ok: true,
      message: { ...address, payload: undefined, broadcast: parseTextBroadcast(json, payload) },
    };
  const span = root.spans.get(names.payload);
  const value = span === undefined ? "null" : frame.toString("utf8", span.from, span.to);
  return { ok: true, message: { ...address, payload: JSON.parse(value), broadcast: null } };
}

/** Undefined for what is neither a short text nor nothing. */
function readRef(json: Text, span: Span | undefined): string | null | undefined {
  if (span === undefined || json.bytes[span.from] === NULL) return null;
  if (!isString(json, span)) return undefined;
  const ref = readString(json, span);
  return ref.length <= REF_LENGTH ? ref : undefined;
}

/** The first byte of `null`. */
const NULL = 0x6e;

/** `payloadJson` is JSON text and goes in as it is. */
export function encodeText(version: Version, address: Address, payloadJson: string): string {
  const [before, after] = encodeAround(version, address);
  return before + payloadJson + after;
}

/** What stands before and after the payload. */
export function encodeAround(version: Version, address: Address): readonly [string, string] {
  const topic = JSON.stringify(address.topic);
  const event = JSON.stringify(address.event);
  const ref = JSON.stringify(address.ref);
  const joinRef = JSON.stringify(address.joinRef);
  return version === 2
    ? [`[${joinRef},${ref},${topic},${event},`, "]"]
    : [`{"topic":${topic},"event":${event},"payload":`, `,"ref":${ref},"join_ref":${joinRef}}`];
}

/** The reply to `to`; `responseJson` is JSON text. */
export function encodeReply(
  version: Version,
  to: Address,
  status: "ok" | "error",
  responseJson: string,
): string {
  const address = { joinRef: to.joinRef, ref: to.ref, topic: to.topic, event: "phx_reply" };
  return encodeText(version, address, `{"status":"${status}","response":${responseJson}}`);
}
