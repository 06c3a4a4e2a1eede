/**
 * This person's stroke while it grows. It is painted onto the base canvas itself: a browser copies each
 * canvas that is shown, and whole, for every frame in which anything changes, so that a second one would
 * double what a move of the pen costs. What the base canvas shows without it is kept aside, so that the
 * finished stroke takes the place of the wet one to the pixel, and whatever changes meanwhile changes
 * under it.
 */

import type { BaseCanvas, Overpaint } from "./base.ts";
import { clipBox } from "./dirty.ts";
import { Ink } from "./ink.ts";
import { type Box, inflate, overlaps, union } from "./matrix.ts";
import { holds, NOWHERE, steps } from "./steps.ts";

/** So many device pixels around the ink are kept aside as well, since it is about to go on. */
const AHEAD = 192;

export class WetInk implements Overpaint {
  private readonly base: BaseCanvas;
  private readonly wake: () => void;
  private ink: Ink | undefined;
  /** The base canvas without the ink, within `area`. */
  private dry: CanvasRenderingContext2D | undefined;
  private area = NOWHERE;
  /** What of `area` was painted since it was kept; there is no ink on the base canvas then. */
  private outdated: Box | undefined;
  /** Where there is ink on the base canvas; undefined when there is none. */
  private used: Box | undefined;

  constructor(base: BaseCanvas, wake: () => void) {
    this.base = base;
    this.wake = wake;
    base.overpaint = this;
  }

  begin(color: string, width: number): Ink {
    this.end();
    this.ink = new Ink(color, width);
    return this.ink;
  }

  /** Paints what was added to the stroke, at once: the pen must not lag. */
  extend(): void {
    const { base, ink } = this;
    const part = ink && base.place(ink.grown());
    if (!ink || !part) return;
    const whole = !this.used;
    this.renew();
    if (!holds(this.area, part)) this.keep(part);
    this.used = part;
    base.over((context) => (whole ? ink.paintAll(context) : ink.paintNew(context)));
  }

  /** The stroke is over: the base canvas is as if it had never been. */
  end(): void {
    this.lift();
    this.forget();
    this.ink = undefined;
  }

  /** Puts the ink back onto the picture after that was painted. */
  work(): void {
    if (!this.used) this.extend();
  }

  before(box: Box): void {
    if (this.used && overlaps(box, this.area)) this.lift();
  }

  after(box: Box): void {
    const part = clipBox(box, this.area);
    if (part) this.outdated = this.outdated ? union(this.outdated, part) : part;
    if (this.ink && !this.used) this.wake();
  }

  moved(): void {
    this.forget();
    if (this.ink) this.wake();
  }

  private lift(): void {
    const { base, dry, used } = this;
    this.used = undefined;
    if (used && dry) base.bare((context) => copy(dry.canvas, this.area, context, NOWHERE, used));
  }

  private renew(): void {
    const { base, dry, area, outdated } = this;
    if (outdated && dry) copy(base.element, NOWHERE, dry, area, outdated);
    this.outdated = undefined;
  }

  /** Keeps aside what the base canvas shows within `part`, and some more. */
  private keep(part: Box): void {
    const { base, dry, area } = this;
    const next = steps(inflate(dry ? union(area, part) : part, AHEAD), base.frame);
    const canvas = document.createElement("canvas");
    canvas.width = next.right - next.left;
    canvas.height = next.bottom - next.top;
    const context = canvas.getContext("2d");
    if (!context) return;
    copy(base.element, NOWHERE, context, next, next);
    if (dry) copy(dry.canvas, area, context, next, area);
    this.forget();
    this.dry = context;
    this.area = next;
  }

  private forget(): void {
    if (this.dry) this.dry.canvas.width = this.dry.canvas.height = 0;
    this.dry = undefined;
    this.area = NOWHERE;
    this.outdated = undefined;
    this.used = undefined;
  }
}

/** Copies `part`; it and the canvases' areas are in device pixels. */
function copy(
  from: HTMLCanvasElement,
  fromArea: Box,
  to: CanvasRenderingContext2D,
  toArea: Box,
  { left, top, right, bottom }: Box,
): void {
  const size = [right - left, bottom - top] as const;
  const at = [left - toArea.left, top - toArea.top] as const;
  to.clearRect(...at, ...size);
  to.drawImage(from, left - fromArea.left, top - fromArea.top, ...size, ...at, ...size);
}
