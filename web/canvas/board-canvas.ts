/** The canvas of the page. It builds its parts in order: those without dependencies first. */

import type { BoardChanges, BoardObject } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { containsBox } from "./geometry/box.ts";
import { DrawingTools } from "./drawing-tools.ts";
import { ActiveStroke } from "./stroke/active-stroke.ts";
import { Pen, type PenDependencies } from "./input/pen.ts";
import { PointerInput } from "./input/pointer-input.ts";
import { PointerWatch } from "./input/pointer-watch.ts";
import { InteractionLoader } from "./interaction-loader.ts";
import { PageView } from "./page-view.ts";
import { BaseCanvas } from "./painting/base.ts";
import { Content } from "./painting/content.ts";
import { FrameAllowance } from "./painting/frame-budget.ts";
import { BoardLoader } from "./painting/load.ts";
import { Painter } from "./painting/paint.ts";
import type { BoardCanvas, CanvasOptions, CanvasSelection, MenuTools } from "./port.ts";
import { isHittable, type Item } from "./scene/item.ts";
import { Scene } from "./scene/scene.ts";
import { FrameLoop } from "./scheduling/frame.ts";
import { createSlices } from "./scheduling/slices.ts";
import { CanvasStats } from "./scheduling/stats.ts";
import { HostLayers } from "./view/host.ts";
import { viewAt } from "./view/view.ts";
import { Viewport } from "./view/viewport.ts";

/** Puts a canvas into `options.host`. */
export function createBoardCanvas(options: CanvasOptions): BoardCanvas {
  return new LayeredCanvas(options);
}

/** The canvas behind `BoardCanvas`; its other public members are for tests. */
export class LayeredCanvas implements BoardCanvas {
  readonly stats = new CanvasStats();
  readonly layers: HostLayers;
  readonly base: BaseCanvas;
  readonly content: Content;
  readonly interaction: InteractionLoader;
  readonly viewport: Viewport;
  readonly tools: DrawingTools;
  readonly view: PageView;
  private readonly scene = new Scene();
  private readonly painter = new Painter();
  private readonly frames = new FrameLoop(() => this.work());
  private readonly activeStroke: ActiveStroke;
  readonly pen: Pen;
  private readonly input: PointerInput;
  private readonly pointer: PointerWatch;
  private readonly loader: BoardLoader;
  private readonly allowance = new FrameAllowance();
  private readonly fetchAhead: (fetch: () => void) => void;
  private shownPeers: readonly PeerView[] = [];
  /** The first board has been painted. */
  private isShown = false;
  private isPreparing = false;
  private disposed = false;

  constructor(options: CanvasOptions) {
    const { stats, scene, painter, frames } = this;
    const { surface, editor, live, events, covered, pressure, fetchAhead } = options;
    this.fetchAhead = fetchAhead;
    const wake = frames.request;
    const layers = new HostLayers(surface.host);
    const base = new BaseCanvas(layers.base, { scene, painter, stats, wake });
    const content = new Content({ scene, base, stats, onFault: events.onFault });
    const activeStroke = new ActiveStroke(base, wake);
    const shapes: PenDependencies["shapes"] = {
      recognize: (points) => this.interaction.loaded?.shapes.recognize(points) ?? null,
      straight: (at, kind) => this.interaction.loaded?.shapes.straight(at, kind) ?? null,
      addHead: (id) => this.interaction.run(({ shapes: loaded }) => loaded.addHead(id)),
    };
    const fading: PenDependencies["fading"] = {
      begin: () => this.interaction.whenLoaded((loaded) => loaded.fadingInk.hold()),
      end: (ink) => this.interaction.run((loaded) => loaded.fadingInk.add(ink)),
    };
    const pen = new Pen({ layers, activeStroke, live, editor, shapes, fading, pressure });
    const viewport = new Viewport({ layers, covered, changed: () => this.view.viewportChanged() });
    const color = (): string => this.tools.color;
    const board = { scene, painter, content, stats, wake };
    const shared = { board, viewport, editor, live, events, pen, color };
    const interaction = new InteractionLoader(shared);
    this.layers = layers;
    this.base = base;
    this.content = content;
    this.activeStroke = activeStroke;
    this.pen = pen;
    this.viewport = viewport;
    this.interaction = interaction;
    interaction.whenLoaded((loaded) => {
      loaded.showPeers(this.shownPeers);
      base.tiles = loaded.panTiles;
    });
    const onMade = (): void => this.interaction.loaded?.selection.boardMade();
    this.loader = new BoardLoader({
      ...{ scene, painter, base, content, frames, onMade },
      waits: this.waits,
    });
    const input = this.takeInput();
    const pointer = new PointerWatch({ layers, live, isSent: () => !this.tools.readOnly });
    this.input = input;
    this.pointer = pointer;
    this.view = new PageView({ layers, base, input, pointer, interaction, wake });
    this.view.resize(surface.width, surface.height);
    if (surface.view) viewport.set(viewAt(surface.view, surface), false);
    base.repaintAll();
    this.tools = new DrawingTools({ layers, editor, live, pen, pointer, interaction });
  }

