/** The text frames of both protocol versions: 1.0.0 is an object, 2.0.0 an array. No behaviour. */

/** 1 is vsn 1.0.0, 2 is vsn 2.0.0. */
export type Version = 1 | 2;

export interface Message {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

export type DecodedText =
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

const isRef = (value: unknown): value is string | null | undefined =>
  value === null ||
  value === undefined ||
  (typeof value === "string" && value.length <= REF_LENGTH);

const bad = (fault: string): DecodedText => ({ ok: false, fault });

/** Never throws; deep nesting is no danger, since JSON.parse does not recurse. */
export function decodeText(version: Version, text: string): DecodedText {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return bad("not JSON");
  }
  const fields = version === 2 ? arrayFields(parsed) : objectFields(parsed);
  if (fields === null) return bad(version === 2 ? "not an array of five" : "not an object");
  const [joinRef, ref, topic, event, payload] = fields;
  if (!isRef(joinRef) || !isRef(ref)) return bad("a ref that is not a text");
  if (typeof topic !== "string" || typeof event !== "string")
    return bad("a topic or event that is not a text");
  return {
    ok: true,
    message: { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload },
  };
}

type Fields = readonly [unknown, unknown, unknown, unknown, unknown];

function arrayFields(parsed: unknown): Fields | null {
  return Array.isArray(parsed) && parsed.length === 5 ? (parsed as unknown as Fields) : null;
}

function objectFields(parsed: unknown): Fields | null {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const { join_ref, ref, topic, event, payload } = parsed as Record<string, unknown>;
  return [join_ref, ref, topic, event, payload];
}

/** What a text frame is addressed with. */
export interface Address {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
}

/** `payloadJson` is JSON text and goes in as it is. */
export function encodeText(version: Version, address: Address, payloadJson: string): string {
  const topic = JSON.stringify(address.topic);
  const event = JSON.stringify(address.event);
  const ref = JSON.stringify(address.ref);
  const joinRef = JSON.stringify(address.joinRef);
  return version === 2
    ? `[${joinRef},${ref},${topic},${event},${payloadJson}]`
    : `{"topic":${topic},"event":${event},"payload":${payloadJson},"ref":${ref},"join_ref":${joinRef}}`;
}

/** The reply to `to`; `responseJson` is JSON text. */
export function encodeReply(
  version: Version,
  to: Pick<Message, "joinRef" | "ref" | "topic">,
  status: "ok" | "error",
  responseJson: string,
): string {
  const address = { joinRef: to.joinRef, ref: to.ref, topic: to.topic, event: "phx_reply" };
  return encodeText(version, address, `{"status":"${status}","response":${responseJson}}`);
}
