/** What the page's controller takes from outside, as arguments, so that tests can delay it. */

import type { BoardCanvas, CanvasOptions } from "../../canvas/port.ts";
import type { Notice, Signal, SyncClient } from "../../sync/port.ts";
import type { StartTimer } from "../kit/announcer.ts";
import type { PageConfig } from "./config.ts";
import type { SidePanelName } from "../kit/labels.ts";
import type { ShowDone } from "./undoable-edit.ts";

/** A notice that everybody sees. */
export type ShownNotice = Exclude<Notice, { readonly kind: "joined" }>;

/** What is fetched after the page is painted. Each load may reject. */
export interface PageLoads {
  readonly config: () => Promise<PageConfig>;
  readonly syncClient: () => Promise<(config: PageConfig) => SyncClient>;
  readonly canvas: () => Promise<(options: CanvasOptions) => BoardCanvas>;
}

/** The messages above the board. */
export interface PageNotices {
  /** `openPanel` is for a notice that offers a panel. */
  readonly show: (notice: ShownNotice, openPanel: (panel: SidePanelName) => void) => void;
  readonly showDone: ShowDone;
}

export interface PageEnvironment {
  /** Origin of this page and the path below which it lies, without a slash at its end. */
  readonly address: string;
  /** The name until the configuration says it. */
  readonly productName: string;
  readonly loads: PageLoads;
  readonly notices: PageNotices;
  /** Whether code that nobody has needed yet may be fetched. */
  readonly fetchAhead: Signal<boolean>;
  readonly startTimer: StartTimer;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Gives the canvas the focus, so that the next keys are for what was put on it. */
  readonly focusCanvas: () => void;
  /** Resolves when no pointer is pressed on the element. */
  readonly released: (host: HTMLElement) => Promise<void>;
  readonly log: (what: string, reason: unknown) => void;
}
