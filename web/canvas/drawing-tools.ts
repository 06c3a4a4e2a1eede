/** The tools of the dock: the visitor's tool and colour, and the objects that the tools add to the board. */

import { DEFAULT_COLOR, LIMITS } from "../../board/constants.ts";
import type { BoardEditor, NewObject } from "../../board/drawing.ts";
import type { LiveSink } from "../../board/live.ts";
import { DEFAULT_TOOL, type Tool, toolRow, type ToolRow, TOOLS } from "../../board/tools.ts";
import {
  centredAt,
  eraserStyle,
  type PenChoice,
  penStyle,
  shapeObject,
  stickerObject,
} from "./input/new-objects.ts";
import type { Pen } from "./input/pen.ts";
import type { PointerWatch } from "./input/pointer-watch.ts";
import type { InteractionLoader } from "./interaction-loader.ts";
import type { CanvasTools } from "./port.ts";
import type { ClientPoint, HostLayers } from "./view/host.ts";

export interface DrawingToolsDependencies {
  readonly layers: HostLayers;
  readonly editor: BoardEditor;
  readonly live: LiveSink;
  readonly pen: Pen;
  readonly pointer: PointerWatch;
  readonly interaction: InteractionLoader;
}

export class DrawingTools implements CanvasTools {
  private readonly deps: DrawingToolsDependencies;
  private tool: ToolRow = toolRow(DEFAULT_TOOL);
  private choice: PenChoice = { color: DEFAULT_COLOR, width: LIMITS.brushWidth };
  /** True while the visitor can change nothing. */
  readOnly = false;
  /** Whether objects can be selected although the visitor may not change anything. */
  private selects = false;

  constructor(deps: DrawingToolsDependencies) {
    this.deps = deps;
    this.applyTool();
  }

  /** The visitor's colour (CSS). */
  get color(): string {
    return this.choice.color;
  }

  choose(tool: Tool): void {
    this.deps.pen.finish();
    this.tool = toolRow(tool);
    this.applyTool();
    const shape = shapeObject(this.tool, this.color);
    if (shape) this.addSelected(shape);
  }

  setColor(color: string): void {
    this.setChoice({ ...this.choice, color });
  }

  setPenWidth(width: number): void {
    this.setChoice({ ...this.choice, width });
  }

  private setChoice(choice: PenChoice): void {
    this.choice = choice;
    if (!this.readOnly) this.deps.pen.style = penStyle(this.tool, choice);
  }

  setReadOnly(readOnly: boolean, selects = false): void {
    this.deps.pen.finish();
    this.readOnly = readOnly;
    this.selects = selects;
    if (readOnly) this.deps.live.pointer(null);
    this.applyTool();
  }

  addObjects(objects: readonly NewObject[], goesOn?: boolean): void {
    const { editor, interaction } = this.deps;
    if (this.readOnly || !editor.accepts(objects.length)) return;
    const ids = editor.add(objects, goesOn).map(({ id }) => id);
    if (!goesOn) interaction.run((loaded) => loaded.selectArrived(ids));
  }

  addText(typed: () => string): void {
    const { interaction, layers, pointer } = this.deps;
    const at = pointer.at ?? layers.middle;
    if (!this.readOnly) interaction.whenLoaded((loaded) => loaded.addText(at, typed()));
    // Where the code does not arrive the keys act again.
    void interaction.load().then(typed);
  }

  addSticker(emoji: string): void {
    this.addSelected(stickerObject(emoji));
  }

  addAt(what: string, at: ClientPoint): void {
    const row = TOOLS.find(({ tool }) => tool === what);
    const object = row ? shapeObject(row, this.color) : stickerObject(what);
    if (object) this.addObjects([centredAt(object, this.deps.layers.toScene(at))]);
  }

  selectAll(): void {
    if (!this.readOnly || this.selects)
      this.deps.interaction.run(({ selection }) => selection.selectAll());
  }

  selectNone(): void {
    this.deps.interaction.whenLoaded(({ selection }) => selection.clear());
  }

  /** Begins a stroke of the eraser, whatever the tool is. */
  erase(event: PointerEvent): void {
    if (!this.readOnly) this.deps.pen.down(event, eraserStyle());
  }

  private applyTool(): void {
    const { tool } = this;
    const { interaction, layers, pen } = this.deps;
    if (this.readOnly) {
      pen.style = undefined;
      layers.host.style.cursor = "default";
      if (this.selects) interaction.run((loaded) => loaded.look());
      else interaction.whenLoaded((loaded) => loaded.setTool(null));
      return;
    }
    pen.style = penStyle(tool, this.choice);
    layers.host.style.cursor = tool.cursor;
    if (tool.mode === "freehand" && tool.pen.look !== "fading")
      interaction.whenLoaded((loaded) => loaded.setTool(tool));
    else interaction.run((loaded) => loaded.setTool(tool));
  }

  private addSelected(object: NewObject): void {
    const { editor, interaction } = this.deps;
    if (this.readOnly || !editor.accepts(1)) return;
    const [added] = editor.add([object]);
    if (added) interaction.run((loaded) => loaded.selectAdded(added.id));
  }
}
