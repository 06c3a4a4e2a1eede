/** The controller: the page's actions on the shared board, as soon as the whiteboard is on the screen. */

import { DEFAULT_COLOR, LIMITS } from "../../../board/constants.ts";
import type { BoardObject, NewObject, ObjectId } from "../../../board/drawing.ts";
import { DEFAULT_TOOL, type Tool, toolRow, toolToRestore } from "../../../board/tools.ts";
import type {
  BoardCanvas,
  CanvasSurface,
  ClientPoint,
  SelectionFrame,
  ViewMove,
  ViewState,
} from "../../canvas/port.ts";
import type { SelectionEdit } from "../../canvas/selection/edits.ts";
import type { HostActions } from "../../sync/environment/board-link.ts";
import type { Presence } from "../../sync/presence/peers.ts";
import type { ReplicaChange, SaveState, Signal } from "../../sync/port.ts";
import { createEmitter, createSignal, type Emitter } from "../../sync/environment/signal.ts";
import type { StartTimer } from "../kit/announcer.ts";
import { createBoardAccess, isPreviewing, type BoardAccess } from "./board-access.ts";
import { createCanvasRef, type CanvasRef } from "../board/canvas-ref.ts";
import { collectTyped } from "../board/typed-ahead.ts";
import { dockCover } from "../kit/dock-cover.ts";
import { ownPerson } from "./own-pages.ts";
import type { PageEnvironment } from "../board/environment.ts";
import { saveStateLabel } from "../kit/labels.ts";
import type { SidePanelName } from "../language/side-panels.ts";
import {
  openBoard,
  START_VIEW,
  type Action,
  type BoardState,
  type BoardSignals,
  type Progress,
} from "../board/open-board.ts";

/** The state that the page's components show, and the actions that they call. */
export interface Controller {
  readonly productName: Signal<string>;
  readonly progress: Signal<Progress>;
  /** Whether code that nobody has needed yet may be fetched. */
  readonly fetchAhead: Signal<boolean>;
  readonly presence: Signal<Presence>;
  readonly saveState: Signal<SaveState>;
  /** Whether this client is on the channel; without it there may be more or fewer peers than are known here. */
  readonly connected: Signal<boolean>;
  /** Whether a host has locked the board. */
  readonly locked: Signal<boolean>;
  /** Whether the board is locked and this page may not draw: the calls that edit the board do nothing then. */
  readonly blocked: Signal<boolean>;
  /** The actions of a host; null for everybody else. */
  readonly host: HostActions | null;
  /** Reads the lock now. */
  readonly checkLock: () => void;
  readonly history: Signal<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** The number of selected objects. */
  readonly selected: Signal<number>;
  /** The box in which they are shown, in CSS pixels of the canvas; null without any, or while they are dragged. */
  readonly selectionFrame: Signal<SelectionFrame | null>;
  /** The state of this page's own view. */
  readonly view: Signal<ViewState>;
  readonly tool: Signal<Tool>;
  readonly color: Signal<string>;
  /** The width of pen, line and arrow, in canvas pixels. */
  readonly penWidth: Signal<number>;
  /** The panel beside the canvas. */
  readonly panel: Signal<SidePanelName | null>;
  /** The key of the row in Who drew what whose objects the canvas highlights; null for none. */
  readonly marked: Signal<string | null>;
  readonly mark: (key: string | null) => void;
  readonly board: BoardAccess;
  /** Opens the board on an element. Returns a function that closes it; afterwards it may be opened again. */
  readonly open: (surface: CanvasSurface) => () => void;
  /** Chooses a tool. A shape tool adds its shape each time it is chosen. */
  readonly setTool: (tool: Tool) => void;
  /** Chooses a CSS colour (#rrggbb). */
  readonly setColor: (color: string) => void;
  /** Chooses the width of pen, line and arrow, in canvas pixels. */
  readonly setPenWidth: (width: number) => void;
  /**
   * Adds objects, and selects them unless the visitor draws or writes. It leaves the tool as it is. `goesOn` is for one
   * part of many, which are one undo step; it is false for the first one, which alone is selected.
   */
  readonly addObjects: (objects: readonly NewObject[], goesOn?: boolean) => void;
  /** Begins a text under the pointer. */
  readonly addText: () => void;
  readonly addSticker: (emoji: string) => void;
  /** Adds the shape of a tool, or a sticker, at a point of the window, and selects it. */
  readonly addAt: (what: string, at: ClientPoint) => void;
  readonly openPanel: (panel: SidePanelName) => void;
  /** Closes the panel, and with it a preview. */
  readonly closePanel: () => void;
  /** Takes over the size of the canvas, in CSS pixels. */
  readonly resize: (width: number, height: number) => void;
  readonly moveView: (move: ViewMove) => void;
  /** Sets, after a pen was used, whether one finger moves the view or draws. */
  readonly setFingerPans: (pans: boolean) => void;
  /** The canvas, once it exists. */
  readonly canvas: BoardCanvas | null;
  /** Changes the selected objects, in one undo step. */
  readonly editSelection: (edit: SelectionEdit) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly clear: () => void;
  /** Removes the selected objects. */
  readonly removeSelection: () => void;
  /** Removes objects, selected or not. */
  readonly removeObjects: (ids: readonly ObjectId[]) => void;
  /** The id of this client; empty while the board is not open. */
  readonly clientId: string;
  /** Sets the visitor's name; an empty text removes it. */
  readonly rename: (name: string) => void;
  /** Names the other pages of this browser that show the board, by their clientIds. */
  readonly setTabs: (tabs: readonly string[]) => void;
  /** The events on the board, and the arrivals of peers. */
  readonly actions: Pick<Emitter<Action>, "emit" | "listen">;
  /** The objects in the order of the stack, bottom first. */
  readonly objects: () => readonly BoardObject[];
  readonly startTimer: StartTimer;
}

