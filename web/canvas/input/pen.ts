/** Freehand drawing by mouse, finger or pen: pointer events become a stroke, and a stroke becomes an object. */

import type { BoardEditor } from "../../../board/drawing.ts";
import type { LiveSink } from "../../../board/live.ts";
import type { ActiveStroke } from "../stroke/active-stroke.ts";
import type { HostLayers } from "../view/host.ts";
import type { PenHelpers } from "./hold.ts";
import { type FadingSink, Ink } from "../painting/ink.ts";
import { type Point, scaleOf } from "../geometry/matrix.ts";
import type { HeldShape, ShapeMaker } from "../recognition/held-shape.ts";
import { Rest } from "../scheduling/rest.ts";
import type { PenStyle } from "./new-objects.ts";
import { addStroke, inkObject, pathObject, type Stroke } from "./stroke-object.ts";
import { type PenPoint, penPoint, predictedEvents } from "./pen-point.ts";

/**
 * Greatest number of points of one object; a longer stroke continues as another one. A point of a line takes at most
 * 25 characters of path, so that the path stays under `MAX_PATH_CHARS`, and thinning and painting this many takes about
 * 10 ms.
 */
const MAX_POINTS = 10_000;

export interface PenDependencies {
  readonly layers: HostLayers;
  readonly activeStroke: ActiveStroke;
  readonly live: LiveSink;
  /** The editor that gets the finished stroke. */
  readonly editor: BoardEditor;
  readonly shapes: ShapeMaker;
  readonly fading: FadingSink;
  /** True when the width of a pen's strokes follows its pressure. */
  readonly pressure: () => boolean;
}

/** Milliseconds without a movement after which peers get the newest point unsmoothed. */
const REST = 100;

export class Pen {
  /** The pen of the current tool; undefined when the tool does not draw. */
  style: PenStyle | undefined;
  private readonly deps: PenDependencies;
  private readonly host: HTMLElement;
  /** The ink trail of the system, and the watch for a resting pointer; undefined until their code has arrived. */
  helpers: PenHelpers | undefined;
  /** True for the stroke of a pen rather than of a mouse, a finger or a key. */
  private isPen = false;
  /** The shape that the stroke has become since its pointer rested. */
  private held: HeldShape | null = null;
  private stroke: Stroke | undefined;
  /** The end of the straight line that Shift draws from the last point of the ink; undefined without one. */
  private lineEnd: Point | undefined;
  /** The pointer that draws; undefined while the keyboard draws. */
  private pointer: number | undefined;
  private count = 0;
  private readonly rest = new Rest(() => this.sendAll());

  constructor(deps: PenDependencies) {
    this.deps = deps;
    this.host = deps.layers.host;
  }

  /** True while a stroke grows. */
  get drawing(): boolean {
    return this.stroke !== undefined;
  }

  /** Begins a stroke, `isPen`: with a pen. A stroke that is being drawn is finished first. On a full board nothing begins. */
  begin(at: PenPoint, style = this.style, isPen = false): void {
    this.finish();
    if (!style) return;
    this.isPen = isPen;
    if (this.accepts(style)) this.start(style, at, false);
  }

  /** Whether the board has space for a stroke; fading ink needs none. */
  private accepts({ look }: PenStyle): boolean {
    return look === "fading" || this.deps.editor.accepts(1);
  }

  /** Adds points to the stroke and shows the `predicted` ones ahead of it; without a stroke it does nothing. */
  extend(points: readonly PenPoint[], predicted: readonly Point[] = []): void {
    if (this.stroke?.style.straight) return this.moveStraight(points.at(-1));
    const newest = this.add(points);
    if (newest) this.show(newest, predicted);
  }

  /** Adds points to the ink; returns the newest point that it accepted, which is not shown yet. */
  private add(points: readonly PenPoint[]): Point | undefined {
    const zoom = scaleOf(this.deps.layers.viewport);
    let newest: Point | undefined;
    for (const at of points) {
      const { stroke } = this;
      if (!stroke) return undefined;
      if (!stroke.ink.add(at.x, at.y, zoom, at.pressure)) continue;
      newest = at;
      if (this.held || stroke.ink.points.length < 2 * MAX_POINTS) continue;
      this.show(at);
      this.goOn(stroke, at);
    }
    return newest;
  }

