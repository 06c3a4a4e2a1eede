import type { BoardChanges } from "../../board/drawing.ts";
import { describeChanges } from "./labels.ts";

/** Calls `work` once after `ms`; answers a function that calls it off. */
export type Later = (work: () => void, ms: number) => () => void;

export interface Announcer {
  /** Somebody else changed the board. */
  heard(changes: BoardChanges): void;
  dispose(): void;
}

/** Milliseconds over which the doings of others are gathered into one sentence. */
export const GATHER = 5000;

/** Tells screen readers what others do: one sentence in GATHER milliseconds, however much they do. */
export function createAnnouncer(say: (sentence: string) => void, later: Later): Announcer {
  let counts = { added: 0, changed: 0, removed: 0 };
  let cancel: (() => void) | null = null;

  function speak(): void {
    cancel = null;
    const sentence = describeChanges(counts);
    counts = { added: 0, changed: 0, removed: 0 };
    if (sentence) say(sentence);
  }

  return {
    heard(changes) {
      counts.added += changes.added.length;
      counts.changed += changes.changed.length;
      counts.removed += changes.removed.length;
      cancel ??= later(speak, GATHER);
    },
    dispose() {
      cancel?.();
      cancel = null;
    },
  };
}
