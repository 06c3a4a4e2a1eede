/** The pages of this browser, by which authors are recognised as this visitor, whatever a drawing claims. */

import { keyOf } from "../../../board/peer-key.ts";
import { prefer, preference } from "../kit/preferences.ts";

/** Greatest number of pages that this browser remembers, the newest last. */
const MAX_PAGES = 300;
const PERSON = /^[a-z0-9]{12}$/;

/** Returns the id of this browser in the table of names; it is made at the first start and stored on the device. */
export function ownPerson(): string {
  const stored = preference("person");
  if (PERSON.test(stored)) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const made = Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
  prefer("person", made);
  return made;
}

/** Remembers that a client was a page of this browser. */
export function noteOwnPage(clientId: string): void {
  const pages = ownPages().filter((key) => key !== keyOf(clientId));
  prefer("pages", [...pages, keyOf(clientId)].slice(-MAX_PAGES).join(" "));
}

/** Returns the keys of the clients that were pages of this browser, the newest last. */
export function ownPages(): readonly string[] {
  return preference("pages", true).split(" ").filter(Boolean);
}
