/** The position of the pointer over the canvas, for the peers and for objects that appear under it. */

import type { LiveSink } from "../../../board/live.ts";
import type { HostLayers } from "../view/host.ts";
import type { Point } from "../geometry/matrix.ts";

export interface PointerWatchDependencies {
  readonly layers: HostLayers;
  readonly live: LiveSink;
  /** False while the peers do not get the pointer. */
  readonly isSent: () => boolean;
}

export class PointerWatch {
  private readonly deps: PointerWatchDependencies;
  private readonly listeners = new AbortController();
  /** The latest event while the pointer is over the canvas. */
  private last: PointerEvent | undefined;

  constructor(deps: PointerWatchDependencies) {
    this.deps = deps;
    const { host } = deps.layers;
    const { signal } = this.listeners;
    const move = (event: PointerEvent): void => {
      this.last = event;
      this.send();
    };
    host.addEventListener("pointermove", move, { signal });
    const leave = (): void => {
      this.last = undefined;
      deps.live.pointer(null);
    };
    host.addEventListener("pointerleave", leave, { signal });
  }

  /** The position in canvas pixels; null while no pointer is over the canvas. */
  get at(): Point | null {
    return this.last ? this.deps.layers.toScene(this.last) : null;
  }

  /** Sends the pointer's position to the peers, also when the view has moved under it. */
  send(): void {
    const { at } = this;
    if (at && this.deps.isSent()) this.deps.live.pointer(at);
  }

  dispose(): void {
    this.listeners.abort();
  }
}
