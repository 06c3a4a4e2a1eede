/**
 * The two ends of the selected line or arrow, which the pointer drags or keys move. While an end is dragged the base
 * canvas does not paint the object; each drag is one change.
 */

import type { BoardEditor, ObjectId } from "../../../board/drawing.ts";
import type { LiveSink } from "../../../board/live.ts";
import type { Matrix, Point } from "../geometry/matrix.ts";
import type { Content } from "../painting/content.ts";
import type { Painter } from "../painting/paint.ts";
import { steppedFrom } from "../recognition/held-shape.ts";
import type { Item } from "../scene/item.ts";
import { cornersOn, type End, endsOf, type MovedEnd, moveEnd } from "./straight.ts";

/** The end that the keys move, for screen readers; `at` in canvas pixels. */
export interface HeldEnd {
  readonly end: End;
  readonly at: Point;
  /** True after a move; false when the end was only chosen. */
  readonly hasMoved: boolean;
}

export interface LineEndsDependencies {
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly content: Content;
  readonly painter: Painter;
  /** Called when an end was chosen for the keys, was moved by them, or (null) was released. */
  readonly onHeld: (id: ObjectId, held: HeldEnd | null) => void;
  /** Called when the ends have moved, or another end was chosen. */
  readonly changed: () => void;
}

interface Drag {
  readonly end: End;
  /** The position of the end before the drag, in canvas pixels. */
  readonly from: Point;
  to: Point;
  moved: MovedEnd | null;
}

export class LineEnds {
  private readonly deps: LineEndsDependencies;
  private item: Item | undefined;
  private ends: readonly [Point, Point] | null = null;
  private drag: Drag | undefined;
  /** The line after a drag, until the base canvas shows it. */
  private settling: Item | undefined;
  private heldEnd: End | null = null;

  constructor(deps: LineEndsDependencies) {
    this.deps = deps;
  }

  /** The ends of the line as it is shown now, in canvas pixels; null without a line. */
  get points(): readonly [Point, Point] | null {
    const item = this.drag?.moved?.item;
    return item ? endsOf(item) : this.ends;
  }

  /** The end that keys move; null for none. */
  get held(): End | null {
    return this.heldEnd;
  }

  get dragging(): boolean {
    return this.drag !== undefined;
  }

  /** Takes over the selected item; undefined when none or several are selected. */
  follow(item: Item | undefined): void {
    const ends = item ? endsOf(item) : null;
    if (!ends || item?.object.id !== this.item?.object.id) {
      this.abandon();
      this.heldEnd = null;
    }
    this.item = item;
    this.ends = ends;
    const { drag } = this;
    if (item && drag) drag.moved = moveEnd(item, drag.end, drag.to);
  }

  /** Moves an end with the pointer, by the movement since it was pressed; `stepped`: in steps of 15 degrees. */
  dragBy(end: End, by: Point, stepped: boolean): void {
    const { item, ends } = this;
    if (!item || !ends) return;
    if (!this.drag) {
      this.drag = { end, from: ends[end], to: ends[end], moved: null };
      this.deps.content.detach(item.object.id, "own");
    }
    const { drag } = this;
    const to = { x: drag.from.x + by.x, y: drag.from.y + by.y };
    drag.to = stepped ? steppedFrom(ends[end === 0 ? 1 : 0], to) : to;
    drag.moved = moveEnd(item, end, drag.to) ?? drag.moved;
    if (drag.moved) this.send(drag.moved.item);
    this.deps.changed();
  }

  /** Ends the drag: the end stays in its new position, as a change by this visitor. */
  endDrag(): void {
    const { drag, item } = this;
    if (!drag || !item) return;
    this.drag = undefined;
    this.settling = drag.moved?.item;
    const { id } = item.object;
    this.deps.content.attach(id, "own");
    if (drag.moved) this.deps.editor.change([{ id, props: drag.moved.props }]);
    this.deps.live.line(null, id);
    this.deps.changed();
  }

  /** Cancels the drag: the end returns to its former position. */
  abandon(): void {
    const { drag, item } = this;
    if (!drag) return;
    this.drag = undefined;
    if (item) this.deps.content.attach(item.object.id, "own");
    this.deps.live.line(null);
    this.deps.changed();
  }

  /** Chooses the next end for the keys, at first the one where the line leads. Returns false without a line. */
  take(): boolean {
    if (!this.item || !this.ends) return false;
    this.heldEnd = this.heldEnd === 1 ? 0 : 1;
    this.report();
    return true;
  }

  /** Releases the chosen end, and returns a dragged one to its former position. Returns false when there was none. */
  letGo(): boolean {
    const hadDrag = this.dragging;
    this.abandon();
    if (this.heldEnd === null) return hadDrag;
    this.heldEnd = null;
    this.report();
    return true;
  }

  /** Moves the chosen end by canvas pixels. Returns false when none is chosen. */
  nudge(dx: number, dy: number): boolean {
    const { heldEnd, item, ends } = this;
    if (heldEnd === null || !item || !ends || this.drag) return false;
    const { x, y } = ends[heldEnd];
    const moved = moveEnd(item, heldEnd, { x: x + dx, y: y + dy });
    if (moved) this.deps.editor.change([{ id: item.object.id, props: moved.props }]);
    this.report(true);
    return true;
  }

  /** Paints the line while it is dragged, or until the base canvas shows it. */
  paint(context: CanvasRenderingContext2D): void {
    const item = this.drag ? (this.drag.moved?.item ?? this.item) : this.settling;
    if (item) this.deps.painter.paint(context, item);
  }

  /** Notes that the base canvas is fully painted. Returns true when the line must be removed from Fabric's canvas. */
  settle(): boolean {
    const settles = this.settling !== undefined;
    this.settling = undefined;
    return settles;
  }

  private send(item: Item): void {
    const { id, stroke } = item.object as { readonly id: ObjectId; readonly stroke?: unknown };
    this.deps.live.line({
      color: typeof stroke === "string" ? stroke : "#000000",
      width: item.size.strokeWidth * growth(item.matrix),
      points: cornersOn(item),
      of: id,
    });
  }

  private report(hasMoved = false): void {
    const { deps, heldEnd, item, ends } = this;
    deps.changed();
    const held = heldEnd === null || !ends ? null : { end: heldEnd, at: ends[heldEnd], hasMoved };
    if (item) deps.onHeld(item.object.id, held);
  }
}

/** Returns the factor by which a map enlarges lengths, on average over the directions. */
function growth([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}
