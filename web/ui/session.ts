/** What the page does with the shared board, from the moment that the whiteboard is on the screen. */

import { DEFAULT_COLOR, DEFAULT_TOOL, type Tool } from "../../board/spec.ts";
import type { BoardCanvas, CanvasOptions } from "../canvas/port.ts";
import type { Notice, Room, SaveState, Store } from "../sync/port.ts";
import { createStore, type WritableStore } from "../sync/store.ts";
import { createAnnouncer, type Later } from "./announcer.ts";
import { localConfig, type PageConfig } from "./config.ts";
import { openStage, type Stage, type Surface } from "./stage.ts";

/** The world as a session needs it. The loads fetch code or data; each may reject. */
export interface SessionParts {
  readonly origin: string;
  /** The name until the configuration says it. */
  readonly productName: string;
  readonly loadConfig: () => Promise<PageConfig>;
  readonly loadRoom: () => Promise<(config: PageConfig) => Room>;
  readonly loadCanvas: () => Promise<(options: CanvasOptions) => BoardCanvas>;
  readonly notify: (notice: Notice) => void;
  readonly later: Later;
  /** Lets other work of the page run before it resolves. */
  readonly pause: () => Promise<void>;
  /** Resolves when nobody presses a pointer on the element. */
  readonly released: (host: HTMLElement) => Promise<void>;
  readonly log: (what: string, reason: unknown) => void;
}

/** `failed`: the code of the canvas or of the room did not arrive, or did not run. */
export type Progress = "loading" | "ready" | "failed";

export interface Session {
  readonly productName: Store<string>;
  readonly progress: Store<Progress>;
  readonly online: Store<number>;
  readonly saveState: Store<SaveState>;
  readonly history: Store<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** How many objects are selected. */
  readonly selected: Store<number>;
  /** The latest sentence about what others did, and how many there were: two may be equal. */
  readonly news: Store<{ readonly sentence: string; readonly count: number }>;
  readonly tool: Store<Tool>;
  readonly color: Store<string>;
  /** Starts on an element. Answers a function that ends it; afterwards it may be opened again. */
  open(surface: Surface): () => void;
  /** Rectangle and circle add a shape each time they are chosen. */
  setTool(tool: Tool): void;
  setColor(color: string): void;
  addSticker(emoji: string): void;
  resize(width: number, height: number): void;
  /** The canvas, once it is there. */
  readonly canvas: BoardCanvas | null;
  undo(): void;
  redo(): void;
  clear(): void;
}

/** Milliseconds between two attempts to learn the configuration; the last one repeats. */
const CONFIG_RETRIES = [1000, 2000, 5000, 10_000] as const;

