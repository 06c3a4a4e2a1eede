/** The content of the canvas: the board as it changes, or an earlier version of it. */

import type { BoardObject, Drawing } from "../../../board/drawing.ts";
import type { PeerView } from "../../../board/live.ts";
import type { BoardCanvas } from "../../canvas/port.ts";
import type { SyncClient } from "../../sync/port.ts";
import { createChangeQueue, SHOWN_PER_SLICE } from "./change-queue.ts";

export interface BoardView {
  /** Resolves when everything that was requested so far is painted. */
  readonly settled: () => Promise<void>;
  /** Makes the canvas read-only, and withholds changes of the board, until `endPreview`. */
  readonly beginPreview: () => void;
  /** Shows an earlier version, between `beginPreview` and `endPreview`. */
  readonly preview: (drawing: Drawing) => void;
  /** Shows the present board again; without a preview it does nothing. */
  readonly endPreview: () => void;
  /** Sets whether the visitor may not draw, apart from previews. */
  readonly setBlocked: (blocked: boolean) => void;
  /** Ends the showing of changes. */
  readonly stop: () => void;
}

export interface BoardViewEvents {
  readonly onFault: (what: string, reason: unknown) => void;
}

/** Shows the client's board on the canvas from now on. */
export function createBoardView(
  client: SyncClient,
  canvas: BoardCanvas,
  { onFault }: BoardViewEvents,
): BoardView {
  let previewing = false;
  let isBlocked = false;
  let painting: Promise<void> = Promise.resolve();
  let shownPeers: readonly PeerView[] = [];
  const changeQueue = createChangeQueue(canvas, async () => {
    // Changes lie on top of what a load shows: painted after it, nothing is painted twice.
    await painting;
    await canvas.pause();
  });

  /** Paints everything. The canvas cancels an earlier load. */
  function load(objects: Iterable<BoardObject>, background: string): void {
    const loaded = canvas
      .load(objects, background)
      .catch((reason: unknown) => onFault("the drawing could not be painted", reason));
    painting = Promise.all([painting, loaded]).then(() => undefined);
  }
  const loadBoard = (): void => load(client.objects(), client.background());

  const unsubscribe = [
    client.onChanges(({ changes, origin }) => {
      if (previewing) return;
      const { length } = changes.added;
      // A load is quickest, but blanks the canvas, so it is only for a board that was empty until now. It ends a text.
      const isFirst = length > SHOWN_PER_SLICE && length === client.objects().length;
      if (isFirst && !canvas.selection?.editingText) loadBoard();
      else changeQueue.show(changes, origin === "remote");
    }),
    client.onPeers((peers) => {
      shownPeers = peers;
      if (!previewing) canvas.showPeers(peers);
    }),
    changeQueue.clear,
  ];
  loadBoard();

  return {
    async settled() {
      await painting;
      await changeQueue.settled();
    },
    beginPreview() {
      if (previewing) return;
      // This is done before changes are withheld, since it may finish a stroke or a text.
      canvas.tools.setReadOnly(true);
      previewing = true;
      changeQueue.clear();
      canvas.showPeers([]);
    },
    preview({ objects, background }) {
      if (previewing) load(objects, background);
    },
    endPreview() {
      if (!previewing) return;
      previewing = false;
      canvas.showPeers(shownPeers);
      canvas.tools.setReadOnly(isBlocked, isBlocked);
      loadBoard();
    },
    setBlocked(blocked) {
      if (blocked === isBlocked) return;
      isBlocked = blocked;
      if (!previewing) canvas.tools.setReadOnly(blocked, blocked);
    },
    stop() {
      for (const end of unsubscribe) end();
    },
  };
}
