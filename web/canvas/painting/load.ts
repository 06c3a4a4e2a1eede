/** The loader of a board: it makes the objects in slices, so that the page responds to input meanwhile. */

import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { BaseCanvas } from "./base.ts";
import type { Content } from "./content.ts";
import type { FrameLoop } from "../scheduling/frame.ts";
import { createSlices } from "../scheduling/slices.ts";
import type { Painter } from "./paint.ts";
import type { Scene } from "../scene/scene.ts";

export interface BoardLoaderDependencies {
  readonly scene: Scene;
  readonly painter: Painter;
  readonly base: BaseCanvas;
  readonly content: Content;
  readonly frames: FrameLoop;
  /** True while other work has precedence. */
  readonly waits: () => boolean;
  /** Called when the last object is on the canvas, before all of them are painted. */
  readonly onMade: () => void;
}

export class BoardLoader {
  private readonly deps: BoardLoaderDependencies;
  /** The controller that ends the running load. */
  private ending = new AbortController();
  /** The objects that changed during a load, so that their loaded state is outdated; undefined without a load. */
  private changed: Set<ObjectId> | undefined;

  constructor(deps: BoardLoaderDependencies) {
    this.deps = deps;
  }

  /** Replaces everything. Resolves when the whole board is painted, or when a later load or `cancel` has ended this one. */
  async load(objects: Iterable<BoardObject>, background: string): Promise<void> {
    const { scene, painter, base, content, frames, waits } = this.deps;
    this.cancel();
    this.ending = new AbortController();
    const { signal } = this.ending;
    scene.clear();
    painter.clear();
    base.background = background;
    base.repaintAll();
    this.changed = new Set();
    if (document.fonts.status !== "loaded") await document.fonts.ready;
    const slices = createSlices(signal, waits);
    for (const object of objects) {
      const goesOn = slices.next();
      if (goesOn !== true && !(await goesOn)) return;
      if (!this.changed?.has(object.id)) content.add(object, false);
    }
    if (signal.aborted) return;
    this.changed = undefined;
    this.deps.onMade();
    base.repaintAll();
    await content.complete();
    while (!signal.aborted && !base.settled) await frames.next();
  }

  /** Notes a change. It must be called before each change is applied. */
  note(changes: BoardChanges): void {
    if (!this.changed) return;
    for (const list of [changes.added, changes.changed, changes.removed])
      for (const object of list) this.changed.add(object.id);
  }

  /** Cancels a running load. */
  cancel(): void {
    this.ending.abort();
    this.changed = undefined;
  }
}
