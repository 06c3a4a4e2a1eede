/** Authors, object ids, and their order. */

import type { Author, ObjectId } from "./drawing.ts";
import { MAX_COUNT } from "./limits.ts";

const AUTHOR = /^[a-z0-9]{1,24}$/;
const ID = /^[a-z0-9]{1,24}-(?:0|[1-9][0-9]{0,9})$/;
const LAST_DAY = 36 ** 3 - 1;

/**
 * Makes an author for one page load: three base-36 digits of the day, then up to ten random characters. `day`, a whole
 * number, counts from 2020-01-01; one outside 0..46655, as of a wrong clock, becomes the nearest of these. Of the text
 * `random` only the characters [a-z0-9] are used.
 */
export function makeAuthor(day: number, random: string): Author {
  const known = Math.min(LAST_DAY, Math.max(0, day));
  const suffix = random.toLowerCase().replace(/[^a-z0-9]/g, "");
  return (known.toString(36).padStart(3, "0") + suffix.slice(0, 10)) as Author;
}

export function isAuthor(value: unknown): value is Author {
  return typeof value === "string" && AUTHOR.test(value);
}

/** Whether a value is an object id: `<author>-<sequence>`, the sequence from 0 to 2^31-1 without leading zeros. */
export function isObjectId(value: unknown): value is ObjectId {
  return typeof value === "string" && ID.test(value) && sequenceOf(value as ObjectId) <= MAX_COUNT;
}

export function makeId(author: Author, seq: number): ObjectId {
  return `${author}-${seq}` as ObjectId;
}

export function authorOf(id: ObjectId): Author {
  return id.slice(0, id.indexOf("-")) as Author;
}

export function sequenceOf(id: ObjectId): number {
  return Number(id.slice(id.indexOf("-") + 1));
}

/** Compares ids by author, then by sequence as a number: the order of objects with equal z. */
export function compareIds(a: ObjectId, b: ObjectId): number {
  if (a === b) return 0;
  const left = authorOf(a);
  const right = authorOf(b);
  if (left !== right) return left < right ? -1 : 1;
  return sequenceOf(a) - sequenceOf(b);
}

/**
 * Returns the key by which `compactContext` orders authors: days since 2020-01-01, or -1 for the authors of foreign
 * objects ("f" and a hash). A page's author begins with f only from the year 2073 on.
 */
export function ageKey(author: Author): number {
  return author.startsWith("f") ? -1 : Number.parseInt(author.slice(0, 3), 36);
}

/** Length of a name that `makeAuthor` makes; whatever follows was added later (see `renameOwnObjects`). */
const BASE_LENGTH = 13;

/** Returns the name with which an author's page began, the same for all of its objects; null for a plain client's objects. */
export function baseAuthor(author: Author): Author | null {
  return ageKey(author) < 0 ? null : (author.slice(0, BASE_LENGTH) as Author);
}
