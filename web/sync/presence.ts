/** Who is here: what the presence entries tell. */

import type { PresenceMeta } from "../../board/events.ts";
import { parsePresence } from "../../board/events.ts";
import type { Presences } from "./backend.ts";

export interface Company {
  /** Presence keys, this page's own included; 1 before the first sync, since this person is here. */
  readonly online: number;
  /** The others' clientIds. */
  readonly others: ReadonlySet<string>;
  /** Whether every one of the others understands partial drawings. */
  readonly allPartial: boolean;
}

export const ALONE: Company = { online: 1, others: new Set(), allPartial: true };

export function readCompany(present: Presences, own: string): Company {
  const others = new Set(present.keys());
  others.delete(own);
  let allPartial = true;
  for (const [key, metas] of present) {
    if (key !== own && !metas.every((meta) => understandsPartial(meta))) allPartial = false;
  }
  return { online: Math.max(1, present.size), others, allPartial };
}

function understandsPartial(meta: unknown): boolean {
  const parsed = parsePresence(meta);
  return parsed.ok && parsed.value.partial === true;
}

export function ownMeta(now: number): PresenceMeta {
  return { online_at: new Date(now).toISOString(), partial: true };
}
