/** Notices that a pressed pointer rests. The file also defines what else a pen gets with the code of the interaction. */

import type { Point } from "../geometry/matrix.ts";
import type { Ink } from "../painting/ink.ts";
import type { InkTrail } from "./ink-trail.ts";
import type { PenStyle } from "./new-objects.ts";

/** The helpers of a pen, which arrive with the code of the interaction. */
export interface PenHelpers {
  readonly trail: InkTrail;
  readonly hold: Hold;
  /** Returns the ink of a pen's stroke whose width follows the pressure; undefined for any other stroke. */
  readonly pressureInk: (style: PenStyle) => Ink | undefined;
}

/** Milliseconds without a movement after which a pointer rests. */
const REST = 500;

/** Milliseconds at the end of a rest in which moves that waited for a long task of the page still arrive. */
const LAST = 50;

/** CSS pixels within which a resting pointer may tremble. */
const TREMOR = 4;

export class Hold {
  private readonly rested: () => void;
  private anchor: Point | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** When the pointer moved last. */
  private movedAt = 0;

  /** Calls `rested` whenever the pointer has come to rest, once until it moves again. */
  constructor(rested: () => void) {
    this.rested = rested;
  }

  /** Notes the position of the pressed pointer, in CSS pixels; without one, that it is pressed. */
  moved(at?: Point): void {
    const { anchor } = this;
    if (at && anchor && Math.hypot(at.x - anchor.x, at.y - anchor.y) <= TREMOR) return;
    this.anchor = at;
    this.movedAt = performance.now();
    // To set a timer for each move costs more than some of what the move paints.
    this.timer ??= setTimeout(this.look, REST - LAST);
  }

  /** Forgets the pointer. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = this.anchor = undefined;
  }

  /** Waits again if the pointer has moved since the timer was set, otherwise for moves that a long task may hold up. */
  private readonly look = (): void => {
    const left = this.movedAt + REST - LAST - performance.now();
    this.timer = left > 0 ? setTimeout(this.look, left) : setTimeout(this.end, LAST);
  };

  private readonly end = (): void => {
    if (performance.now() < this.movedAt + REST - LAST) return this.look();
    this.timer = undefined;
    this.rested();
  };
}
