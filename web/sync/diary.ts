/** This page's use of the journal: each edit is written as it is made, and goes when the row holds it. */

import type { ObjectId } from "../../board/drawing.ts";
import { toPartial } from "../../board/encode.ts";
import { parseDrawing } from "../../board/parse.ts";
import type { Journal, JournalKey } from "./journal.ts";
import type { Replica } from "./replica.ts";
import { idsOf } from "./text.ts";
import type { Log } from "./world.ts";

export interface Diary {
  /** An edit of this page that was just made. */
  write(ids: Iterable<ObjectId>): void;
  /** Merges what earlier pages left behind; it counts as this page's from now on. Answers the objects. */
  takeOver(): Promise<ReadonlySet<ObjectId>>;
  /** Removes the entries whose edits the row holds. */
  sweep(): void;
}

export interface DiaryParts {
  readonly journal: Journal;
  readonly page: string;
  readonly replica: Replica;
  readonly log: Log;
}

export function createDiary({ journal, page, replica, log }: DiaryParts): Diary {
  const { board, unsaved } = replica;
  /** The moment of the edit that an entry holds. */
  const entries = new Map<JournalKey, number>();
  let number = 0;

  return {
    write(ids) {
      number += 1;
      const key: JournalKey = [page, number];
      entries.set(key, unsaved.moment);
      journal.write({ key, text: JSON.stringify(toPartial(board, ids)) });
    },
    async takeOver() {
      const all = new Set<ObjectId>();
      for (const { key, text } of await journal.read()) {
        if (key[0] === page) continue;
        const parsed = parseDrawing(text);
        if (!parsed.ok || !parsed.partial) {
          // It is left where it is: another version of this page may be able to read it.
          log.warn("An unsaved change that was kept on this device cannot be read");
          continue;
        }
        replica.receive(parsed.drawing, null);
        const ids = idsOf(parsed.drawing);
        unsaved.edited(ids);
        entries.set(key, unsaved.moment);
        for (const id of ids) all.add(id);
      }
      return all;
    },
    sweep() {
      const done = [...entries]
        .filter(([, moment]) => !unsaved.isPending(moment))
        .map(([key]) => key);
      for (const key of done) entries.delete(key);
      journal.remove(done);
    },
  };
}
