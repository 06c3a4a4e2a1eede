/** Counts of what the canvas did, so that tests can say what a change costs. */
export interface CanvasStats {
  /** Objects painted onto the base canvas. */
  painted: number;
  /** Rectangles of the base canvas that were cleared and painted again. */
  repaints: number;
  /** Fabric objects made. */
  fabricObjects: number;
  /** Frames in which something was painted. */
  frames: number;
  /** Objects looked at to find what lies under the pointer. */
  tested: number;
}

export function createStats(): CanvasStats {
  return { painted: 0, repaints: 0, fabricObjects: 0, frames: 0, tested: 0 };
}
