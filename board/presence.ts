/** What an online client tracks as its presence. */

import { isRecord } from "./json.ts";
import { fail, type Parsed } from "./messages.ts";

export interface PresenceMeta {
  /** ISO timestamp. */
  readonly online_at: string;
  /** The client understands partial drawings. */
  readonly partial?: true;
}

const ISO_DATE = /^\d{4}-\d\d-\d\dT[0-9:.]{5,18}(?:Z|[-+]\d\d:?\d\d)$/;

/** Never throws. */
export function parsePresence(input: unknown): Parsed<PresenceMeta> {
  if (!isRecord(input)) return fail("not an object");
  const { online_at, partial } = input;
  if (typeof online_at !== "string" || !ISO_DATE.test(online_at)) {
    return fail("online_at is malformed");
  }
  return { ok: true, value: partial === true ? { online_at, partial } : { online_at } };
}
