/** Edits many objects together, and shows a notice that offers to undo it. */

import type { SyncClient } from "../../sync/port.ts";
import type { ShowDone } from "../board/environment.ts";

/** The texts of a notice: that of an edit, and that of one that did not change the board. */
export interface DoneTexts {
  readonly text: string;
  readonly unchanged: string;
}

/** The board that is edited, and its notices. */
interface EditedBoard {
  /** The sync client; null while the board is not open. */
  readonly client: () => SyncClient | null;
  readonly showDone: ShowDone;
}

/**
 * Runs an edit of this page and shows the notice `text`; or, when the edit did not change the board, `unchanged`; or,
 * when it resolves to false, nothing. The visitor's next edit removes the notice, since its `Undo` would undo that
 * one. Does nothing while the board is not open.
 */
export function editWithUndo(
  { client: openClient, showDone }: EditedBoard,
  edit: (client: SyncClient) => void | Promise<boolean>,
  texts: DoneTexts,
): void {
  const client = openClient();
  if (!client) return;
  let isDone = false;
  let changed = false;
  let dismiss = (): void => undefined;
  const stop = client.onChanges(({ origin }) => {
    if (origin === "remote") return;
    changed = true;
    if (isDone) dismiss();
  });
  const finish = (said: boolean): void => {
    isDone = true;
    if (said && changed) {
      dismiss = showDone({ text: texts.text, undo: client.undo, onGone: stop });
      return;
    }
    stop();
    if (said) showDone({ text: texts.unchanged, undo: null, onGone: () => undefined });
  };
  const running = edit(client);
  if (running) void running.then(finish, () => finish(false));
  else finish(true);
}
