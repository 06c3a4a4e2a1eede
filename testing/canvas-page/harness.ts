/** The canvas harness: a canvas with a board in memory behind it, for tests and for experiments. */

import type {
  BoardChanges,
  BoardEditor,
  BoardObject,
  NewObject,
  ObjectChange,
  ObjectId,
} from "../../board/drawing.ts";
import type { LiveLine, LiveTransform, LiveSink } from "../../board/live.ts";
import type { SpaceLimit } from "../../board/space.ts";
import { createBoardCanvas } from "../../web/canvas/board-canvas.ts";
import { type CanvasInternals, inspectCanvas } from "./inspect.ts";
import type { BoardCanvas } from "../../web/canvas/port.ts";

const NOTHING: BoardChanges = { added: [], changed: [], removed: [] };

/** A board without a network: it keeps the objects and applies each change to the canvas, as the sync client does. */
export class LocalBoard implements BoardEditor {
  readonly objects = new Map<ObjectId, BoardObject>();
  /** The calls of the canvas, in order. */
  readonly calls: string[] = [];
  canvas: BoardCanvas | undefined;
  /** The number of objects that fit on the board. */
  capacity = Infinity;
  /** The number of times that the visitor would have been shown that the board is full. */
  refusals = 0;
  private seq = 0;
  private z = 0;
  private readonly author: string;

  constructor(author = "aaa0me") {
    this.author = author;
  }

  /** Returns the objects with ids, on top of all others; the canvas does not show them yet. */
  make(objects: readonly NewObject[]): BoardObject[] {
    return objects.map((object) => {
      const made = {
        ...object,
        id: `${this.author}-${this.seq++}` as ObjectId,
        z: ++this.z,
      } as BoardObject;
      this.objects.set(made.id, made);
      return made;
    });
  }

  /** False when the board has no space for so many objects. */
  accepts(count: number): boolean {
    const fits = this.objects.size + count <= this.capacity;
    if (!fits) this.refusals++;
    return fits;
  }

  add(objects: readonly NewObject[]): readonly BoardObject[] {
    this.calls.push("add");
    if (!this.accepts(objects.length)) return [];
    const added = this.make(objects);
    this.canvas?.apply({ ...NOTHING, added });
    return added;
  }

  addChanged(object: NewObject, props: ObjectChange["props"]): BoardObject | undefined {
    const [added] = this.add([object]);
    if (added) this.change([{ id: added.id, props }]);
    return added && this.objects.get(added.id);
  }

  change(changes: readonly ObjectChange[]): void {
    this.calls.push("change");
    this.changeByPeer(changes);
  }

  /** Changes objects as `change` does, by a peer. */
  changeByPeer(changes: readonly ObjectChange[]): void {
    const changed: BoardObject[] = [];
    for (const { id, props } of changes) {
      const before = this.objects.get(id);
      if (!before) continue;
      const after = { ...before, ...props } as BoardObject;
      this.objects.set(id, after);
      changed.push(after);
    }
    this.canvas?.apply({ ...NOTHING, changed });
  }

  remove(ids: readonly ObjectId[]): void {
    this.calls.push("remove");
    this.removeByPeer(ids);
  }

  /** Removes objects as `remove` does, by a peer. Returns the removed objects. */
  removeByPeer(ids: readonly ObjectId[]): BoardObject[] {
    const removed: BoardObject[] = [];
    for (const id of ids) {
      const object = this.objects.get(id);
      if (object) removed.push(object);
      this.objects.delete(id);
    }
    this.canvas?.apply({ ...NOTHING, removed });
    return removed;
  }

  /** Adds removed objects again, unchanged. */
  restore(objects: readonly BoardObject[]): void {
    for (const object of objects) this.objects.set(object.id, object);
    this.canvas?.apply({ ...NOTHING, added: objects });
  }

  /** The objects, bottom first. */
  stacked(): BoardObject[] {
    return [...this.objects.values()].sort((a, b) => a.z - b.z);
  }
}

/** Records the live activity that the canvas sends. */
export class LiveLog implements LiveSink {
  readonly ink: Record<string, number[]> = {};
  readonly events: string[] = [];
  pointerAt: { readonly x: number; readonly y: number } | null = null;
  /** The lines and arrows as they were drawn and moved. */
  readonly lines: LiveLine[] = [];
  /** The last list of dragged objects. */
  drags: readonly LiveTransform[] = [];
  /** The last list of selected objects. */
  selected: readonly ObjectId[] = [];

  pointer(at: { readonly x: number; readonly y: number } | null): void {
    this.pointerAt = at;
  }

  inkStart(stroke: string, color: string, width: number): void {
    this.events.push(`start ${stroke} ${color} ${width}`);
    this.ink[stroke] = [];
  }

  inkPoints(stroke: string, points: readonly number[]): void {
    this.ink[stroke]?.push(...points);
  }

  inkEnd(stroke: string, end: ObjectId | "fades" | null): void {
    this.events.push(`end ${stroke} ${end}`);
  }

  drag(drags: readonly LiveTransform[]): void {
    this.drags = drags;
    this.events.push(`drag ${drags.length}`);
  }

  line(line: LiveLine | null, id: ObjectId | null = null): void {
    if (line) this.lines.push(line);
    else this.events.push(`line ${id}`);
  }

  select(ids: readonly ObjectId[]): void {
    this.selected = ids;
  }
}

/** A canvas and everything that a test examines. */
export interface CanvasHarness {
  readonly canvas: BoardCanvas;
  readonly board: LocalBoard;
  readonly live: LiveLog;
  /** The numbers of selected objects that the canvas reported. */
  readonly selections: number[];
  readonly faults: string[];
  /** The ends of lines that the canvas reported as chosen; null for a release. */
  readonly held: (0 | 1 | null)[];
  /** The limits for which copies were refused, in order. */
  readonly refused: SpaceLimit[];
  /** The kinds of the actions that were reported, in order. */
  readonly actions: string[];
  /** The visitor's choices. */
  readonly choices: { pressure: boolean };
  readonly internals: CanvasInternals;
}

/** Puts a canvas of this size (CSS pixels) into the page's element `host`. Throws when there is none. */
export function openHarness(width: number, height: number): CanvasHarness {
  const host = document.querySelector<HTMLElement>("#host");
  if (!host) throw new Error("The page has no host");
  const board = new LocalBoard();
  const live = new LiveLog();
  const selections: number[] = [];
  const faults: string[] = [];
  const held: (0 | 1 | null)[] = [];
  const refused: SpaceLimit[] = [];
  const actions: string[] = [];
  const choices = { pressure: false };
  const canvas = createBoardCanvas({
    surface: { host, width, height },
    editor: board,
    live,
    events: {
      onSelection: (count) => selections.push(count),
      onSelectionFrame: () => undefined,
      onView: () => undefined,
      onAction: (action) => {
        actions.push(action.kind);
        if (action.kind === "refused") refused.push(action.limit);
        else if (action.kind === "picked" && action.held !== undefined)
          held.push(action.held?.end ?? null);
      },
      onFault: (id: ObjectId, reason) => faults.push(`${id} ${reason}`),
    },
    covered: () => 0,
    pressure: () => choices.pressure,
    fetchAhead: (fetch) => fetch(),
  });
  board.canvas = canvas;
  return {
    canvas,
    board,
    live,
    selections,
    faults,
    held,
    refused,
    actions,
    choices,
    internals: inspectCanvas(canvas),
  };
}