/** A session that is not open yet. */
export function createSession(parts: SessionParts): Session {
  const stores = {
    productName: createStore(parts.productName),
    progress: createStore<Progress>("loading"),
    online: createStore(0),
    saveState: createStore<SaveState>({ state: "loading" }),
    history: createStore({ canUndo: false, canRedo: false }),
    selected: createStore(0),
    news: createStore({ sentence: "", count: 0 }),
    tool: createStore<Tool>(DEFAULT_TOOL),
    color: createStore<string>(DEFAULT_COLOR),
  };
  let canvas: BoardCanvas | null = null;
  let room: Room | null = null;
  let size = { width: 0, height: 0 };
  /** The room of before: two rooms of one page would share what is kept on this device. */
  let ending: Promise<void> = Promise.resolve();
  /** What was asked of the canvas before it was there. */
  let waiting: ((canvas: BoardCanvas) => void)[] = [];

  function whenCanvas(work: (canvas: BoardCanvas) => void): void {
    if (canvas) work(canvas);
    else waiting.push(work);
  }

  /** A canvas has come: it gets the tool and the colour of before, then what was asked meanwhile. */
  function adopt(shown: BoardCanvas, tool: Tool, color: string): void {
    canvas = shown;
    shown.resize(size.width, size.height);
    shown.setColor(color);
    shown.setTool(tool);
    const works = waiting;
    waiting = [];
    for (const work of works) work(shown);
  }

  function enter(
    entered: Room,
    { host }: Surface,
    canvasCode: ReturnType<SessionParts["loadCanvas"]>,
  ): Stage {
    room = entered;
    const announcer = createAnnouncer((sentence) => {
      stores.news.set({ sentence, count: stores.news.get().count + 1 });
    }, parts.later);
    const unsubscribe = [
      follow(entered.online, stores.online),
      follow(entered.saveState, stores.saveState),
      follow(entered.history, stores.history),
      entered.onNotice(parts.notify),
    ];
    // Choosing a shape's tool adds the shape, so a canvas that comes second must not choose it again.
    const tool = addsShape(stores.tool.get()) ? "select" : stores.tool.get();
    const color = stores.color.get();
    // Emptied at the end, so that nothing holds the page's elements.
    const place: { host?: HTMLElement } = { host };
    const stage = openStage(entered, () => ({ host: place.host!, ...size }), canvasCode, {
      onCanvas: (shown) => adopt(shown, tool, color),
      onSelection: (count) => stores.selected.set(count),
      onReady: () => stores.progress.set("ready"),
      onHeard: (changes) => announcer.heard(changes),
      pause: parts.pause,
      onFault: (what, reason) => {
        parts.log(what, reason);
        if (!canvas) stores.progress.set("failed");
      },
    });
    return {
      async end() {
        canvas = null;
        room = null;
        delete place.host;
        stores.selected.set(0);
        announcer.dispose();
        for (const stop of unsubscribe) stop();
        await stage
          .end()
          .catch((reason: unknown) => parts.log("the room did not close cleanly", reason));
      },
    };
  }

  async function askAgain(signal: AbortSignal): Promise<PageConfig | null> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      await pause(CONFIG_RETRIES[attempt] ?? CONFIG_RETRIES[CONFIG_RETRIES.length - 1]!, signal);
      const config = signal.aborted ? null : await parts.loadConfig().catch(() => null);
      if (config) return config;
    }
    return null;
  }

  function pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = parts.later(resolve, ms);
      signal.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
  }

  async function live(surface: Surface, signal: AbortSignal): Promise<void> {
    const canvasCode = parts.loadCanvas();
    canvasCode.catch(() => undefined);
    const firstConfig = parts.loadConfig().catch((reason: unknown) => {
      parts.log("the configuration could not be loaded; trying again", reason);
      return null;
    });
    const createRoom = await parts.loadRoom();
    const config = await firstConfig;
    await ending;
    if (signal.aborted) return;

    const local = localConfig(parts.origin, parts.productName);
    let stage = enter(createRoom(config ?? local), surface, canvasCode);
    signal.addEventListener("abort", () => {
      ending = stage.end();
    });
    if (config) return stores.productName.set(config.productName);

    const late = await askAgain(signal);
    if (!late) return;
    await parts.released(surface.host);
    // The first room keeps its changes on this device before the second one reads them there.
    await stage.end();
    if (signal.aborted) return;
    stores.productName.set(late.productName);
    stage = enter(createRoom(late), surface, canvasCode);
  }

  return {
    ...stores,
    get canvas() {
      return canvas;
    },
    open(surface) {
      const life = new AbortController();
      size = { width: surface.width, height: surface.height };
      stores.progress.set("loading");
      live(surface, life.signal).catch((reason: unknown) => {
        parts.log("the whiteboard could not be opened", reason);
        if (!life.signal.aborted) stores.progress.set("failed");
      });
      return () => life.abort();
    },
    setTool(tool) {
      stores.tool.set(tool);
      whenCanvas((shown) => shown.setTool(tool));
    },
    setColor(color) {
      stores.color.set(color);
      whenCanvas((shown) => shown.setColor(color));
    },
    addSticker: (emoji) => whenCanvas((shown) => shown.addSticker(emoji)),
    resize(width, height) {
      size = { width, height };
      canvas?.resize(width, height);
    },
    undo: () => room?.undo(),
    redo: () => room?.redo(),
    clear: () => room?.clear(),
  };
}

function addsShape(tool: Tool): boolean {
  return tool === "rectangle" || tool === "circle";
}

/** Copies a store's value into another one, now and whenever it changes. */
function follow<T>(store: Store<T>, copy: WritableStore<T>): () => void {
  copy.set(store.get());
  return store.subscribe(() => copy.set(store.get()));
}
