/**
 * The caret of a text that is being written, the field that takes its letters, and its look. Keys move it as they move the caret of any field, and it stays visible,
 * also above an on-screen keyboard.
 */

import { IText, type TPointerEvent } from "fabric";
import { MAX_TEXT } from "../../../board/limits.ts";
import type { Box } from "../geometry/box.ts";
import { applyMatrixToBox, type Matrix, multiply } from "../geometry/matrix.ts";
import { showBox } from "../view/fit.ts";
import { isApple } from "../view/platform.ts";
import type { Viewport } from "../view/viewport.ts";
import { ACCENT } from "./handle.ts";
import { mirroredAlign } from "./text-layout.ts";

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
 * throw, since 7.x has no `cut`. That of `ctrlKeysMapDown`, Ctrl+A, is the browser's: Fabric would leave the selection
 * the direction of the one before.
 */
export const TYPED = {
  objectCaching: false,
  editingBorderColor: ACCENT,
  padding: 4,
  keysMap: KEYS,
  keysMapRtl: KEYS,
  ctrlKeysMapUp: {},
  ctrlKeysMapDown: {},
};

/**
 * Makes the parent of the text area that Fabric types into. Fabric positions it by coordinates of the window, so its
 * parent must begin there: anywhere else the browser would scroll the canvas to show it.
 */
export function makeField(): HTMLElement {
  const field = document.createElement("div");
  Object.assign(field.style, {
    position: "fixed",
    inset: "0",
    overflow: "hidden",
    pointerEvents: "none",
  });
  return field;
}

/** The state of Fabric's text that its types keep protected. */
interface Internals {
  readonly inCompositionMode: boolean;
  readonly __selectionStartOnMouseDown: number;
  _selectionDirection: "left" | "right" | null;
}

/**
 * Has the caret of `text` follow that of the field it is typed into, which the browser moves: by arrows, by words, by
 * the gestures of an on-screen keyboard. Home and End go to the ends of the painted line. `cut` is called when the field
 * does not take all words. The text must be on Fabric's canvas, which it leaves when `signal` is aborted.
 */
export function followField(text: IText, cut: () => void, signal: AbortSignal): void {
  const field = text.hiddenTextarea;
  if (!field) return;
  field.dir = "auto";
  // The page translates the name.
  field.setAttribute("aria-labelledby", "text-name");
  const internals = text as unknown as Internals;
  const onPress = ({ e }: { readonly e: TPointerEvent }): void => {
    if (e.shiftKey) return;
    const backward = text.selectionEnd === internals.__selectionStartOnMouseDown;
    internals._selectionDirection = backward ? "left" : "right";
  };
  const select = (anchor: number, focus: number): void => {
    const [start, end] = anchor < focus ? [anchor, focus] : [focus, anchor];
    const range = text.fromGraphemeToStringSelection(start, end, text._text);
    const direction = focus < anchor ? "backward" : "forward";
    field.setSelectionRange(range.selectionStart, range.selectionEnd, direction);
  };
  const follow = (): void => {
    const { selectionStart, selectionEnd, selectionDirection, value } = field;
    // Until the event `input` Fabric does not know the words.
    if (internals.inCompositionMode || value !== text.text) return;
    const now = text.fromStringToGraphemeSelection(selectionStart, selectionEnd, value);
    if (now.selectionStart === text.selectionStart && now.selectionEnd === text.selectionEnd)
      return;
    Object.assign(text, now);
    internals._selectionDirection = selectionDirection === "backward" ? "left" : "right";
    text._updateTextarea();
    text.initDelayedCursor();
    text.clearContextTop();
    text.renderCursorOrSelection();
    text.fire("selection:changed");
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    // The event `selectionchange` of the key before may still be to come.
    follow();
    const { selectionStart: start, selectionEnd: end } = text;
    const [anchor, focus] = internals._selectionDirection === "left" ? [end, start] : [start, end];
    const to = lineEndOf(event, text.direction);
    if (to) {
      const at = paintedLineEnd(text, focus, to);
      select(event.shiftKey ? anchor : at, at);
      follow();
    }
    // Fabric sets the selection of the field without its direction, by which the browser extends it.
    else if (event.shiftKey && start < end) select(anchor, focus);
    // The browser would leave the page for Alt and an arrow.
    if (to || (event.altKey && !isApple && event.key.startsWith("Arrow"))) event.preventDefault();
  };
  field.maxLength = MAX_TEXT;
  const onInput = ({ data, inputType }: InputEvent): void => {
    const { selectionStart, selectionEnd, value } = field;
    const added = inputType === "insertLineBreak" ? 1 : (data?.length ?? 0);
    if (added > 0 && value.length - (selectionEnd - selectionStart) + added > MAX_TEXT) cut();
  };
  field.addEventListener("beforeinput", onInput, { signal });
  field.addEventListener("keydown", onKey, { signal, capture: true });
  document.addEventListener("selectionchange", follow, { signal });
  const stop = text.canvas?.on("mouse:up", onPress);
  signal.addEventListener("abort", () => stop?.());
}

