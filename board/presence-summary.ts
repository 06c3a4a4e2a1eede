/** The message that the server sends to pages in a crowd in place of every presence. */

import { isRecord } from "./json.ts";
import { isCount } from "./message-fields.ts";
import { fail, isClientId, type Parsed } from "./messages.ts";
import { cleanName } from "./presence.ts";

export interface PresenceSummary {
  /** The number of presence keys. */
  readonly online: number;
  /** The number of them that are not known to understand partial drawings. */
  readonly plain: number;
  /** The first of them by clientId, each with its name where it has one; absent: those of the last message. */
  readonly people?: readonly ListedPerson[];
}

export type ListedPerson = readonly [clientId: string] | readonly [clientId: string, name: string];

/** The event of a `PresenceSummary`. Only the server can send it, since what clients broadcast has the event `broadcast`. */
export const SUMMARY_EVENT = "presence_summary";

/** Greatest number of people in a summary. */
export const MAX_LISTED = 100;

/** Reads a summary. Malformed people are left out, and more than `MAX_LISTED` are cut off. Never throws. */
export function parseSummary(input: unknown): Parsed<PresenceSummary> {
  if (!isRecord(input)) return fail("not an object");
  const { online, plain, people } = input;
  if (!isCount(online) || !isCount(plain)) return fail("a count is malformed");
  if (!Array.isArray(people)) return { ok: true, value: { online, plain } };
  const listed = people.slice(0, MAX_LISTED).flatMap((person: unknown): ListedPerson[] => {
    const [clientId, text] = Array.isArray(person) ? (person as unknown[]) : [];
    if (!isClientId(clientId)) return [];
    const name = cleanName(text);
    return [name === undefined ? [clientId] : [clientId, name]];
  });
  return { ok: true, value: { online, plain, people: listed } };
}
