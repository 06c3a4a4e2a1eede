/**
 * The ports to what this device stores: the journal and the copy of the drawing. An entry of the journal belongs to
 * the page that wrote it; any later page may take it over.
 */

/** The name of an entry: the clientId of its page, and its number in that page. */
export type JournalKey = readonly [page: string, entry: number];

export interface JournalEntry {
  readonly key: JournalKey;
  /** A partial drawing as JSON text. */
  readonly text: string;
}

/** Never rejects and never throws: a device that cannot keep entries is logged, once. */
export interface JournalStore {
  /** False while this device cannot keep what is written. */
  readonly working: boolean;
  /** All entries, those of other pages too. */
  readonly read: () => Promise<readonly JournalEntry[]>;
  /** Starts the write before it returns, and resolves when `working` says whether it succeeded. */
  readonly write: (entry: JournalEntry) => Promise<void>;
  readonly remove: (keys: readonly JournalKey[]) => void;
  /** Resolves when everything is written. */
  readonly close: () => Promise<void>;
}

/** The copy of the drawing on this device. */
export interface DeviceCopyStore {
  /** The text that was kept last, of this board; null for none, or when it is longer than a drawing can be. */
  readonly read: () => Promise<string | null>;
  /** Replaces it, and those of other boards. Resolves to false when the device has no space for it; then none is kept. */
  readonly write: (text: string) => Promise<boolean>;
  /** Removes it. */
  readonly clear: () => Promise<void>;
  readonly close: () => void;
}
