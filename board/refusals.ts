/** Why the server refuses what a visitor draws, beyond the lock. Pages show the sentences as they receive them. */
export const VISITOR_REFUSALS = {
  limit: "This board takes no more from you in this minute",
  paused: "The host has paused your drawing for up to an hour",
} as const;
