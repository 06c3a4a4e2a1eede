/** What the rest of the page knows of the canvas. Fabric stays behind it. */

import type { BoardChanges, BoardEditor, BoardObject, ObjectId } from "../../board/drawing.ts";
import type { LiveSink, PeerView } from "../../board/live.ts";
import type { Tool } from "../../board/spec.ts";

export interface CanvasOptions {
  /** The element that holds the canvas elements; it is emptied on dispose. */
  readonly host: HTMLElement;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Where this person's finished changes go. It answers through `apply`, before it returns. */
  readonly editor: BoardEditor;
  /** Where this person's unfinished doings go. */
  readonly live: LiveSink;
  /** The number of selected objects changed. */
  readonly onSelection?: (count: number) => void;
  /** The canvas could not show an object; it is skipped. */
  readonly onFault?: (id: ObjectId, reason: string) => void;
}

export interface BoardCanvas {
  /** Choosing rectangle or circle adds the shape at once and makes it the active object (spec, section 4). */
  setTool(tool: Tool): void;
  /** A CSS colour (#rrggbb) for the next stroke or shape. */
  setColor(color: string): void;
  addSticker(emoji: string): void;
  /** Replaces everything that is shown, in slices; resolves when all is painted. Calling `apply` meanwhile is fine. */
  load(objects: Iterable<BoardObject>, background: string): Promise<void>;
  /** Shows what changed, object by object; what this person is touching stays in their hand. */
  apply(changes: BoardChanges): void;
  /** Shows the others' pointers, ink and drags; called at most once a frame. */
  showPeers(peers: readonly PeerView[]): void;
  resize(width: number, height: number): void;
  /** Removes the selected objects. Answers how many. */
  removeSelection(): number;
  selectAll(): void;
  clearSelection(): void;
  /** Moves the selection by whole pixels (arrow keys). */
  nudge(dx: number, dy: number): void;
  /** True while a text is being edited: shortcuts must leave the keys alone. */
  readonly editingText: boolean;
  dispose(): Promise<void>;
}
