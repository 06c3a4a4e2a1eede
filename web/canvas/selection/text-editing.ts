/** Edits a text in place: Fabric's own text with its caret replaces the painted one. */

import { IText, Textbox, type Canvas, type TPointerEvent } from "fabric";
import type { BoardEditor, Json, NewObject, ObjectId } from "../../../board/drawing.ts";
import { textDirection } from "../../../board/text-direction.ts";
import { numberOr } from "../geometry/transform.ts";
import type { Content } from "../painting/content.ts";
import { makeText, reviveObject } from "../scene/fabric-objects.ts";
import type { Item } from "../scene/item.ts";
import type { Viewport } from "../view/viewport.ts";
import { findFromRight, followCaret, followField } from "./caret.ts";
import { asNew } from "./edits.ts";
import { ACCENT } from "./handle.ts";
import { draftOf, turnAround, wrapsAnywhere, writtenText } from "./text-layout.ts";

export interface TextEditingDependencies {
  /** Keeps the caret in view. */
  readonly viewport: Viewport;
  /** Fabric's canvas, on which the text is shown. */
  readonly canvas: Canvas;
  readonly editor: BoardEditor;
  readonly content: Content;
  /** The visitor's colour (CSS). */
  readonly color: () => string;
  /** Called when the editing of an object ended. */
  readonly done: (id: ObjectId) => void;
}

export class TextEditing {
  private readonly deps: TextEditingDependencies;
  /** The object that is edited; undefined for a text that is not on the board yet. */
  private item: Item | undefined;
  /** A text that is not on the board yet, as it was begun. */
  private begun: NewObject | undefined;
  /** The begun text as it is laid out now. */
  private draft: NewObject | undefined;
  private text: IText | undefined;
  /** The text as the editing began. */
  private before: Before | undefined;
  private stopFollowing = (): void => undefined;
  /** The colour of letters that are typed into a sticker. */
  private letterColor: string | undefined;
  private readonly field = makeField();
  /** True when a peer removed the object meanwhile. */
  private removed = false;

  constructor(deps: TextEditingDependencies) {
    this.deps = deps;
  }

  get active(): boolean {
    return this.text !== undefined;
  }

  /** Moves the field that takes the keys to the caret, since windows of input methods open beside it. */
  moveField(): void {
    this.text?.updateTextareaPosition();
  }

  isEditing(id: ObjectId): boolean {
    return this.item?.object.id === id;
  }

  /** Begins to edit, with the caret at `event`, or with all text selected. */
  async begin(item: Item, event?: TPointerEvent): Promise<void> {
    this.end();
    const text = makeText(item.object) ?? (await reviveObject(item.object));
    if (!(text instanceof IText) || this.text) return;
    this.item = item;
    this.removed = false;
    this.deps.content.detach(item.object.id, "own");
    this.letterColor = letterColorOf(item, text.text, this.deps.color());
    if (this.letterColor) text.set({ fill: this.letterColor });
    this.show(text, event);
    if (event) text.setCursorByClick(event);
    else text.selectAll();
  }

  /**
   * Begins a text that is not on the board yet, with the caret behind its words. It is added when the editing ends,
   * if it has any words.
   */
  beginNew(words: NewObject): void {
    this.end();
    const draft = this.draftOf(words);
    const text = makeText(draft);
    if (!(text instanceof IText)) return;
    this.begun = words;
    this.draft = draft;
    this.show(text);
    text.setSelectionStart(text.text.length);
    text.setSelectionEnd(text.text.length);
  }

  /** Ends the editing; a change of the text is one change of the object. */
  end(): void {
    this.text?.exitEditing();
  }

  /** Takes over a change of the object by a peer: its colour is shown immediately, text and position when the editing ends. */
  replaceItem(item: Item): void {
    this.item = item;
    const fill = item.object["fill"];
    if (typeof fill === "string") this.text?.set({ fill });
    this.deps.canvas.requestRenderAll();
  }

  /** Notes that a peer removed the object. */
  markRemoved(): void {
    this.removed = true;
  }

  private show(text: IText, event?: TPointerEvent): void {
    const { canvas, viewport } = this.deps;
    this.text = text;
    const { left, top, direction } = text;
    this.before = { words: text.text, left, top, direction };
    text.set({ ...LOOK, hiddenTextareaContainer: this.field });
    findFromRight(text);
    viewport.layers.host.append(this.field);
    canvas.add(text);
    canvas.setActiveObject(text);
    text.on("editing:exited", () => this.finish());
    text.on("dragstart", ({ e }) => keepWords(e));
    text.on("changed", () => this.layOut(text));
    text.enterEditing(event);
    const stops = [followField(text), followCaret(text, viewport)];
    this.stopFollowing = () => stops.forEach((stop) => stop());
    canvas.requestRenderAll();
  }

  /** Lays the text out as its words ask for. */
  private layOut(text: IText): void {
    const { begun } = this;
    if (begun && text instanceof Textbox) text.set({ splitByGrapheme: wrapsAnywhere(text.text) });
    const direction = textDirection(text.text);
    if (!direction || direction === text.direction) return;
    turnAround(text, direction);
    if (begun) {
      this.draft = this.draftOf({ ...begun, text: text.text });
      const { left, originX = "left", width = text.width } = this.draft;
      text.set({ left, originX, width });
    }
    text.initDimensions();
    text.setCoords();
    // Fabric stores where the caret was painted.
    Reflect.set(text, "cursorOffsetCache", {});
    text.updateTextareaPosition();
  }

