/** The edits of a visitor: each is an entry of the undo stack, pending, and broadcast. */

import { hasSpaceFor, type Board } from "../../../board/board.ts";
import type { Author, BoardChanges, BoardEditor, BoardObject } from "../../../board/drawing.ts";
import { addObjects, changeObjects, removeObjects } from "../../../board/edit.ts";
import {
  entryOf,
  makeEntry,
  record,
  recordInto,
  type UndoEntry,
  type UndoStack,
} from "../../../board/undo.ts";

export interface EditorDependencies {
  readonly author: Author;
  readonly board: Board;
  readonly stack: UndoStack;
  /** Tells that the board is full. */
  readonly full: { readonly emit: (value: void) => void };
  /** Takes an edit that was applied to the board and that undo takes back. */
  readonly edit: (changes: BoardChanges) => void;
  /** Takes an edit that was applied to the board and has its entry in the undo stack. */
  readonly publish: (changes: BoardChanges, origin: "local") => void;
}

/** Returns the editor of a board. */
export function createEditor(dependencies: EditorDependencies): BoardEditor {
  const { author, board, edit, full, publish, stack } = dependencies;
  const accepts = (count: number): boolean => {
    const fits = hasSpaceFor(board, count);
    if (!fits) full.emit();
    return fits;
  };
  /** The entry of the objects that are added in parts. */
  let whole: UndoEntry | undefined;
  return {
    accepts,
    add(objects, goesOn) {
      if (!accepts(objects.length)) return [];
      const changes = addObjects(board, author, objects);
      // Lowering an absurdly high stack may change or replace other objects; undo must not take that back.
      const added = changes.added.slice(0, objects.length);
      const entry = recordInto(stack, goesOn ? whole : undefined, makeEntry([], added));
      if (goesOn !== undefined) whole = entry;
      publish(changes, "local");
      return added;
    },
    addChanged(object, props) {
      if (!accepts(1)) return undefined;
      const changes = addObjects(board, author, [object]);
      const [added, ...moved] = changes.added as [BoardObject, ...BoardObject[]];
      record(stack, makeEntry([], [added]));
      const change = changeObjects(board, author, [{ id: added.id, props }]);
      record(stack, entryOf(change));
      // The change may leave the object as it was.
      const [changed = added] = change.changed;
      publish({ ...changes, added: [changed, ...moved] }, "local");
      return changed;
    },
    change: (list) => edit(changeObjects(board, author, list)),
    remove: (ids) => edit(removeObjects(board, ids)),
  };
}
