/** Keeps the caret of a text that is being written visible, also above an on-screen keyboard. */

import type { IText } from "fabric";
import type { Box } from "../geometry/box.ts";
import { applyMatrixToBox } from "../geometry/matrix.ts";
import { showBox } from "../view/fit.ts";
import type { Viewport } from "../view/viewport.ts";

/** Moves the view when the caret of `text` leaves it. Returns the function that ends that. */
export function followCaret(text: IText, viewport: Viewport): () => void {
  const follow = (): void => {
    if (!text.canvas) return;
    viewport.set(showBox(viewport.view, caretBox(text), visibleArea(viewport)), false);
  };
  const listening = new AbortController();
  const { signal } = listening;
  const stops = [text.on("changed", follow), text.on("selection:changed", follow)];
  for (const name of ["resize", "scroll"])
    window.visualViewport?.addEventListener(name, follow, { signal });
  follow();
  return () => {
    listening.abort();
    for (const stop of stops) stop();
  };
}

/** Returns the box of the caret, in canvas pixels. */
function caretBox(text: IText): Box {
  const { left, top, width, height } = text.getCursorRenderingData(text.selectionStart);
  const box = { left, top, right: left + width, bottom: top + height };
  return applyMatrixToBox(text.calcTransformMatrix(), box);
}

/** Returns the visible part of the canvas, in CSS pixels of the canvas: a keyboard may cover the rest. */
function visibleArea({ layers, covered }: Viewport): Box {
  const { width, height } = layers.size;
  const area = { left: 0, top: 0, right: width, bottom: height - covered() };
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
