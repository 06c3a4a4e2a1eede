/** The replica: the board in this browser. Every change passes here, whoever made it. */

import { adoptForeign, type AdoptOptions } from "../../../board/adopt.ts";
import { authorOf, baseAuthor, sequenceOf } from "../../../board/author.ts";
import { withSources } from "../../../board/bare-pictures.ts";
import { countObjects, createBoard, dropObject, type Board } from "../../../board/board.ts";
import { contextOf, subtractContext } from "../../../board/causal-context.ts";
import { BACKGROUND } from "../../../board/constants.ts";
import type {
  Author,
  BoardChanges,
  BoardEditor,
  BoardObject,
  Drawing,
  ObjectId,
} from "../../../board/drawing.ts";
import { changeBackground, removeObjects, restoreObjects } from "../../../board/edit.ts";
import { incarnationOf } from "../../../board/groups.ts";
import { restoreLosses, type Losses } from "../../../board/losses.ts";
import { mergeInto } from "../../../board/merge.ts";
import {
  claimAuthor,
  discreditedNames,
  isForged,
  renameOwnObjects,
} from "../../../board/own-objects.ts";
import type { ParsedDrawing } from "../../../board/parse.ts";
import {
  canRedo,
  canUndo,
  createUndoStack,
  entryOf,
  record,
  redoStep,
  renameInUndoStack,
  undoStep,
  type UndoStep,
} from "../../../board/undo.ts";
import { createEditor } from "./editor.ts";
import { createOwnName } from "./own-name.ts";
import { createLossWatch, type GreatLosses, type Sender } from "./loss-watch.ts";
import { createPendingEdits, type PendingEdits } from "./pending-edits.ts";
import { createEmitter, createSignal, type Signal } from "../environment/signal.ts";

/** The source of a change of the board: an edit here, a peer or the row, undo or redo. */
export type Origin = "local" | "remote" | "undo" | "redo";

/** One edit of this page. */
export interface Edit {
  readonly ids: ReadonlySet<ObjectId>;
  readonly clear: boolean;
}

export interface ReplicaChange {
  readonly changes: BoardChanges;
  readonly origin: Origin;
  /** The client that sent it; undefined for a change of this page, and for one from the row. */
  readonly sender?: Sender | undefined;
}

export interface Replica {
  readonly board: Board;
  readonly editor: BoardEditor;
  readonly pending: PendingEdits;
  readonly history: Signal<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Enters who this page is; see `OwnName`. What is on the board by this page carries it to the others, as an edit. */
  readonly setName: (person: string, name: string | undefined) => void;
  /** Removes everything that is on the board; returns it. */
  readonly clear: () => readonly BoardObject[];
  /**
   * Brings back those of the objects that `clear` returned and that are not on the board now: as `undo` does while the
   * visitor has made no other edit since, otherwise as a new edit.
   */
  readonly restore: (objects: readonly BoardObject[]) => void;
  /** Takes back what changes of others took away. */
  readonly restoreLosses: (losses: Losses) => void;
  /** Makes an edit whose parts `make` applies to the board, with a pause after each. One undo takes back all of them. */
  readonly editInSlices: (make: EditMaker) => Generator<void, void>;
  /**
   * Merges a drawing from elsewhere; of the row without a sender. False claims about this page's own objects have no
   * effect.
   */
  readonly receive: (drawing: Drawing, sender?: Sender) => BoardChanges;
  /** Merges what an earlier page of this device kept: it may speak of objects that nobody else has observed. */
  readonly takeOver: (drawing: Drawing) => void;
  /** Takes objects off the board as if it had never observed them. */
  readonly forget: (ids: readonly ObjectId[]) => void;
  /** Applies the drawing of a plain client, which knows nothing of merging: yields the changes of each slice. */
  readonly adopt: (
    parsed: Extract<ParsedDrawing, { ok: true }>,
    options: AdoptOptions,
    sender?: Sender,
  ) => Generator<BoardChanges, void>;
  readonly onChanges: (listener: (change: ReplicaChange) => void) => () => void;
  /** Called before the listeners of onChanges, so that a change is in the journal before it is painted. */
  readonly onEdit: (listener: (edit: Edit) => void) => () => void;
  /** Changes of others took away much of the board within a few seconds; called again while that goes on. */
  readonly onLosses: (listener: (event: GreatLosses) => void) => () => void;
  /** The editor refused to add objects: the board is full. */
  readonly onFull: (listener: () => void) => () => void;
}

