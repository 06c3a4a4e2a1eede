/** The environment of the page's controller, given as an argument, so that tests can delay it. */

import type { BoardCanvas, CanvasOptions } from "../../canvas/port.ts";
import type { Notice, Signal, SyncClient } from "../../sync/port.ts";
import type { StartTimer } from "../kit/announcer.ts";
import type { PageConfig } from "./config.ts";
import type { SidePanelName } from "../language/side-panels.ts";

/** A notice that everybody sees. */
export type ShownNotice = Exclude<Notice, { readonly kind: "joined" }>;

/** The loads that happen after the page is painted. Each may reject. */
export interface PageLoads {
  readonly config: () => Promise<PageConfig>;
  readonly syncClient: () => Promise<(config: PageConfig) => SyncClient>;
  readonly canvas: () => Promise<(options: CanvasOptions) => BoardCanvas>;
}

/** The messages above the board. */
export interface PageNotices {
  /** Shows a notice. `openPanel` is for a notice that offers a panel. */
  readonly show: (notice: ShownNotice, openPanel: (panel: SidePanelName) => void) => void;
  readonly showDone: ShowDone;
}

export interface PageEnvironment {
  /** The page's origin and the path below which it lies, without a slash at the end. */
  readonly address: string;
  /** The product's name until the configuration arrives. */
  readonly productName: string;
  readonly loads: PageLoads;
  readonly notices: PageNotices;
  /** Whether code that nobody has needed yet may be fetched. */
  readonly fetchAhead: Signal<boolean>;
  readonly startTimer: StartTimer;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Gives the canvas the focus, so that the next keys act on what was just added to it. */
  readonly focusCanvas: () => void;
  /** Resolves when no pointer is pressed on the element. */
  readonly released: (host: HTMLElement) => Promise<void>;
  readonly log: (what: string, reason: unknown) => void;
}

/** A notice of an edit that can be undone for as long as the notice is shown. */
export interface DoneNotice {
  readonly text: string;
  /** Undoes the edit; null when there is nothing to undo. */
  readonly undo: (() => void) | null;
  /** Called when the notice is no longer shown. */
  readonly onGone: () => void;
}

/** Shows a notice; returns the function that removes it. */
export type ShowDone = (notice: DoneNotice) => () => void;