  private draftOf(words: NewObject): NewObject {
    const { layers, view } = this.deps.viewport;
    return draftOf(words, view, layers.size);
  }

  private finish(): void {
    const { before, draft, item, text } = this;
    if (!text || !before) return;
    this.item = undefined;
    this.begun = undefined;
    this.draft = undefined;
    this.text = undefined;
    this.stopFollowing();
    this.deps.canvas.remove(text);
    this.field.remove();
    // Words that are still being dragged have no canvas any more on which Fabric could show that.
    text.renderDragSourceEffect = () => undefined;
    if (item) this.save(item, text, before);
    else if (draft && text.text.trim() !== "") this.add(draft, text);
    text.dispose();
    // A visitor who pressed something else has the focus there.
    const { host } = this.deps.viewport.layers;
    if (document.activeElement === document.body) host.focus({ preventScroll: true });
  }

  private add(draft: NewObject, text: IText): void {
    const shown = { width: text.width, lines: text.textLines.length };
    const [added] = this.deps.editor.add([writtenText(draft, text.text, shown)]);
    if (added) this.deps.done(added.id);
  }

  private save(item: Item, text: IText, before: Before): void {
    const { content, editor } = this.deps;
    const words = text.text;
    const changed = words !== before.words;
    content.attach(item.object.id, "own");
    const { id } = item.object;
    if (words === "" && !this.removed) editor.remove([id]);
    else if (changed && words !== "") {
      const props = {
        text: words,
        ...layoutChange(item, text, before),
        ...this.lookOf(item, text),
      };
      // The typed words survive although a peer removed the object: they become a new object.
      if (this.removed) editor.add([{ ...asNew(item.object), ...props }]);
      else editor.change([{ id, props }]);
    }
    this.deps.done(id);
  }

  /** Returns the properties of a text's look that its new words change. */
  private lookOf({ object }: Item, text: IText): Partial<NewObject> {
    const fill = LETTERS.test(text.text) && this.letterColor;
    const { styles } = text.toObject() as unknown as { styles?: Json };
    const styled = Array.isArray(styles) && (styles.length > 0 || object["styles"] !== undefined);
    return {
      ...(styled && { styles: styles as Json }),
      ...(fill && object["fill"] === undefined && { fill }),
    };
  }
}

interface Before {
  readonly words: string;
  readonly left: number;
  readonly top: number;
  readonly direction: string;
}

/** The least change of a position that is stored, in canvas pixels. */
const MOVED = 0.05;

/**
 * Returns the properties with which a text stays where it was written: while its width changes, Fabric keeps the edge at
 * which its lines begin, whatever its origin is.
 */
function layoutChange({ object }: Item, text: IText, before: Before): Partial<NewObject> {
  const { direction, textAlign } = text;
  const x = text.left - before.left;
  const y = text.top - before.top;
  const isMoved = Math.hypot(x, y) > MOVED;
  return {
    ...(direction !== before.direction && { direction, textAlign }),
    ...(isMoved && { left: numberOr(object.left, 0) + x, top: numberOr(object.top, 0) + y }),
  };
}

/** The keys that Fabric acts on, by their codes: between painted lines only Fabric can move the caret. */
const KEYS = {
  9: "exitEditing",
  27: "exitEditing",
  33: "moveCursorUp",
  34: "moveCursorDown",
  38: "moveCursorUp",
  40: "moveCursorDown",
} as const;

/**
 * The look and the keys of the text being written: the box around it must be visible. Fabric's keys of
 * `ctrlKeysMapUp` do what its events of the clipboard have done already; Ctrl+X without selected characters would
 * throw, since 7.x has no `cut`.
 */
const LOOK = {
  objectCaching: false,
  editingBorderColor: ACCENT,
  padding: 4,
  keysMap: KEYS,
  keysMapRtl: KEYS,
  ctrlKeysMapUp: {},
};

/**
 * Has words that are dragged out of a text stay in it: Fabric would remove them wherever they are dropped. Within the
 * text it moves them itself.
 */
function keepWords({ dataTransfer }: DragEvent): void {
  if (dataTransfer) dataTransfer.effectAllowed = "copy";
}

/** The board's own colour, on which nobody could read such letters. */
const UNREADABLE = "#ffffff";
const LETTERS = /[\p{L}\p{N}]/u;

/**
 * Returns the colour of letters typed into a sticker, which has none itself: the visitor's, unless it is that of the
 * board. Undefined for a text that keeps its own colour.
 */
function letterColorOf({ object }: Item, text: string, color: string): string | undefined {
  if (object["fill"] !== undefined || LETTERS.test(text)) return undefined;
  return color.toLowerCase() === UNREADABLE ? undefined : color;
}

/**
 * Makes the parent of the text area that Fabric types into. Fabric positions it by coordinates of the window, so its
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
