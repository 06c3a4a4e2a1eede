/** Who drew what, as the page lists it. */

import { baseAuthor } from "../../../board/author.ts";
import type { AuthorShare } from "../../../board/authorship.ts";
import { OTHER_PROGRAM, type Actor } from "../../../board/change-log.ts";
import type { Author, ObjectId, WrittenName } from "../../../board/drawing.ts";
import { t } from "../language/text.ts";
import { ownAuthors, ownPerson } from "../kit/own-pages.ts";
import type { Peers } from "../../sync/presence/peers.ts";
import { keyOf, keyOfAuthor } from "../../../board/peer-key.ts";
import {
  colorOf,
  colorOfAuthor,
  isAuthorOf,
  labelOf,
  labelOfAuthor,
} from "../../../board/peer-label.ts";
import type { Culprits } from "../../../board/take-back.ts";

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
  /** The keys of the pages, which a host may take back. */
  readonly culprits: Culprits;
  /** How many of the objects cannot be seen. */
  readonly hidden: number;
  readonly bytes: number;
}

/** What clients without a name of their own are called together. */
export const OTHER_PROGRAMS = "Other programs";

/** What is known of who the authors are. */
export interface Known {
  /** This page's. */
  readonly clientId: string;
  readonly peers: Peers;
  /** What the drawing says. */
  readonly names: ReadonlyMap<Author, WrittenName>;
  /** This browser's id in `names`. */
  readonly person: string;
  /** True for an author that was a page of this browser. */
  readonly isOwnPage: (author: Author) => boolean;
}

/**
 * One row for each person, in the order of the first share, and then for each of `actors` that has nothing on the board. The pages of this browser are one, by what the browser
 * itself remembers: whoever else claims to be of this browser has a row without that name. A name is a claim: the label
 * stays beside it.
 */
export function authorRows(
  shares: readonly AuthorShare[],
  known: Known,
  actors: ReadonlySet<Actor> = new Set(),
): AuthorRow[] {
  const groups = new Map<string, AuthorShare[]>();
  for (const share of shares) {
    const key = rowKeyOf(share.author, known);
    const group = groups.get(key);
    if (group) group.push(share);
    else groups.set(key, [share]);
  }
  const rows = [...groups].map(([key, group]) => rowOf(key, group, known));
  const listed = new Set(rows.flatMap(({ culprits }) => [...culprits]));
  return [
    ...rows,
    ...[...actors].flatMap((actor) => (listed.has(actor) ? [] : emptyRow(actor, known))),
  ];
}

/** A client that has done something and has nothing on the board. */
function emptyRow(actor: Actor, { peers, isOwnPage }: Known): AuthorRow[] {
  const isOther = actor === OTHER_PROGRAM;
  if (!isOther && isOwnPage(`000${actor}` as Author)) return [];
  const name = [...peers].find(([id, one]) => one && keyOf(id) === actor)?.[1];
  const label = isOther ? t(OTHER_PROGRAMS) : labelOf(actor);
  return [
    {
      key: `actor ${actor}`,
      name: name === undefined ? label : `${name} (${label})`,
      ...{ isOwn: false, color: isOther ? null : colorOf(actor), swatches: [], day: null },
      ...{ ids: [], culprits: new Set([actor]), hidden: 0, bytes: 0 },
    },
  ];
}

/** The key of this browser's row. */
const OWN = "own pages";

/** The key of the row that an author is in. */
export function rowKeyOf(author: Author | null, known: Known): string {
  if (author === null) return OTHER_PROGRAMS;
  if (isOwn(author, known)) return OWN;
  const person = known.names.get(author)?.[1];
  return person === undefined || person === known.person ? author : `person ${person}`;
}

function isOwn(author: Author, { clientId, isOwnPage }: Known): boolean {
  return isAuthorOf(author, clientId) || isOwnPage(author);
}