const NO_EDITS: { readonly canUndo: boolean; readonly canRedo: boolean } = {
  canUndo: false,
  canRedo: false,
};

/** Makes a controller whose board is not open yet. */
export function createController(env: PageEnvironment): Controller {
  const signals = createSignals(env);
  const choices = createChoices();
  const changes = createEmitter<ReplicaChange>();
  const board: BoardState = { client: null, view: null, changes, ending: Promise.resolve() };
  const canvasRef = createCanvasRef(() => ({
    color: choices.color.get(),
    penWidth: choices.penWidth.get(),
    tool: toolToRestore(choices.tool.get()),
  }));
  const panel = createSignal<SidePanelName | null>(null);
  const access = createBoardAccess(board, env);
  const { preview, endPreview } = access;
  const marked = createSignal<string | null>(null);
  const setPanel = (next: SidePanelName | null): void => {
    if (next !== "history") endPreview();
    panel.set(next);
  };
  const edit = (work: () => void): void => {
    if (!signals.blocked.get() && !isPreviewing(preview.get())) work();
  };
  const actions = createEmitter<Action>();
  const dependencies = {
    ...{ env, signals, canvasRef, board, act: actions.emit, onEnd: endPreview },
    panel: { get: panel.get, open: setPanel },
  };

  return {
    ...signals,
    ...choices,
    panel,
    board: access,
    marked,
    mark: marked.set,
    get canvas() {
      return canvasRef.canvas;
    },
    get clientId() {
      return board.client?.clientId ?? "";
    },
    get host() {
      return board.client?.host ?? null;
    },
    checkLock: () => board.client?.checkLock(),
    rename: (name) => board.client?.rename(name, ownPerson()),
    setTabs: (tabs) => board.client?.setTabs(tabs),
    open(surface) {
      const opened = new AbortController();
      canvasRef.resize(surface.width, surface.height);
      signals.progress.set("loading");
      openBoard(dependencies, surface, opened.signal).catch((reason: unknown) => {
        env.log("the whiteboard could not be opened", reason);
        if (!opened.signal.aborted) signals.progress.set("failed");
      });
      return () => {
        panel.set(null);
        opened.abort();
      };
    },
    ...createCommands({ env, canvasRef, board, choices, edit }),
    openPanel: setPanel,
    closePanel: () => setPanel(null),
    resize: canvasRef.resize,
    moveView: (move) => canvasRef.canvas?.view.move(move, dockCover()),
    setFingerPans: (pans) => canvasRef.canvas?.view.setFingerPans(pans),
    actions,
    objects: () => board.client?.objects() ?? [],
    startTimer: env.startTimer,
    fetchAhead: env.fetchAhead,
  };
}

