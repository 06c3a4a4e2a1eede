/** Edits a text in place: Fabric's own text with its caret replaces the painted one. */

import { IText, Textbox, type Canvas, type TPointerEvent } from "fabric";
import type {
  BoardEditor,
  BoardObject,
  Json,
  NewObject,
  ObjectId,
} from "../../../board/drawing.ts";
import { textDirection } from "../../../board/text-direction.ts";
import { wrapsAnywhere } from "../../../board/text-wrapping.ts";
import { numberOr } from "../geometry/transform.ts";
import type { Content } from "../painting/content.ts";
import { makeText, reviveObject } from "../scene/fabric-objects.ts";
import { gradientsOf } from "../scene/fabric-shape.ts";
import type { Item } from "../scene/item.ts";
import { whenLeaving } from "../view/leaving.ts";
import type { Viewport } from "../view/viewport.ts";
import {
  findFromRight,
  followCaret,
  followField,
  makeField,
  showComposition,
  TYPED,
} from "./caret.ts";
import { asNew } from "./edits.ts";
import {
  type TextState,
  draftOf,
  layoutChange,
  stateOf,
  turnAround,
  writtenText,
} from "./text-layout.ts";

export interface TextEditingDependencies {
  /** Keeps the caret in view. */
  readonly viewport: Viewport;
  /** Fabric's canvas, on which the text is shown. */
  readonly canvas: Canvas;
  readonly editor: BoardEditor;
  readonly content: Content;
  /** The visitor's colour (CSS). */
  readonly color: () => string;
  /** Called when words over the limit of a text were left out. */
  readonly cut: () => void;
  /** Called when the editing of an object ended. */
  readonly done: (id: ObjectId) => void;
}

