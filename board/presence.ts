/** The presence that an online client tracks. */

import { isRecord } from "./json.ts";
import { fail, isClientId, type Parsed } from "./messages.ts";

export interface PresenceMeta {
  /** The time since when the client is online, as an ISO timestamp. */
  readonly online_at: string;
  /** True when the client understands partial drawings. */
  readonly partial?: true;
  /** The visitor's name; see `cleanName`. */
  readonly name?: string;
  /** The clientIds of the other pages of the same browser: a claim, which counts where theirs names this page too. */
  readonly tabs?: readonly string[];
}

/** A client and the name that it gave itself, if any. A name is a claim: two clients may have the same. */
export interface Person {
  readonly clientId: string;
  readonly name: string | undefined;
}

const ISO_DATE = /^\d{4}-\d\d-\d\dT[0-9:.]{5,18}(?:Z|[-+]\d\d:?\d\d)$/;

/** Greatest number of characters of a name. */
export const NAME_LENGTH = 24;
/** Characters above which a text is no name: thousands of clients may be online, and each is read with every change. */
const MAX_TEXT = 100;
/**
 * Matches control characters, half surrogate pairs, and characters that are invisible or change the direction of a
 * text, except those that join letters or emoji.
 */
const UNSAFE = /(?!\u200c|\u200d|\ufe0f)\p{DI}|[\p{Cc}\p{Cs}\u2800\ufff9-\ufffb]/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns a text on one line, trimmed, without unsafe characters; empty when nothing visible is left. */
export function safeLine(text: string): string {
  const clean = text.replace(/\s+/g, " ").replace(UNSAFE, "").trim();
  return VISIBLE.test(clean) ? clean : "";
}

/**
 * Returns the name that a text contains: one line, trimmed, without unsafe characters, cut to `NAME_LENGTH`;
 * undefined for none.
 */
export function cleanName(input: unknown): string | undefined {
  if (typeof input !== "string" || input.length > MAX_TEXT) return undefined;
  const name = Array.from(safeLine(input)).slice(0, NAME_LENGTH).join("").trim();
  return VISIBLE.test(name) ? name : undefined;
}

/** Greatest number of pages that a presence names. */
export const MAX_TABS = 8;

function parseTabs(input: unknown): readonly string[] | undefined {
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_TABS) return undefined;
  const tabs = input as unknown[];
  return tabs.every(isClientId) ? tabs : undefined;
}

/** Reads a presence. A malformed `partial`, `name` or `tabs` counts as absent. Never throws. */
export function parsePresence(input: unknown): Parsed<PresenceMeta> {
  if (!isRecord(input)) return fail("not an object");
  const { online_at, partial } = input;
  if (typeof online_at !== "string" || !ISO_DATE.test(online_at)) {
    return fail("online_at is malformed");
  }
  const name = cleanName(input["name"]);
  const tabs = parseTabs(input["tabs"]);
  return {
    ok: true,
    value: {
      online_at,
      ...(partial === true && { partial }),
      ...(name && { name }),
      ...(tabs && { tabs }),
    },
  };
}
