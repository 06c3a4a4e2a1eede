/** The parser of `POST /realtime/v1/api/broadcast`. */

import { payloadReason } from "./faults.ts";
import { isEventName } from "./broadcast.ts";

interface PostedMessage {
  /** Without `realtime:`. */
  readonly topic: string;
  readonly event: string;
  readonly private: boolean;
  /** JSON text in UTF-8. */
  readonly payload: Buffer;
}

/** Why a body was refused, by field: the hosted service's shape of a 422. */
type PostedFaults = Readonly<Record<string, readonly string[]>>;

type PostedResult =
  | { readonly ok: true; readonly messages: readonly PostedMessage[] }
  | {
      readonly ok: false;
      readonly errors: { readonly messages: readonly PostedFaults[] | readonly string[] };
    };

const MESSAGES = 100;
const BLANK = "can't be blank";
/** With `realtime:` in front, a topic's length is one byte on the wire. */
const TOPIC_BYTES = 246;

export function isTopicName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && Buffer.byteLength(value) <= TOPIC_BYTES;
}

/** `limit` is the size of one payload in bytes. */
export function parsePosted(body: unknown, limit: number): PostedResult {
  const list =
    typeof body === "object" && body !== null
      ? (body as { messages?: unknown }).messages
      : undefined;
  if (!Array.isArray(list)) return { ok: false, errors: { messages: [BLANK] } };
  if (list.length > MESSAGES)
    return { ok: false, errors: { messages: [`should have at most ${MESSAGES} item(s)`] } };
  const messages: PostedMessage[] = [];
  const faults: PostedFaults[] = [];
  for (const item of list) {
    const result = parseOne(item, limit);
    faults.push(result.ok ? {} : result.faults);
    if (result.ok) messages.push(result.message);
  }
  return messages.length === list.length
    ? { ok: true, messages }
    : { ok: false, errors: { messages: faults } };
}

type OneResult =
  | { readonly ok: true; readonly message: PostedMessage }
  | { readonly ok: false; readonly faults: PostedFaults };

function parseOne(item: unknown, limit: number): OneResult {
  if (typeof item !== "object" || item === null)
    return { ok: false, faults: { message: ["is invalid"] } };
  const { topic, event, payload, private: isPrivate } = item as Record<string, unknown>;
  const faults: Record<string, string[]> = {};
  if (!isTopicName(topic)) faults["topic"] = [topic ? "is invalid" : BLANK];
  if (!isEventName(event)) faults["event"] = [event ? "is invalid" : BLANK];
  if (isPrivate !== undefined && isPrivate !== null && typeof isPrivate !== "boolean")
    faults["private"] = ["is invalid"];
  const bytes = payload === undefined ? null : encode(payload);
  if (bytes === null) faults["payload"] = [payload === undefined ? BLANK : "is invalid"];
  else if (bytes.length > limit) faults["payload"] = [payloadReason(bytes.length)];
  if (
    bytes !== null &&
    isTopicName(topic) &&
    isEventName(event) &&
    Object.keys(faults).length === 0
  )
    return { ok: true, message: { topic, event, private: isPrivate === true, payload: bytes } };
  return { ok: false, faults };
}

/** JSON.stringify recurses: a payload that is nested too deeply overflows the stack. */
function encode(payload: unknown): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(payload));
  } catch {
    return null;
  }
}
