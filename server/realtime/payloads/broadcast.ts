import { findSpan } from "../json-span.ts";
import type { Version } from "../wire.ts";

/** The event's length is one byte on the wire. */
const EVENT_BYTES = 255;

export interface TextBroadcast {
  readonly event: string;
  /** JSON text in UTF-8, checked; the bytes that came in. */
  readonly payload: Buffer;
}

const PATHS: Readonly<Record<Version, readonly (string | number)[]>> = {
  1: ["payload", "payload"],
  2: [4, "payload"],
};

const EMPTY = Buffer.from("{}");

export function isEventName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && Buffer.byteLength(value) <= EVENT_BYTES;
}

/**
 * The broadcast of a text frame that was parsed already: `payload` is the message's payload
 * (`{type, event, payload}`), `frame` its bytes, valid UTF-8 and valid JSON. Null where it is none.
 */
export function parseTextBroadcast(
  version: Version,
  payload: unknown,
  frame: Buffer,
): TextBroadcast | null {
  if (typeof payload !== "object" || payload === null) return null;
  const { event } = payload as Record<string, unknown>;
  if (!isEventName(event)) return null;
  // One character for each byte, so that offsets in the text are offsets in the frame.
  const span = findSpan(frame.toString("latin1"), PATHS[version]);
  return { event, payload: span === undefined ? EMPTY : frame.subarray(span.from, span.to) };
}
