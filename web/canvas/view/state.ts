/** The page's commands to the view, and the state of the view that the page shows. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { AwayPeer } from "./away-peers.ts";
import type { Side } from "./fit.ts";

/** A command of a control or a key to the view. */
export type ViewMove =
  /** Moves by parts of the canvas's size. */
  | { readonly kind: "pan"; readonly dx: number; readonly dy: number }
  | { readonly kind: "zoom"; readonly factor: number }
  /** Shows 100 %, with the origin in the corner. */
  | { readonly kind: "home" }
  | { readonly kind: "all" }
  | { readonly kind: "selection" }
  /** Goes to the nearest object that the view does not show. */
  | { readonly kind: "drawing" }
  /** Goes to the nearest of these objects, unless the view shows one. */
  | { readonly kind: "objects"; readonly ids: readonly ObjectId[] }
  /** Goes to a peer, and follows it the second time in a row; `follow` says which of the two. */
  | { readonly kind: "peer"; readonly clientId: string; readonly follow?: boolean }
  /** Follows nobody. */
  | { readonly kind: "stay" };

/** The state of the view that the page shows. */
export interface ViewState {
  readonly percent: number;
  /** True when it is not the view of the start. */
  readonly moved: boolean;
  /** The side on which most of the rest of the board lies; null when the view shows everything. */
  readonly more: Side | null;
  /** The nearest object that lies outside of the view; null when there is none. */
  readonly outside: OutsideState | null;
  /** True when the board is at least twice as wide or as high as the window. */
  readonly large: boolean;
  /** The number of objects that the last "all" left out, since they lie too far from all others. */
  readonly leftOut: number;
  /** True when one finger moves the view; null before a pen was used. */
  readonly fingerPans: boolean | null;
  readonly peers: readonly AwayPeer[];
  /** The clientIds of the peers whose last position is known. */
  readonly located: readonly string[];
  /** The clientId of the peer whom the view follows. */
  readonly following: string | null;
}

/** The position of an object outside the view. */
export interface OutsideState {
  readonly side: Side;
  /** The distance from the edge of the view, in pixels of the board. */
  readonly distance: number;
  /** The object's middle, in CSS pixels of the canvas. */
  readonly x: number;
  readonly y: number;
}
