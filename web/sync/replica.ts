/** The board in this browser. Every change passes here, whoever made it. */

import { createBoard, getObject, type Board } from "../../board/board.ts";
import type {
  Author,
  BoardChanges,
  BoardEditor,
  BoardObject,
  Drawing,
  ObjectId,
} from "../../board/drawing.ts";
import {
  addObjects,
  changeBackground,
  changeObjects,
  removeObjects,
  restoreObjects,
} from "../../board/edit.ts";
import { mergeInto } from "../../board/merge.ts";
import { BACKGROUND } from "../../board/spec.ts";
import type { Origin } from "./port.ts";
import { createPast, type Past } from "./past.ts";
import { createEmitter } from "./store.ts";
import { createUnsaved, type Unsaved } from "./unsaved.ts";
import type { World } from "./world.ts";

/** One change that this person made. */
export interface Edit {
  readonly ids: ReadonlySet<ObjectId>;
  readonly clear: boolean;
}

/** How a foreign drawing is taken over; its code is fetched with the first one. */
export type Adopt = typeof import("../../board/adopt.ts").adoptForeign;

export interface Replica {
  readonly board: Board;
  readonly editor: BoardEditor;
  readonly unsaved: Unsaved;
  readonly past: Past;
  undo(): void;
  redo(): void;
  /** Removes everything that is here; answers what it was. */
  clear(): readonly BoardObject[];
  /** Brings back those of the objects that are not here now. */
  restore(objects: readonly BoardObject[]): void;
  /** Takes in what came from elsewhere. With `adopt` it is foreign: it replaces all that this page knows to be saved. */
  receive(drawing: Drawing, adopt: Adopt | null): BoardChanges;
  onChanges(
    listener: (change: { readonly changes: BoardChanges; readonly origin: Origin }) => void,
  ): () => void;
  /** Before the listeners of onChanges, so that a change is on its way before anybody sees it. */
  onEdit(listener: (edit: Edit) => void): () => void;
}

export function createReplica(author: Author, world: World): Replica {
  const onFault = (fault: unknown): void => world.log.error(fault);
  const board = createBoard();
  const unsaved = createUnsaved();
  const past = createPast(board, author, world);
  const changed = createEmitter<{ changes: BoardChanges; origin: Origin }>(onFault);
  const edited = createEmitter<Edit>(onFault);

  const tell = (changes: BoardChanges, origin: Origin): void => {
    if (isNothing(changes)) return;
    changed.emit({ changes, origin });
    past.look();
  };
  /** A change of this person that is done: it counts as unsaved, goes its ways, and is shown. */
  const publish = (changes: BoardChanges, origin: Origin, clear = false): void => {
    if (isNothing(changes) && !clear) return;
    const ids = idsOfChanges(changes);
    unsaved.edited(ids);
    edited.emit({ ids, clear });
    tell(changes, origin);
  };
  const edit = (before: readonly BoardObject[], changes: BoardChanges, clear = false): void => {
    past.record([...before, ...changes.removed], [...changes.added, ...changes.changed]);
    publish(changes, "local", clear);
  };
  const alive = (ids: readonly ObjectId[]): BoardObject[] =>
    ids.flatMap((id) => getObject(board, id) ?? []);

  return {
    board,
    unsaved,
    past,
    editor: {
      add(objects) {
        const changes = addObjects(board, author, objects);
        // Lowering an absurdly high stack may change or replace other objects; those are not this person's doing.
        edit(changes.changed, changes);
        return changes.added.slice(0, objects.length);
      },
      change(list) {
        const before = alive(list.map(({ id }) => id));
        edit(before, changeObjects(board, author, list));
      },
      remove: (ids) => edit([], removeObjects(board, ids)),
    },
    undo() {
      const changes = past.undo();
      if (changes) publish(changes, "history");
    },
    redo() {
      const changes = past.redo();
      if (changes) publish(changes, "history");
    },
    clear() {
      const { removed } = removeObjects(board, [...board.objects.keys()]);
      const white = changeBackground(board, author, BACKGROUND);
      edit([], { ...white, removed }, true);
      return removed;
    },
    restore: (objects) => edit([], restoreObjects(board, author, objects)),
    receive(drawing, adopt) {
      const changes = adopt ? adopt(board, drawing, unsaved.all()) : mergeInto(board, drawing);
      tell(changes, "remote");
      return changes;
    },
    onChanges: changed.listen,
    onEdit: edited.listen,
  };
}

export function idsOfChanges(changes: BoardChanges): Set<ObjectId> {
  return new Set([...changes.added, ...changes.changed, ...changes.removed].map(({ id }) => id));
}

function isNothing(changes: BoardChanges): boolean {
  return (
    changes.added.length + changes.changed.length + changes.removed.length === 0 &&
    changes.background === undefined
  );
}
