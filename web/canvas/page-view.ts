/** The view of this page: the layers follow its size and movements, at most once in each frame. */

import type { ObjectId } from "../../board/drawing.ts";
import type { Point } from "./geometry/matrix.ts";
import type { PointerInput } from "./input/pointer-input.ts";
import type { PointerWatch } from "./input/pointer-watch.ts";
import type { InteractionLoader } from "./interaction-loader.ts";
import type { BaseCanvas } from "./painting/base.ts";
import type { CanvasView, ViewMove } from "./port.ts";
import { type ClientPoint, type HostLayers, RatioWatch } from "./view/host.ts";

export interface PageViewDependencies {
  readonly layers: HostLayers;
  readonly base: BaseCanvas;
  readonly input: PointerInput;
  readonly pointer: PointerWatch;
  readonly interaction: InteractionLoader;
  /** Asks for a frame. */
  readonly wake: () => void;
}

export class PageView implements CanvasView {
  private readonly deps: PageViewDependencies;
  private readonly ratioWatch = new RatioWatch(() => this.resizeLayers());
  /** True when the layers' viewport changed since the last frame. */
  private hasMoved = false;

  constructor(deps: PageViewDependencies) {
    this.deps = deps;
  }

  get pointer(): Point | null {
    return this.deps.pointer.at;
  }

  get middle(): Point {
    return this.deps.layers.middle;
  }

  pointOf(event: ClientPoint): Point {
    return this.deps.layers.toScene(event);
  }

  /** True when `follow` would change something. */
  get moved(): boolean {
    return this.hasMoved;
  }

  resize(width: number, height: number): void {
    this.deps.layers.resize({ width, height });
    this.resizeLayers();
  }

  move(move: ViewMove, covered: number): void {
    this.deps.interaction.run(({ guide }) => guide.move(move, covered));
  }

  setFingerPans(pans: boolean): void {
    this.deps.input.setFingerPans(pans);
    this.deps.interaction.run(({ guide }) => guide.setFingerPans(pans));
  }

  mark(ids: readonly ObjectId[] | null, color?: string): void {
    this.deps.interaction.run(({ marked }) => marked.set(ids, color));
  }

  /** Notes that the layers' viewport changed; they follow in the next frame. */
  viewportChanged(): void {
    this.hasMoved = true;
    this.deps.wake();
  }

  /** Has the layers follow the viewport, if it changed. */
  follow(): void {
    if (!this.hasMoved) return;
    this.hasMoved = false;
    const { base, interaction, layers, pointer } = this.deps;
    base.setViewport(layers.viewport);
    interaction.loaded?.updateViewport();
    pointer.send();
  }

  dispose(): void {
    this.ratioWatch.dispose();
  }

  private resizeLayers(): void {
    const { base, interaction, layers } = this.deps;
    const { width, height } = layers.size;
    base.resize(width, height, layers.ratio);
    interaction.loaded?.resize();
  }
}