  get selection(): CanvasSelection | undefined {
    return this.interaction.loaded?.selection;
  }

  get menu(): MenuTools | undefined {
    return this.interaction.loaded?.menu;
  }

  async load(objects: Iterable<BoardObject>, background: string): Promise<void> {
    this.tools.selectNone();
    await this.loader.load(objects, background);
    this.interaction.loaded?.guide.boardChanged();
    if (this.disposed) return;
    this.isShown = true;
    if (this.shownPeers.length > 0 || this.needsGuide(this.scene.all())) this.prepareSoon();
    else this.fetchAhead(() => this.prepareSoon());
  }

  prepare(): Promise<void> {
    return this.disposed ? Promise.resolve() : this.interaction.load();
  }

  apply(changes: BoardChanges, hasMore?: boolean): void {
    const { content } = this;
    this.loader.note(changes);
    content.collects = hasMore !== undefined;
    (this.interaction.loaded ?? content).apply(changes);
    content.collects = false;
    if (hasMore === false) content.paintCovered();
    if (changes.background !== undefined) this.base.setBackground(changes.background);
    if (!this.isShown || this.interaction.loaded) return;
    if (this.needsGuide(changes.added.map(({ id }) => this.scene.get(id)))) this.prepareSoon();
  }

  async pause(): Promise<void> {
    await createSlices(undefined, this.waits).rest();
  }

  showPeers(peers: readonly PeerView[]): void {
    this.shownPeers = peers;
    this.interaction.loaded?.showPeers(peers);
    if (this.isShown && peers.length > 0) this.prepareSoon();
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    this.pen.finish();
    this.input.dispose();
    this.loader.cancel();
    this.frames.dispose();
    this.view.dispose();
    this.pointer.dispose();
    await this.interaction.dispose();
    this.base.dispose();
    this.painter.clear();
    this.scene.clear();
    this.layers.dispose();
  }

  /**
   * Prepares the code of the interaction, which takes a weak device longer than some frames: this waits while a
   * pointer is pressed.
   */
  private prepareSoon(): void {
    if (this.isPreparing) return;
    this.isPreparing = true;
    void this.pause().then(() => this.prepare());
  }

  /** Whether an item is out of the view, about which the guide informs, or is Fabric's. */
  private needsGuide(items: Iterable<Item | undefined>): boolean {
    const { width: right, height: bottom } = this.layers.size;
    const { x, y } = this.viewport.view;
    const frame = { left: 0, top: 0, right, bottom };
    if (x !== 0 || y !== 0) return true;
    for (const item of items) {
      if (item?.shape.kind === "fabric") return true;
      if (item && isHittable(item) && !containsBox(frame, item.box)) return true;
    }
    return false;
  }

  /** Works for a frame: each layer paints what changed on it, bottom first. */
  private work(): void {
    this.stats.frames++;
    const isDrawing = this.waits();
    const allowed = this.allowance.next(this.view.moved || isDrawing);
    this.view.follow();
    this.base.paintDirty(performance.now() + allowed, isDrawing);
    this.activeStroke.work();
    this.interaction.loaded?.work(this.base.settled);
  }

  /** True while a pointer is pressed, and for a short time after. */
  private readonly waits = (): boolean => this.input.busy;

  private takeInput(): PointerInput {
    const { interaction, layers, pen, viewport } = this;
    return new PointerInput({
      ...{ layers, pen, viewport },
      abandon: () => interaction.loaded?.selection.abandonPress(),
      beforePress: () => this.view.follow(),
      erase: (event) => this.tools.erase(event),
      onFingerPans: (pans) => interaction.run(({ guide }) => guide.setFingerPans(pans)),
    });
  }
}
