/** Editing a text in place: Fabric's own text with its caret takes the place of the painted one. */

import { IText, type Canvas, type TPointerEvent } from "fabric";
import type { BoardEditor, Json, NewObject } from "../../board/drawing.ts";
import { makeText, reviveObject } from "./guest.ts";
import type { Item } from "./item.ts";

export interface TextParts {
  readonly host: HTMLElement;
  readonly surface: Canvas;
  readonly editor: BoardEditor;
  /** Takes the item off the base canvas, or puts it back. */
  lift(item: Item, lifted: boolean): void;
  /** The editing is over. */
  done(item: Item): void;
}

export class TextEditing {
  private readonly parts: TextParts;
  private item: Item | undefined;
  private text: IText | undefined;
  private before = "";
  private readonly field = makeField();
  /** Somebody removed the object meanwhile. */
  private gone = false;

  constructor(parts: TextParts) {
    this.parts = parts;
  }

  get active(): boolean {
    return this.item !== undefined;
  }

  isEditing(item: Item): boolean {
    return this.item?.object.id === item.object.id;
  }

  /** Begins to edit, with the caret where `event` is, or with all text selected. */
  async begin(item: Item, event?: TPointerEvent): Promise<void> {
    this.end();
    const text = makeText(item.object) ?? (await reviveObject(item.object));
    if (!(text instanceof IText) || this.item) return;
    const { surface } = this.parts;
    this.item = item;
    this.text = text;
    this.before = text.text;
    this.gone = false;
    text.set({ hiddenTextareaContainer: this.field, objectCaching: false });
    this.parts.host.append(this.field);
    this.parts.lift(item, true);
    surface.add(text);
    surface.setActiveObject(text);
    text.on("editing:exited", () => this.finish());
    text.enterEditing(event);
    if (event) text.setCursorByClick(event);
    else text.selectAll();
    surface.requestRenderAll();
  }

  end(): void {
    this.text?.exitEditing();
  }

  /** The object changed elsewhere: its colour is shown at once, words and place wait until the caret is gone. */
  take(item: Item): void {
    this.item = item;
    const fill = item.object["fill"];
    if (typeof fill === "string") this.text?.set({ fill });
    this.parts.surface.requestRenderAll();
  }

  lose(): void {
    this.gone = true;
  }

  private finish(): void {
    const { item, text } = this;
    if (!item || !text) return;
    this.item = undefined;
    this.text = undefined;
    const { surface, editor } = this.parts;
    const words = text.text;
    const changed = words !== this.before;
    surface.remove(text);
    this.field.remove();
    text.dispose();
    this.parts.lift(item, false);
    if (this.gone) {
      // What was typed stays, though somebody removed the object: it comes back as a new one.
      if (changed && words !== "") editor.add([asNew(item, words)]);
    } else if (words === "") editor.remove([item.object.id]);
    else if (changed) {
      const { styles } = text.toObject() as unknown as { styles?: Json };
      const before = item.object["styles"];
      const styled = Array.isArray(styles) && (styles.length > 0 || before !== undefined);
      editor.change([
        { id: item.object.id, props: { text: words, ...(styled && { styles: styles as Json }) } },
      ]);
    }
    this.parts.done(item);
  }
}

/**
 * Holds the text area that Fabric types into. Fabric places it by the coordinates of the window, so its
 * parent must begin there: anywhere else the browser would scroll the canvas to show it.
 */
function makeField(): HTMLElement {
  const field = document.createElement("div");
  Object.assign(field.style, {
    position: "fixed",
    inset: "0",
    overflow: "hidden",
    pointerEvents: "none",
  });
  return field;
}

function asNew(item: Item, words: string): NewObject {
  const { id: _id, life: _life, z: _z, stamps: _stamps, ...rest } = item.object;
  return { ...(rest as unknown as NewObject), text: words };
}
