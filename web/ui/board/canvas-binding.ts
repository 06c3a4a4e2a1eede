/** Binds a canvas to a sync client: from the start of both to their end. */

import type { BoardCanvas, CanvasEvents, CanvasOptions, CanvasSurface } from "../../canvas/port.ts";
import type { ReplicaChange, SyncClient } from "../../sync/port.ts";
import { dockCover } from "../kit/dock-cover.ts";
import { preference } from "../kit/preferences.ts";
import { createBoardView, type BoardView, type BoardViewEvents } from "./view.ts";

export interface BindingEvents extends BoardViewEvents, Omit<CanvasEvents, "onFault"> {
  /** Called when the canvas exists, and shows the board so far or is about to. */
  readonly onCanvas: (canvas: BoardCanvas, view: BoardView) => void;
  /** The option of this name of the canvas. */
  readonly fetchAhead: (fetch: () => void) => void;
  /** Called when the client has read the row and the canvas has painted it. */
  readonly onReady: () => void;
  /** Called when the board changed after it was ready. */
  readonly onChanges: (change: ReplicaChange) => void;
}

export interface CanvasBinding {
  /** Disposes of the canvas, then of the client; each call resolves when the journal contains the pending edits. */
  end(): Promise<void>;
}

/**
 * Starts the client immediately, and shows its board as soon as the code of the canvas has arrived. Earlier changes
 * need no queue: the first load reads the whole board.
 */
export function bindCanvas(
  client: SyncClient,
  surface: () => CanvasSurface,
  canvasCode: Promise<(options: CanvasOptions) => BoardCanvas>,
  events: BindingEvents,
): CanvasBinding {
  let shown: { readonly canvas: BoardCanvas; readonly view: BoardView } | null = null;
  let ending: Promise<void> | null = null;
  let stopWatching = (): void => undefined;

  async function run(): Promise<void> {
    const started = client.start();
    const createCanvas = await canvasCode;
    if (ending) return;
    const canvas = createCanvas({
      surface: surface(),
      editor: client.editor,
      live: client.live,
      covered: dockCover,
      fetchAhead: events.fetchAhead,
      pressure: () => preference("pressure") === "on",
      events: {
        ...events,
        onFault: (id, reason) => events.onFault(`object ${id} cannot be shown`, reason),
      },
    });
    const view = createBoardView(client, canvas, events);
    shown = { canvas, view };
    events.onCanvas(canvas, view);
    await started;
    await view.settled();
    if (ending) return;
    stopWatching = client.onChanges(events.onChanges);
    events.onReady();
  }

  async function end(): Promise<void> {
    stopWatching();
    // The backend's client library listens to the window for as long as the page lives, and may still
    // refer to this binding afterwards. It must not keep the page's elements alive.
    const { canvas, view } = shown ?? {};
    shown = null;
    view?.stop();
    await canvas?.dispose();
    await client.dispose();
  }

  run().catch((reason: unknown) => events.onFault("the canvas could not be opened", reason));

  return { end: () => (ending ??= end()) };
}
