/** Edits many objects together, and shows a notice that offers to undo it. */

import type { SyncClient } from "../../sync/port.ts";

/** A notice of an edit that can be undone for as long as the notice is shown. */
export interface DoneNotice {
  readonly text: string;
  /** Undoes the edit; null when there is nothing to undo. */
  readonly undo: (() => void) | null;
  /** Called when the notice is no longer shown. */
  readonly onGone: () => void;
}

/** The texts of a notice: that of an edit, and that of one that did not change the board. */
export interface DoneTexts {
  readonly text: string;
  readonly unchanged: string;
}

/** Shows a notice; returns the function that removes it. */
export type ShowDone = (notice: DoneNotice) => () => void;

/**
 * Runs an edit of this page and shows the notice `text`; or, when the edit did not change the board, `unchanged`; or,
 * when it resolves to false, nothing. The visitor's next edit removes the notice, since its `Undo` would undo that
 * one.
 */
export function editWithUndo(
  client: SyncClient,
  edit: () => void | Promise<boolean>,
  show: ShowDone,
  texts: DoneTexts,
): void {
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
      dismiss = show({ text: texts.text, undo: client.undo, onGone: stop });
      return;
    }
    stop();
    if (said) show({ text: texts.unchanged, undo: null, onGone: () => undefined });
  };
  const running = edit();
  if (running) void running.then(finish, () => finish(false));
  else finish(true);
}
