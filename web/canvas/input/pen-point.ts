/** Points of a pressed pointer, and those that the browser predicts. */

import type { Point } from "../geometry/matrix.ts";
import type { HostLayers } from "../view/host.ts";

/** A point of the board under a pressed pointer. */
export interface PenPoint extends Point {
  /** The pressure from 0 to 1; absent where nothing reports it. */
  readonly pressure?: number;
}

/** The number of predicted points that are shown, and how far ahead in milliseconds: later ones err by more than they gain. */
const PREDICTED = { points: 2, time: 20 };

/** Returns the coming events that the browser predicts and that are worth showing. */
export function predictedEvents(event: PointerEvent): readonly PointerEvent[] {
  const predicted = event.getPredictedEvents?.() ?? [];
  return predicted
    .slice(0, PREDICTED.points)
    .filter((one) => one.timeStamp - event.timeStamp <= PREDICTED.time);
}

/** Returns the position of a pointer event on the board, and its pressure. */
export function penPoint(event: PointerEvent, layers: HostLayers): PenPoint {
  return { ...layers.toScene(event), pressure: event.pressure };
}
