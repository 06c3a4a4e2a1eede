/** The canvas of the page: builds its parts, from those that need nothing to those that need the others. */

import type {
  BoardChanges,
  BoardEditor,
  BoardObject,
  NewObject,
  ObjectId,
} from "../../board/drawing.ts";
import type { LiveSink, PeerView } from "../../board/live.ts";
import { DEFAULT_COLOR } from "../../board/constants.ts";
import { DEFAULT_TOOL, type Tool, toolRow, type ToolRow } from "../../board/tools.ts";
import { ActiveStroke } from "./input/active-stroke.ts";
import { BaseCanvas } from "./painting/base.ts";
import { Content } from "./painting/content.ts";
import { FrameAllowance } from "./painting/frame-budget.ts";
import { FrameLoop } from "./scheduling/frame.ts";
import { HostLayers, RatioWatch } from "./view/host.ts";
import { InteractionLoader } from "./interaction-loader.ts";
import { BoardLoader } from "./painting/load.ts";
import type { Matrix, Point } from "./geometry/matrix.ts";
import { Painter } from "./painting/paint.ts";
import { Pen } from "./input/pen.ts";
import { PointerInput } from "./input/pointer-input.ts";
import { PointerWatch } from "./input/pointer-watch.ts";
import type { BoardCanvas, CanvasOptions, ViewMove } from "./port.ts";
import { Scene } from "./scene/scene.ts";
import type { SelectionEdit } from "./selection/edits.ts";
import { CanvasStats } from "./scheduling/stats.ts";
import { eraserStyle, penStyle, shapeObject, stickerObject } from "./input/new-objects.ts";
import { Viewport } from "./view/viewport.ts";

/** Puts a canvas into `options.host`. */
export function createBoardCanvas(options: CanvasOptions): BoardCanvas {
  return new LayeredCanvas(options);
}

/** The page knows it as a `BoardCanvas`; the other public members are for tests (see `inspect.ts`). */
export class LayeredCanvas implements BoardCanvas {
  readonly stats = new CanvasStats();
  readonly layers: HostLayers;
  readonly base: BaseCanvas;
  readonly content: Content;
  readonly interaction: InteractionLoader;
  readonly viewport: Viewport;
  private readonly editor: BoardEditor;
  private readonly live: LiveSink;
  private readonly scene = new Scene();
  private readonly painter = new Painter();
  private readonly frames = new FrameLoop(() => this.work());
  private readonly activeStroke: ActiveStroke;
  private readonly pen: Pen;
  private readonly input: PointerInput;
  private readonly loader: BoardLoader;
  private readonly ratioWatch: RatioWatch;
  private readonly pointer: PointerWatch;
  /** The layers' viewport changed since the last frame. */
  private readonly allowance = new FrameAllowance();
  private viewMoved = false;
  private shownPeers: readonly PeerView[] = [];
  private tool: ToolRow = toolRow(DEFAULT_TOOL);
  private color: string = DEFAULT_COLOR;
  private readOnly = false;
  private disposed = false;

  constructor(options: CanvasOptions) {
    const { stats, scene, painter, frames } = this;
    const { editor, live } = options;
    const wake = frames.request;
    const layers = new HostLayers(options.host);
    const base = new BaseCanvas(layers.base, { scene, painter, stats, wake });
    const content = new Content({ scene, base, stats, onFault: options.onFault ?? ignore });
    const activeStroke = new ActiveStroke(base, wake);
    const pen = new Pen({ layers, activeStroke, live, editor });
    const viewport = new Viewport({ layers, changed: () => this.moveLayers() });
    const color = (): string => this.color;
    const shared = { ...UNHEARD, ...options, layers, scene, painter, content, wake, color };
    this.editor = editor;
    this.live = live;
    this.layers = layers;
    this.base = base;
    this.content = content;
    this.activeStroke = activeStroke;
    this.pen = pen;
    this.interaction = new InteractionLoader({ ...shared, stats, pen, viewport });
    this.interaction.whenLoaded((loaded) => {
      loaded.showPeers(this.shownPeers);
      base.kept = loaded.keptPictures;
    });
    this.loader = new BoardLoader({ scene, painter, base, content, frames });
    this.ratioWatch = new RatioWatch(() => this.resizeLayers());
    this.viewport = viewport;
    this.input = this.takeInput();
    this.pointer = new PointerWatch({ layers, live, isSent: () => !this.readOnly });
    this.resize(options.width, options.height);
    base.repaintAll();
    this.applyTool();
  }

  get editingText(): boolean {
    return this.interaction.loaded?.editingText ?? false;
  }

  async load(objects: Iterable<BoardObject>, background: string): Promise<void> {
    this.interaction.whenLoaded((interaction) => interaction.clear());
    await this.loader.load(objects, background);
    this.interaction.loaded?.guide.boardChanged();
    if (!this.disposed) void this.interaction.load();
  }

  setTool(tool: Tool): void {
    this.pen.finish();
    this.tool = toolRow(tool);
    this.applyTool();
    const shape = shapeObject(this.tool, this.color);
    if (shape) this.addSelected(shape);
  }

  setColor(color: string): void {
    this.color = color;
    if (!this.readOnly) this.pen.style = penStyle(this.tool, color);
  }

  setReadOnly(readOnly: boolean): void {
    this.pen.finish();
    this.readOnly = readOnly;
    if (readOnly) this.live.pointer(null);
    this.applyTool();
  }

