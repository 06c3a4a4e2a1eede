/** The canvas as the rest of the page knows it. Fabric stays behind it. */

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

/** The tools of the dock: what the visitor draws with, and what is added to the board. */
export interface CanvasTools {
  /** Chooses a tool. A shape tool adds its shape each time it is chosen, and selects it. */
  choose(tool: Tool): void;
  /** Takes a CSS colour (#rrggbb) for the next stroke or shape. */
  setColor(color: string): void;
  /** Takes the width of pen, line and arrow for the next stroke, in canvas pixels. */
  setPenWidth(width: number): void;
  /** Adds objects and selects them; none when the board is full. `goesOn` is as for `BoardEditor.add`: the first part alone is selected. */
  addObjects(objects: readonly NewObject[], goesOn?: boolean): void;
  /** Begins a text under the pointer, or in the middle of the view without a pointer. The tool must be one that selects. */
  addText(): void;
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
   * first. With `selects` objects can be selected all the same, and not be changed. `load`, `apply` and the rest of the
   * page's calls work as ever.
   */
  setReadOnly(readOnly: boolean, selects?: boolean): void;
}

/** The selected objects. While a text is being edited they stay as they are. */
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
  /** Turns the selection about its centre, clockwise. */
  rotate(degrees: number): void;
}

/** The part of the board that this page shows. */
export interface CanvasView {
  /** The pointer's position, in canvas pixels; null while it is not over the canvas. */
  readonly pointer: Point | null;
  /** The middle of the view, in canvas pixels. */
  readonly middle: Point;
  /** Returns where an event is, in canvas pixels. */
  pointOf(event: ClientPoint): Point;
  /** Takes over the size of the canvas, in CSS pixels. */
  resize(width: number, height: number): void;
  /** Moves the view; `covered`: CSS pixels at the bottom that the dock covers. */
  move(move: ViewMove, covered: number): void;
  /** Says, after a pen was used, whether one finger moves the view or draws. */
  setFingerPans(pans: boolean): void;
  /** Outlines these objects, in a CSS colour, and dims all others; null shows all as ever. */
  mark(ids: readonly ObjectId[] | null, color?: string): void;
}

/** The tools of a menu at the pointer and of the printer. Points are in canvas pixels; `reach`: how near counts, in CSS pixels. */
export interface MenuTools {
  /** True when a press at a point would take an object. */
  isTaken(at: Point, reach?: number): boolean;
  /** Ends what the pointer began, and selects the object at a point, or nothing. What is selected there stays so. */
  take(at: Point, reach?: number): void;
  /** True when the object is on the canvas: many that are added at once are shown in slices. */
  isShown(id: ObjectId): boolean;
  /** Begins a text at a point. The tool must be one that selects. */
  addText(at: Point): void;
  /**
   * Shows peers the frame of a picture that is being made, in canvas pixels; with null the picture is the object `id`,
   * or was given up.
   */
  announce(frame: Box | null, id?: ObjectId): void;
  /** Paints the whole board on a background (CSS), at once; null when there is nothing to see. */
  picture(background: string): HTMLCanvasElement | null;
}

/** The element that a canvas lives in, and its size in CSS pixels. */
export interface CanvasSurface {
  /** The element that gets the canvas elements; it is emptied on dispose. */
  readonly host: HTMLElement;
  readonly width: number;
  readonly height: number;
  /** Where the view begins: the board point in its middle, and 1 for 100 %. At the start of the board without it. */
  readonly view?: { readonly x: number; readonly y: number; readonly zoom: number } | undefined;
}

/** What a canvas reports to the page. */
export interface CanvasEvents extends SelectionEvents {
  /** Called when what the page shows of the view changed; seldom while the view moves. */
  readonly onView: (state: ViewState) => void;
  /** Called for an object that cannot be shown. It has no picture, and it can be selected and removed with all others. */
  readonly onFault: (id: ObjectId, reason: string) => void;
}

export interface CanvasOptions {
  readonly surface: CanvasSurface;
  /** Gets this visitor's finished changes. It must call `apply` with them before it returns. */
  readonly editor: BoardEditor;
  /** Gets what this visitor is doing: the pointer, ink in progress, drags. */
  readonly live: LiveSink;
  readonly events: CanvasEvents;
  /** Returns how many CSS pixels at the bottom of the canvas are covered: what is written must not lie there. */
  readonly covered: () => number;
  /** Returns true when the width of a pen's strokes follows its pressure. */
  readonly pressure: () => boolean;
  /** Calls `fetch` when code that nobody has needed yet may be fetched. */
  readonly fetchAhead: (fetch: () => void) => void;
}

/** A canvas that shows a board and takes what the visitor does on it. */
export interface BoardCanvas {
  readonly tools: CanvasTools;
  readonly view: CanvasView;
  /** The selection; undefined until its code has arrived, before which nothing is selected. */
  readonly selection: CanvasSelection | undefined;
  /** The tools of menu and printer; undefined until their code has arrived. */
  readonly menu: MenuTools | undefined;
  /** Fetches the code of selection and menu; resolves when it is there, or when it cannot be had. */
  prepare(): Promise<void>;
  /** Replaces everything that is shown, in slices; resolves when all is painted. `apply` may be called meanwhile. */
  load(objects: Iterable<BoardObject>, background: string): Promise<void>;
  /**
   * Shows changes, object by object. An object that this visitor drags or edits keeps its position. `hasMore` is for one
   * slice of many, and false for the last: what they add below other objects is painted with the last one.
   */
  apply(changes: BoardChanges, hasMore?: boolean): void;
  /** Lets other work of the page run before it resolves: for up to a second while a pointer is pressed, and for 0.3 s after. */
  pause(): Promise<void>;
  /** Shows the peers' pointers, ink and drags; called at most once a frame. */
  showPeers(peers: readonly PeerView[]): void;
  dispose(): Promise<void>;
}