  /** Ends the stroke, which becomes an object; without a stroke it does nothing. */
  finish(): void {
    this.endLine();
    const { held, stroke } = this;
    if (!stroke) return;
    this.stop();
    this.complete(stroke, held);
  }

  private start(style: PenStyle, at: PenPoint, continued: boolean): void {
    const name = `s${++this.count}`;
    if (style.look === "fading") this.deps.fading.begin();
    const ink =
      (this.isPen && this.deps.pressure() && this.helpers?.pressureInk(style)) ||
      new Ink(style.color, style.width, style.look);
    this.deps.activeStroke.begin(ink);
    this.held = style.straight ? this.deps.shapes.straight(at, style.straight) : null;
    this.stroke = { name, style, ink, continued, sent: 0 };
    if (style.straight) return void ink.add(at.x, at.y);
    this.deps.live.inkStart(name, style.color, style.width, style.look);
    this.extend([at]);
  }

  /**
   * Shows the ink up to its newest point, here and to the peers, and predicted points here alone; or has the held
   * shape follow the pointer, which peers get as ink only when the pointer leaves it.
   */
  private show(newest: Point, predicted: readonly Point[] = []): void {
    const { held, stroke } = this;
    if (!stroke) return;
    if (held) {
      held.moveTo(newest);
      if (!held.isLeft(newest)) return this.showTrace(stroke.style, held.trace);
      this.held = null;
      this.deps.activeStroke.begin(stroke.ink);
    }
    this.deps.activeStroke.extend(predicted.flatMap((at) => [at.x, at.y]));
    this.send(stroke);
    this.rest.begin(REST);
  }

  /** Sends the newest point unsmoothed, since the pointer rests. */
  private sendAll(): void {
    const { stroke } = this;
    if (!stroke || stroke.style.straight) return;
    stroke.ink.finish();
    this.send(stroke);
  }

  /** Sends the points that have become final. */
  private send(stroke: Stroke): void {
    const points = stroke.ink.points.slice(stroke.sent);
    stroke.sent += points.length;
    if (points.length > 0) this.deps.live.inkPoints(stroke.name, points);
  }

  /** Makes an object of the ink so far, and continues from its last point; on a full board the stroke ends there. */
  private goOn(stroke: Stroke, last: Point): void {
    this.stroke = undefined;
    if (this.complete(stroke) && this.accepts(stroke.style)) this.start(stroke.style, last, true);
    else this.stop();
  }

  /**
   * Makes the stroke an object, which then becomes the shape; fading ink becomes no object. Returns false when the
   * board is full.
   */
  private complete(stroke: Stroke, held: HeldShape | null = null): boolean {
    const { name, style, ink } = stroke;
    const { activeStroke, fading, layers, live } = this.deps;
    activeStroke.end();
    ink.finish();
    if (held) ink.points.length = held.inkLength;
    if (!style.straight) this.send(stroke);
    if (style.look === "fading") {
      fading.end(ink);
      live.inkEnd(name, "fades");
      return true;
    }
    // Until the code of shapes has arrived, a line is ink through its two ends.
    const isInk = !style.straight || (!held && ink.points.length > 2);
    const object = isInk ? inkObject(ink, style, scaleOf(layers.viewport)) : null;
    const shape = held && !held.isPoint ? pathObject(held.path, style) : null;
    const { id = null } = addStroke(this.deps.editor, object, shape) ?? {};
    if (id && object && style.straight === "arrow") this.deps.shapes.addHead(id);
    if (style.straight) live.line(null, id);
    else live.inkEnd(name, id);
    return id !== null;
  }

  /** Shows the shape that the stroke means, if it means one. */
  becomeShape(): void {
    const { stroke } = this;
    if (!stroke || this.held || stroke.continued || stroke.style.eraser) return;
    if (stroke.style.look === "fading") return;
    const { ink, style } = stroke;
    ink.finish();
    this.held = this.deps.shapes.recognize(ink.points);
    if (this.held) this.showTrace(style, this.held.trace);
  }