/**
 * Has a press in a text that is written from right to left find the position under the pointer, which Fabric 7.4 looks
 * for from the left.
 */
export function findFromRight(text: IText): void {
  text.getSelectionStartFromPointer = (event) => {
    const searched = text.direction === "rtl" ? mirrored(text) : text;
    return IText.prototype.getSelectionStartFromPointer.call(searched, event);
  };
}

const MIRROR: Matrix = [-1, 0, 0, 1, 0, 0];

/** Returns a view of a text in which it is written from the left, mirrored at its middle. */
function mirrored(text: IText): IText {
  const view: unknown = Object.create(text, {
    direction: { value: "ltr" },
    textAlign: { value: mirroredAlign(text.textAlign) },
    calcTransformMatrix: { value: () => multiply(text.calcTransformMatrix() as Matrix, MIRROR) },
  });
  return view as IText;
}

type LineEnd = "start" | "end";

/** Returns the end of the line to which a key moves the caret; undefined for all other keys. */
function lineEndOf(
  { key, ctrlKey, altKey, metaKey }: KeyboardEvent,
  direction: string,
): LineEnd | undefined {
  if (ctrlKey || altKey) return undefined;
  const [back, on] =
    direction === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
  if (key === "Home" || (metaKey && key === back)) return "start";
  return key === "End" || (metaKey && key === on) ? "end" : undefined;
}

/** Returns the position of an end of the painted line that contains position `at`, both in graphemes. */
function paintedLineEnd(text: IText, at: number, end: LineEnd): number {
  const { lineIndex, charIndex } = text.get2DCursorLocation(at);
  const start = at - charIndex;
  return end === "start" ? start : start + (text._textLines[lineIndex]?.length ?? 0);
}

/**
 * Shows the caret of a text behind the letters that an input method composes, where its window opens: meanwhile Fabric
 * 7.4 paints none, and takes the position in the field for one in graphemes. Call it before the editing begins.
 */
export function showComposition(text: IText): void {
  const internals = text as unknown as Internals;
  text.renderSelection = (ctx, boundaries) => {
    if (!internals.inCompositionMode)
      return IText.prototype.renderSelection.call(text, ctx, boundaries);
    text.renderCursor(ctx, text._getCursorBoundaries(text.selectionStart, true));
  };
  text.onCompositionUpdate = ({ target }) => {
    const { selectionStart, value } = target as HTMLTextAreaElement;
    const now = text.fromStringToGraphemeSelection(selectionStart, selectionStart, value);
    text.compositionStart = now.selectionStart;
    text._updateTextarea();
  };
}

/**
 * Moves the view when the caret of `text` leaves it, but not when all its words are selected, until `signal` is aborted
 * and the text leaves Fabric's canvas.
 */
export function followCaret(text: IText, viewport: Viewport, signal: AbortSignal): void {
  const follow = (): void => {
    const { selectionStart, selectionEnd } = text;
    const isAll =
      selectionStart < selectionEnd && selectionEnd - selectionStart === text._text.length;
    if (!text.canvas || isAll) return;
    viewport.set(showBox(viewport.view, caretBox(text), visibleArea(viewport)), false);
  };
  text.on("changed", follow);
  text.on("selection:changed", follow);
  for (const name of ["resize", "scroll"])
    window.visualViewport?.addEventListener(name, follow, { signal });
  follow();
}

/** Returns the box of the caret, at the end of a selection that keys move, in canvas pixels. */
function caretBox(text: IText): Box {
  const isBackward = (text as unknown as Internals)._selectionDirection === "left";
  const at = isBackward ? text.selectionStart : text.selectionEnd;
  const { left, top, width, height } = text.getCursorRenderingData(
    at,
    // Without Fabric's cache, which is that of the selection's start.
    text._getCursorBoundaries(at, true),
  );
  const box = { left, top, right: left + width, bottom: top + height };
  return applyMatrixToBox(text.calcTransformMatrix(), box);
}

/**
 * Returns the visible part of the canvas, in CSS pixels of the canvas: a keyboard may cover the rest. When the window is
 * resized, the canvas has its size of before, but always ends where the window does.
 */
function visibleArea({ layers, covered }: Viewport): Box {
  const { width } = layers.size;
  const end = layers.toHost({ clientX: 0, clientY: window.innerHeight });
  const area = { left: 0, top: 0, right: width, bottom: end.y - covered() };
  const visible = window.visualViewport;
  if (!visible) return area;
  const { x, y } = layers.toHost({ clientX: visible.offsetLeft, clientY: visible.offsetTop });
  return {
    left: Math.max(area.left, x),
    top: Math.max(area.top, y),
    right: Math.min(area.right, x + visible.width),
    bottom: Math.min(area.bottom, y + visible.height),
  };
}
