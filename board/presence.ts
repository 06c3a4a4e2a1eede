/** What an online client tracks as its presence. */

import { isRecord } from "./json.ts";
import { fail, type Parsed } from "./messages.ts";

export interface PresenceMeta {
  /** ISO timestamp. */
  readonly online_at: string;
  /** The client understands partial drawings. */
  readonly partial?: true;
  /** What the visitor calls themselves; see `cleanName`. */
  readonly name?: string;
  /** The other pages of the same browser, by their clientIds: a claim, which counts where theirs says the same of this one. */
  readonly tabs?: readonly string[];
}

/** A client and the name that it gave itself, if any. A name is a claim: two clients may have the same. */
export interface Person {
  readonly clientId: string;
  readonly name: string | undefined;
}

const ISO_DATE = /^\d{4}-\d\d-\d\dT[0-9:.]{5,18}(?:Z|[-+]\d\d:?\d\d)$/;

/** The characters of a name, at most. */
export const NAME_LENGTH = 24;
/** A longer text is no name: thousands of clients may be online, and each of them is read with every change. */
const MAX_TEXT = 100;
/**
 * Control characters, half surrogate pairs, and what nobody sees or what changes the direction of a text; but not what
 * joins letters or emoji.
 */
const UNSAFE = /(?!\u200c|\u200d|\ufe0f)\p{DI}|[\p{Cc}\p{Cs}\u2800\ufff9-\ufffb]/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A text on one line, trimmed, without unsafe characters; empty where nothing is left that can be seen. */
export function safeLine(text: string): string {
  const clean = text.replace(/\s+/g, " ").replace(UNSAFE, "").trim();
  return VISIBLE.test(clean) ? clean : "";
}

/** The name that is in a text: one line, trimmed, without unsafe characters, cut to `NAME_LENGTH`; undefined for none. */
export function cleanName(input: unknown): string | undefined {
  if (typeof input !== "string" || input.length > MAX_TEXT) return undefined;
  const name = Array.from(safeLine(input)).slice(0, NAME_LENGTH).join("").trim();
  return VISIBLE.test(name) ? name : undefined;
}

/** The pages that a presence names, at most. */
export const MAX_TABS = 8;
const CLIENT_ID = /^[\w-]{1,64}$/;

function parseTabs(input: unknown): readonly string[] | undefined {
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_TABS) return undefined;
  const tabs = input as unknown[];
  return tabs.every((tab): tab is string => typeof tab === "string" && CLIENT_ID.test(tab))
    ? tabs
    : undefined;
}

/** A malformed `partial`, `name` or `tabs` counts as absent. Never throws. */
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