/** Makes the signals with their values before the board is open. */
function createSignals(env: PageEnvironment): BoardSignals {
  return {
    productName: createSignal(env.productName),
    progress: createSignal<Progress>("loading"),
    presence: createSignal<Presence>({ online: 1, peers: new Map(), allPartial: true }),
    // The state has no count that the page does not show: each stroke would render the header again.
    saveState: createSignal<SaveState>(
      { state: "loading" },
      (a, b) => saveStateLabel(a) === saveStateLabel(b),
    ),
    connected: createSignal(false),
    locked: createSignal(false),
    blocked: createSignal(false),
    history: createSignal(NO_EDITS),
    selected: createSignal(0),
    selectionFrame: createSignal<SelectionFrame | null>(null),
    view: createSignal(START_VIEW),
  };
}

/** The visitor's choices of tool, colour and width. */
function createChoices() {
  return {
    tool: createSignal<Tool>(DEFAULT_TOOL),
    color: createSignal<string>(DEFAULT_COLOR),
    penWidth: createSignal<number>(LIMITS.brushWidth),
  };
}

interface CommandDependencies {
  readonly env: PageEnvironment;
  readonly canvasRef: CanvasRef;
  readonly board: BoardState;
  readonly choices: ReturnType<typeof createChoices>;
  /** Does the work unless the board cannot be edited now. */
  readonly edit: (work: () => void) => void;
}

type Commands = Pick<
  Controller,
  | "setTool"
  | "setColor"
  | "setPenWidth"
  | "addObjects"
  | "addText"
  | "addSticker"
  | "addAt"
  | "editSelection"
  | "removeSelection"
  | "removeObjects"
  | "undo"
  | "redo"
  | "clear"
>;

/** Makes the commands that add to the board or clear it; they give the focus to the board, for the next keys. */
function createCommands({ env, canvasRef, board, choices, edit }: CommandDependencies): Commands {
  const { tool, color, penWidth } = choices;
  const withSelect = (work: (canvas: BoardCanvas) => void): void =>
    edit(() => {
      tool.set("select");
      canvasRef.call((canvas) => {
        canvas.tools.choose("select");
        work(canvas);
      });
    });
  return {
    setTool: (chosen) =>
      edit(() => {
        tool.set(chosen);
        canvasRef.call((canvas) => canvas.tools.choose(chosen));
        if (toolRow(chosen).mode === "shape") env.focusCanvas();
      }),
    setColor(chosen) {
      color.set(chosen);
      canvasRef.call((canvas) => canvas.tools.setColor(chosen));
    },
    setPenWidth(chosen) {
      penWidth.set(chosen);
      canvasRef.call((canvas) => canvas.tools.setPenWidth(chosen));
    },
    addObjects: (objects, goesOn) =>
      edit(() => canvasRef.call((canvas) => canvas.tools.addObjects(objects, goesOn))),
    addText: () =>
      edit(() => {
        const typed = collectTyped();
        withSelect((canvas) => canvas.tools.addText(typed));
      }),
    addSticker: (emoji) =>
      edit(() => {
        canvasRef.call((canvas) => canvas.tools.addSticker(emoji));
        env.focusCanvas();
      }),
    addAt(what, at) {
      withSelect((canvas) => canvas.tools.addAt(what, at));
      env.focusCanvas();
    },
    editSelection: (chosen) => edit(() => canvasRef.canvas?.selection?.edit(chosen)),
    removeSelection: () => edit(() => void canvasRef.canvas?.selection?.remove()),
    removeObjects: (ids) => edit(() => board.client?.editor.remove(ids)),
    undo: () => edit(() => canvasRef.canvas?.menu?.cancel() || board.client?.undo()),
    redo: () => edit(() => board.client?.redo()),
    clear: () =>
      edit(() => {
        board.client?.clear();
        env.focusCanvas();
      }),
  };
}