type EditMaker = (board: Board, author: Author) => Iterable<BoardChanges>;

export interface ReplicaDependencies {
  readonly author: Author;
  readonly now: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Gets what a listener throws. */
  readonly onFault: (fault: unknown) => void;
}

/** An empty board. */
export function createReplica(dependencies: ReplicaDependencies): Replica {
  const core = createCore(dependencies);
  const { board, pending, history } = core;
  return {
    board,
    pending,
    history,
    editor: createEditor(core),
    ...createEdits(core),
    ...createReceiving(core, dependencies),
    onChanges: core.changed.listen,
    onEdit: core.edited.listen,
    onLosses: core.lossesGrew.listen,
    onFull: core.full.listen,
  };
}

type Core = ReturnType<typeof createCore>;

/** The board, the undo stack, and the two ways in which a change is published. */
function createCore({ author, now, onFault }: ReplicaDependencies) {
  const board = createBoard();
  claimAuthor(board, author);
  const ownName = createOwnName(board, author, now);
  const pending = createPendingEdits(onFault);
  const stack = createUndoStack();
  const editsOfStack = () => ({ canUndo: canUndo(stack, board), canRedo: canRedo(stack, board) });
  const history = createSignal(
    editsOfStack(),
    (a, b) => a.canUndo === b.canUndo && a.canRedo === b.canRedo,
  );
  const changed = createEmitter<ReplicaChange>(onFault);
  const edited = createEmitter<Edit>(onFault);
  const lossesGrew = createEmitter<GreatLosses>(onFault);
  const updateHistory = (): void => history.set(editsOfStack());
  const emitChanges = (changes: BoardChanges, origin: Origin, sender?: Sender): void => {
    if (isNothing(changes)) return;
    changed.emit({ changes, origin, sender });
    // A peer's change too may take away, or give back, what an entry of the stack could do.
    updateHistory();
  };
  /** An edit that was applied to the board: it is pending, broadcast and painted. */
  const publish = (changes: BoardChanges, origin: Origin, clear = false): void => {
    if (isNothing(changes) && !clear) return;
    const ids = idsOfChanges(changes);
    // What was restored has been observed before; its incarnation is a higher one.
    const made = changes.added.filter((object) => incarnationOf(object) === 0);
    pending.addEdit(
      ids,
      made.map(({ id }) => id),
    );
    edited.emit({ ids, clear });
    emitChanges(changes, origin);
  };
  return {
    author,
    board,
    ownName,
    pending,
    stack,
    history,
    changed,
    edited,
    emitChanges,
    updateHistory,
    publish,
    /** An edit that undo takes back. */
    edit: (changes: BoardChanges, clear = false): void => {
      record(stack, entryOf(changes));
      publish(changes, "local", clear);
    },
    lossesGrew,
    losses: createLossWatch(board, now, lossesGrew.emit),
    full: createEmitter<void>(onFault),
  };
}

function createEdits(
  core: Core,
): Pick<
  Replica,
  "undo" | "redo" | "setName" | "clear" | "restore" | "restoreLosses" | "editInSlices"
