/** The canvas as the rest of the page sees it. Fabric stays behind it. */

import type {
  BoardChanges,
  BoardEditor,
  BoardObject,
  NewObject,
  ObjectId,
} from "../../board/drawing.ts";
import type { LiveSink, PeerView } from "../../board/live.ts";
import type { Tool } from "../../board/tools.ts";
import type { ClientPoint } from "./view/host.ts";
import type { Box } from "./geometry/box.ts";
import type { Point } from "./geometry/matrix.ts";
import type { Restacking, SelectionEdit } from "./selection/edits.ts";
import type { CanvasAction, SelectionEvents, SelectionFrame } from "./selection/look.ts";
import type { ViewMove, ViewState } from "./view/state.ts";

export type { CanvasAction, ClientPoint, Restacking, SelectionFrame, ViewMove, ViewState };

/** The tools of the dock: they draw, and add objects to the board. */
export interface CanvasTools {
  /** Chooses a tool. A shape tool adds its shape each time it is chosen, and selects it. */
  choose(tool: Tool): void;
  /** Takes a CSS colour (#rrggbb) for the next stroke or shape. */
  setColor(color: string): void;
  /** Takes the width of pen, line and arrow for the next stroke, in canvas pixels. */
  setPenWidth(width: number): void;
  /** Adds objects and selects them; none when the board is full. `goesOn` is as for `BoardEditor.add`: the first part alone is selected. */
  addObjects(objects: readonly NewObject[], goesOn?: boolean): void;
  /**
   * Begins a text under the pointer, or in the middle of the view without a pointer, as soon as that is possible, with
   * the words that `typed` then returns. `typed` is called in any case. The tool must be one that selects.
   */
  addText(typed: () => string): void;
  /** Adds a sticker and selects it. */
  addSticker(emoji: string): void;
  /** Adds the shape of a tool, or a sticker, with its middle at a point of the window, and selects it. */
  addAt(what: string, at: ClientPoint): void;
  /** Selects everything but the strokes of the eraser, as soon as something can be selected. */
  selectAll(): void;
  /** Selects nothing, and drops what was about to be selected. */
  selectNone(): void;
  /**
   * Forbids or allows the visitor to draw, select and send, by pointer or key; what the visitor was doing is finished
   * first. With `selects` objects can still be selected, but not changed. `load`, `apply` and the page's other calls
   * keep working.
   */
  setReadOnly(readOnly: boolean, selects?: boolean): void;
}

/** The selected objects. They stay selected while a text is being edited. */
export interface CanvasSelection {
  /** The ids of the selected objects. */
  readonly ids: readonly ObjectId[];
  /** True while a text is being edited: shortcuts must leave the keys alone. */
  readonly editingText: boolean;
  /** Selects these objects and no others. */
  select(ids: readonly ObjectId[]): void;
  /** Changes the selected objects; copies become the selection. */
  edit(edit: SelectionEdit): void;
  /** Removes the selected objects. Returns how many. */
  remove(): number;
  /** Moves the selection by whole pixels (arrow keys). */
  nudge(dx: number, dy: number): void;
  /** Makes the selection wider and higher by pixels of its own axes; its first corner stays. */
  resize(dx: number, dy: number): void;
  /** Rotates the selection about its centre, clockwise. */
  rotate(degrees: number): void;
}

/** The part of the board that this page shows. */
export interface CanvasView {
  /** The pointer's position, in canvas pixels; null while it is not over the canvas. */
  readonly pointer: Point | null;
  /** The middle of the view, in canvas pixels. */
  readonly middle: Point;
  /** Returns the position of an event, in canvas pixels. */
  pointOf(event: ClientPoint): Point;
  /** Takes over the size of the canvas, in CSS pixels. */
  resize(width: number, height: number): void;
  /** Moves the view; `covered`: CSS pixels at the bottom that the dock covers. */
  move(move: ViewMove, covered: number): void;
  /** Sets, after a pen was used, whether one finger moves the view or draws. */
  setFingerPans(pans: boolean): void;
  /** Outlines these objects, in a CSS colour, and dims all others; null removes all marks. */
  mark(ids: readonly ObjectId[] | null, color?: string): void;
}

