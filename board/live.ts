/** What is happening right now: pointers, ink in progress, objects being dragged. Never saved, droppable. */

import type { ObjectId } from "./drawing.ts";

/** Where an object is while it is being dragged; Fabric's properties, top-left origin. */
export interface LiveTransform {
  readonly id: ObjectId;
  readonly left: number;
  readonly top: number;
  readonly scaleX: number;
  readonly scaleY: number;
  /** Degrees, clockwise. */
  readonly angle: number;
}

/**
 * What ink looks like: as it is stored, see-through as the highlighter's, or fading: shown to everybody for a
 * while, and never an object.
 */
export type InkLook = "ink" | "highlighter" | "fading";

/** A line or an arrow that is being drawn, or an end of which is being moved. */
export interface LiveLine {
  /** A CSS colour. */
  readonly color: string;
  /** In canvas pixels. */
  readonly width: number;
  /** The points that it leads through in straight lines, flat, in canvas pixels. */
  readonly points: readonly number[];
  /** The object that is shown like this meanwhile; absent for one that is no object yet. */
  readonly of?: ObjectId | undefined;
}

/** Receives from the canvas what this person does, at the rate of the pointer. */
export interface LiveSink {
  /** The pointer in canvas pixels, or null when it left. */
  pointer(at: { readonly x: number; readonly y: number } | null): void;
  /** A stroke begins. `stroke` is unique within this page. */
  inkStart(stroke: string, color: string, width: number, look?: InkLook): void;
  /** More points of it, flat: x0, y0, x1, y1 ... in canvas pixels. */
  inkPoints(stroke: string, points: readonly number[]): void;
  /** The stroke is finished: `id` is the object that it became, or null when it was given up. */
  inkEnd(stroke: string, id: ObjectId | null): void;
  /** The line or arrow as it is now. With null it is over: `id` is the object that it is, or null when it was given up. */
  line(line: LiveLine | null, id?: ObjectId | null): void;
  /** The objects being transformed, as they are now; an empty list when it is over. */
  drag(transforms: readonly LiveTransform[]): void;
  /** Selects these objects and no others. */
  select(ids: readonly ObjectId[]): void;
}

/** One stroke of somebody else, growing. `points` is flat and only ever appended to. */
export interface PeerInk {
  readonly stroke: string;
  readonly color: string;
  readonly width: number;
  /** Absent for "ink". */
  readonly look?: InkLook;
  readonly points: readonly number[];
}

/** Somebody else, as the canvas shows them. */
export interface PeerView {
  readonly clientId: string;
  /** The name that the peer gave itself, if any. */
  readonly name?: string | undefined;
  readonly pointer: { readonly x: number; readonly y: number } | null;
  readonly ink: readonly PeerInk[];
  readonly drags: readonly LiveTransform[];
  /** The line or arrow that the peer draws; absent for none. */
  readonly line?: LiveLine | undefined;
  /** The objects that the peer has selected; absent for none. */
  readonly selected?: readonly ObjectId[] | undefined;
}