function rowOf(key: string, group: readonly AuthorShare[], known: Known): AuthorRow {
  const authors = group.flatMap(({ author }) => author ?? []).sort();
  // The day stands at the beginning, so the newest page is the last.
  const newest = authors.find((author) => isAuthorOf(author, known.clientId)) ?? authors.at(-1);
  return {
    key,
    name: newest === undefined ? t(OTHER_PROGRAMS) : nameOfAuthors(authors, newest, key, known),
    isOwn: key === OWN,
    color: newest === undefined ? null : colorOfAuthor(newest),
    swatches: [...new Set(group.flatMap(({ colors }) => colors))].slice(0, MAX_SWATCHES),
    day: newest === undefined ? null : dayOf(newest),
    ids: group.flatMap(({ ids }) => ids),
    culprits: culpritsOf(group.map(({ author }) => author)),
    hidden: group.reduce((sum, { hidden }) => sum + hidden, 0),
    bytes: group.reduce((sum, { chars }) => sum + chars, 0),
  };
}

const MAX_SWATCHES = 5;

function nameOfAuthors(
  authors: readonly Author[],
  newest: Author,
  key: string,
  known: Known,
): string {
  const label = labelOfAuthor(newest);
  const online = [...known.peers].find(
    ([id, name]) => name && authors.some((author) => isAuthorOf(author, id)),
  )?.[1];
  const name = online ?? writtenName(authors, known);
  if (name === undefined) return label;
  return key === OWN ? name : `${name} (${label})`;
}

/** The name that was written last. */
function writtenName(authors: readonly Author[], { names, person, isOwnPage }: Known) {
  let last: WrittenName | undefined;
  for (const author of authors) {
    const written = names.get(author);
    const isImpostor = written?.[1] === person && !isOwnPage(author);
    if (written && !isImpostor && (!last || written[0] > last[0])) last = written;
  }
  return last?.[2];
}

/** The culprits of a row: its authors' pages. */
function culpritsOf(authors: readonly (Author | null)[]): Culprits {
  return new Set(authors.map(actorOf));
}

function actorOf(author: Author | null): Actor {
  const base = author === null ? null : baseAuthor(author);
  return base === null ? OTHER_PROGRAM : keyOfAuthor(base);
}

/**
 * Adds to clients the pages that the drawing says are of the same browser. That is a claim, which anybody can make
 * of anybody: the host decides. This browser's own pages are not among them.
 */
export function withPagesOf(culprits: Culprits, known: Known): Culprits {
  const entries = [...known.names];
  const persons = new Set(
    entries.flatMap(([author, [, person]]) =>
      culprits.has(actorOf(author)) && person !== known.person ? [person] : [],
    ),
  );
  const pages = entries.flatMap(([author, [, person]]) =>
    persons.has(person) && !isOwn(author, known) ? [actorOf(author)] : [],
  );
  return new Set([...culprits, ...pages]);
}

/** How an author is called in a sentence: "you", the name that was chosen, or the label. `author`: the base name; see `baseAuthor`. */
export function callingName(author: Author | null, known: Known): string {
  if (author === null) return t("another program");
  if (isOwn(author, known)) return t("you");
  for (const [id, name] of known.peers) if (name && isAuthorOf(author, id)) return name;
  return writtenName([author], known) ?? labelOfAuthor(author);
}

/** What this page knows at the moment. */
export function knownNow(controller: {
  readonly clientId: string;
  readonly presence: { get(): { readonly peers: Peers } };
  readonly authors: { names(): ReadonlyMap<Author, WrittenName> };
}): Known {
  return {
    clientId: controller.clientId,
    peers: controller.presence.get().peers,
    names: controller.authors.names(),
    person: ownPerson(),
    isOwnPage: ownAuthors(),
  };
}

const FIRST_DAY = Date.UTC(2020, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1000;

/** An author's name begins with the day since 2020-01-01, three digits of base 36. */
function dayOf(author: Author): number | null {
  const days = /^[0-9a-z]{3}/.test(author) ? Number.parseInt(author.slice(0, 3), 36) : Number.NaN;
  return Number.isNaN(days) ? null : FIRST_DAY + days * DAY_MS;
}
