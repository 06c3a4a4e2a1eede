/** The key of a client, from which its label and its colour follow (peer-label.ts). */

import type { Author } from "./drawing.ts";

/**
 * Characters of the clientId that an author's name contains (see `makeAuthor`), by which pointers and objects get the
 * same name.
 */
const KEY_LENGTH = 10;
/** Characters of the day with which an author's name begins. */
const DAY_LENGTH = 3;

/** Returns the part of a clientId from which its label follows. */
export function keyOf(clientId: string): string {
  return clientId
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, KEY_LENGTH);
}

/** Returns the same part of an author's name. */
export function keyOfAuthor(author: Author): string {
  return author.slice(DAY_LENGTH, DAY_LENGTH + KEY_LENGTH);
}
