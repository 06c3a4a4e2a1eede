/** A ledger of the objects that were drawn, reported as saved, and removed by somebody: nothing else may be missing. */

/** A save of an honest client, in milliseconds since 1970. */
export interface TimedSave {
  begin: number;
  end: number;
}

export interface Entry {
  by: string;
  /** The time of drawing, in milliseconds since 1970. */
  drawnAt: number;
  /** The time since when its author knew that the row contains it. */
  savedAt: number | null;
  /** Whether anybody removed it, or undid it. */
  isRemoved: boolean;
}

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  const entries = new Map<string, Entry>();
  return {
    /** Notes a drawn object; a known id stays unchanged. */
    drew(id: string, by: string) {
      if (!entries.has(id))
        entries.set(id, { by, drawnAt: Date.now(), savedAt: null, isRemoved: false });
    },
    saved(id: string) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.savedAt ??= Date.now();
    },
    /** Notes a removed object; an unknown id is ignored. */
    removed(id: string) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.isRemoved = true;
    },
    /**
     * Returns the objects that should be shown and are not.
     *
     * @param shown Ids.
     * @param counts Which entries have to be there.
     */
    missing: (shown: ReadonlySet<string>, counts: (entry: Entry) => boolean) =>
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
