/** The page's commands to the view, and the state that it shows. */

import type { AwayPeer } from "./away-peers.ts";
import type { Side } from "./view-fit.ts";

/** A command of a control or a key to the view. */
export type ViewMove =
  /** Moves by parts of the canvas's size. */
  | { readonly kind: "pan"; readonly dx: number; readonly dy: number }
  | { readonly kind: "zoom"; readonly factor: number }
  /** Shows 100 %, with the origin in the corner. */
  | { readonly kind: "home" }
  | { readonly kind: "all" }
  | { readonly kind: "selection" }
  /** Goes to a peer, and follows it the second time in a row; `follow` says which of the two. */
  | { readonly kind: "peer"; readonly clientId: string; readonly follow?: boolean }
  /** Follows nobody. */
  | { readonly kind: "stay" };

/** The state of the view that the page shows. */
export interface ViewState {
  readonly percent: number;
  /** True when it is not the view of the load. */
  readonly moved: boolean;
  /** The side on which most of what the view does not show lies; null when it shows everything. */
  readonly more: Side | null;
  /** True when one finger moves the view; null before a pen was used. */
  readonly fingerPans: boolean | null;
  readonly peers: readonly AwayPeer[];
  /** The clientIds of the peers whose last position is known. */
  readonly located: readonly string[];
  /** The clientId of the peer whom the view follows. */
  readonly following: string | null;
}
