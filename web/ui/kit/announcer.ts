/** Announces to screen readers what peers do: one sentence in 5 s, however much they do. */

import type { BoardChanges } from "../../../board/drawing.ts";

/** Calls `work` once after `ms`; returns a function that cancels it. */
export type Later = (work: () => void, ms: number) => () => void;

export interface Announcer {
  /** A peer changed the board. */
  add(changes: BoardChanges): void;
  dispose(): void;
}

/** Milliseconds over which the changes of peers are collected into one sentence. */
export const COLLECT = 5000;

/** `announce` gets each sentence. */
export function createAnnouncer(announce: (sentence: string) => void, later: Later): Announcer {
  let counts = { added: 0, changed: 0, removed: 0 };
  let cancel: (() => void) | null = null;

  function finish(): void {
    cancel = null;
    const sentence = describeChanges(counts);
    counts = { added: 0, changed: 0, removed: 0 };
    if (sentence) announce(sentence);
  }

  return {
    add(changes) {
      counts.added += changes.added.length;
      counts.changed += changes.changed.length;
      counts.removed += changes.removed.length;
      cancel ??= later(finish, COLLECT);
    },
    dispose() {
      cancel?.();
      cancel = null;
    },
  };
}

/** How many objects peers have added, changed and removed. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** One sentence for screen readers about what peers did; null when they did nothing. */
export function describeChanges(counts: ChangeCounts): string | null {
  const parts = [
    counts.added > 0 && `added ${objects(counts.added)}`,
    counts.changed > 0 && `changed ${objects(counts.changed)}`,
    counts.removed > 0 && `removed ${objects(counts.removed)}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const last = parts.pop();
  return `Someone ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}`;
}

function objects(count: number): string {
  return count === 1 ? "1 object" : `${count} objects`;
}
