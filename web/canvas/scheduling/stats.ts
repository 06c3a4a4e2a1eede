/** Counts of the canvas's work, so that tests can check the cost of a change. */
export class CanvasStats {
  /** Objects painted onto the base canvas. */
  painted = 0;
  /** Effects (see `PaintCost`) of the painted objects, and the greatest number of them in one frame. */
  effects = 0;
  maxEffects = 0;
  /** Rectangles of the base canvas that were cleared and painted again. */
  repaints = 0;
  /** Fabric objects that were made. */
  fabricObjects = 0;
  /** Frames that were requested. */
  frames = 0;
  /** Objects that were tested to find those under the pointer. */
  tested = 0;
}
