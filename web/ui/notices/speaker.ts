/** Says sentences one after the other, so that none cuts another off. */

import type { StartTimer } from "../kit/announcer.ts";

/** Milliseconds from one sentence to the next. */
export const SENTENCE = 1_000;
/** Milliseconds before the first sentence: by then the effects of an action are known, and the focus has moved. */
export const COLLECT = 100;

export interface Speaker {
  /** Adds a sentence, which replaces a waiting one of the same kind. It is made when it is spoken; an empty one is not spoken. */
  add(kind: string, sentence: () => string): void;
  dispose(): void;
}

/** Makes a speaker with nothing to say. */
export function createSpeaker(say: (sentence: string) => void, startTimer: StartTimer): Speaker {
  const waiting = new Map<string, () => string>();
  let cancel: (() => void) | null = null;
  function next(): void {
    cancel = null;
    for (const [kind, make] of waiting) {
      waiting.delete(kind);
      const sentence = make();
      if (sentence === "") continue;
      say(sentence);
      cancel = startTimer(next, SENTENCE);
      return;
    }
  }
  return {
    add(kind, sentence) {
      waiting.delete(kind);
      waiting.set(kind, sentence);
      cancel ??= startTimer(next, COLLECT);
    },
    dispose() {
      cancel?.();
      waiting.clear();
    },
  };
}
