/** The canvas of the page, put together. The layers, bottom first: base, overlay, Fabric's surface, pointers. */

import type { BoardChanges, BoardObject, NewObject, ObjectId } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { DEFAULT_COLOR, DEFAULT_TOOL, type Tool } from "../../board/spec.ts";
import { BaseCanvas } from "./base.ts";
import { Content } from "./content.ts";
import { createFrameLoop, nextTurn } from "./frame.ts";
import { Hands } from "./hands.ts";
import { HitTest } from "./hit.ts";
import { hostLayers, watchRatio } from "./host.ts";
import { IDENTITY, type Matrix } from "./matrix.ts";
import { Painter } from "./paint.ts";
import type { Peers } from "./peers.ts";
import { Pen } from "./pen.ts";
import type { BoardCanvas, CanvasOptions } from "./port.ts";
import { Scene } from "./scene.ts";
import { createStats, type CanvasStats } from "./stats.ts";
import { penOf, shapeOf, stickerOf } from "./tools.ts";
import { WetInk } from "./wet.ts";

/** Milliseconds of painting in one frame, and of taking in objects in one turn of loading. */
const FRAME_BUDGET = 8;
const LOAD_BUDGET = 6;

const ratioNow = (): number => window.devicePixelRatio || 1;

/** What tests may look at and turn; the page uses none of it. */
export interface CanvasInternals {
  readonly stats: CanvasStats;
  /** From canvas pixels to CSS pixels. */
  setViewport(viewport: Matrix): void;
  /** Paints everything anew. */
  repaintAll(): void;
  /** Resolves when Fabric is there and has made every object that it was asked for. */
  complete(): Promise<void>;
  /** Nothing waits to be painted. */
  readonly settled: boolean;
  readonly base: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  readonly selected: readonly ObjectId[];
}

const internals = new WeakMap<BoardCanvas, CanvasInternals>();

/** The inside of a canvas, for tests and measurements. */
export function inspectCanvas(canvas: BoardCanvas): CanvasInternals {
  const found = internals.get(canvas);
  if (!found) throw new Error("Not a canvas of createBoardCanvas");
  return found;
}

