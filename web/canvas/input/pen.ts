/** Freehand drawing by mouse, finger or pen: pointer events become a stroke, and a stroke an object. */

import type { BoardEditor, NewObject } from "../../../board/drawing.ts";
import type { LiveSink } from "../../../board/live.ts";
import { encodePath, parsePath, thinStroke } from "../../../board/path.ts";
import type { ActiveStroke } from "./active-stroke.ts";
import type { HostLayers } from "../view/host.ts";
import type { Ink } from "../painting/ink.ts";
import { type Point, scaleOf } from "../geometry/matrix.ts";
import { outlineBox } from "../geometry/outline.ts";
import type { PenStyle } from "./new-objects.ts";

/** The distance by which a stroke may differ from what the pointer did, so that fewer points are stored: in canvas pixels, or, zoomed in, CSS pixels. */
const TOLERANCE = 0.25;

/**
 * Points of one object; a longer stroke goes on as another one. A point takes at most 25 characters of path, so
 * that the path stays under `MAX_PATH_CHARS`, and thinning and painting this many takes some 10 ms.
 */
const MAX_POINTS = 10_000;

export interface PenDependencies {
  readonly layers: HostLayers;
  readonly activeStroke: ActiveStroke;
  readonly live: LiveSink;
  /** Gets the finished stroke. */
  readonly editor: BoardEditor;
}

/** Returns the object that a finished stroke becomes; points are flat, in canvas pixels. Null without points. */
export function strokeObject(
  points: readonly number[],
  style: PenStyle,
  zoom = 1,
): NewObject | null {
  const path = encodePath(thinStroke(points, TOLERANCE / Math.max(1, zoom)));
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
  /** True when it goes on where an object of the same movement ended. */
  readonly continued: boolean;
}

export class Pen {
  /** The pen of the current tool; undefined when the tool does not draw. */
  style: PenStyle | undefined;
  private readonly deps: PenDependencies;
  private readonly host: HTMLElement;
  private stroke: Stroke | undefined;
  /** The pointer that draws; undefined while the keyboard does. */
  private pointer: number | undefined;
  private count = 0;

  constructor(deps: PenDependencies) {
    this.deps = deps;
    this.host = deps.layers.host;
  }

  /** True while a stroke grows. */
  get drawing(): boolean {
    return this.stroke !== undefined;
  }

  /** Begins a stroke; one that was being drawn is finished first. On a full board nothing begins. */
  begin(at: Point, style = this.style): void {
    this.finish();
    if (!style || !this.deps.editor.accepts(1)) return;
    this.start(style, at, false);
  }

  /** Adds points to the stroke; without a stroke it does nothing. */
  extend(points: readonly Point[]): void {
    let fresh: number[] = [];
    for (const at of points) {
      const { stroke } = this;
      if (!stroke) return;
      if (!stroke.ink.add(at.x, at.y)) continue;
      fresh.push(at.x, at.y);
      if (stroke.ink.length < MAX_POINTS) continue;
      this.show(fresh);
      fresh = [];
      this.goOn(stroke, at);
    }
    this.show(fresh);
  }

  /** Ends the stroke, which becomes an object; without a stroke it does nothing. */
  finish(): void {
    const { stroke } = this;
    if (!stroke) return;
    this.stop();
    this.complete(stroke);
  }

  private start(style: PenStyle, at: Point, continued: boolean): void {
    const name = `s${++this.count}`;
    const ink = this.deps.activeStroke.begin(style.color, style.width);
    this.stroke = { name, style, ink, continued };
    this.deps.live.inkStart(name, style.color, style.width);
    this.extend([at]);
  }

  /** Shows points that the ink has already, here and to the peers. */
  private show(points: readonly number[]): void {
    if (!this.stroke || points.length === 0) return;
    this.deps.activeStroke.extend();
    this.deps.live.inkPoints(this.stroke.name, points);
  }

  /** Makes an object of the ink so far, and goes on from its last point; on a full board the stroke ends there. */
  private goOn(stroke: Stroke, last: Point): void {
    this.stroke = undefined;
    if (this.complete(stroke) && this.deps.editor.accepts(1)) this.start(stroke.style, last, true);
    else this.stop();
  }

  /** Makes the stroke an object. Returns false when the board takes none. */
  private complete({ name, style, ink }: Stroke): boolean {
    const object = strokeObject(ink.points, style, scaleOf(this.deps.layers.viewport));
    this.deps.activeStroke.end();
    const id = object ? this.deps.editor.add([object])[0]?.id : undefined;
    this.deps.live.inkEnd(name, id ?? null);
    return id !== undefined;
  }

  /** Ends the stroke and removes it; the part of a long one that is an object already stays. */
  abandon(): void {
    const { stroke } = this;
    if (!stroke) return;
    this.stop();
    this.deps.activeStroke.end();
    this.deps.live.inkEnd(stroke.name, null);
  }

  private stop(): void {
    const { pointer, host } = this;
    this.stroke = undefined;
    this.pointer = undefined;
    if (pointer !== undefined && host.hasPointerCapture(pointer))
      host.releasePointerCapture(pointer);
  }

  /** Begins a stroke with a pointer that is pressed; `style` is the pen that it draws with. */
  down(event: PointerEvent, style = this.style): void {
    if (!style) return;
    this.begin(this.deps.layers.toScene(event), style);
    if (!this.drawing) return;
    this.pointer = event.pointerId;
    this.host.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.stroke || event.pointerId !== this.pointer) return;
    const coalesced = event.getCoalescedEvents?.() ?? [];
    const events = coalesced.length > 0 ? coalesced : [event];
    this.extend(events.map((one) => this.deps.layers.toScene(one)));
  }

  /** Ends the stroke of a pointer. One that the system ends (a call, a lost capture) keeps its points. */
  up(event: PointerEvent): void {
    if (!this.stroke || event.pointerId !== this.pointer) return;
    if (event.type === "pointerup") this.extend([this.deps.layers.toScene(event)]);
    this.finish();
  }
}
