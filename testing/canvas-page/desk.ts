/** A board of one page, without a room: what the canvas needs to be used by hand and by tests. */

import type {
  BoardChanges,
  BoardEditor,
  BoardObject,
  NewObject,
  ObjectChange,
  ObjectId,
} from "../../board/drawing.ts";
import type { LivePlace, LiveSink } from "../../board/live.ts";
import type { BoardCanvas } from "../../web/canvas/port.ts";

const NOTHING: BoardChanges = { added: [], changed: [], removed: [] };

/** Keeps the objects, and tells the canvas what changed, as the room would. */
export class Desk implements BoardEditor {
  readonly objects = new Map<ObjectId, BoardObject>();
  /** Each call of the editor, in order. */
  readonly calls: string[] = [];
  canvas: BoardCanvas | undefined;
  private seq = 0;
  private z = 0;
  private readonly author: string;

  constructor(author = "aaa0me") {
    this.author = author;
  }

  /** Objects with ids, on top of all others; not shown yet. */
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

  add(objects: readonly NewObject[]): readonly BoardObject[] {
    this.calls.push("add");
    const added = this.make(objects);
    this.canvas?.apply({ ...NOTHING, added });
    return added;
  }

  change(changes: readonly ObjectChange[]): void {
    this.calls.push("change");
    this.alter(changes);
  }

  /** The same as `change`, by somebody else. */
  alter(changes: readonly ObjectChange[]): void {
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
    this.drop(ids);
  }

  /** The same as `remove`, by somebody else. Answers what was removed. */
  drop(ids: readonly ObjectId[]): BoardObject[] {
    const removed: BoardObject[] = [];
    for (const id of ids) {
      const object = this.objects.get(id);
      if (object) removed.push(object);
      this.objects.delete(id);
    }
    this.canvas?.apply({ ...NOTHING, removed });
    return removed;
  }

  /** Objects that were removed return as they were. */
  restore(objects: readonly BoardObject[]): void {
    for (const object of objects) this.objects.set(object.id, object);
    this.canvas?.apply({ ...NOTHING, added: objects });
  }

  stacked(): BoardObject[] {
    return [...this.objects.values()].sort((a, b) => a.z - b.z);
  }
}

/** What the canvas told of unfinished doings. */
export class LiveLog implements LiveSink {
  readonly ink: Record<string, number[]> = {};
  readonly events: string[] = [];
  at: { readonly x: number; readonly y: number } | null = null;
  places: readonly LivePlace[] = [];

  pointer(at: { readonly x: number; readonly y: number } | null): void {
    this.at = at;
  }

  inkStart(stroke: string, color: string, width: number): void {
    this.events.push(`start ${stroke} ${color} ${width}`);
    this.ink[stroke] = [];
  }

  inkPoints(stroke: string, points: readonly number[]): void {
    this.ink[stroke]?.push(...points);
  }

  inkEnd(stroke: string, id: ObjectId | null): void {
    this.events.push(`end ${stroke} ${id}`);
  }

  drag(places: readonly LivePlace[]): void {
    this.places = places;
    this.events.push(`drag ${places.length}`);
  }
}
