/** Updates from the others, in the order in which they came: one after the other, and none while the row is being read. */

import { parseDrawing, type ParsedDrawing } from "../../board/parse.ts";
import type { HeardUpdate } from "./wire.ts";

export interface Inbox {
  put(update: HeardUpdate): void;
  /** The row has been read: what waited comes now. */
  drain(): void;
}

export interface InboxParts {
  readonly mayApply: () => boolean;
  readonly apply: (update: HeardUpdate, parsed: Extract<ParsedDrawing, { ok: true }>) => void;
  /** An update that cannot be read. */
  readonly onFault: (reason: string) => void;
}

/** More than these and the oldest go: the boards' digests will tell, and the row has them sooner or later. */
const MOST_WAITING = 1_000;

export function createInbox({ mayApply, apply, onFault }: InboxParts): Inbox {
  const waiting: HeardUpdate[] = [];

  const drain = (): void => {
    while (mayApply()) {
      const update = waiting.shift();
      if (!update) return;
      const parsed = parseDrawing(update.json);
      if (!parsed.ok) onFault(parsed.reason);
      else {
        const [fault] = parsed.faults;
        if (fault) onFault(fault.reason);
        apply(update, parsed);
      }
    }
  };
  return {
    put(update) {
      waiting.push(update);
      if (waiting.length > MOST_WAITING) waiting.shift();
      drain();
    },
    drain,
  };
}