/** Puts a canvas into `options.host`. */
export function createBoardCanvas(options: CanvasOptions): BoardCanvas {
  const { host, editor, live } = options;
  const stats = createStats();
  const scene = new Scene();
  const painter = new Painter();
  const hits = new HitTest(scene, stats);
  const layers = hostLayers(host);
  let size = { width: options.width, height: options.height };
  let viewport: Matrix = IDENTITY;
  let tool: Tool = DEFAULT_TOOL;
  let color: string = DEFAULT_COLOR;
  let disposed = false;
  /** Counts the calls of `load`: a later one ends an earlier one. */
  let loads = 0;
  /** While a board is loaded: what changed meanwhile, so that the older state does not come over it. */
  let touched: Set<ObjectId> | undefined;

  const frames = createFrameLoop(() => {
    stats.frames++;
    base.work(performance.now() + FRAME_BUDGET);
    wet.work();
    peers?.work();
    hands.work(base.settled);
  });
  const base = new BaseCanvas(layers.base, { scene, painter, stats, wake: frames.request });
  const content = new Content({
    scene,
    base,
    stats,
    isLifted: (id) => isDragged(id),
    renewed(item) {
      hands.renewed(item);
      if (isDragged(item.object.id)) peers?.refresh();
    },
    onFault: options.onFault ?? (() => undefined),
  });
  const wet = new WetInk(base, frames.request);
  let peers: Peers | undefined;
  let fetchingPeers: Promise<void> | undefined;
  let others: readonly PeerView[] = [];
  const isDragged = (id: ObjectId): boolean => peers?.isDragged(id) ?? false;
  const commit = (object: NewObject): ObjectId | null => editor.add([object])[0]?.id ?? null;
  const pen = new Pen({
    host,
    wet,
    live,
    commit,
    style: () => penOf(tool, color),
    toScene: (event) => layers.toScene(event, viewport),
  });
  const hands = new Hands({
    host,
    editor,
    live,
    scene,
    painter,
    content,
    hits,
    pen,
    layer: layers.surface,
    wake: frames.request,
    size: () => size,
    viewport: () => viewport,
    toScene: (event) => layers.toScene(event, viewport),
    onSelection: options.onSelection ?? (() => undefined),
  });
  // Somebody who is alone needs no code for what others do.
  const fetchPeers = async (): Promise<void> => {
    const { Peers } = await import("./peers.ts");
    if (disposed) return;
    peers = new Peers({
      host,
      layer: layers.overlay,
      painter,
      wake: frames.request,
      find: (id) => (hands.holds(id) ? undefined : scene.get(id)),
      lift(id, lifted) {
        const item = scene.get(id);
        if (item && !hands.holds(id)) content.lift(item, lifted);
      },
    });
    placePeers();
    peers.show(others, viewport);
  };
  const placePeers = (): void => peers?.place(size.width, size.height, ratioNow(), viewport);
  const listeners = new AbortController();
  const { signal } = listeners;
  host.addEventListener("pointermove", (event) => live.pointer(layers.toScene(event, viewport)), {
    signal,
  });
  host.addEventListener("pointerleave", () => live.pointer(null), { signal });

  const place = (): void => {
    const ratio = ratioNow();
    layers.resize(size.width, size.height);
    base.resize(size.width, size.height, ratio);
    placePeers();
    hands.resize();
  };
  const stopWatching = watchRatio(place);
  place();
  base.repaintAll();
  hands.setTool(tool);

  const addActive = (object: NewObject): void => {
    const id = commit(object);
    if (id !== null) hands.select([id]);
  };

  async function load(objects: Iterable<BoardObject>, background: string): Promise<void> {
    const turn = ++loads;
    hands.clear();
    scene.clear();
    painter.clear();
    base.background = background;
    base.repaintAll();
    touched = new Set();
    if (document.fonts.status !== "loaded") await document.fonts.ready;
    let deadline = performance.now() + LOAD_BUDGET;
    for (const object of objects) {
      if (performance.now() > deadline) {
        await nextTurn();
        if (disposed || turn !== loads) return;
        deadline = performance.now() + LOAD_BUDGET;
      }
      if (!touched?.has(object.id)) content.add(object);
    }
    touched = undefined;
    await content.complete();
    while (!base.settled && !disposed && turn === loads) await nextFrame();
    if (!disposed) void hands.fetch();
  }

  const nextFrame = (): Promise<void> =>
    new Promise((resolve) => {
      const loop = createFrameLoop(() => {
        loop.dispose();
        resolve();
      });
      loop.request();
    });

  const canvas: BoardCanvas = {
    load,
    get editingText() {
      return hands.editingText;
    },
    setTool(next) {
      pen.finish();
      tool = next;
      hands.setTool(next);
      const shape = shapeOf(next, color);
      if (shape) addActive(shape);
    },
    setColor(next) {
      color = next;
    },
    addSticker(emoji) {
      addActive(stickerOf(emoji));
    },
    apply(changes: BoardChanges) {
      if (touched)
        for (const list of [changes.added, changes.changed, changes.removed])
          for (const object of list) touched.add(object.id);
      hands.apply(changes);
      if (changes.background !== undefined) base.setBackground(changes.background);
    },
    showPeers(views: readonly PeerView[]) {
      others = views;
      peers?.show(views, viewport);
      // After a failure the next peer tries again.
      if (views.length > 0) fetchingPeers ??= fetchPeers().catch(() => (fetchingPeers = undefined));
    },
    resize(width, height) {
      size = { width, height };
      place();
    },
    removeSelection: () => hands.removeSelection(),
    selectAll: () => hands.selectAll(),
    clearSelection: () => hands.clear(),
    nudge: (dx, dy) => hands.nudge(dx, dy),
    async dispose() {
      if (disposed) return;
      disposed = true;
      pen.dispose();
      frames.dispose();
      stopWatching();
      listeners.abort();
      await hands.dispose();
      base.dispose();
      peers?.dispose();
      painter.clear();
      scene.clear();
      layers.dispose();
    },
  };
  internals.set(canvas, {
    stats,
    setViewport(next) {
      viewport = next;
      base.setViewport(next);
      placePeers();
      hands.setViewport(next);
    },
    repaintAll: () => base.repaintAll(),
    async complete() {
      await hands.fetch();
      await content.complete();
    },
    get settled() {
      return base.settled;
    },
    base: layers.base,
    overlay: layers.overlay,
    get selected() {
      return hands.selected;
    },
  });
  return canvas;
}
