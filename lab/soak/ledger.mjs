/** What was drawn, what was said to be saved, and what somebody removed: nothing else may be missing. */

/**
 * @typedef {object} Entry
 * @property {string} by
 * @property {number} drawnAt Milliseconds since 1970.
 * @property {number | null} savedAt When its author knew that the row contains it.
 * @property {boolean} isRemoved Whether anybody removed it, or undid it.
 */

/** @typedef {ReturnType<typeof createLedger>} Ledger */

export function createLedger() {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  return {
    /** An id that is there already stays as it is. @param {string} id @param {string} by */
    drew(id, by) {
      if (!entries.has(id))
        entries.set(id, { by, drawnAt: Date.now(), savedAt: null, isRemoved: false });
    },
    /** @param {string} id */
    saved(id) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.savedAt ??= Date.now();
    },
    /** Also of ids that nobody drew here. @param {string} id */
    removed(id) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.isRemoved = true;
    },
    /**
     * What should be among the objects and is not.
     *
     * @param {ReadonlySet<string>} shown Ids.
     * @param {(entry: Entry) => boolean} counts Which entries have to be there.
     */
    missing: (shown, counts) =>
      [...entries]
        .filter(([id, entry]) => !entry.isRemoved && !shown.has(id) && counts(entry))
        .map(
          ([id, { by, savedAt }]) =>
            `${id} of ${by}, ${savedAt === null ? "never said to be saved" : "said to be saved"}`,
        ),
    counts() {
      const all = [...entries.values()];
      return {
        drawn: all.length,
        saved: all.filter(({ savedAt }) => savedAt !== null).length,
        removed: all.filter(({ isRemoved }) => isRemoved).length,
      };
    },
  };
}
