/** A stroke of fading ink. It is painted in parts, since a hostile peer may send more of it than a frame can paint. */

import { Ink } from "../painting/ink.ts";

export class FadingStroke extends Ink {
  constructor(color: string, width: number) {
    super(color, width, "fading");
  }

  /** Returns a finished stroke. Its last point is doubled, so that the curve ends there and not half a step before. */
  static finished({ color, width, points }: Ink): FadingStroke {
    const stroke = new FadingStroke(color, width);
    for (const number of [...points, ...points.slice(-2)]) stroke.points.push(number);
    return stroke;
  }

  /** The number of unpainted points. */
  get unpainted(): number {
    return this.points.length / 2 - this.painted;
  }

  /** Has the next call of `paintPart` begin with the first point. */
  restart(): void {
    this.painted = 0;
  }

  /** Paints the next points, at most `max` of them. */
  paintPart(context: CanvasRenderingContext2D, max: number): void {
    const rest = this.points.splice(2 * (this.painted + max));
    this.paintNew(context);
    for (const number of rest) this.points.push(number);
  }
}