  addObjects(objects: readonly NewObject[]): void {
    if (this.readOnly || !this.editor.accepts(objects.length)) return;
    const ids = this.editor.add(objects).map(({ id }) => id);
    this.interaction.run((interaction) => interaction.select(ids));
  }

  get pointerAt(): Point | null {
    return this.pointer.at;
  }

  get middle(): Point {
    const { width, height } = this.layers.size;
    return this.layers.fromHost({ x: width / 2, y: height / 2 });
  }

  addText(): void {
    const at = this.pointerAt ?? this.middle;
    if (!this.readOnly) this.interaction.run((interaction) => interaction.addText(at));
  }

  addSticker(emoji: string): void {
    this.addSelected(stickerObject(emoji));
  }

  apply(changes: BoardChanges): void {
    this.loader.note(changes);
    (this.interaction.loaded ?? this.content).apply(changes);
    if (changes.background !== undefined) this.base.setBackground(changes.background);
  }

  showPeers(peers: readonly PeerView[]): void {
    this.shownPeers = peers;
    this.interaction.loaded?.showPeers(peers);
  }

  resize(width: number, height: number): void {
    this.layers.resize({ width, height });
    this.resizeLayers();
  }

  moveView(move: ViewMove, covered: number): void {
    this.interaction.run(({ guide }) => guide.move(move, covered));
  }

  setFingerPans(pans: boolean): void {
    this.input.setFingerPans(pans);
    this.interaction.run(({ guide }) => guide.setFingerPans(pans));
  }

  /** From canvas pixels to CSS pixels. Only tests use it: the page moves the view. */
  setViewport(viewport: Matrix): void {
    this.layers.viewport = viewport;
    this.viewMoved = true;
    this.applyView();
  }

  get selected(): readonly ObjectId[] {
    return this.interaction.loaded?.selected ?? [];
  }

  editSelection(edit: SelectionEdit): void {
    this.interaction.loaded?.editSelection(edit);
  }

  removeSelection(): number {
    return this.interaction.loaded?.removeSelection() ?? 0;
  }

  selectAll(): void {
    if (this.readOnly) return;
    this.interaction.run((interaction) => interaction.selectAll());
  }

  clearSelection(): void {
    this.interaction.whenLoaded((interaction) => interaction.clear());
  }

  nudge(dx: number, dy: number): void {
    this.interaction.loaded?.nudge(dx, dy);
  }

  resizeSelection(dx: number, dy: number): void {
    this.interaction.loaded?.resizeSelection(dx, dy);
  }

  turnSelection(degrees: number): void {
    this.interaction.loaded?.turn(degrees);
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    this.pen.finish();
    this.input.dispose();
    this.loader.cancel();
    this.frames.dispose();
    this.ratioWatch.dispose();
    this.pointer.dispose();
    await this.interaction.dispose();
    this.base.dispose();
    this.painter.clear();
    this.scene.clear();
    this.layers.dispose();
  }

  /** One frame: each layer paints what changed on it, bottom first. */
  private work(): void {
    this.stats.frames++;
    const allowed = this.allowance.next(this.viewMoved);
    this.applyView();
    this.base.paintDirty(performance.now() + allowed);
    this.activeStroke.work();
    this.interaction.loaded?.work(this.base.settled);
  }

  private applyTool(): void {
    const { tool, interaction } = this;
    if (this.readOnly) {
      this.pen.style = undefined;
      this.layers.host.style.cursor = "default";
      interaction.whenLoaded((loaded) => loaded.setTool(null));
      return;
    }
    this.pen.style = penStyle(tool, this.color);
    this.layers.host.style.cursor = tool.cursor;
    if (tool.mode === "freehand") interaction.whenLoaded((loaded) => loaded.setTool(tool));
    else interaction.run((loaded) => loaded.setTool(tool));
  }

  private addSelected(object: NewObject): void {
    if (this.readOnly || !this.editor.accepts(1)) return;
    const [added] = this.editor.add([object]);
    if (added) this.interaction.run((interaction) => interaction.selectAdded(added.id));
  }

  private moveLayers(): void {
    this.viewMoved = true;
    this.frames.request();
  }

  /** The layers follow the view, once for each frame. */
  private applyView(): void {
    if (!this.viewMoved) return;
    this.viewMoved = false;
    const { viewport } = this.layers;
    this.base.setViewport(viewport);
    this.interaction.loaded?.updateViewport();
    this.pointer.send();
  }

  private resizeLayers(): void {
    const { width, height } = this.layers.size;
    this.base.resize(width, height, this.layers.ratio);
    this.interaction.loaded?.resize();
  }

  private takeInput(): PointerInput {
    const { interaction, layers, pen, viewport } = this;
    return new PointerInput({
      ...{ layers, pen, viewport },
      abandon: () => interaction.loaded?.abandonPress(),
      beforePress: () => this.applyView(),
      erase: (event) => {
        if (!this.readOnly) pen.down(event, eraserStyle());
      },
      onFingerPans: (pans) => interaction.run(({ guide }) => guide.setFingerPans(pans)),
    });
  }
}

function ignore(): void {}

/** For a page that does not listen. */
const UNHEARD = { onSelection: ignore, onSelectionFrame: ignore, onPicked: ignore, onView: ignore };