  private moveStraight(at: Point | undefined, stepped = false): void {
    if (!at || !this.stroke) return;
    const { ink, style } = this.stroke;
    const [x = 0, y = 0] = ink.points;
    if (style.straight) this.held ??= this.deps.shapes.straight({ x, y }, style.straight);
    this.held?.moveTo(at, stepped);
    ink.points.length = 2;
    if (Math.hypot(at.x - x, at.y - y) >= 1) ink.points.push(at.x, at.y);
    this.showTrace(style, this.held?.trace ?? ink.points);
    const { color, width } = style;
    this.deps.live.line({ color, width, points: this.held?.corners ?? ink.points.slice() });
  }

  /** Shows a straight line from the last point of the ink, which gets its end when Shift or the pointer is released. */
  private drawLine(at: Point): void {
    const { stroke } = this;
    if (!stroke) return;
    this.helpers?.hold.stop();
    this.lineEnd = at;
    stroke.ink.finish();
    this.deps.activeStroke.trace(stroke.ink.withLine(at));
  }

  private endLine(): void {
    const { lineEnd, stroke } = this;
    if (!lineEnd || !stroke) return;
    this.lineEnd = undefined;
    this.deps.activeStroke.begin(stroke.ink);
    this.extend([lineEnd]);
    stroke.ink.finish();
  }

  /** Shows ink through points, a flat list, instead of that of the stroke. */
  private showTrace(style: PenStyle, trace: readonly number[]): void {
    this.deps.activeStroke.trace(Ink.through(style, trace));
  }

  /**
   * Cancels the stroke and removes it; parts of a long one that are objects already stay. Returns false when there is
   * no stroke.
   */
  abandon(): boolean {
    const { stroke } = this;
    if (!stroke) return false;
    this.stop();
    this.deps.activeStroke.end();
    if (stroke.style.look === "fading") this.deps.fading.end(undefined);
    if (stroke.style.straight) this.deps.live.line(null);
    else this.deps.live.inkEnd(stroke.name, null);
    return true;
  }

  private stop(): void {
    const { pointer, host } = this;
    this.stroke = undefined;
    this.pointer = undefined;
    this.lineEnd = undefined;
    this.held = null;
    this.helpers?.hold.stop();
    if (pointer !== undefined && host.hasPointerCapture(pointer))
      host.releasePointerCapture(pointer);
  }

  /** Begins a stroke with a pointer that is pressed; `style` is the pen that it draws with. */
  down(event: PointerEvent, style = this.style): void {
    if (!style) return;
    this.begin(penPoint(event, this.deps.layers), style, event.pointerType === "pen");
    if (!this.drawing) return;
    this.pointer = event.pointerId;
    this.helpers?.hold.moved(this.deps.layers.toHost(event));
    // The press that is repeated for a new canvas is captured already, unless it has ended.
    if (event.isTrusted) this.host.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.stroke || event.pointerId !== this.pointer) return;
    const { style } = this.stroke;
    const { layers } = this.deps;
    this.helpers?.hold.moved(layers.toHost(event));
    if (style.straight) return this.moveStraight(layers.toScene(event), event.shiftKey);
    if (event.shiftKey && !this.held) return this.drawLine(layers.toScene(event));
    this.endLine();
    const coalesced = event.getCoalescedEvents?.() ?? [];
    const events = coalesced.length > 0 ? coalesced : [event];
    const toPoint = (one: PointerEvent): PenPoint => penPoint(one, layers);
    // A wrong prediction would hide, for a frame, what the eraser leaves.
    const predicted = style.eraser || style.look ? [] : predictedEvents(event);
    this.extend(events.map(toPoint), predicted.map(toPoint));
    const ink = this.stroke?.ink;
    if (ink && !this.held) this.helpers?.trail.follow(event, ink, scaleOf(layers.viewport));
  }

  /** Ends the stroke of a pointer. A stroke that the system ends (a call, a lost capture) keeps its points. */
  up(event: PointerEvent): void {
    if (!this.stroke || event.pointerId !== this.pointer) return;
    const at = this.deps.layers.toScene(event);
    const isReleased = event.type === "pointerup";
    if (isReleased && this.stroke.style.straight) this.moveStraight(at, event.shiftKey);
    else if (isReleased) {
      if (this.lineEnd && event.shiftKey) this.lineEnd = at;
      this.endLine();
      // The object will show the last point of ink, so painting it before would be wasted.
      if (this.held) this.extend([at]);
      else this.add([at]);
    }
    // The browser itself ends the capture of a pointer that is released.
    this.pointer = undefined;
    this.finish();
  }
}
