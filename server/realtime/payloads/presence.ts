/** The parser of a `presence` message. */

import { REPLY_FAULTS } from "./faults.ts";

type PresenceRequest =
  /** A presence to track. `json` is the payload's text, as JSON.stringify writes it. */
  | { readonly kind: "track"; readonly json: string }
  | { readonly kind: "untrack" }
  | { readonly kind: "refused"; readonly reason: string };

const refused = (reason: string): PresenceRequest => ({ kind: "refused", reason });

/** Parses a `presence` message. `limit` is the payload's greatest size in bytes. */
export function parsePresence(message: unknown, limit: number): PresenceRequest {
  if (typeof message !== "object" || message === null) return refused(REPLY_FAULTS.presenceUnknown);
  const { event, payload } = message as Record<string, unknown>;
  const kind = typeof event === "string" ? event.toLowerCase() : "";
  if (kind === "untrack") return { kind: "untrack" };
  if (kind !== "track") return refused(REPLY_FAULTS.presenceUnknown);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    return refused(REPLY_FAULTS.presenceNotMap);
  const json = stringify(payload);
  if (json === null || Buffer.byteLength(json) > limit)
    return refused(REPLY_FAULTS.presenceTooLarge);
  return { kind: "track", json };
}

/** Writes the payload; null for one that is nested too deeply, since JSON.stringify recurses and would overflow the stack. */
function stringify(payload: object): string | null {
  try {
    return JSON.stringify(payload);
  } catch {
    return null;
  }
}
