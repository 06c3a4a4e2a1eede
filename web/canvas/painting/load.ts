/** Loading a board: its objects are made in slices, so that the page takes input meanwhile. */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { BaseCanvas } from "./base.ts";
import type { Content } from "./content.ts";
import { type FrameLoop, nextTurn } from "../scheduling/frame.ts";
import type { Painter } from "./paint.ts";
import type { Scene } from "../scene/scene.ts";

/** Milliseconds of one slice. */
const SLICE_BUDGET = 6;

export interface LoaderParts {
  readonly scene: Scene;
  readonly painter: Painter;
  readonly base: BaseCanvas;
  readonly content: Content;
  readonly frames: FrameLoop;
}

export class BoardLoader {
  private readonly parts: LoaderParts;
  /** Counts the loads: a later one ends an earlier one. */
  private loads = 0;
  /** The objects that changed while a board is loaded: the loaded state is older. */
  private changed: Set<ObjectId> | undefined;

  constructor(parts: LoaderParts) {
    this.parts = parts;
  }

  /** Replaces everything. Resolves when all is painted, or when a later load or `cancel` ended this one. */
  async load(objects: Iterable<BoardObject>, background: string): Promise<void> {
    const { scene, painter, base, content, frames } = this.parts;
    const load = ++this.loads;
    scene.clear();
    painter.clear();
    base.background = background;
    base.repaintAll();
    this.changed = new Set();
    if (document.fonts.status !== "loaded") await document.fonts.ready;
    if (load !== this.loads) return;
    let deadline = performance.now() + SLICE_BUDGET;
    for (const object of objects) {
      if (performance.now() > deadline) {
        await nextTurn();
        if (load !== this.loads) return;
        deadline = performance.now() + SLICE_BUDGET;
      }
      if (!this.changed?.has(object.id)) content.add(object);
    }
    this.changed = undefined;
    await content.complete();
    while (load === this.loads && !base.settled) await frames.next();
  }

  /** Must be called with each change before it is applied. */
  note(changes: BoardChanges): void {
    if (!this.changed) return;
    for (const list of [changes.added, changes.changed, changes.removed])
      for (const object of list) this.changed.add(object.id);
  }

  /** Ends a load that is running. */
  cancel(): void {
    this.loads++;
    this.changed = undefined;
  }
}
