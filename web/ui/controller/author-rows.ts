/** The authors of the board as the page lists them. */

import { baseAuthor } from "../../../board/author.ts";
import type { AuthorShare } from "../../../board/authorship.ts";
import { OTHER_PROGRAM, type Actor } from "../../../board/change-log.ts";
import type { Author, ObjectId, WrittenName } from "../../../board/drawing.ts";
import { t } from "../language/text.ts";
import { ownPages, ownPerson } from "./own-pages.ts";
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
  /** The row's key, unique in the list. */
  readonly key: string;
  /** The name as sentences contain it; other programs are in quotation marks, since no language inflects those words. */
  readonly name: string;
  /** Whether the author is this visitor. */
  readonly isOwn: boolean;
  /** The colour of the author's pointer, #rrggbb; null for other programs, which have none. */
  readonly color: string | null;
  /** CSS colours of the objects, the most frequent one first. */
  readonly swatches: readonly string[];
  /** The day on which the author's page was opened, in milliseconds since 1970; null where it is unknown. */
  readonly day: number | null;
  readonly ids: readonly ObjectId[];
  /** The keys of the pages whose work a host may take back. */
  readonly culprits: Culprits;
  /** The number of objects that cannot be seen. */
  readonly hidden: number;
  readonly bytes: number;
}

/** The common name of clients that have none of their own. */
export const OTHER_PROGRAMS = "Other programs";

/** The facts about who the authors are. */
export interface Known {
  /** The clientId of this page. */
  readonly clientId: string;
  readonly peers: Peers;
  /** The names in the drawing. */
  readonly names: ReadonlyMap<Author, WrittenName>;
  /** The id of this browser in `names`. */
  readonly person: string;
  /** True for an author that was a page of this browser. */
  readonly isOwnPage: (author: Author) => boolean;
}

/**
 * Returns one row for each person, in the order of the first share, and then one for each of `actors` that has
 * nothing on the board. The pages of this browser share a row, by the browser's own memory: anybody else who claims
 * to be of this browser has a row without that name. A name is a claim: the label stays beside it.
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

/** The row of a client that has been active and has nothing on the board. */
function emptyRow(actor: Actor, { peers, isOwnPage }: Known): AuthorRow[] {
  const isOther = actor === OTHER_PROGRAM;
  if (!isOther && isOwnPage(`000${actor}` as Author)) return [];
  const name = [...peers].find(([id, one]) => one && keyOf(id) === actor)?.[1];
  const label = isOther ? t("“Other programs”") : labelOf(actor);
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

/** Whether an author is a page of this browser. */
export function isOwn(author: Author, { clientId, isOwnPage }: Known): boolean {
  return isAuthorOf(author, clientId) || isOwnPage(author);
}

function rowOf(key: string, group: readonly AuthorShare[], known: Known): AuthorRow {
  const authors = group.flatMap(({ author }) => author ?? []).sort();
  // The day comes first in a name, so the newest page sorts last.
  const newest = authors.find((author) => isAuthorOf(author, known.clientId)) ?? authors.at(-1);
  return {
    key,
    name: newest === undefined ? t("“Other programs”") : nameOfAuthors(authors, newest, key, known),
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
 * Adds to clients the pages that are of the same browser according to the drawing. Anybody can make that claim about
 * anybody, so the host decides. This browser's own pages are not among them.
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

/**
 * Returns the name of an author in a sentence: "you", the name that was chosen, or the label. `author`: the base
 * name; see `baseAuthor`.
 */
export function callingName(author: Author | null, known: Known): string {
  if (author === null) return t("another program");
  if (isOwn(author, known)) return t("you");
  for (const [id, name] of known.peers) if (name && isAuthorOf(author, id)) return name;
  return writtenName([author], known) ?? labelOfAuthor(author);
}

/** Collects the facts that this page knows now. */
export function knownNow(controller: {
  readonly clientId: string;
  readonly presence: { get(): { readonly peers: Peers } };
  readonly board: {
    client(): { authorNames(): ReadonlyMap<Author, WrittenName> } | null;
  };
}): Known {
  return {
    clientId: controller.clientId,
    peers: controller.presence.get().peers,
    names: controller.board.client()?.authorNames() ?? new Map(),
    person: ownPerson(),
    isOwnPage: ownAuthors(),
  };
}

const FIRST_DAY = Date.UTC(2020, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the day of an author, with which the name begins: days since 2020-01-01 in three digits of base 36. */
function dayOf(author: Author): number | null {
  const days = /^[0-9a-z]{3}/.test(author) ? Number.parseInt(author.slice(0, 3), 36) : Number.NaN;
  return Number.isNaN(days) ? null : FIRST_DAY + days * DAY_MS;
}

/** Returns a function that tells the authors of this browser's pages from others. */
export function ownAuthors(): (author: Author) => boolean {
  const pages = new Set(ownPages());
  return (author) => pages.has(keyOfAuthor(author));
}
