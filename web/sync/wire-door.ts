/** The doors of the channel's events: unknown in, a value or null out. */

import { isClientId, parseUpdate } from "../../board/events.ts";
import { isRecord } from "../../board/json.ts";
import type { DigestMessage, HeardUpdate } from "./wire.ts";

const SHORT = /^[\x20-\x7e]{1,64}$/;

export function readUpdate(payload: unknown): HeardUpdate | null {
  const parsed = parseUpdate(payload);
  if (!parsed.ok || !isRecord(payload)) return null;
  return {
    ...parsed.value,
    n: isCount(payload["n"]) ? payload["n"] : 0,
    cleared: payload["cleared"] === true,
  };
}

export function readDigest(payload: unknown): DigestMessage | null {
  if (!isRecord(payload)) return null;
  const { clientId, digest, saved } = payload;
  if (!isClientId(clientId) || !isShort(digest)) return null;
  if (saved === undefined) return { clientId, digest };
  if (!isRecord(saved)) return null;
  const { at, seen, n } = saved;
  return isShort(at) && isShort(seen) && isCount(n)
    ? { clientId, digest, saved: { at, seen, n } }
    : null;
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && SHORT.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
