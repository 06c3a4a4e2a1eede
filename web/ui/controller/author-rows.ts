/** Who drew what, as the page lists it. */

import type { AuthorShare } from "../../../board/authorship.ts";
import type { Author, ObjectId } from "../../../board/drawing.ts";
import type { Peers } from "../../sync/presence/peers.ts";
import { colorOfAuthor, isAuthorOf, labelOfAuthor } from "../../../board/peer-label.ts";

/** One author in the list. */
export interface AuthorRow {
  /** Unique in the list. */
  readonly key: string;
  readonly name: string;
  /** The author is this page. */
  readonly isOwn: boolean;
  /** The colour of the author's pointer, #rrggbb; null for other programs, which have none. */
  readonly color: string | null;
  /** CSS colours of the objects, the one of most objects first. */
  readonly swatches: readonly string[];
  /** The day on which the author's page was opened, in milliseconds since 1970; null where it is not known. */
  readonly day: number | null;
  readonly ids: readonly ObjectId[];
  /** How many of the objects cannot be seen. */
  readonly hidden: number;
  readonly bytes: number;
}

/** What clients without a name of their own are called together. */
export const OTHER_PROGRAMS = "Other programs";

/**
 * `clientId`: of this page. In the order of the shares. An author who is online is listed with the name that it gave
 * itself as well, which is a claim: the label stays.
 */
export function authorRows(
  shares: readonly AuthorShare[],
  clientId: string,
  peers: Peers,
): AuthorRow[] {
  return shares.map(({ author, ids, hidden, chars, colors }) => ({
    key: author ?? OTHER_PROGRAMS,
    name: author === null ? OTHER_PROGRAMS : nameOfAuthor(author, peers),
    isOwn: author !== null && isAuthorOf(author, clientId),
    color: author === null ? null : colorOfAuthor(author),
    swatches: colors,
    day: author === null ? null : dayOf(author),
    ids,
    hidden,
    bytes: chars,
  }));
}

function nameOfAuthor(author: Author, peers: Peers): string {
  const label = labelOfAuthor(author);
  for (const [id, name] of peers) if (name && isAuthorOf(author, id)) return `${name} (${label})`;
  return label;
}

const FIRST_DAY = Date.UTC(2020, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1000;

/** An author's name begins with the day since 2020-01-01, three digits of base 36. */
function dayOf(author: Author): number | null {
  const days = /^[0-9a-z]{3}/.test(author) ? Number.parseInt(author.slice(0, 3), 36) : Number.NaN;
  return Number.isNaN(days) ? null : FIRST_DAY + days * DAY_MS;
}
