/** How a person without a login is shown to the others. */

const MANNERS = [
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

/** Each gives white text a contrast of at least 4.5 to 1 (WCAG AA). */
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

/** The same for everybody who sees this clientId. Two people can share one. */
export function labelOf(clientId: string): string {
  const hash = hashOf(clientId);
  return `${MANNERS[hash % MANNERS.length]} ${ANIMALS[(hash >>> 5) % ANIMALS.length]}`;
}

/** The same for everybody who sees this clientId. */
export function colorOf(clientId: string): string {
  return PEER_COLORS[(hashOf(clientId) >>> 12) % PEER_COLORS.length] ?? PEER_COLORS[0];
}

/** FNV-1a, 32 bits, with its bits mixed once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
