/**
 * The label and the colour under which a client is shown. They follow from its clientId alone and are the same in
 * every browser. Pointers and objects get the same label, since an author's name contains the key of its clientId.
 */

import type { Author } from "./drawing.ts";
import { keyOf, keyOfAuthor } from "./peer-key.ts";
import type { Person } from "./presence.ts";

const ADJECTIVES = [
  "Brave",
  "Bright",
  "Calm",
  "Clever",
  "Cosy",
  "Curious",
  "Eager",
  "Fancy",
  "Gentle",
  "Glad",
  "Golden",
  "Happy",
  "Jolly",
  "Keen",
  "Kind",
  "Lively",
  "Lucky",
  "Merry",
  "Mellow",
  "Nimble",
  "Patient",
  "Playful",
  "Proud",
  "Quick",
  "Quiet",
  "Silver",
  "Sunny",
  "Swift",
  "Tidy",
  "Warm",
  "Wise",
  "Witty",
] as const;

const ANIMALS = [
  "Badger",
  "Bear",
  "Beaver",
  "Bison",
  "Cat",
  "Crane",
  "Deer",
  "Dolphin",
  "Falcon",
  "Finch",
  "Fox",
  "Gecko",
  "Hare",
  "Hedgehog",
  "Heron",
  "Ibex",
  "Koala",
  "Lark",
  "Lemur",
  "Lynx",
  "Marten",
  "Mole",
  "Otter",
  "Owl",
  "Panda",
  "Puffin",
  "Robin",
  "Seal",
  "Squirrel",
  "Swan",
  "Turtle",
  "Wren",
] as const;

/** The colours of peers. Each gives white text a contrast of at least 4.5 to 1 (WCAG AA). */
export const PEER_COLORS = [
  "#b3261e",
  "#a8480c",
  "#7a5c00",
  "#4c6a00",
  "#1b6e3c",
  "#00696d",
  "#00639a",
  "#3a55c4",
  "#6a45b8",
  "#8b3aa8",
  "#a82a6f",
  "#5b5f66",
] as const;

/** Returns the label, an adjective and an animal, which is the same in every browser. Two clientIds can have the same label. */
export function labelOf(clientId: string): string {
  return labelOfKey(keyOf(clientId));
}

/** Returns one of PEER_COLORS, the same in every browser. */
export function colorOf(clientId: string): string {
  return colorOfKey(keyOf(clientId));
}

/** Returns a client's name: the one that it gave itself, or else its label. */
export function nameOf({ clientId, name }: Person): string {
  return name ?? labelOf(clientId);
}

/** Returns the label of the client whose page load the author is. */
export function labelOfAuthor(author: Author): string {
  return labelOfKey(keyOfAuthor(author));
}

/** Returns the colour of the client whose page load the author is. */
export function colorOfAuthor(author: Author): string {
  return colorOfKey(keyOfAuthor(author));
}

/** True when the author is the page with this clientId. */
export function isAuthorOf(author: Author, clientId: string): boolean {
  return keyOfAuthor(author) === keyOf(clientId);
}

function labelOfKey(key: string): string {
  const hash = hashOf(key);
  return `${ADJECTIVES[hash % ADJECTIVES.length]} ${ANIMALS[(hash >>> 5) % ANIMALS.length]}`;
}

function colorOfKey(key: string): string {
  return PEER_COLORS[(hashOf(key) >>> 12) % PEER_COLORS.length] ?? PEER_COLORS[0];
}

/** Hashes a text by FNV-1a with 32 bits, and mixes the bits once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
