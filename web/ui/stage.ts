/** One room shown on one canvas: what the room says reaches the canvas, in an order that loses nothing. */

import type { BoardChanges } from "../../board/drawing.ts";
import type { BoardCanvas, CanvasOptions } from "../canvas/port.ts";
import type { Room } from "../sync/port.ts";
import { createSlices, SLICE } from "./slices.ts";

/** The element that a canvas lives in, and its size in CSS pixels. */
export interface Surface {
  readonly host: HTMLElement;
  readonly width: number;
  readonly height: number;
}

export interface StageEvents {
  /** The canvas is there, and shows what the room holds so far or is about to. */
  readonly onCanvas: (canvas: BoardCanvas) => void;
  readonly onSelection: (count: number) => void;
  /** The room has read the shared drawing and the canvas has painted it. */
  readonly onReady: () => void;
  /** Somebody else changed the board, after it was ready. */
  readonly onHeard: (changes: BoardChanges) => void;
  readonly onFault: (what: string, reason: unknown) => void;
  /** Lets other work of the page run before it resolves. */
  readonly pause: () => Promise<void>;
}

export interface Stage {
  /** Takes the canvas down, then leaves the room; resolves when the room has kept what was unsaved. */
  end(): Promise<void>;
}

/**
 * Starts the room at once, and shows it as soon as the code of the canvas is there. Changes from
 * before that moment need no memory here: the first load reads them from the room.
 */
export function openStage(
  room: Room,
  surface: () => Surface,
  canvasCode: Promise<(options: CanvasOptions) => BoardCanvas>,
  events: StageEvents,
): Stage {
  const unsubscribe: (() => void)[] = [];
  let canvas: BoardCanvas | null = null;
  let ended = false;
  let ready = false;
  let painting: Promise<void> = Promise.resolve();
  let settled = (): Promise<void> => Promise.resolve();

  /** Paints all that the room holds. The canvas drops what it was loading before. */
  function load(shown: BoardCanvas): Promise<void> {
    const loaded = shown
      .load(room.objects(), room.background())
      .catch((reason: unknown) => events.onFault("the drawing could not be painted", reason));
    painting = Promise.all([painting, loaded]).then(() => undefined);
    return painting;
  }

  function show(shown: BoardCanvas): void {
    const slices = createSlices((changes) => shown.apply(changes), events.pause);
    unsubscribe.push(
      room.onChanges((changes, origin) => {
        const { added } = changes;
        // A load is quickest, but it blanks the canvas: it is for a board that was empty until now.
        if (added.length > SLICE && added.length === room.objects().length) void load(shown);
        else slices.show(changes, origin === "remote");
        if (origin === "remote" && ready) events.onHeard(changes);
      }),
      room.onPeers((peers) => shown.showPeers(peers)),
      slices.drop,
    );
    settled = slices.settled;
  }

  async function run(): Promise<void> {
    const started = room.start();
    const createCanvas = await canvasCode;
    if (ended) return;
    const shown = createCanvas({
      ...surface(),
      editor: room.editor,
      live: room.live,
      onSelection: events.onSelection,
      onFault: (id, reason) => events.onFault(`object ${id} cannot be shown`, reason),
    });
    canvas = shown;
    show(shown);
    void load(shown);
    events.onCanvas(shown);
    await started;
    await painting;
    await settled();
    if (ended) return;
    ready = true;
    events.onReady();
  }

  run().catch((reason: unknown) => events.onFault("the canvas could not be opened", reason));

  return {
    async end() {
      if (ended) return;
      ended = true;
      for (const stop of unsubscribe.splice(0)) stop();
      const shown = canvas;
      // The backend's client listens to the window for as long as the page lives, and may still reach
      // this room afterwards. The page's elements must not be held by it.
      canvas = null;
      settled = () => Promise.resolve();
      await shown?.dispose();
      await room.dispose();
    },
  };
}
