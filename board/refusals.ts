/**
 * The reasons, beside the lock, for which the server refuses what a visitor draws. Pages show the sentences, which their
 * catalogues translate.
 */
export const VISITOR_REFUSALS = {
  limit: "This board takes no more from you in this minute",
  paused: "The host has paused your drawing for up to an hour",
} as const;
