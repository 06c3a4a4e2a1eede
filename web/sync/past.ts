/**
 * Undo and redo. The code behind them is fetched when the board has been read, or with the first
 * change: until then there is nothing to undo. Changes made meanwhile are taken down when it is there.
 */

import type { Board } from "../../board/board.ts";
import type { Author, BoardChanges, BoardObject } from "../../board/drawing.ts";
import { createLate } from "./late.ts";
import type { Store } from "./port.ts";
import { createStore } from "./store.ts";
import type { World } from "./world.ts";

/** As many as a history holds. */
const MOST_WAITING = 200;

type Code = typeof import("../../board/history.ts");

export interface Past {
  readonly can: Store<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** One change of this person: the objects that it touched, before and after it. */
  record(before: readonly BoardObject[], after: readonly BoardObject[]): void;
  /** Null when there is nothing to undo. */
  undo(): BoardChanges | null;
  redo(): BoardChanges | null;
  /** The board changed: what can be undone may be something else now. */
  look(): void;
  fetch(): Promise<void>;
  stop(): void;
}

export function createPast(board: Board, author: Author, world: World): Past {
  const can = createStore(
    { canUndo: false, canRedo: false },
    (a, b) => a.canUndo === b.canUndo && a.canRedo === b.canRedo,
  );
  const waiting: Parameters<Past["record"]>[] = [];
  let code: Code | undefined;
  let history: ReturnType<Code["createHistory"]> | undefined;

  const look = (): void => {
    if (!code || !history) return;
    can.set({ canUndo: code.canUndo(history, board), canRedo: code.canRedo(history, board) });
  };
  const late = createLate(world.loadHistory, world.log, (loaded) => {
    code = loaded;
    history = loaded.createHistory();
    for (const [before, after] of waiting.splice(0))
      loaded.record(history, loaded.makeEntry(before, after));
    look();
  });

  return {
    can,
    record(before, after) {
      if (code && history) return code.record(history, code.makeEntry(before, after));
      waiting.push([before, after]);
      if (waiting.length > MOST_WAITING) waiting.shift();
      void late.fetch();
    },
    undo: () => (code && history ? (code.undoStep(history, board, author)?.changes ?? null) : null),
    redo: () => (code && history ? (code.redoStep(history, board, author)?.changes ?? null) : null),
    look,
    fetch: late.fetch,
    stop: late.stop,
  };
}