> {
  const { author, board, ownName, pending, edited, stack, losses, edit, publish } = core;
  const step = (way: typeof undoStep, origin: Origin): void => {
    const done = way(stack, board, author);
    if (done) publish(done.changes, origin);
  };
  return {
    undo: () => step(undoStep, "undo"),
    redo: () => step(redoStep, "redo"),
    setName(person, name) {
      if (!ownName.set(person, name)) return;
      const base = baseAuthor(author);
      for (const id of board.objects.keys()) {
        if (baseAuthor(authorOf(id)) !== base) continue;
        pending.addEdit([]);
        return edited.emit({ ids: new Set([id]), clear: false });
      }
    },
    clear() {
      const { removed } = removeObjects(board, [...board.objects.keys()]);
      const white = changeBackground(board, author, BACKGROUND);
      edit({ ...white, removed }, true);
      return removed;
    },
    restore(objects) {
      const newest = stack.undo.at(-1)?.steps[0];
      if (newest?.kind === "removed" && newest.object === objects[0]) step(undoStep, "undo");
      else edit(restoreObjects(board, author, objects));
    },
    restoreLosses(lost) {
      edit(restoreLosses(board, author, lost));
      losses.forget();
    },
    *editInSlices(make) {
      const steps: UndoStep[] = [];
      for (const changes of make(board, author)) {
        for (const step of entryOf(changes).steps) steps.push(step);
        publish(changes, "local");
        yield;
      }
      record(stack, { steps });
      core.updateHistory();
    },
  };
}

type Receiving = Pick<Replica, "receive" | "takeOver" | "forget" | "adopt">;

function createReceiving(core: Core, { random }: ReplicaDependencies): Receiving {
  const { author, board, ownName, pending, losses, emitChanges } = core;
  /** A change from elsewhere was applied to the board, which had `total` objects before. */
  const emitRemote = (changes: BoardChanges, total: number, sender?: Sender): void => {
    emitChanges(changes, "remote", sender);
    // Nobody listens before the first read: what that takes away was never shown.
    if (core.lossesGrew.size > 0) losses.add(changes, total, sender);
  };
  /** A peer made a false claim about a name of this page: its pending objects go on under one that no peer can guess. */
  const renameIfDiscredited = (): void => {
    if (discreditedNames(board).length === 0) return;
    const successor = (): Author =>
      `${baseAuthor(author) ?? author}${randomLetters(random)}` as Author;
    const { ids, changes } = renameOwnObjects(board, pending.ownIds(), successor);
    renameInUndoStack(core.stack, ids);
    core.publish(changes, "remote");
  };
  return {
    receive(received, sender) {
      const drawing = withSources(board, received);
      const total = countObjects(board);
      const own = { unsent: pending.unsentIds(), pending: pending.ownIds() };
      const genuine = drawing.objects.filter((object) => !isForged(board, object, own.unsent));
      pending.markSent(genuine.map(({ id }) => id));
      const changes = mergeInto(board, drawing, own);
      ownName.defend();
      emitRemote(changes, total, sender);
      renameIfDiscredited();
      return changes;
    },
    takeOver: (drawing) => emitChanges(mergeInto(board, drawing), "remote"),
    forget(ids) {
      const removed = ids.flatMap((id) => dropObject(board, id) ?? []);
      const numbers = removed.map(({ id }) => [authorOf(id), sequenceOf(id), 0] as const);
      subtractContext(board.context, contextOf(numbers));
      emitChanges({ added: [], changed: [], removed }, "remote");
    },
    *adopt(parsed, options, sender) {
      const total = countObjects(board);
      for (const changes of adoptForeign(board, parsed, options)) {
        emitRemote(changes, total, sender);
        yield changes;
      }
    },
  };
}

/** Eight characters of [0-9a-z]. */
function randomLetters(random: () => number): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join("");
}

/** The ids of all objects that a change touched. */
export function idsOfChanges(changes: BoardChanges): Set<ObjectId> {
  return new Set([...changes.added, ...changes.changed, ...changes.removed].map(({ id }) => id));
}

export function isNothing(changes: BoardChanges): boolean {
  return (
    changes.added.length + changes.changed.length + changes.removed.length === 0 &&
    changes.background === undefined
  );
}
