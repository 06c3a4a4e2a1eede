/** This page's own entry in the table of names (see `board/author-names.ts`). */

import { baseAuthor } from "../../../board/author.ts";
import { mergeNames } from "../../../board/author-names.ts";
import type { Board } from "../../../board/board.ts";
import type { Author, WrittenName } from "../../../board/drawing.ts";
import { MAX_COUNT } from "../../../board/limits.ts";

export interface OwnName {
  /** Enters the name, undefined for none. Returns false where that is the entry already. */
  set(person: string, name: string | undefined): boolean;
  /** Replaces what somebody else entered for this page; it is sent with this page's next change. */
  defend(): void;
}

/** 2020-01-01. */
const EPOCH = Date.UTC(2020, 0, 1);

/** Enters nothing yet. `now` in milliseconds: a later load of this browser has a greater version than an earlier one. */
export function createOwnName(board: Board, author: Author, now: () => number): OwnName {
  const own = baseAuthor(author) ?? author;
  let entered: WrittenName | null = null;
  const enter = (person: string, name: string | undefined): void => {
    const seconds = Math.floor((now() - EPOCH) / 1000);
    const next = Math.max(1, seconds, (board.names.get(own)?.[0] ?? 0) + 1);
    const version = Math.min(next, MAX_COUNT - 1);
    entered = name === undefined ? [version, person] : [version, person, name];
    mergeNames(board.names, [[own, entered]]);
  };
  return {
    set(person, name) {
      if (entered && entered[1] === person && entered[2] === name) return false;
      enter(person, name);
      return true;
    },
    defend() {
      const written = board.names.get(own);
      if (!entered || !written || written === entered) return;
      if (written[1] !== entered[1] || written[2] !== entered[2]) enter(entered[1], entered[2]);
    },
  };
}
