/**
 * What a person does with objects that are there, as the canvas asks for it. The code behind it, Fabric
 * above all, is fetched when the board has been painted or when it is first needed, whichever is earlier:
 * drawing does not wait for it. What is asked for meanwhile is done in order when it is there.
 */

import type { BoardChanges, ObjectId } from "../../board/drawing.ts";
import type { Tool } from "../../board/spec.ts";
import type { Interaction, InteractionParts } from "./interaction.ts";
import type { Item } from "./item.ts";
import type { Matrix } from "./matrix.ts";
import { isDrawing } from "./tools.ts";

export class Hands {
  private readonly parts: InteractionParts;
  private interaction: Interaction | undefined;
  private fetching: Promise<void> | undefined;
  private waiting: ((interaction: Interaction) => void)[] = [];
  private disposed = false;

  constructor(parts: InteractionParts) {
    this.parts = parts;
  }

  /** Fetches the code behind it. Never rejects; after a failure the next need tries again. */
  fetch(): Promise<void> {
    this.fetching ??= Promise.all([import("./interaction.ts"), this.parts.content.prepare()]).then(
      ([code]) => this.take(new code.Interaction(this.parts)),
      (fault: unknown) => {
        this.fetching = undefined;
        reportError(fault);
      },
    );
    return this.fetching;
  }

  get editingText(): boolean {
    return this.interaction?.editingText ?? false;
  }

  get selected(): readonly ObjectId[] {
    return this.interaction?.selected ?? [];
  }

  /** True while this person has the object in the hand. */
  holds(id: ObjectId): boolean {
    return this.interaction?.holds(id) ?? false;
  }

  setTool(tool: Tool): void {
    const { host, layer } = this.parts;
    host.style.cursor = isDrawing(tool) ? "crosshair" : "";
    if (!this.interaction && isDrawing(tool)) layer.style.display = "none";
    this.whenThere((interaction) => interaction.setTool(tool), !isDrawing(tool));
  }

  select(ids: readonly ObjectId[]): void {
    this.whenThere((interaction) => interaction.select(ids));
  }

  selectAll(): void {
    this.whenThere((interaction) => interaction.selectAll());
  }

  clear(): void {
    this.whenThere((interaction) => interaction.clear(), false);
  }

  removeSelection(): number {
    return this.interaction?.removeSelection() ?? 0;
  }

  nudge(dx: number, dy: number): void {
    this.interaction?.nudge(dx, dy);
  }

  resize(): void {
    this.interaction?.resize();
  }

  setViewport(viewport: Matrix): void {
    this.interaction?.setViewport(viewport);
  }

  work(settled: boolean): void {
    this.interaction?.work(settled);
  }

  apply(changes: BoardChanges): void {
    if (this.interaction) this.interaction.apply(changes);
    else this.parts.content.apply(changes);
  }

  renewed(item: Item): void {
    this.interaction?.renewed(item);
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    this.waiting = [];
    await this.interaction?.dispose();
  }

  private whenThere(work: (interaction: Interaction) => void, needed = true): void {
    if (this.interaction) return work(this.interaction);
    this.waiting.push(work);
    if (needed) void this.fetch();
  }

  private take(interaction: Interaction): void {
    if (this.disposed) return void interaction.dispose();
    this.interaction = interaction;
    this.parts.host.append(interaction.crosshair);
    const works = this.waiting;
    this.waiting = [];
    for (const work of works) work(interaction);
  }
}
