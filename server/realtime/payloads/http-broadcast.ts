/** The parser of `POST /realtime/v1/api/broadcast`. */

import { payloadReason } from "./faults.ts";
import {
  isArray,
  isName,
  makeText,
  readMembers,
  readString,
  skipSpace,
  type Members,
  type Span,
  type Text,
} from "./json-scan.ts";
import { isEventName } from "./broadcast.ts";

interface PostedMessage {
  /** The topic without `realtime:`. */
  readonly topic: string;
  readonly event: string;
  readonly private: boolean;
  /** The payload: JSON text in UTF-8. */
  readonly payload: Buffer;
}

/** The reasons why a body was refused, by field: the hosted service's form of a 422. */
type PostedFaults = Readonly<Record<string, readonly string[]>>;

type PostedResult =
  | { readonly ok: true; readonly messages: readonly PostedMessage[] }
  | {
      readonly ok: false;
      readonly errors: { readonly messages: readonly PostedFaults[] | readonly string[] };
    };

const MESSAGES = 100;
const BLANK = "can't be blank";
/** Greatest length of a topic: with `realtime:` in front, it is one byte on the wire. */
const TOPIC_BYTES = 246;

export function isTopicName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && Buffer.byteLength(value) <= TOPIC_BYTES;
}

/**
 * Finds the messages in the body; nothing is parsed, and the payloads' bytes are passed on unchanged.
 * @param body valid UTF-8
 * @param limit bytes of one payload
 */
export function parsePosted(body: Buffer, limit: number): PostedResult {
  const found = findMessages(makeText(body));
  if (found === null) return { ok: false, errors: { messages: [BLANK] } };
  if (found === "too many")
    return { ok: false, errors: { messages: [`should have at most ${MESSAGES} item(s)`] } };
  const messages: PostedMessage[] = [];
  const faults: PostedFaults[] = [];
  for (const item of found) {
    const result = readOne(makeText(body), item, limit);
    faults.push(result.ok ? {} : result.faults);
    if (result.ok) messages.push(result.message);
  }
  return messages.length === found.length
    ? { ok: true, messages }
    : { ok: false, errors: { messages: faults } };
}

/** Returns the members of each message, null for one that has none; null for a body without a list of messages. */
function findMessages(json: Text): readonly (Members | null)[] | "too many" | null {
  let items: (Members | null)[] = [];
  let list: Members | null = null;
  const root = readMembers(json, skipSpace(json, 0), (name, from) => {
    if (name !== "messages") return undefined;
    items = [];
    list = null;
    if (!isArray(json, from)) return undefined;
    list = readMembers(json, from, (index, at) => {
      if (index === MESSAGES) return -1;
      const item = readMembers(json, at);
      items.push(item);
      return item?.end;
    });
    return items.length === MESSAGES && list === null ? -1 : (list as Members | null)?.end;
  });
  if (root === null) return items.length === MESSAGES ? "too many" : null;
  return list === null || skipSpace(json, root.end) !== json.bytes.length ? null : items;
}

type OneResult =
  | { readonly ok: true; readonly message: PostedMessage }
  | { readonly ok: false; readonly faults: PostedFaults };

/** Returns the text of a member, "" where it is absent, null when it is no name. */
function nameOf(json: Text, span: Span | undefined): string | null {
  if (span === undefined || literalOf(json, span) === "null") return "";
  return isName(json, span) ? readString(json, span) : null;
}

const LONGEST_LITERAL = 5;

function literalOf({ bytes }: Text, { from, to }: Span): string {
  return to - from > LONGEST_LITERAL ? "" : bytes.toString("latin1", from, to);
}

function readOne(json: Text, item: Members | null, limit: number): OneResult {
  if (item === null) return { ok: false, faults: { message: ["is invalid"] } };
  const { spans } = item;
  const faults: Record<string, string[]> = {};
  const topic = nameOf(json, spans.get("topic"));
  const event = nameOf(json, spans.get("event"));
  if (!isTopicName(topic)) faults["topic"] = [topic === "" ? BLANK : "is invalid"];
  if (!isEventName(event)) faults["event"] = [event === "" ? BLANK : "is invalid"];
  const flag = spans.get("private");
  const isPrivate = flag === undefined ? "null" : literalOf(json, flag);
  if (!["null", "true", "false"].includes(isPrivate)) faults["private"] = ["is invalid"];
  const span = spans.get("payload");
  const payload = span === undefined ? null : json.bytes.subarray(span.from, span.to);
  if (payload === null) faults["payload"] = [BLANK];
  else if (payload.length > limit) faults["payload"] = [payloadReason(payload.length)];
  if (payload === null || !isTopicName(topic) || !isEventName(event)) return { ok: false, faults };
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  return { ok: true, message: { topic, event, private: isPrivate === "true", payload } };
}