export class TextEditing {
  private readonly deps: TextEditingDependencies;
  /** The object that is edited; undefined for a text that is not on the board yet. */
  private object: BoardObject | undefined;
  /** A new text, as it was begun. */
  private begun: NewObject | undefined;
  /** The new text as it is laid out now. */
  private draft: NewObject | undefined;
  private text: IText | undefined;
  /** The text as it was stored last. */
  private before: TextState | undefined;
  /** Is aborted when the editing ends. */
  private following = new AbortController();
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
    return this.object?.id === id;
  }

  /** Begins to edit, with the caret at `event`, or with all text selected. */
  async begin({ object }: Item, event?: TPointerEvent): Promise<void> {
    this.end();
    const text = makeText(object) ?? (await reviveObject(object));
    if (!(text instanceof IText) || this.text) return;
    // The field has no other ends of lines: its positions would be others than the text's.
    text.set({ text: text.text.replaceAll(/\r\n?/g, "\n") });
    for (const { show } of gradientsOf(text)) show();
    this.object = object;
    this.removed = false;
    this.deps.content.detach(object.id, "own");
    this.letterColor = letterColorOf(object, text.text, this.deps.color());
    if (this.letterColor) text.set({ fill: this.letterColor });
    this.show(text, event);
    if (event) text.setCursorByClick(event);
    else text.selectAll();
  }

  /**
   * Begins a text that is not on the board yet, with the caret behind its words. It is added when its words are stored,
   * if it has any.
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

  /** Takes over a change or a return of the object by a peer: its colour is shown immediately, text and position when the editing ends. */
  replaceItem({ object }: Item): void {
    this.object = object;
    this.removed = false;
    const { fill } = object;
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
    this.before = stateOf(text);
    text.set({ ...TYPED, hiddenTextareaContainer: this.field });
    findFromRight(text);
    showComposition(text);
    if (text instanceof Textbox) this.wrap(text);
    viewport.layers.host.append(this.field);
    canvas.add(text);
    canvas.setActiveObject(text);
    text.on("editing:exited", () => this.finish());
    text.on("dragstart", ({ e }) => keepWords(e));
    text.on("changed", () => this.layOut(text));
    text.enterEditing(event);
    this.following = new AbortController();
    const { signal } = this.following;
    followField(text, this.deps.cut, signal);
    followCaret(text, viewport, signal);
    // The page may never be shown again; if it is, the writing goes on.
    whenLeaving(() => text.text.trim() !== "" && this.store(text, true), signal);
    canvas.requestRenderAll();
  }

  /**
   * Has a text wrap as its words ask for at its own width: Fabric widens it for a long word, and would leave it as wide
   * without that word.
   */
  private wrap(text: Textbox): void {
    text.initDimensions = () => {
      const stored = this.draft ?? this.object;
      text.width = numberOr(stored?.["width"], text.width);
      text.splitByGrapheme = stored?.["splitByGrapheme"] === true || wrapsAnywhere(text.text);
      Textbox.prototype.initDimensions.call(text);
    };
  }

  /** Lays the text out in the direction that its words ask for. */
  private layOut(text: IText): void {
    const { begun } = this;
    const direction = textDirection(text.text);
    if (!direction || direction === text.direction) return;
    turnAround(text, direction);
    if (begun) {
      this.draft = this.draftOf({ ...begun, text: text.text });
      const { left, originX = "left" } = this.draft;
      text.set({ left, originX });
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
    const { text } = this;
    if (!text) return;
    this.text = undefined;
    this.following.abort();
    this.deps.canvas.remove(text);
    this.field.remove();
    // Words that are still being dragged have no canvas any more on which Fabric could show that.
    text.renderDragSourceEffect = () => undefined;
    this.store(text, false);
    const { object } = this;
    this.object = undefined;
    this.begun = undefined;
    this.draft = undefined;
    if (object) {
      this.deps.content.attach(object.id, "own");
      this.deps.done(object.id);
    }
    text.dispose();
    // A visitor who pressed something else has the focus there.
    const { host } = this.deps.viewport.layers;
    if (document.activeElement === document.body) host.focus({ preventScroll: true });
  }

  /** Stores the words as one change of the board. `goesOn`: the writing goes on. */
  private store(text: IText, goesOn: boolean): void {
    const { before, draft, object } = this;
    const words = text.text;
    const isBlank = words.trim() === "";
    if (!object) {
      if (!draft || isBlank) return;
      const lines = goesOn ? Infinity : text.textLines.length;
      this.add(writtenText(draft, words, lines));
    } else if (isBlank) {
      if (!this.removed) this.deps.editor.remove([object.id]);
    } else if (before && words !== before.words) this.change(object, text, before);
    this.before = stateOf(text);
  }

  /** Adds an object, which is the one that is edited from then on. */
  private add(added: NewObject): void {
    const { content, editor } = this.deps;
    [this.object] = editor.add([added]);
    this.removed = false;
    if (this.object) content.detach(this.object.id, "own");
  }

  private change(object: BoardObject, text: IText, before: TextState): void {
    const { content, editor } = this.deps;
    const { id } = object;
    const props = {
      text: text.text,
      ...layoutChange(object, text, before),
      ...(text instanceof Textbox && {
        splitByGrapheme: text.splitByGrapheme,
        ...(this.draft && { width: this.draft["width"] }),
      }),
      ...this.lookOf(object, text),
    };
    if (!this.removed) return editor.change([{ id, props }]);
    // The typed words survive although a peer removed the object: they become a new object.
    content.attach(id, "own");
    this.add({ ...asNew(object), ...props });
  }

  /** Returns the properties of a text's look that its new words change. */
  private lookOf(object: BoardObject, text: IText): Partial<NewObject> {
    const fill = LETTERS.test(text.text) && this.letterColor;
    const { styles } = text.toObject() as unknown as { styles?: Json };
    const styled = Array.isArray(styles) && (styles.length > 0 || object["styles"] !== undefined);
    return {
      ...(styled && { styles: styles as Json }),
      ...(fill && object["fill"] === undefined && { fill }),
    };
  }
}

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
function letterColorOf(object: BoardObject, text: string, color: string): string | undefined {
  if (object["fill"] !== undefined || LETTERS.test(text)) return undefined;
  return color.toLowerCase() === UNREADABLE ? undefined : color;
}
