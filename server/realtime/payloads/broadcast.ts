import { isName, readString, type Members, type Text } from "./json-scan.ts";

/** Greatest length of an event in bytes: it is one byte on the wire. */
const EVENT_BYTES = 255;

export interface TextBroadcast {
  readonly event: string;
  /** JSON text in UTF-8, checked; a view of the received bytes. */
  readonly payload: Buffer;
}

const EMPTY = Buffer.from("{}");

export function isEventName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && Buffer.byteLength(value) <= EVENT_BYTES;
}

/** Finds the broadcast in a text frame: `members` are those of its payload, `{type, event, payload}`. Null when there is none. */
export function parseTextBroadcast(frame: Text, members: Members | null): TextBroadcast | null {
  const name = members?.spans.get("event");
  if (members === null || name === undefined || !isName(frame, name)) return null;
  const event = readString(frame, name);
  if (!isEventName(event)) return null;
  const span = members.spans.get("payload");
  return { event, payload: span === undefined ? EMPTY : frame.bytes.subarray(span.from, span.to) };
}
