/** Freehand drawing by mouse, finger or pen: pointer events become a stroke, and a stroke an object. */

import type { NewObject, ObjectId } from "../../board/drawing.ts";
import type { LiveSink } from "../../board/live.ts";
import { encodePath, parsePath, thinStroke } from "../../board/path.ts";
import type { Ink } from "./ink.ts";
import type { Point } from "./matrix.ts";
import { outlineBox } from "./outline.ts";
import type { WetInk } from "./wet.ts";

/** How far a stroke may differ from what the pointer did, in canvas pixels, so that fewer points are stored. */
const TOLERANCE = 0.25;

/** A second finger within this length of a stroke means a pinch, not a drawing. In canvas pixels. */
const PINCH_LENGTH = 12;

/** For so long after a pen was seen, fingers are taken for the hand that rests. In milliseconds. */
const PALM_TIME = 1000;

export interface PenStyle {
  readonly color: string;
  readonly width: number;
  readonly eraser: boolean;
}

export interface PenParts {
  readonly host: HTMLElement;
  readonly wet: WetInk;
  readonly live: LiveSink;
  /** The pen of the current tool; undefined when it does not draw. */
  readonly style: () => PenStyle | undefined;
  readonly toScene: (event: { readonly clientX: number; readonly clientY: number }) => Point;
  /** Adds the finished stroke to the board. */
  readonly commit: (object: NewObject) => ObjectId | null;
}

/** The object that a finished stroke becomes; points are flat, in canvas pixels. Null without points. */
export function strokeObject(points: readonly number[], style: PenStyle): NewObject | null {
  const path = encodePath(thinStroke(points, TOLERANCE));
  const data = parsePath(path);
  if (!data) return null;
  const box = outlineBox(data);
  const round = (value: number): number => Math.round(value * 10) / 10 || 0;
  return {
    type: "Path",
    path,
    left: round(box.left - style.width / 2),
    top: round(box.top - style.width / 2),
    originX: "left",
    originY: "top",
    fill: null,
    stroke: style.color,
    strokeWidth: style.width,
    strokeLineCap: "round",
    strokeLineJoin: "round",
    ...(style.eraser && { eraser: true }),
  };
}

interface Stroke {
  readonly name: string;
  readonly style: PenStyle;
  readonly ink: Ink;
}

export class Pen {
  private readonly parts: PenParts;
  private stroke: Stroke | undefined;
  /** The pointer that draws; undefined while the keyboard does. */
  private pointer: number | undefined;
  private pointerType = "";
  private count = 0;
  private penSeen = -Infinity;
  /** After a pinch no finger draws until all are up. */
  private pinching = false;
  private readonly touches = new Set<number>();
  private readonly listeners = new AbortController();

  constructor(parts: PenParts) {
    this.parts = parts;
    const { host } = parts;
    const { signal } = this.listeners;
    host.addEventListener("pointerdown", (event) => this.down(event), { signal });
    host.addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      host.addEventListener(name, (event) => this.up(event), { signal });
  }

  get drawing(): boolean {
    return this.stroke !== undefined;
  }

  dispose(): void {
    this.finish();
    this.listeners.abort();
  }

  /** Begins a stroke; one that was being drawn is finished first. */
  begin(at: Point): void {
    this.finish();
    const style = this.parts.style();
    if (!style) return;
    const name = `s${++this.count}`;
    const ink = this.parts.wet.begin(style.color, style.width);
    this.stroke = { name, style, ink };
    this.parts.live.inkStart(name, style.color, style.width);
    this.extend([at]);
  }

  extend(points: readonly Point[]): void {
    const { stroke } = this;
    if (!stroke) return;
    const fresh: number[] = [];
    for (const { x, y } of points) if (stroke.ink.add(x, y)) fresh.push(x, y);
    if (fresh.length === 0) return;
    this.parts.wet.extend();
    this.parts.live.inkPoints(stroke.name, fresh);
  }

  /** The stroke becomes an object. */
  finish(): void {
    const { stroke } = this;
    if (!stroke) return;
    this.letGo();
    const object = strokeObject(stroke.ink.points, stroke.style);
    this.parts.wet.end();
    const id = object ? this.parts.commit(object) : null;
    this.parts.live.inkEnd(stroke.name, id);
  }

  /** The stroke was none: nothing stays of it. */
  private abandon(): void {
    const { stroke } = this;
    if (!stroke) return;
    this.letGo();
    this.parts.wet.end();
    this.parts.live.inkEnd(stroke.name, null);
  }

  private letGo(): void {
    const { pointer } = this;
    this.stroke = undefined;
    this.pointer = undefined;
    if (pointer !== undefined && this.parts.host.hasPointerCapture(pointer))
      this.parts.host.releasePointerCapture(pointer);
  }

  private down(event: PointerEvent): void {
    const touch = event.pointerType === "touch";
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
    if (touch) this.touches.add(event.pointerId);
    if (!this.parts.style()) return;
    if (event.pointerType === "pen" && this.pointerType === "touch") this.abandon();
    if (this.stroke && this.pointer !== undefined) {
      if (touch && this.pointerType === "touch" && lengthOf(this.stroke.ink) < PINCH_LENGTH) {
        this.abandon();
        this.pinching = true;
      }
      return;
    }
    if (event.button !== 0 || (touch && !this.mayTouch(event))) return;
    this.begin(this.parts.toScene(event));
    this.pointer = event.pointerId;
    this.pointerType = event.pointerType;
    this.parts.host.setPointerCapture(event.pointerId);
  }

  private mayTouch(event: PointerEvent): boolean {
    return !this.pinching && this.touches.size === 1 && event.timeStamp - this.penSeen > PALM_TIME;
  }

  private move(event: PointerEvent): void {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
    if (!this.stroke || event.pointerId !== this.pointer) return;
    const coalesced = event.getCoalescedEvents?.() ?? [];
    this.extend((coalesced.length > 0 ? coalesced : [event]).map(this.parts.toScene));
  }

  /** A stroke that the system took away (a call, a lost capture) keeps what was drawn. */
  private up(event: PointerEvent): void {
    if (event.type !== "lostpointercapture") {
      this.touches.delete(event.pointerId);
      if (this.touches.size === 0) this.pinching = false;
    }
    if (!this.stroke || event.pointerId !== this.pointer) return;
    if (event.type === "pointerup") this.extend([this.parts.toScene(event)]);
    this.finish();
  }
}

function lengthOf(ink: Ink): number {
  let length = 0;
  for (let i = 2; i < ink.points.length; i += 2)
    length += Math.hypot(
      (ink.points[i] as number) - (ink.points[i - 2] as number),
      (ink.points[i + 1] as number) - (ink.points[i - 1] as number),
    );
  return length;
}
