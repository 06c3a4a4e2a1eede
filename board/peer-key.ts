/** The key of a client, from which its label and its colour follow (peer-label.ts). */

import type { Author } from "./drawing.ts";

/** What an author's name contains of the clientId (see `makeAuthor`): pointers and objects are named by it alike. */
const KEY_LENGTH = 10;
/** An author's name begins with the day. */
const DAY_LENGTH = 3;

/** The part of a clientId from which its label follows. */
export function keyOf(clientId: string): string {
  return clientId
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, KEY_LENGTH);
}

/** The same part of an author. */
export function keyOfAuthor(author: Author): string {
  return author.slice(DAY_LENGTH, DAY_LENGTH + KEY_LENGTH);
}