/**
 * The tools for the menu at the pointer, and for the printer. Points are in canvas pixels; `reach` is the distance at
 * which an object still counts as pressed, in CSS pixels.
 */
export interface MenuTools {
  /** True while a stroke grows, and while the pointer selects or drags. */
  readonly isActing: boolean;
  /** Takes back the stroke that grows or the drag of the pointer. Returns false when the visitor does neither. */
  cancel(): boolean;
  /** True when a press at a point would hit an object. */
  isTaken(at: Point, reach?: number): boolean;
  /**
   * Ends what the pointer began, and selects the object at a point, or nothing. An object that is already selected
   * there stays selected.
   */
  take(at: Point, reach?: number): void;
  /** True when the object is on the canvas: many that are added at once are shown in slices. */
  isShown(id: ObjectId): boolean;
  /** Begins a text at a point. The tool must be one that selects. */
  addText(at: Point): void;
  /**
   * Shows peers the frame of a picture that is being made, in canvas pixels; with null it is finished: the picture is
   * the object `id`, or was cancelled.
   */
  announce(frame: Box | null, id?: ObjectId): void;
  /** Paints the whole board on a background (CSS) in one go; null when there is nothing to see. */
  picture(background: string): HTMLCanvasElement | null;
}

/** The element that a canvas lives in, and its size in CSS pixels. */
export interface CanvasSurface {
  /** The element that gets the canvas elements; it is emptied on dispose. */
  readonly host: HTMLElement;
  readonly width: number;
  readonly height: number;
  /**
   * The view at the start: the board point in its middle, and the zoom, 1 for 100 %. Without it the view begins at
   * the board's origin.
   */
  readonly view?: { readonly x: number; readonly y: number; readonly zoom: number } | undefined;
}

/** The events that a canvas reports to the page. */
export interface CanvasEvents extends SelectionEvents {
  /** Called when the state of the view that the page shows has changed; seldom while the view moves. */
  readonly onView: (state: ViewState) => void;
  /** Called for an object that cannot be shown. It has no picture, and it can be selected and removed with all others. */
  readonly onFault: (id: ObjectId, reason: string) => void;
}

export interface CanvasOptions {
  readonly surface: CanvasSurface;
  /** Gets this visitor's finished changes. It must call `apply` with them before it returns. */
  readonly editor: BoardEditor;
  /** Receives this visitor's live activity: the pointer, ink in progress, drags. */
  readonly live: LiveSink;
  readonly events: CanvasEvents;
  /** Returns how many CSS pixels at the bottom of the canvas are covered; a text being written must not lie there. */
  readonly covered: () => number;
  /** Returns true when the width of a pen's strokes follows its pressure. */
  readonly pressure: () => boolean;
  /** Calls `fetch` when code that nobody has needed yet may be fetched. */
  readonly fetchAhead: (fetch: () => void) => void;
}

/** A canvas that shows a board and lets the visitor work on it. */
export interface BoardCanvas {
  readonly tools: CanvasTools;
  readonly view: CanvasView;
  /** The selection; undefined until its code has arrived, before which nothing is selected. */
  readonly selection: CanvasSelection | undefined;
  /** The tools of menu and printer; undefined until their code has arrived. */
  readonly menu: MenuTools | undefined;
  /** Fetches the code of selection and menu; resolves when it has arrived, or cannot be fetched. */
  prepare(): Promise<void>;
  /** Replaces everything that is shown, in slices; resolves when the whole board is painted. `apply` may be called meanwhile. */
  load(objects: Iterable<BoardObject>, background: string): Promise<void>;
  /**
   * Shows changes, object by object. An object that this visitor drags or edits keeps its position. `hasMore` is true
   * for each slice of many but the last one, with which objects that the slices add below others are painted.
   */
  apply(changes: BoardChanges, hasMore?: boolean): void;
  /** Lets other work of the page run before it resolves: for up to a second while a pointer is pressed, and for 0.3 s after. */
  pause(): Promise<void>;
  /** Shows the peers' pointers, ink and drags; called at most once a frame. */
  showPeers(peers: readonly PeerView[]): void;
  dispose(): Promise<void>;
}
