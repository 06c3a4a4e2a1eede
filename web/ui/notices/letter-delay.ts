/** Distinguishes a shortcut of one letter from a text that somebody types without a field for it. */

import type { StartTimer } from "../kit/announcer.ts";

/** Milliseconds; letters that follow each other faster are a text. */
export const TYPING_GAP = 400;

export interface LetterDelay {
  /**
   * Notes that a letter was pressed. `work` is done when no other letter is pressed shortly before or after it; null:
   * the letter is no shortcut. With `atOnce` letters may follow it: it is done unless another one preceded it shortly
   * before.
   */
  readonly press: (work: (() => void) | null, atOnce?: boolean) => void;
  /** Does the waiting work now, since the pointer or a key that is no part of a word is used; a letter after that follows no other. */
  readonly flush: () => void;
  readonly dispose: () => void;
}

/** Makes a delay before any letter was pressed. */
export function createLetterDelay(startTimer: StartTimer): LetterDelay {
  let waiting: (() => void) | null = null;
  let cancel: (() => void) | null = null;
  const flush = (): void => {
    cancel?.();
    cancel = null;
    const work = waiting;
    waiting = null;
    work?.();
  };
  return {
    press(work, atOnce = false) {
      const isFirst = cancel === null;
      cancel?.();
      cancel = startTimer(flush, TYPING_GAP);
      waiting = isFirst && !atOnce ? work : null;
      if (isFirst && atOnce) work?.();
    },
    flush,
    dispose() {
      cancel?.();
      cancel = waiting = null;
    },
  };
}
