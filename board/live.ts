/** Live activity: pointers, ink in progress, dragged objects. It is never saved, and may be dropped. */

import type { ObjectId } from "./drawing.ts";

/** The position of an object during a drag, in Fabric's properties with the top-left origin. */
export interface LiveTransform {
  readonly id: ObjectId;
  readonly left: number;
  readonly top: number;
  readonly scaleX: number;
  readonly scaleY: number;
  /** Rotation in degrees, clockwise. */
  readonly angle: number;
}

/**
 * The look of ink: as it is stored, translucent as the highlighter's, or fading, which everybody sees for a while and
 * which never becomes an object.
 */
export type InkLook = "ink" | "highlighter" | "fading";

/** A line or an arrow that is being drawn, or whose end is being moved. */
export interface LiveLine {
  /** The line's CSS colour. */
  readonly color: string;
  /** The line's width in canvas pixels. */
  readonly width: number;
  /** Flat points that the line connects by straight segments, in canvas pixels. */
  readonly points: readonly number[];
  /** The object that is shown in this shape meanwhile; absent for a line that is not an object yet. */
  readonly of?: ObjectId | undefined;
}

/** Receives this person's live activity from the canvas, at the rate of the pointer. */
export interface LiveSink {
  /** Moves the pointer, in canvas pixels; null when it left the canvas. */
  pointer(at: { readonly x: number; readonly y: number } | null): void;
  /** Begins a stroke. `stroke` is unique within this page. */
  inkStart(stroke: string, color: string, width: number, look?: InkLook): void;
  /** Adds points to the stroke, flat: x0, y0, x1, y1 ... in canvas pixels. */
  inkPoints(stroke: string, points: readonly number[]): void;
  /** Ends the stroke: `end` is the object that it became, "fades" for finished fading ink, or null when it was cancelled. */
  inkEnd(stroke: string, end: ObjectId | "fades" | null): void;
  /**
   * Shows the line or arrow in its present shape. With null it is finished: `id` is the object that it became, or
   * null when it was cancelled.
   */
  line(line: LiveLine | null, id?: ObjectId | null): void;
  /** Shows the objects being transformed, in their present position; an empty list ends the drag. */
  drag(transforms: readonly LiveTransform[]): void;
  /** Selects these objects and no others. */
  select(ids: readonly ObjectId[]): void;
}

/** A growing stroke of a peer. Points are only ever appended to the flat list `points`. */
export interface PeerInk {
  readonly stroke: string;
  readonly color: string;
  readonly width: number;
  /** The look of the ink; absent for "ink". */
  readonly look?: InkLook;
  readonly points: readonly number[];
}

/** A peer as the canvas shows it. */
export interface PeerView {
  readonly clientId: string;
  /** The name that the peer gave itself, if any. */
  readonly name?: string | undefined;
  readonly pointer: { readonly x: number; readonly y: number } | null;
  readonly ink: readonly PeerInk[];
  readonly drags: readonly LiveTransform[];
  /** The line or arrow that the peer is drawing, if any. */
  readonly line?: LiveLine | undefined;
  /** The objects that the peer has selected, if any. */
  readonly selected?: readonly ObjectId[] | undefined;
}
